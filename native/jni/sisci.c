/*
 * SISCI for Java. The library is opened by path at run time, so the shim and a vendor's libsisci.so are
 * interchangeable; what only the shim offers (sisci_shim.h) is looked up and may be missing.
 */
#define _GNU_SOURCE
#define _REENTRANT /* the names for multi-threaded callers */
#include "jfs_nativelib_Sisci.h"

#include "sisci_api.h"
#include "sisci_shim.h"

#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define ADAPTER 0

/* Every call that JFS makes; X(name). */
#define SISCI_CALLS(X)                                                                                              \
    X(SCIInitialize)                                                                                                \
    X(SCIOpen)                                                                                                      \
    X(SCIGetLocalNodeId)                                                                                            \
    X(SCIGetErrorString)                                                                                            \
    X(SCICreateSegment)                                                                                             \
    X(SCIPrepareSegment)                                                                                            \
    X(SCISetSegmentAvailable)                                                                                       \
    X(SCISetSegmentUnavailable)                                                                                     \
    X(SCIMapLocalSegment)                                                                                           \
    X(SCIUnmapSegment)                                                                                              \
    X(SCIRemoveSegment)                                                                                             \
    X(SCIConnectSegment)                                                                                            \
    X(SCIGetRemoteSegmentSize)                                                                                      \
    X(SCIMapRemoteSegment)                                                                                          \
    X(SCIDisconnectSegment)                                                                                         \
    X(SCICreateInterrupt)                                                                                           \
    X(SCIRemoveInterrupt)                                                                                           \
    X(SCIConnectInterrupt)                                                                                          \
    X(SCIDisconnectInterrupt)                                                                                       \
    X(SCITriggerInterrupt)

#define PLAIN_NAME(name) #name
#define EXPORTED_NAME(name) PLAIN_NAME(name) /* expands the header's mapping to _SISCI_PUBLIC_FUNC_MT_... */

static struct {
#define X(name) __typeof__(name) *name##_;
    SISCI_CALLS(X)
#undef X
    __typeof__(SCIShimInterruptDescriptor) *interruptDescriptor;
    __typeof__(SCIShimAcknowledgeInterrupt) *acknowledgeInterrupt;
    __typeof__(SCIShimAllowUsers) *allowUsers; /* NULL in a library that has no users */
    sci_desc_t device;
    unsigned useCallback;
    unsigned forceRemove;
    unsigned lastMap;
} sisci;

static JavaVM *vm;
static jmethodID peerGone;

/* A segment, local or remote, and who hears of its end. */
struct segment {
    union {
        sci_local_segment_t local;
        sci_remote_segment_t remote;
    } handle;
    jobject listener;
};

static jstring reason(JNIEnv *env, const char *what, const char *detail)
{
    char text[512];
    snprintf(text, sizeof text, "%s: %s", what, detail);
    return (*env)->NewStringUTF(env, text);
}

static unsigned flag_value(void *library, const char *name, unsigned otherwise)
{
    const unsigned *value = dlsym(library, name);
    return value != NULL ? *value : otherwise;
}

JNIEXPORT jstring JNICALL Java_jfs_nativelib_Sisci_load(JNIEnv *env, jclass self, jstring path)
{
    (void)self;
    const char *file = (*env)->GetStringUTFChars(env, path, NULL);
    if (file == NULL)
        return NULL; /* an OutOfMemoryError is pending */
    void *library = dlopen(file, RTLD_NOW | RTLD_LOCAL);
    (*env)->ReleaseStringUTFChars(env, path, file);
    if (library == NULL)
        return reason(env, "dlopen", dlerror());
#define X(name)                                                                                                     \
    sisci.name##_ = (__typeof__(name) *)dlsym(library, EXPORTED_NAME(name));                                        \
    if (sisci.name##_ == NULL)                                                                                      \
        return reason(env, "dlsym", EXPORTED_NAME(name));
    SISCI_CALLS(X)
#undef X
    sisci.interruptDescriptor =
        (__typeof__(SCIShimInterruptDescriptor) *)dlsym(library, "SCIShimInterruptDescriptor");
    sisci.acknowledgeInterrupt =
        (__typeof__(SCIShimAcknowledgeInterrupt) *)dlsym(library, "SCIShimAcknowledgeInterrupt");
    if (sisci.interruptDescriptor == NULL || sisci.acknowledgeInterrupt == NULL)
        return reason(env, "dlsym", "SCIShimInterruptDescriptor: this library's interrupts can't be polled");
    sisci.allowUsers = (__typeof__(SCIShimAllowUsers) *)dlsym(library, "SCIShimAllowUsers");
    sisci.useCallback = flag_value(library, "_SISCI_PUBLIC_CONST_SCI_FLAG_USE_CALLBACK", 1);
    sisci.forceRemove = flag_value(library, "_SISCI_PUBLIC_CONST_SCI_FLAG_FORCE_REMOVE", 0);
    sisci.lastMap = SCI_SHIM_FLAG_LAST_MAP;

    if ((*env)->GetJavaVM(env, &vm) != JNI_OK)
        return reason(env, "GetJavaVM", "failed");
    jclass listener = (*env)->FindClass(env, "jfs/nativelib/Sisci$Listener");
    peerGone = listener == NULL ? NULL : (*env)->GetMethodID(env, listener, "peerGone", "()V");
    if (peerGone == NULL)
        return NULL; /* NoSuchMethodError is pending */

    sci_error_t error = SCI_ERR_OK;
    sisci.SCIInitialize_(0, &error);
    if (error != SCI_ERR_OK)
        return reason(env, "SCIInitialize", sisci.SCIGetErrorString_(error));
    sisci.SCIOpen_(&sisci.device, 0, &error);
    if (error != SCI_ERR_OK)
        return reason(env, "SCIOpen", sisci.SCIGetErrorString_(error));
    return NULL;
}

JNIEXPORT void JNICALL Java_jfs_nativelib_Sisci_allowUsers(JNIEnv *env, jclass self, jintArray users)
{
    (void)self;
    jsize count = (*env)->GetArrayLength(env, users);
    jint *list = (*env)->GetIntArrayElements(env, users, NULL);
    if (list == NULL)
        return; /* an OutOfMemoryError is pending */
    if (sisci.allowUsers != NULL)
        sisci.allowUsers((const uid_t *)list, (size_t)count);
    (*env)->ReleaseIntArrayElements(env, users, list, JNI_ABORT);
}

static void put(JNIEnv *env, jlongArray out, jsize index, jlong value)
{
    (*env)->SetLongArrayRegion(env, out, index, 1, &value);
}

static void *handle(jlong value)
{
    return (void *)(intptr_t)value;
}

JNIEXPORT jint JNICALL Java_jfs_nativelib_Sisci_localNode(JNIEnv *env, jclass self, jlongArray out)
{
    (void)self;
    unsigned node = 0;
    sci_error_t error = SCI_ERR_OK;
    sisci.SCIGetLocalNodeId_(ADAPTER, &node, 0, &error);
    put(env, out, 0, node);
    return (jint)error;
}

JNIEXPORT jstring JNICALL Java_jfs_nativelib_Sisci_errorText(JNIEnv *env, jclass self, jint error)
{
    (void)self;
    return (*env)->NewStringUTF(env, sisci.SCIGetErrorString_((sci_error_t)error));
}

/*
 * Runs on the SISCI library's service thread, which is a daemon thread of the JVM only while it tells: a thread that
 * stays attached and sits in native code makes the JVM's exit wait for it. Events are rare, one or two a connection.
 */
static void tell(struct segment *segment, sci_segment_cb_reason_t why)
{
    if (why == SCI_CB_CONNECT)
        return;
    JNIEnv *env;
    int attached = (*vm)->GetEnv(vm, (void **)&env, JNI_VERSION_1_8) == JNI_OK;
    if (!attached) {
        JavaVMAttachArgs name = {.version = JNI_VERSION_1_8, .name = "jfs-sisci"};
        if ((*vm)->AttachCurrentThreadAsDaemon(vm, (void **)&env, &name) != JNI_OK)
            return; /* the JVM is going down */
    }
    (*env)->CallVoidMethod(env, segment->listener, peerGone);
    (*env)->ExceptionClear(env);
    if (!attached)
        (*vm)->DetachCurrentThread(vm);
}

static sci_callback_action_t local_event(void *segment, sci_local_segment_t local, sci_segment_cb_reason_t why,
                                         unsigned node, unsigned adapter, sci_error_t error)
{
    (void)local, (void)node, (void)adapter, (void)error;
    tell(segment, why);
    return SCI_CALLBACK_CONTINUE;
}

static sci_callback_action_t remote_event(void *segment, sci_remote_segment_t remote, sci_segment_cb_reason_t why,
                                          sci_error_t error)
{
    (void)remote, (void)error;
    tell(segment, why);
    return SCI_CALLBACK_CONTINUE;
}

static struct segment *new_segment(JNIEnv *env, jobject listener)
{
    struct segment *segment = calloc(1, sizeof *segment);
    if (segment == NULL)
        return NULL;
    segment->listener = (*env)->NewGlobalRef(env, listener);
    if (segment->listener == NULL) {
        free(segment);
        return NULL;
    }
    return segment;
}

static void free_segment(JNIEnv *env, struct segment *segment)
{
    (*env)->DeleteGlobalRef(env, segment->listener);
    free(segment);
}

JNIEXPORT jint JNICALL Java_jfs_nativelib_Sisci_createSegment(JNIEnv *env, jclass self, jint id, jlong size,
                                                              jobject listener, jlongArray out)
{
    (void)self;
    struct segment *segment = new_segment(env, listener);
    if (segment == NULL)
        return (jint)SCI_ERR_NOSPC;
    sci_error_t error = SCI_ERR_OK;
    sisci.SCICreateSegment_(sisci.device, &segment->handle.local, (unsigned)id, (size_t)size, local_event, segment,
                            sisci.useCallback, &error);
    if (error == SCI_ERR_OK) {
        sisci.SCIPrepareSegment_(segment->handle.local, ADAPTER, 0, &error);
        if (error != SCI_ERR_OK) {
            sci_error_t ignored;
            sisci.SCIRemoveSegment_(segment->handle.local, 0, &ignored);
        }
    }
    if (error != SCI_ERR_OK) {
        free_segment(env, segment);
        return (jint)error;
    }
    put(env, out, 0, (jlong)(intptr_t)segment);
    return SCI_ERR_OK;
}

JNIEXPORT jint JNICALL Java_jfs_nativelib_Sisci_setAvailable(JNIEnv *env, jclass self, jlong segment)
{
    (void)env, (void)self;
    sci_error_t error = SCI_ERR_OK;
    sisci.SCISetSegmentAvailable_(((struct segment *)handle(segment))->handle.local, ADAPTER, 0, &error);
    return (jint)error;
}

JNIEXPORT jint JNICALL Java_jfs_nativelib_Sisci_setUnavailable(JNIEnv *env, jclass self, jlong segment)
{
    (void)env, (void)self;
    sci_error_t error = SCI_ERR_OK;
    sisci.SCISetSegmentUnavailable_(((struct segment *)handle(segment))->handle.local, ADAPTER, 0, &error);
    return (jint)error;
}

/* The mapped memory as a direct buffer; if the JVM can't make one, nothing stays mapped. */
static jobject buffer_of(JNIEnv *env, void *memory, sci_map_t map, jlong size, sci_error_t error, jlongArray out)
{
    if (error != SCI_ERR_OK) {
        put(env, out, 0, (jlong)error);
        return NULL;
    }
    jobject buffer = (*env)->NewDirectByteBuffer(env, memory, size);
    if (buffer == NULL) {
        sci_error_t ignored;
        sisci.SCIUnmapSegment_(map, 0, &ignored);
        put(env, out, 0, (jlong)SCI_ERR_NOSPC);
        return NULL;
    }
    put(env, out, 0, (jlong)(intptr_t)map);
    return buffer;
}

JNIEXPORT jobject JNICALL Java_jfs_nativelib_Sisci_mapLocal(JNIEnv *env, jclass self, jlong segment, jlong size,
                                                            jlongArray out)
{
    (void)self;
    sci_error_t error = SCI_ERR_OK;
    sci_map_t map;
    void *memory = sisci.SCIMapLocalSegment_(((struct segment *)handle(segment))->handle.local, &map, 0, (size_t)size,
                                             NULL, sisci.lastMap, &error);
    return buffer_of(env, memory, map, size, error, out);
}

JNIEXPORT jint JNICALL Java_jfs_nativelib_Sisci_unmap(JNIEnv *env, jclass self, jlong map)
{
    (void)env, (void)self;
    sci_error_t error = SCI_ERR_OK;
    sisci.SCIUnmapSegment_(handle(map), 0, &error);
    return (jint)error;
}

JNIEXPORT jint JNICALL Java_jfs_nativelib_Sisci_removeSegment(JNIEnv *env, jclass self, jlong segment)
{
    (void)self;
    struct segment *local = handle(segment);
    sci_error_t error = SCI_ERR_OK;
    sisci.SCIRemoveSegment_(local->handle.local, sisci.forceRemove, &error);
    if (error == SCI_ERR_OK)
        free_segment(env, local);
    return (jint)error;
}

JNIEXPORT jint JNICALL Java_jfs_nativelib_Sisci_connectSegment(JNIEnv *env, jclass self, jint node, jint id,
                                                               jint millis, jobject listener, jlongArray out)
{
    (void)self;
    struct segment *segment = new_segment(env, listener);
    if (segment == NULL)
        return (jint)SCI_ERR_NOSPC;
    sci_error_t error = SCI_ERR_OK;
    sisci.SCIConnectSegment_(sisci.device, &segment->handle.remote, (unsigned)node, (unsigned)id, ADAPTER,
                             remote_event, segment, (unsigned)millis, sisci.useCallback, &error);
    if (error != SCI_ERR_OK) {
        free_segment(env, segment);
        return (jint)error;
    }
    put(env, out, 0, (jlong)(intptr_t)segment);
    put(env, out, 1, (jlong)sisci.SCIGetRemoteSegmentSize_(segment->handle.remote));
    return SCI_ERR_OK;
}

JNIEXPORT jobject JNICALL Java_jfs_nativelib_Sisci_mapRemote(JNIEnv *env, jclass self, jlong segment, jlong size,
                                                             jlongArray out)
{
    (void)self;
    sci_error_t error = SCI_ERR_OK;
    sci_map_t map;
    void *memory = (void *)sisci.SCIMapRemoteSegment_(((struct segment *)handle(segment))->handle.remote, &map, 0,
                                                      (size_t)size, NULL, sisci.lastMap, &error);
    return buffer_of(env, memory, map, size, error, out);
}

JNIEXPORT jint JNICALL Java_jfs_nativelib_Sisci_disconnectSegment(JNIEnv *env, jclass self, jlong segment)
{
    (void)self;
    struct segment *remote = handle(segment);
    sci_error_t error = SCI_ERR_OK;
    sisci.SCIDisconnectSegment_(remote->handle.remote, 0, &error);
    if (error == SCI_ERR_OK)
        free_segment(env, remote);
    return (jint)error;
}

JNIEXPORT jint JNICALL Java_jfs_nativelib_Sisci_createInterrupt(JNIEnv *env, jclass self, jlongArray out)
{
    (void)self;
    sci_local_interrupt_t interrupt;
    unsigned number = 0;
    sci_error_t error = SCI_ERR_OK;
    sisci.SCICreateInterrupt_(sisci.device, &interrupt, ADAPTER, &number, NULL, NULL, 0, &error);
    if (error != SCI_ERR_OK)
        return (jint)error;
    put(env, out, 0, (jlong)(intptr_t)interrupt);
    put(env, out, 1, (jlong)number);
    put(env, out, 2, (jlong)sisci.interruptDescriptor(interrupt));
    return SCI_ERR_OK;
}

JNIEXPORT void JNICALL Java_jfs_nativelib_Sisci_acknowledge(JNIEnv *env, jclass self, jlong interrupt)
{
    (void)env, (void)self;
    sisci.acknowledgeInterrupt(handle(interrupt));
}

JNIEXPORT jint JNICALL Java_jfs_nativelib_Sisci_removeInterrupt(JNIEnv *env, jclass self, jlong interrupt)
{
    (void)env, (void)self;
    sci_error_t error = SCI_ERR_OK;
    sisci.SCIRemoveInterrupt_(handle(interrupt), 0, &error);
    return (jint)error;
}

JNIEXPORT jint JNICALL Java_jfs_nativelib_Sisci_connectInterrupt(JNIEnv *env, jclass self, jint node, jint number,
                                                                 jint millis, jlongArray out)
{
    (void)self;
    sci_remote_interrupt_t interrupt;
    sci_error_t error = SCI_ERR_OK;
    sisci.SCIConnectInterrupt_(sisci.device, &interrupt, (unsigned)node, ADAPTER, (unsigned)number, (unsigned)millis,
                               0, &error);
    if (error == SCI_ERR_OK)
        put(env, out, 0, (jlong)(intptr_t)interrupt);
    return (jint)error;
}

JNIEXPORT jint JNICALL Java_jfs_nativelib_Sisci_trigger(JNIEnv *env, jclass self, jlong interrupt)
{
    (void)env, (void)self;
    sci_error_t error = SCI_ERR_OK;
    sisci.SCITriggerInterrupt_(handle(interrupt), 0, &error);
    return (jint)error;
}

JNIEXPORT jint JNICALL Java_jfs_nativelib_Sisci_disconnectInterrupt(JNIEnv *env, jclass self, jlong interrupt)
{
    (void)env, (void)self;
    sci_error_t error = SCI_ERR_OK;
    sisci.SCIDisconnectInterrupt_(handle(interrupt), 0, &error);
    return (jint)error;
}

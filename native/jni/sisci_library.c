/* Finds the calls of a SISCI library and begins to use it. If that fails, Java gets the reason, and the library in use stays. */
#include "sisci_library.h"

#include "jfs_nativelib_Sisci.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

#define PLAIN_NAME(name) #name
#define EXPORTED_NAME(name) PLAIN_NAME(name) /* expands the header's mapping to _SISCI_PUBLIC_FUNC_MT_... */

enum { REASON_BYTES = 1024 };

struct sisci_library sisci;

/* Looks up a function of the library; NULL if the library lacks it. */
#define FIND(file, member, name) ((member) = (__typeof__(member))dlsym((file), (name)))

static unsigned flag_value(void *file, const char *name, unsigned otherwise)
{
    const unsigned *value = dlsym(file, name);
    return value != NULL ? *value : otherwise;
}

/* Returns 0, or -1 with the reason. */
static int find_calls(void *file, struct sisci_library *it, char reason[REASON_BYTES])
{
#define X(name)                                                                                                     \
    if (FIND(file, it->name##_, EXPORTED_NAME(name)) == NULL) {                                                     \
        snprintf(reason, REASON_BYTES, "dlsym: %s", dlerror());                                                     \
        return -1;                                                                                                  \
    }
    SISCI_CALLS(X)
#undef X
    return 0;
}

static void find_sequences(void *file, struct sequence_calls *it)
{
    if (FIND(file, it->create, "_SISCI_PUBLIC_FUNC_MT_SCICreateMapSequence") == NULL ||
        FIND(file, it->remove, "_SISCI_PUBLIC_FUNC_MT_SCIRemoveSequence") == NULL ||
        FIND(file, it->start, "_SISCI_PUBLIC_FUNC_MT_SCIStartSequence") == NULL ||
        FIND(file, it->check, "_SISCI_PUBLIC_FUNC_MT_SCICheckSequence") == NULL ||
        FIND(file, it->barrier, "_SISCI_PUBLIC_FUNC_MT_SCIStoreBarrier") == NULL)
        *it = (struct sequence_calls){NULL};
}

static void find_extension(void *file, struct sisci_library *it)
{
    if (FIND(file, it->interruptDescriptor, "SCIShimInterruptDescriptor") == NULL ||
        FIND(file, it->acknowledgeInterrupt, "SCIShimAcknowledgeInterrupt") == NULL ||
        FIND(file, it->connections, "SCIShimConnections") == NULL ||
        FIND(file, it->admitOne, "SCIShimAdmitOne") == NULL ||
        FIND(file, it->allowUsers, "SCIShimAllowUsers") == NULL) {
        it->interruptDescriptor = NULL;
        it->acknowledgeInterrupt = NULL;
        it->connections = NULL;
        it->admitOne = NULL;
        it->allowUsers = NULL;
    }
    FIND(file, it->failure, "SCIShimFailure");
}

static int failed(const struct sisci_library *it, const char *call, const char *path, sci_error_t error, char reason[])
{
    if (error == SCI_ERR_OK)
        return 0;
    snprintf(reason, REASON_BYTES, "%s: %s (%s)", call, it->SCIGetErrorString_(error), path);
    return -1;
}

/*
 * Initialises the library and opens a device. Returns 0, or -1 with the reason: there is no card, its driver has another
 * version than the library, or the card has no node id.
 */
static int begin(struct sisci_library *it, const char *path, char reason[REASON_BYTES])
{
    sci_error_t error = SCI_ERR_OK, ignored;
    it->SCIInitialize_(0, &error);
    if (failed(it, "SCIInitialize", path, error, reason))
        return -1;
    it->SCIOpen_(&it->device, 0, &error);
    if (failed(it, "SCIOpen", path, error, reason)) {
        it->SCITerminate_();
        return -1;
    }
    unsigned node;
    it->SCIGetLocalNodeId_(ADAPTER, &node, 0, &error);
    if (failed(it, "SCIGetLocalNodeId", path, error, reason)) {
        it->SCIClose_(it->device, 0, &ignored);
        it->SCITerminate_();
        return -1;
    }
    return 0;
}

static int load(const char *path, int cards, char reason[REASON_BYTES])
{
    void *file = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (file == NULL) {
        snprintf(reason, REASON_BYTES, "dlopen: %s", dlerror());
        return -1;
    }
    struct sisci_library it;
    memset(&it, 0, sizeof it);
    if (find_calls(file, &it, reason) != 0) {
        dlclose(file);
        return -1;
    }
    find_sequences(file, &it.sequences);
    find_extension(file, &it);
    if (cards && sisci_has_extension(&it)) {
        dlclose(file);
        snprintf(reason, REASON_BYTES, "%s is a library for one host, not for a card", path);
        return -1;
    }
    it.useCallback = flag_value(file, "_SISCI_PUBLIC_CONST_SCI_FLAG_USE_CALLBACK", 1);
    if (sisci_has_extension(&it)) {
        it.removing = flag_value(file, "_SISCI_PUBLIC_CONST_SCI_FLAG_FORCE_REMOVE", 0);
        it.mapping = SCI_SHIM_FLAG_LAST_MAP;
    } /* else a peer may still be writing into a segment through its card, so the segment is removed after it has disconnected */
    if (begin(&it, path, reason) != 0)
        return -1; /* the library stays loaded: nothing guarantees that its code has stopped running */
    sisci = it;
    return 0;
}

JNIEXPORT jstring JNICALL Java_jfs_nativelib_Sisci_load(JNIEnv *env, jclass self, jstring path, jboolean cards)
{
    (void)self;
    const char *file = (*env)->GetStringUTFChars(env, path, NULL);
    if (file == NULL)
        return NULL; /* an OutOfMemoryError is pending */
    char reason[REASON_BYTES];
    int result = load(file, cards, reason);
    (*env)->ReleaseStringUTFChars(env, path, file);
    return result == 0 ? NULL : (*env)->NewStringUTF(env, reason);
}

JNIEXPORT jboolean JNICALL Java_jfs_nativelib_Sisci_sharesMemory(JNIEnv *env, jclass self)
{
    (void)env, (void)self;
    return (jboolean)sisci_has_extension(&sisci);
}

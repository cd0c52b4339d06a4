/*
 * SISCI for Java: one native method for each call that JFS makes. Here are those of the node, of segments, and of sequences.
 * Those of interrupts are in sisci_interrupt.c.
 */
#include "sisci_library.h"

#include "callbacks.h"
#include "handles.h"
#include "jfs_nativelib_Sisci.h"
#include "sisci_interrupt.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

/* A segment, local or remote, and the interrupts that are signalled when the peer has disconnected or ended. */
struct segment {
    union {
        sci_local_segment_t local;
        sci_remote_segment_t remote;
    } handle;
    void *ticket;
    /* The tickets of these interrupts. Read and changed only after callbacks_enter. */
    void **wakers;
    size_t waker_count;
    /* How many peers are connected to a local segment, by the library's events. Read and changed only after callbacks_enter. */
    unsigned connected;
    /* Java knows that the peers have died, of which the library may not tell. Then nothing is counted any more. */
    bool died;
    /* Becomes 1 when the peer has gone. Java reads it with acquire. The word is in this process's memory, not in the segment. */
    _Atomic(jint) gone;
};

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
    int refused = sisci.failure != NULL && ((sci_error_t)error == SCI_ERR_SYSTEM || (sci_error_t)error == SCI_ERR_NOSPC);
    return (*env)->NewStringUTF(env, refused ? sisci.failure() : sisci.SCIGetErrorString_((sci_error_t)error));
}

/*
 * Runs on a thread of the SISCI library and calls nothing in Java. To attach that thread to the JVM and to detach it
 * would take longer than the rest of a connection's close. A thread that stays attached and sits in native code makes
 * the JVM's exit wait for it. So this function sets the segment's "gone", then signals the interrupts, which wakes the
 * threads that sleep. Neither step blocks.
 */
static void tell(void *ticket, sci_segment_cb_reason_t why)
{
    if (why == SCI_CB_CONNECT || why == SCI_CB_OPERATIONAL) /* OPERATIONAL: the link works again; its failure was reported before */
        return;
    callbacks_enter();
    struct segment *segment = callbacks_object(ticket);
    if (segment != NULL) {
        atomic_store_explicit(&segment->gone, 1, memory_order_release); /* first: a woken thread looks at it */
        for (size_t i = 0; i < segment->waker_count; i++) {
            const struct interrupt *interrupt = callbacks_object(segment->wakers[i]);
            if (interrupt != NULL)
                signal_interrupt(interrupt);
        }
    }
    callbacks_leave();
}

static void count(void *ticket, sci_segment_cb_reason_t why)
{
    callbacks_enter();
    struct segment *segment = callbacks_object(ticket);
    if (segment != NULL && why == SCI_CB_CONNECT && !segment->died)
        segment->connected++;
    else if (segment != NULL && (why == SCI_CB_DISCONNECT || why == SCI_CB_LOST) && segment->connected > 0)
        segment->connected--;
    callbacks_leave();
}

static bool is_connected(const struct segment *segment)
{
    callbacks_enter();
    bool connected = segment->connected > 0;
    callbacks_leave();
    return connected;
}

static sci_callback_action_t local_event(void *ticket, sci_local_segment_t local, sci_segment_cb_reason_t why,
                                         unsigned node, unsigned adapter, sci_error_t error)
{
    (void)local, (void)node, (void)adapter, (void)error;
    count(ticket, why);
    tell(ticket, why);
    return SCI_CALLBACK_CONTINUE;
}

static sci_callback_action_t remote_event(void *ticket, sci_remote_segment_t remote, sci_segment_cb_reason_t why,
                                          sci_error_t error)
{
    (void)remote, (void)error;
    tell(ticket, why);
    return SCI_CALLBACK_CONTINUE;
}

/*
 * Adds an interrupt's ticket. It reuses the place of an interrupt that was removed meanwhile. So the array has no more
 * places than there were interrupts at one time.
 */
static bool add_waker(struct segment *segment, void *waker)
{
    callbacks_enter();
    size_t i = 0;
    while (i < segment->waker_count && callbacks_object(segment->wakers[i]) != NULL)
        i++;
    bool found = i < segment->waker_count;
    void **all = found ? segment->wakers : realloc(segment->wakers, (i + 1) * sizeof *all);
    if (all != NULL) {
        segment->wakers = all;
        segment->wakers[i] = waker;
        segment->waker_count += found ? 0 : 1;
    }
    callbacks_leave();
    return all != NULL;
}

static void free_segment(struct segment *segment)
{
    callbacks_return(segment->ticket);
    free(segment->wakers);
    free(segment);
}

static struct segment *new_segment(jlong waker)
{
    struct segment *segment = calloc(1, sizeof *segment);
    if (segment == NULL)
        return NULL;
    segment->ticket = callbacks_ticket(segment);
    if (segment->ticket == NULL || (waker != 0 && !add_waker(segment, ((struct interrupt *)handle(waker))->ticket))) {
        free_segment(segment);
        return NULL;
    }
    return segment;
}

JNIEXPORT jint JNICALL Java_jfs_nativelib_Sisci_createSegment(JNIEnv *env, jclass self, jint id, jlong size,
                                                              jlong waker, jlongArray out)
{
    (void)self;
    struct segment *segment = new_segment(waker);
    if (segment == NULL)
        return (jint)SCI_ERR_API_NOSPC;
    sci_error_t error = SCI_ERR_OK;
    sisci.SCICreateSegment_(sisci.device, &segment->handle.local, (unsigned)id, (size_t)size, local_event,
                            segment->ticket, sisci.useCallback, &error);
    if (error == SCI_ERR_OK) {
        sisci.SCIPrepareSegment_(segment->handle.local, ADAPTER, 0, &error);
        if (error != SCI_ERR_OK) {
            sci_error_t ignored;
            sisci.SCIRemoveSegment_(segment->handle.local, 0, &ignored);
        }
    }
    if (error != SCI_ERR_OK) {
        free_segment(segment);
        return (jint)error;
    }
    put(env, out, 0, (jlong)(intptr_t)segment);
    return SCI_ERR_OK;
}

JNIEXPORT jobject JNICALL Java_jfs_nativelib_Sisci_goneWord(JNIEnv *env, jclass self, jlong segment)
{
    (void)self;
    struct segment *it = handle(segment);
    return (*env)->NewDirectByteBuffer(env, &it->gone, sizeof it->gone);
}

JNIEXPORT jint JNICALL Java_jfs_nativelib_Sisci_addWaker(JNIEnv *env, jclass self, jlong segment, jlong waker)
{
    (void)env, (void)self;
    bool added = add_waker(handle(segment), ((struct interrupt *)handle(waker))->ticket);
    return (jint)(added ? SCI_ERR_OK : SCI_ERR_API_NOSPC);
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

JNIEXPORT void JNICALL Java_jfs_nativelib_Sisci_admitOne(JNIEnv *env, jclass self, jlong segment)
{
    (void)env, (void)self;
    if (sisci.admitOne != NULL)
        sisci.admitOne(((struct segment *)handle(segment))->handle.local);
}

JNIEXPORT jint JNICALL Java_jfs_nativelib_Sisci_connections(JNIEnv *env, jclass self, jlong segment)
{
    (void)env, (void)self;
    return sisci.connections != NULL ? sisci.connections(((struct segment *)handle(segment))->handle.local) : -1;
}

/* Returns the mapped memory as a direct buffer. If the JVM can't make the buffer, the memory is unmapped again. */
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
        return NULL; /* an OutOfMemoryError is pending */
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
                                             NULL, sisci.mapping, &error);
    return buffer_of(env, memory, map, size, error, out);
}

JNIEXPORT jint JNICALL Java_jfs_nativelib_Sisci_unmap(JNIEnv *env, jclass self, jlong map)
{
    (void)env, (void)self;
    sci_error_t error = SCI_ERR_OK;
    sisci.SCIUnmapSegment_(handle(map), 0, &error);
    return (jint)error;
}

JNIEXPORT void JNICALL Java_jfs_nativelib_Sisci_peersHaveDied(JNIEnv *env, jclass self, jlong segment)
{
    (void)env, (void)self;
    struct segment *local = handle(segment);
    callbacks_enter();
    local->connected = 0;
    local->died = true;
    callbacks_leave();
}

JNIEXPORT jint JNICALL Java_jfs_nativelib_Sisci_removeSegment(JNIEnv *env, jclass self, jlong segment)
{
    (void)env, (void)self;
    struct segment *local = handle(segment);
    sci_error_t error = SCI_ERR_OK;
    /*
     * Some cards' libraries let the removal succeed while a peer is connected. The peer's check of its stores then fails, as if
     * this process had died, although the stores may be those that end the connection.
     */
    if (!sisci_has_extension(&sisci) && is_connected(local))
        return (jint)SCI_ERR_BUSY;
    callbacks_return(local->ticket);
    sisci.SCIRemoveSegment_(local->handle.local, sisci.removing, &error);
    if (error == SCI_ERR_OK)
        free_segment(local);
    return (jint)error;
}

JNIEXPORT jint JNICALL Java_jfs_nativelib_Sisci_connectSegment(JNIEnv *env, jclass self, jint node, jint id,
                                                               jint millis, jlong waker, jlongArray out)
{
    (void)self;
    struct segment *segment = new_segment(waker);
    if (segment == NULL)
        return (jint)SCI_ERR_API_NOSPC;
    sci_error_t error = SCI_ERR_OK;
    sisci.SCIConnectSegment_(sisci.device, &segment->handle.remote, (unsigned)node, (unsigned)id, ADAPTER,
                             remote_event, segment->ticket, (unsigned)millis, sisci.useCallback, &error);
    if (error != SCI_ERR_OK) {
        free_segment(segment);
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
                                                      (size_t)size, NULL, sisci.mapping, &error);
    return buffer_of(env, memory, map, size, error, out);
}

JNIEXPORT jint JNICALL Java_jfs_nativelib_Sisci_disconnectSegment(JNIEnv *env, jclass self, jlong segment)
{
    (void)env, (void)self;
    struct segment *remote = handle(segment);
    sci_error_t error = SCI_ERR_OK;
    callbacks_return(remote->ticket);
    sisci.SCIDisconnectSegment_(remote->handle.remote, 0, &error);
    if (error == SCI_ERR_OK)
        free_segment(remote);
    return (jint)error;
}

JNIEXPORT jint JNICALL Java_jfs_nativelib_Sisci_createSequence(JNIEnv *env, jclass self, jlong map, jlongArray out)
{
    (void)self;
    if (sisci.sequences.create == NULL) {
        put(env, out, 0, 0);
        return SCI_ERR_OK;
    }
    void *sequence = NULL;
    sci_error_t error = SCI_ERR_OK, ignored;
    sisci.sequences.create(handle(map), &sequence, 0, &error);
    if (error != SCI_ERR_OK)
        return (jint)error;
    if (sisci.sequences.start(sequence, 0, &error) != 0) {
        sisci.sequences.remove(sequence, 0, &ignored);
        return (jint)(error != SCI_ERR_OK ? error : SCI_ERR_NOT_CONNECTED);
    }
    put(env, out, 0, (jlong)(intptr_t)sequence);
    return SCI_ERR_OK;
}

JNIEXPORT jboolean JNICALL Java_jfs_nativelib_Sisci_storesArrive(JNIEnv *env, jclass self, jlong sequence)
{
    (void)env, (void)self;
    sci_error_t error = SCI_ERR_OK;
    sisci.sequences.barrier(handle(sequence), 0);
    return (jboolean)(sisci.sequences.check(handle(sequence), 0, &error) == 0 && error == SCI_ERR_OK);
}

JNIEXPORT jint JNICALL Java_jfs_nativelib_Sisci_removeSequence(JNIEnv *env, jclass self, jlong sequence)
{
    (void)env, (void)self;
    sci_error_t error = SCI_ERR_OK;
    sisci.sequences.remove(handle(sequence), 0, &error);
    return (jint)error;
}

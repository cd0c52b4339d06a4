/* Local and remote segments. */
#include "standin.h"

#include <fcntl.h>
#include <unistd.h>

/* The registry's entry of a handle's segment. */
static struct shared_segment *shared(struct handle *it)
{
    return &standin_registry->segments[it->index];
}

static struct shared_segment *find(unsigned id, bool available)
{
    for (unsigned i = 0; i < SEGMENTS; i++) {
        struct shared_segment *it = &standin_registry->segments[i];
        if (it->process != 0 && it->id == id && (it->available || !available))
            return it;
    }
    return NULL;
}

static struct shared_segment *free_segment(void)
{
    for (unsigned i = 0; i < SEGMENTS; i++)
        if (standin_registry->segments[i].process == 0)
            return &standin_registry->segments[i];
    return NULL;
}

/* The caller holds the lock. */
static sci_error_t create(struct handle *it, unsigned id, size_t size)
{
    struct shared_segment *entry = free_segment();
    if (find(id, false) != NULL)
        return SCI_ERR_SEGMENTID_USED;
    if (entry == NULL)
        return SCI_ERR_HW_NOSPC;
    char path[PATH_BYTES];
    unsigned serial = ++standin_registry->serial;
    standin_segment_path(path, serial);
    int file = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (file < 0)
        return SCI_ERR_SYSTEM;
    int sized = ftruncate(file, (off_t)size);
    close(file);
    if (sized != 0)
        return SCI_ERR_HW_NOSPC;
    *entry = (struct shared_segment){.id = id, .serial = serial, .size = size};
    entry->process = getpid();
    it->index = (unsigned)(entry - standin_registry->segments);
    it->serial = serial;
    it->size = size;
    return SCI_ERR_OK;
}

void SCICreateSegment(sci_desc_t sd, sci_local_segment_t *segment, unsigned int id, size_t size,
                      sci_cb_local_segment_t callback, void *argument, unsigned int flags, sci_error_t *error)
{
    if (!ENTER(SCICreateSegment, error, flags, SCI_FLAG_USE_CALLBACK) ||
        standin_check("SCICreateSegment", sd, DEVICE, error) == NULL)
        return;
    if (size == 0 || (flags != 0) != (callback != NULL))
        standin_violation("SCICreateSegment", "size, or a callback without its flag");
    struct handle *it = standin_handle(LOCAL);
    it->callback = (void *)callback;
    it->argument = argument;
    standin_lock();
    sci_error_t result = create(it, id, size);
    it->ended = result != SCI_ERR_OK;
    standin_unlock();
    if (result == SCI_ERR_OK)
        *segment = (sci_local_segment_t)it;
    standin_finish("SCICreateSegment", error, result);
}
BOTH_NAMES(SCICreateSegment);

void SCIPrepareSegment(sci_local_segment_t segment, unsigned int adapter, unsigned int flags, sci_error_t *error)
{
    struct handle *it;
    if (!ENTER(SCIPrepareSegment, error, flags, 0) ||
        (it = standin_check("SCIPrepareSegment", segment, LOCAL, error)) == NULL)
        return;
    if (adapter != 0 || it->prepared)
        standin_violation("SCIPrepareSegment", "adapter, or prepared already");
    it->prepared = true;
    standin_finish("SCIPrepareSegment", error, SCI_ERR_OK);
}
BOTH_NAMES(SCIPrepareSegment);

static void make_available(const char *name, sci_local_segment_t segment, bool available, sci_error_t *error)
{
    struct handle *it = standin_check(name, segment, LOCAL, error);
    if (it == NULL)
        return;
    if (!it->prepared)
        standin_violation(name, "not prepared");
    standin_lock();
    if (shared(it)->available == available)
        standin_violation(name, "it is so already");
    shared(it)->available = available;
    standin_unlock();
    standin_finish(name, error, SCI_ERR_OK);
}

void SCISetSegmentAvailable(sci_local_segment_t segment, unsigned int adapter, unsigned int flags, sci_error_t *error)
{
    (void)adapter;
    if (ENTER(SCISetSegmentAvailable, error, flags, 0))
        make_available("SCISetSegmentAvailable", segment, true, error);
}
BOTH_NAMES(SCISetSegmentAvailable);

void SCISetSegmentUnavailable(sci_local_segment_t segment, unsigned int adapter, unsigned int flags,
                              sci_error_t *error)
{
    (void)adapter;
    if (ENTER(SCISetSegmentUnavailable, error, flags, 0))
        make_available("SCISetSegmentUnavailable", segment, false, error);
}
BOTH_NAMES(SCISetSegmentUnavailable);

static bool is_connected(unsigned serial)
{
    for (unsigned i = 0; i < CONNECTIONS; i++) {
        struct connection *it = &standin_registry->connections[i];
        if (it->process != 0 && it->serial == serial && !it->ended)
            return true;
    }
    return false;
}

void SCIRemoveSegment(sci_local_segment_t segment, unsigned int flags, sci_error_t *error)
{
    struct handle *it;
    if (!ENTER(SCIRemoveSegment, error, flags, 0) ||
        (it = standin_check("SCIRemoveSegment", segment, LOCAL, error)) == NULL)
        return;
    if (it->users != 0)
        standin_violation("SCIRemoveSegment", "mapped");
    pthread_mutex_lock(&standin_callbacks);
    standin_lock();
    bool busy = is_connected(it->serial);
    if (!busy) {
        for (unsigned i = 0; i < CONNECTIONS; i++)
            if (standin_registry->connections[i].serial == it->serial)
                standin_registry->connections[i].process = 0;
        char path[PATH_BYTES];
        standin_segment_path(path, it->serial);
        unlink(path);
        it->ended = it->late = true;
        shared(it)->process = 0;
        standin_ring(getpid());
    }
    standin_unlock();
    pthread_mutex_unlock(&standin_callbacks);
    standin_finish("SCIRemoveSegment", error, busy ? SCI_ERR_BUSY : SCI_ERR_OK);
}
BOTH_NAMES(SCIRemoveSegment);

/* The caller holds the lock. */
static sci_error_t connect_to(struct handle *it, unsigned id)
{
    struct shared_segment *segment = find(id, true);
    if (segment == NULL)
        return SCI_ERR_NO_SUCH_SEGMENT;
    for (unsigned i = 0; i < CONNECTIONS; i++) {
        struct connection *entry = &standin_registry->connections[i];
        if (entry->process == 0) {
            *entry = (struct connection){.serial = segment->serial};
            entry->process = getpid();
            it->index = (unsigned)(segment - standin_registry->segments);
            it->serial = segment->serial;
            it->size = segment->size;
            standin_ring(segment->process);
            return SCI_ERR_OK;
        }
    }
    return SCI_ERR_HW_NOSPC;
}

void SCIConnectSegment(sci_desc_t sd, sci_remote_segment_t *segment, unsigned int node, unsigned int id,
                       unsigned int adapter, sci_cb_remote_segment_t callback, void *argument, unsigned int timeout,
                       unsigned int flags, sci_error_t *error)
{
    if (!ENTER(SCIConnectSegment, error, flags, SCI_FLAG_USE_CALLBACK) ||
        standin_check("SCIConnectSegment", sd, DEVICE, error) == NULL)
        return;
    if (adapter != 0 || timeout == 0 || (flags != 0) != (callback != NULL))
        standin_violation("SCIConnectSegment", "adapter, no time-out, or a callback without its flag");
    struct handle *it = standin_handle(REMOTE);
    it->callback = (void *)callback;
    it->argument = argument;
    it->told = true; /* so that no callback is made before it is connected */
    bool answers = standin_answers(timeout);
    standin_lock();
    sci_error_t result = node != NODE ? SCI_ERR_NO_SUCH_NODEID : answers ? connect_to(it, id) : SCI_ERR_TIMEOUT;
    it->ended = result != SCI_ERR_OK;
    it->told = false;
    standin_unlock();
    if (result == SCI_ERR_OK)
        *segment = (sci_remote_segment_t)it;
    standin_finish("SCIConnectSegment", error, result);
}
BOTH_NAMES(SCIConnectSegment);

size_t SCIGetRemoteSegmentSize(sci_remote_segment_t segment)
{
    sci_error_t ignored;
    struct handle *it = standin_check("SCIGetRemoteSegmentSize", segment, REMOTE, &ignored);
    return it == NULL ? 0 : it->size;
}
BOTH_NAMES(SCIGetRemoteSegmentSize);

void SCIDisconnectSegment(sci_remote_segment_t segment, unsigned int flags, sci_error_t *error)
{
    struct handle *it;
    if (!ENTER(SCIDisconnectSegment, error, flags, 0) ||
        (it = standin_check("SCIDisconnectSegment", segment, REMOTE, error)) == NULL)
        return;
    if (it->users != 0)
        standin_violation("SCIDisconnectSegment", "mapped");
    pthread_mutex_lock(&standin_callbacks);
    standin_lock();
    it->ended = it->late = true;
    for (unsigned i = 0; i < CONNECTIONS; i++) {
        struct connection *entry = &standin_registry->connections[i];
        if (entry->process == getpid() && entry->serial == it->serial && !entry->ended) {
            entry->ended = true;
            break;
        }
    }
    standin_ring(shared(it)->process);
    standin_ring(getpid());
    standin_unlock();
    pthread_mutex_unlock(&standin_callbacks);
    standin_finish("SCIDisconnectSegment", error, SCI_ERR_OK);
}
BOTH_NAMES(SCIDisconnectSegment);

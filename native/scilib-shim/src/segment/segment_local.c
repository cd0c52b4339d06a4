#include "segment/segment_local.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/handles.h"
#include "base/library.h"
#include "base/node.h"
#include "base/service.h"
#include "exports.h"
#include "segment/attach.h"
#include "segment/events.h"
#include "segment/group.h"
#include "segment/link.h"
#include "segment/memory.h"
#include "sisci_shim.h"
#include "system/clock.h"
#include "system/wire.h"

enum { BACKLOG = 64 };

/* How long the creation of a broadcast segment waits for members of its group that don't answer, ms. */
enum { GROUP_PATIENCE = 5000 };

/* Ids that AUTO_ID picks. They differ from those of message queues (scilib.h), and few programs write such ids by hand. */
enum { AUTO_ID_BASE = 0x40000000, AUTO_ID_MASK = 0x3fffffff, AUTO_ID_ATTEMPTS = 100 };

/* Binds the name, which reserves the id. No process can connect before listen. */
static sci_error_t reserve_id(struct local_segment *segment)
{
    int fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (fd < 0)
        return failed("socket", SCI_ERR_SYSTEM);
    wire_refuse_descriptors(fd, true); /* accepted sockets inherit that */
    struct sockaddr_un address;
    socklen_t length = wire_segment_name(&address, library.node, segment->id);
    if (bind(fd, (struct sockaddr *)&address, length) < 0) {
        sci_error_t status = failed("bind", errno == EADDRINUSE ? SCI_ERR_SEGMENTID_USED : SCI_ERR_SYSTEM);
        close(fd);
        return status;
    }
    segment->listener = fd;
    return SCI_ERR_OK;
}

/* Random, not counted: processes need not know of each other, and a freed id isn't soon in use again. */
static sci_error_t pick_id(struct local_segment *segment)
{
    sci_error_t status = SCI_ERR_SEGMENTID_USED;
    for (int i = 0; i < AUTO_ID_ATTEMPTS && status == SCI_ERR_SEGMENTID_USED; i++) {
        unsigned int random;
        if (getrandom(&random, sizeof random, 0) != (ssize_t)sizeof random)
            return failed("getrandom", SCI_ERR_SYSTEM);
        segment->id = AUTO_ID_BASE | (random & AUTO_ID_MASK);
        status = segment->is_private ? SCI_ERR_OK : reserve_id(segment);
    }
    return status;
}

static bool is_broadcast(const struct local_segment *segment)
{
    return segment->memory.group_size != 0;
}

static void give_up_id(struct local_segment *segment)
{
    if (segment->available || is_broadcast(segment))
        service_unwatch(segment->listener);
    if (segment->listener >= 0)
        close(segment->listener);
    segment->listener = -1;
    segment->available = false;
    segment->starved = false;
}

/* What SCICreateSegment was asked for. */
struct wish {
    unsigned int id;
    size_t size;
    sci_cb_local_segment_t callback;
    void *callback_arg;
    unsigned int flags;
};

static sci_error_t check_create(sci_desc_t sd, const sci_local_segment_t *handle, const struct wish *wish)
{
    /* The id of a broadcast segment is its group's: it can't be picked or hidden, and a group has memory. */
    const unsigned int alone = SCI_FLAG_PRIVATE | SCI_FLAG_EMPTY | SCI_FLAG_AUTO_ID;
    const unsigned int known = SCI_FLAG_USE_CALLBACK | SCI_FLAG_DMA_GLOBAL | SCI_FLAG_DMA_SOURCE_ONLY | alone | SCI_FLAG_BROADCAST;
    bool broadcast = (wish->flags & SCI_FLAG_BROADCAST) != 0;
    if ((wish->flags & ~known) != 0 || (broadcast && (wish->flags & alone) != 0))
        return SCI_ERR_ILLEGAL_FLAG;
    if (handle == NULL || handle_find(sd, KIND_DESCRIPTOR) == NULL || wish->size == 0 ||
        ((wish->flags & SCI_FLAG_USE_CALLBACK) != 0 && wish->callback == NULL))
        return SCI_ERR_ILLEGAL_PARAMETER;
    return broadcast && service_is_caller() ? SCI_ERR_ILLEGAL_OPERATION : SCI_ERR_OK;
}

/* A segment without id and memory, and without a handle. */
static struct local_segment *new_segment(sci_desc_t sd, const struct wish *wish)
{
    struct local_segment *segment = calloc(1, sizeof *segment);
    if (segment == NULL)
        return NULL;
    segment->owner = handle_find(sd, KIND_DESCRIPTOR);
    segment->id = wish->id;
    segment->is_private = (wish->flags & SCI_FLAG_PRIVATE) != 0;
    segment->listener = -1;
    segment->has_callback = (wish->flags & SCI_FLAG_USE_CALLBACK) != 0;
    segment->callback = wish->callback;
    segment->callback_arg = wish->callback_arg;
    TAILQ_INIT(&segment->links);
    return segment;
}

static void complete(struct local_segment *segment, sci_local_segment_t *handle)
{
    events_open(&segment->events);
    segment->owner->children++;
    *handle = handle_value(&segment->object);
}

static sci_error_t create(sci_desc_t sd, sci_local_segment_t *handle, const struct wish *wish)
{
    sci_error_t status = check_create(sd, handle, wish);
    if (status != SCI_ERR_OK)
        return status;
    struct local_segment *segment = new_segment(sd, wish);
    if (segment == NULL)
        return failed("malloc", SCI_ERR_SYSTEM);
    status = (wish->flags & SCI_FLAG_AUTO_ID) != 0 ? pick_id(segment)
             : segment->is_private                 ? SCI_ERR_OK
                                                   : reserve_id(segment);
    if (status == SCI_ERR_OK && (wish->flags & SCI_FLAG_EMPTY) != 0)
        memory_create_empty(&segment->memory, wish->size);
    else if (status == SCI_ERR_OK)
        status = memory_create(&segment->memory, wish->size);
    if (status == SCI_ERR_OK && !handle_add(&segment->object, KIND_LOCAL_SEGMENT)) {
        memory_release(&segment->memory);
        status = failed("malloc", SCI_ERR_SYSTEM);
    }
    if (status != SCI_ERR_OK) {
        give_up_id(segment);
        free(segment);
        return status;
    }
    segment->memory.handed_out = !segment->is_private;
    complete(segment, handle);
    return SCI_ERR_OK;
}

/* Makes the segment of a process that has joined its group; takes the attachment over if it succeeds. */
static sci_error_t keep(sci_desc_t sd, sci_local_segment_t *handle, const struct wish *wish, struct attachment *joined)
{
    sci_error_t status = check_create(sd, handle, wish); /* the device may have been closed since it was checked */
    if (status != SCI_ERR_OK)
        return status;
    struct local_segment *segment = new_segment(sd, wish);
    if (segment == NULL || !handle_add(&segment->object, KIND_LOCAL_SEGMENT)) {
        free(segment);
        return failed("malloc", SCI_ERR_SYSTEM);
    }
    status = service_watch(joined->socket, &segment->object);
    if (status != SCI_ERR_OK) {
        handle_drop(&segment->object);
        free(segment);
        return status;
    }
    LIST_REMOVE(joined, others);
    segment->listener = joined->socket;
    segment->memory = joined->memory;
    complete(segment, handle);
    return SCI_ERR_OK;
}

static sci_error_t create_broadcast(sci_desc_t sd, sci_local_segment_t *handle, const struct wish *wish)
{
    sci_error_t status = LIBRARY_LOCKED(check_create(sd, handle, wish));
    if (status != SCI_ERR_OK)
        return status;
    struct attachment joined;
    status = group_join(wish->id, wish->size, clock_deadline(GROUP_PATIENCE), &joined);
    if (status != SCI_ERR_OK)
        return status == SCI_ERR_CONNECTION_REFUSED ? SCI_ERR_SEGMENTID_USED : status; /* by a user that isn't trusted */
    status = LIBRARY_LOCKED(keep(sd, handle, wish, &joined));
    if (status != SCI_ERR_OK)
        group_give_up(&joined);
    return status;
}

void SCICreateSegment(sci_desc_t sd, sci_local_segment_t *segment, unsigned int segmentId, size_t size,
                      sci_cb_local_segment_t callback, void *callbackArg, unsigned int flags, sci_error_t *error)
{
    const struct wish wish = { .id = segmentId, .size = size, .callback = callback, .callback_arg = callbackArg, .flags = flags };
    report(error, (flags & SCI_FLAG_BROADCAST) != 0 ? create_broadcast(sd, segment, &wish)
                                                    : LIBRARY_LOCKED(create(sd, segment, &wish)));
}
SHIM_EXPORT(SCICreateSegment);

unsigned int SCIGetLocalSegmentId(sci_local_segment_t handle)
{
    if (!library_enter())
        return 0;
    const struct local_segment *segment = handle_find(handle, KIND_LOCAL_SEGMENT);
    unsigned int id = segment != NULL ? segment->id : 0;
    library_leave(SCI_ERR_OK);
    return id;
}
SHIM_EXPORT(SCIGetLocalSegmentId);

size_t SCIGetLocalSegmentSize(sci_local_segment_t handle)
{
    if (!library_enter())
        return 0;
    const struct local_segment *segment = handle_find(handle, KIND_LOCAL_SEGMENT);
    size_t size = segment != NULL ? segment->memory.size : 0;
    library_leave(SCI_ERR_OK);
    return size;
}
SHIM_EXPORT(SCIGetLocalSegmentSize);

/* The checks of the three calls that take a segment and an adapter. */
static sci_error_t find_with_adapter(sci_local_segment_t handle, unsigned int adapter, unsigned int flags,
                                     struct local_segment **segment)
{
    if (flags != 0)
        return SCI_ERR_ILLEGAL_FLAG;
    *segment = handle_find(handle, KIND_LOCAL_SEGMENT);
    return *segment != NULL ? check_adapter(adapter) : SCI_ERR_ILLEGAL_PARAMETER;
}

static sci_error_t prepare(sci_local_segment_t handle, unsigned int adapter, unsigned int flags)
{
    struct local_segment *segment;
    sci_error_t status =
        find_with_adapter(handle, adapter, flags & ~(SCI_FLAG_DMA_SOURCE_ONLY | SCI_FLAG_BROADCAST), &segment);
    if (status == SCI_ERR_OK && (flags & SCI_FLAG_BROADCAST) != 0 && !is_broadcast(segment))
        status = SCI_ERR_ILLEGAL_FLAG;
    if (status == SCI_ERR_OK)
        segment->prepared = true;
    return status;
}

void SCIPrepareSegment(sci_local_segment_t segment, unsigned int localAdapterNo, unsigned int flags,
                       sci_error_t *error)
{
    report(error, LIBRARY_LOCKED(prepare(segment, localAdapterNo, flags)));
}
SHIM_EXPORT(SCIPrepareSegment);

static sci_error_t set_available(sci_local_segment_t handle, unsigned int adapter, unsigned int flags)
{
    struct local_segment *segment;
    sci_error_t status = find_with_adapter(handle, adapter, flags, &segment);
    if (status != SCI_ERR_OK || segment->available)
        return status;
    if (segment->is_private || segment->memory.fd < 0)
        return SCI_ERR_ILLEGAL_OPERATION;
    if (!segment->prepared)
        return SCI_ERR_SEGMENT_NOT_PREPARED;
    if (is_broadcast(segment)) {
        segment->available = true; /* it listens already, for other members */
        return SCI_ERR_OK;
    }
    bool reserved_before = segment->listener >= 0;
    if (!reserved_before)
        status = reserve_id(segment);
    if (status != SCI_ERR_OK)
        return status;
    status = listen(segment->listener, BACKLOG) < 0 ? failed("listen", SCI_ERR_SYSTEM)
                                                    : service_watch(segment->listener, &segment->object);
    if (status != SCI_ERR_OK) {
        give_up_id(segment); /* there is no other way to end listening */
        if (reserved_before)
            reserve_id(segment); /* if another process was faster, the next call will say so */
        return status;
    }
    segment->available = true;
    segment->memory.handed_out = true;
    return SCI_ERR_OK;
}

void SCISetSegmentAvailable(sci_local_segment_t segment, unsigned int localAdapterNo, unsigned int flags,
                            sci_error_t *error)
{
    report(error, LIBRARY_LOCKED(set_available(segment, localAdapterNo, flags)));
}
SHIM_EXPORT(SCISetSegmentAvailable);

static sci_error_t set_unavailable(sci_local_segment_t handle, unsigned int adapter, unsigned int flags)
{
    bool disconnects = (flags & SCI_FLAG_FORCE_DISCONNECT) != 0;
    if (flags == SCI_FLAG_NOTIFY)
        return SCI_ERR_FLAG_NOT_IMPLEMENTED; /* a remote is told of nothing but the end of its connection */
    struct local_segment *segment;
    sci_error_t status =
        find_with_adapter(handle, adapter, flags & ~(SCI_FLAG_FORCE_DISCONNECT | SCI_FLAG_NOTIFY), &segment);
    if (status != SCI_ERR_OK)
        return status;
    if (!segment->available)
        return SCI_ERR_ILLEGAL_OPERATION;
    if (is_broadcast(segment)) {
        segment->available = false;
        return SCI_ERR_OK;
    }
    give_up_id(segment);
    link_drop_all(segment, disconnects);
    memory_withdraw(&segment->memory);
    return SCI_ERR_OK;
}

void SCISetSegmentUnavailable(sci_local_segment_t segment, unsigned int localAdapterNo, unsigned int flags,
                              sci_error_t *error)
{
    report(error, LIBRARY_LOCKED(set_unavailable(segment, localAdapterNo, flags)));
}
SHIM_EXPORT(SCISetSegmentUnavailable);

static sci_error_t map_local(sci_local_segment_t handle, sci_map_t *map, size_t offset, size_t size, void *wish,
                             unsigned int flags, void **address)
{
    struct local_segment *segment = handle_find(handle, KIND_LOCAL_SEGMENT);
    if (segment == NULL)
        return SCI_ERR_ILLEGAL_PARAMETER;
    return memory_map(&segment->memory, map, offset, size, wish, flags, address);
}

void *SCIMapLocalSegment(sci_local_segment_t segment, sci_map_t *map, size_t offset, size_t size, void *addr,
                         unsigned int flags, sci_error_t *error)
{
    void *address = NULL;
    report(error, LIBRARY_LOCKED(map_local(segment, map, offset, size, addr, flags, &address)));
    return address;
}
SHIM_EXPORT(SCIMapLocalSegment);

void local_segment_destroy(struct local_segment *segment)
{
    uint64_t handle = segment->object.handle;
    handle_drop(&segment->object);
    give_up_id(segment);
    link_drop_all(segment, true);
    memory_release(&segment->memory);
    events_close(&segment->events);
    segment->owner->children--;
    free(segment);
    service_settle(handle);
}

void local_segment_forget(struct local_segment *segment)
{
    if (segment->listener >= 0)
        close(segment->listener);
    memory_release(&segment->memory);
}

static sci_error_t remove_segment(sci_local_segment_t handle, unsigned int flags)
{
    if ((flags & ~SCI_FLAG_FORCE_REMOVE) != 0)
        return SCI_ERR_ILLEGAL_FLAG;
    struct local_segment *segment = handle_find(handle, KIND_LOCAL_SEGMENT);
    if (segment == NULL)
        return SCI_ERR_ILLEGAL_PARAMETER;
    if ((flags & SCI_FLAG_FORCE_REMOVE) != 0)
        link_drop_all(segment, true);
    if (!LIST_EMPTY(&segment->memory.maps))
        return SCI_ERR_BUSY;
    local_segment_destroy(segment);
    return SCI_ERR_OK;
}

void SCIRemoveSegment(sci_local_segment_t segment, unsigned int flags, sci_error_t *error)
{
    report(error, LIBRARY_LOCKED(remove_segment(segment, flags)));
}
SHIM_EXPORT(SCIRemoveSegment);

SHIM_EXPORTED int SCIShimConnections(sci_local_segment_t handle)
{
    if (!library_enter())
        return -1;
    const struct local_segment *segment = handle_find(handle, KIND_LOCAL_SEGMENT);
    int count = segment != NULL ? (int)segment->connections : -1;
    library_leave(SCI_ERR_OK);
    return count;
}

SHIM_EXPORTED void SCIShimAdmitOne(sci_local_segment_t handle)
{
    if (!library_enter())
        return;
    struct local_segment *segment = handle_find(handle, KIND_LOCAL_SEGMENT);
    if (segment != NULL)
        segment->admits_one = true;
    library_leave(SCI_ERR_OK);
}

static sci_error_t wait_for_event(sci_local_segment_t handle, unsigned int *node, unsigned int *adapter,
                                  uint64_t deadline, unsigned int flags, sci_segment_cb_reason_t *reason)
{
    if (flags != 0)
        return SCI_ERR_ILLEGAL_FLAG;
    struct local_segment *segment = handle_find(handle, KIND_LOCAL_SEGMENT);
    if (segment == NULL || node == NULL || adapter == NULL)
        return SCI_ERR_ILLEGAL_PARAMETER;
    if (segment->has_callback || service_is_caller())
        return SCI_ERR_ILLEGAL_OPERATION;
    struct event event;
    sci_error_t status = events_take(&segment->events, deadline, &event);
    if (status == SCI_ERR_OK) {
        *node = event.node;
        *adapter = event.adapter;
        *reason = event.reason;
    }
    return status;
}

sci_segment_cb_reason_t SCIWaitForLocalSegmentEvent(sci_local_segment_t segment, unsigned int *sourceNodeId,
                                                    unsigned int *localAdapterNo, unsigned int timeout,
                                                    unsigned int flags, sci_error_t *error)
{
    sci_segment_cb_reason_t reason = 0;
    uint64_t deadline = clock_deadline(timeout);
    report(error, LIBRARY_LOCKED(wait_for_event(segment, sourceNodeId, localAdapterNo, deadline, flags, &reason)));
    return reason;
}
SHIM_EXPORT(SCIWaitForLocalSegmentEvent);

void local_segment_event(struct local_segment *segment)
{
    const bool group = is_broadcast(segment);
    if (!segment->available && !group)
        return; /* the segment was made unavailable after the event had been fetched */
    bool was_starved = segment->starved;
    segment->starved = false;
    struct link *link = NULL;
    if (group)
        segment->starved = !group_answer(segment->listener, &segment->memory, segment->available);
    else
        link = link_accept(segment);
    if (segment->starved != was_starved)
        service_heed(segment->listener, &segment->object, !segment->starved);
    if (segment->starved)
        service_retry_later();
    if (link != NULL)
        link_event(link); /* the request is usually there already; this must be the last step, see announce */
}

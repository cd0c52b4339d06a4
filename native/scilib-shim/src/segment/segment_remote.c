#include "segment/segment_remote.h"

#include <stdlib.h>
#include <unistd.h>

#include "base/handles.h"
#include "base/library.h"
#include "base/node.h"
#include "base/service.h"
#include "exports.h"
#include "segment/attach.h"
#include "segment/events.h"
#include "segment/group.h"
#include "segment/memory.h"
#include "system/clock.h"
#include "system/wire.h"

enum { ANSWER = 100 /* ms that the other process has in any case: public programs connect with a time-out of 0 until it works */ };

/* What SCIConnectSegment was asked for. */
struct wish {
    unsigned int node;
    unsigned int id;
    sci_cb_remote_segment_t callback;
    void *callback_arg;
    unsigned int flags;
};

static bool is_broadcast(const struct remote_segment *segment)
{
    return segment->memory.group_size != 0;
}

static sci_error_t check_connect(sci_desc_t sd, const sci_remote_segment_t *handle, const struct wish *wish, unsigned int adapter)
{
    if ((wish->flags & ~(SCI_FLAG_USE_CALLBACK | SCI_FLAG_BROADCAST)) != 0)
        return SCI_ERR_ILLEGAL_FLAG;
    if (handle == NULL || handle_find(sd, KIND_DESCRIPTOR) == NULL ||
        ((wish->flags & SCI_FLAG_USE_CALLBACK) != 0 && wish->callback == NULL))
        return SCI_ERR_ILLEGAL_PARAMETER;
    if (service_is_caller())
        return SCI_ERR_ILLEGAL_OPERATION; /* the answer may have to come from this very thread */
    sci_error_t status = check_adapter(adapter);
    if (status != SCI_ERR_OK)
        return status;
    if ((wish->flags & SCI_FLAG_BROADCAST) != 0)
        return wish->node == DIS_BROADCAST_NODEID_GROUP_ALL ? SCI_ERR_OK : SCI_ERR_ILLEGAL_NODEID;
    return check_node(wish->node);
}

/* Makes the handle; takes the attachment over if it succeeds. */
static sci_error_t keep(sci_desc_t sd, sci_remote_segment_t *handle, const struct wish *wish, struct attachment *attachment)
{
    /* The device may have been closed since it was checked. */
    struct descriptor *owner = handle_find(sd, KIND_DESCRIPTOR);
    if (owner == NULL)
        return SCI_ERR_ILLEGAL_PARAMETER;
    struct remote_segment *segment = calloc(1, sizeof *segment);
    if (segment == NULL || !handle_add(&segment->object, KIND_REMOTE_SEGMENT)) {
        free(segment);
        return failed("malloc", SCI_ERR_SYSTEM);
    }
    segment->owner = owner;
    segment->memory = attachment->memory;
    segment->socket = attachment->socket;
    segment->node = wish->node;
    segment->id = wish->id;
    segment->has_callback = (wish->flags & SCI_FLAG_USE_CALLBACK) != 0;
    segment->callback = wish->callback;
    segment->callback_arg = wish->callback_arg;
    sci_error_t status = service_watch(segment->socket, &segment->object);
    if (status != SCI_ERR_OK) {
        handle_drop(&segment->object);
        free(segment);
        return status;
    }
    LIST_REMOVE(attachment, others);
    events_open(&segment->events);
    owner->children++;
    *handle = handle_value(&segment->object); /* before the lock is released: the callback may run at once */
    return SCI_ERR_OK;
}

static sci_error_t reach(const struct wish *wish, unsigned int adapter, uint64_t deadline, struct attachment *attachment)
{
    if ((wish->flags & SCI_FLAG_BROADCAST) != 0)
        return group_join(wish->id, 0, deadline, attachment);
    struct attach_target target;
    target.length = wire_segment_name(&target.address, wish->node, wish->id);
    struct wire_request request = { .head = wire_head(WIRE_REQUEST), .node = library.node /* constant while initialised */,
                                    .adapter = adapter };
    return attach(&target, &request, deadline, attachment);
}

static sci_error_t connect_segment(sci_desc_t sd, sci_remote_segment_t *handle, const struct wish *wish, unsigned int adapter,
                                   unsigned int timeout)
{
    sci_error_t status = LIBRARY_LOCKED(check_connect(sd, handle, wish, adapter));
    if (status != SCI_ERR_OK)
        return status;
    struct attachment attachment;
    status = reach(wish, adapter, clock_deadline(timeout < ANSWER ? ANSWER : timeout), &attachment);
    if (status != SCI_ERR_OK)
        return status;
    status = LIBRARY_LOCKED(keep(sd, handle, wish, &attachment));
    if (status != SCI_ERR_OK && (wish->flags & SCI_FLAG_BROADCAST) != 0) {
        group_give_up(&attachment);
    } else if (status != SCI_ERR_OK) {
        attach_leave(&attachment);
        wire_close(attachment.socket, true);
        memory_release(&attachment.memory);
    }
    return status;
}

void SCIConnectSegment(sci_desc_t sd, sci_remote_segment_t *segment, unsigned int nodeId, unsigned int segmentId,
                       unsigned int localAdapterNo, sci_cb_remote_segment_t callback, void *callbackArg,
                       unsigned int timeout, unsigned int flags, sci_error_t *error)
{
    const struct wish wish = { .node = nodeId, .id = segmentId, .callback = callback, .callback_arg = callbackArg,
                               .flags = flags };
    report(error, connect_segment(sd, segment, &wish, localAdapterNo, timeout));
}
SHIM_EXPORT(SCIConnectSegment);

size_t SCIGetRemoteSegmentSize(sci_remote_segment_t segment)
{
    if (!library_enter())
        return 0;
    const struct remote_segment *found = handle_find(segment, KIND_REMOTE_SEGMENT);
    size_t size = found != NULL ? found->memory.size : 0;
    library_leave(SCI_ERR_OK);
    return size;
}
SHIM_EXPORT(SCIGetRemoteSegmentSize);

/* The node or the id of a segment, 0 if it isn't valid. */
static unsigned int ask(sci_remote_segment_t handle, bool node)
{
    if (!library_enter())
        return 0;
    const struct remote_segment *segment = handle_find(handle, KIND_REMOTE_SEGMENT);
    unsigned int answer = segment == NULL ? 0 : node ? segment->node : segment->id;
    library_leave(SCI_ERR_OK);
    return answer;
}

unsigned int SCIGetRemoteSegmentId(sci_remote_segment_t segment)
{
    return ask(segment, false);
}
SHIM_EXPORT(SCIGetRemoteSegmentId);

unsigned int SCIGetRemoteSegmentNodeId(sci_remote_segment_t segment)
{
    return ask(segment, true);
}
SHIM_EXPORT(SCIGetRemoteSegmentNodeId);

static sci_error_t map_remote(sci_remote_segment_t handle, sci_map_t *map, size_t offset, size_t size, void *wish,
                              unsigned int flags, void **address)
{
    struct remote_segment *segment = handle_find(handle, KIND_REMOTE_SEGMENT);
    if (segment == NULL)
        return SCI_ERR_ILLEGAL_PARAMETER;
    if (segment->socket < 0)
        return SCI_ERR_SEGMENT_NOT_CONNECTED;
    return memory_map(&segment->memory, map, offset, size, wish, flags, address);
}

volatile void *SCIMapRemoteSegment(sci_remote_segment_t segment, sci_map_t *map, size_t offset, size_t size, void *addr,
                                   unsigned int flags, sci_error_t *error)
{
    void *address = NULL;
    report(error, LIBRARY_LOCKED(map_remote(segment, map, offset, size, addr, flags, &address)));
    return address;
}
SHIM_EXPORT(SCIMapRemoteSegment);

/* tell: whether to tell the exporter that this is a disconnection; not if the exporter has ended. */
static void end_link(struct remote_segment *segment, bool tell)
{
    if (segment->socket < 0)
        return;
    service_unwatch(segment->socket);
    if (is_broadcast(segment))
        close(segment->socket); /* a place of the group, not a link */
    else
        wire_close(segment->socket, tell);
    segment->socket = -1;
}

void remote_segment_forget(struct remote_segment *segment)
{
    if (segment->socket >= 0)
        close(segment->socket);
    memory_release(&segment->memory);
}

void remote_segment_destroy(struct remote_segment *segment)
{
    uint64_t handle = segment->object.handle;
    handle_drop(&segment->object);
    end_link(segment, true);
    memory_release(&segment->memory);
    events_close(&segment->events);
    segment->owner->children--;
    free(segment);
    service_settle(handle);
}

static sci_error_t wait_for_event(sci_remote_segment_t handle, sci_error_t *state, uint64_t deadline,
                                  unsigned int flags, sci_segment_cb_reason_t *reason)
{
    if (flags != 0)
        return SCI_ERR_ILLEGAL_FLAG;
    struct remote_segment *segment = handle_find(handle, KIND_REMOTE_SEGMENT);
    if (segment == NULL || state == NULL)
        return SCI_ERR_ILLEGAL_PARAMETER;
    if (segment->has_callback || service_is_caller())
        return SCI_ERR_ILLEGAL_OPERATION;
    struct event event;
    sci_error_t status = events_take(&segment->events, deadline, &event);
    if (status == SCI_ERR_OK) {
        *state = SCI_ERR_OK;
        *reason = event.reason;
    }
    return status;
}

sci_segment_cb_reason_t SCIWaitForRemoteSegmentEvent(sci_remote_segment_t segment, sci_error_t *status,
                                                     unsigned int timeout, unsigned int flags, sci_error_t *error)
{
    sci_segment_cb_reason_t reason = 0;
    uint64_t deadline = clock_deadline(timeout);
    report(error, LIBRARY_LOCKED(wait_for_event(segment, status, deadline, flags, &reason)));
    return reason;
}
SHIM_EXPORT(SCIWaitForRemoteSegmentEvent);

static sci_error_t disconnect(sci_remote_segment_t handle, unsigned int flags)
{
    if (flags != 0)
        return SCI_ERR_ILLEGAL_FLAG;
    struct remote_segment *segment = handle_find(handle, KIND_REMOTE_SEGMENT);
    if (segment == NULL)
        return SCI_ERR_ILLEGAL_PARAMETER;
    if (!LIST_EMPTY(&segment->memory.maps))
        return SCI_ERR_BUSY;
    remote_segment_destroy(segment);
    return SCI_ERR_OK;
}

void SCIDisconnectSegment(sci_remote_segment_t segment, unsigned int flags, sci_error_t *error)
{
    report(error, LIBRARY_LOCKED(disconnect(segment, flags)));
}
SHIM_EXPORT(SCIDisconnectSegment);

/* Another member of the group wants the memory. A connector is no exporter: false for "available". */
static void answer_group(struct remote_segment *segment)
{
    bool was_starved = segment->starved;
    segment->starved = !group_answer(segment->socket, &segment->memory, false);
    if (segment->starved != was_starved)
        service_heed(segment->socket, &segment->object, !segment->starved);
    if (segment->starved)
        service_retry_later();
}

/* Both a packet and the end of the stream end the connection. */
void remote_segment_event(struct remote_segment *segment)
{
    if (is_broadcast(segment)) {
        answer_group(segment);
        return;
    }
    union wire_packet packet;
    enum wire_event event = wire_receive(segment->socket, &packet, NULL);
    if (event == WIRE_NOTHING)
        return;
    bool farewell = event == WIRE_PACKET && packet.head.kind == WIRE_BYE;
    end_link(segment, !farewell && event != WIRE_END);
    memory_abandon(&segment->memory); /* first: to unmap a large window takes long, and sequences don't wait for the lock */
    memory_release(&segment->memory); /* the segment can't be mapped any more */

    sci_segment_cb_reason_t reason = farewell ? SCI_CB_DISCONNECT : SCI_CB_LOST;
    if (!segment->has_callback) {
        events_add(&segment->events, (struct event){ .reason = reason });
        events_finish(&segment->events);
        return;
    }
    sci_cb_remote_segment_t callback = segment->callback;
    void *arg = segment->callback_arg;
    sci_remote_segment_t handle = handle_value(&segment->object);
    service_enter_callback(segment->object.handle);
    callback(arg, handle, reason, SCI_ERR_OK); /* what it returns doesn't matter: no further event can come */
    service_leave_callback();
}

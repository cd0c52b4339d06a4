#include "segment/segment_remote.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#include "base/handles.h"
#include "base/library.h"
#include "base/node.h"
#include "base/service.h"
#include "exports.h"
#include "segment/events.h"
#include "segment/memory.h"
#include "system/clock.h"
#include "system/discard.h"
#include "system/peers.h"
#include "system/wire.h"

enum { ANSWER = 100 /* ms that the other process has in any case: public programs connect with a time-out of 0 until it works */ };

/* The result of connecting. */
struct attachment {
    int socket;
    unsigned int node;
    unsigned int id;
    struct memory memory;
    LIST_ENTRY(attachment) others;
};

/* Attachments whose descriptors belong to no object yet: a fork closes them. Guarded by the lock. */
static LIST_HEAD(, attachment) attaching = LIST_HEAD_INITIALIZER(attaching);

static int open_socket(struct attachment *attachment)
{
    pthread_mutex_lock(&library.lock);
    attachment->memory.fd = -1;
    attachment->socket = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (attachment->socket >= 0)
        LIST_INSERT_HEAD(&attaching, attachment, others);
    pthread_mutex_unlock(&library.lock);
    return attachment->socket;
}

static void leave_attaching(struct attachment *attachment)
{
    pthread_mutex_lock(&library.lock);
    LIST_REMOVE(attachment, others);
    pthread_mutex_unlock(&library.lock);
}

void remote_segments_forget_attaching(void)
{
    struct attachment *attachment; /* on the stack of a thread that doesn't exist in the child; its stack does */
    LIST_FOREACH(attachment, &attaching, others) {
        close(attachment->socket);
        memory_release(&attachment->memory);
    }
    LIST_INIT(&attaching);
}

/* Lets connect wait for room in the exporter's backlog, until the deadline; poll can't wait for that. */
static void wait_for_room(int socket, uint64_t deadline)
{
    struct timeval limit = { 0 }; /* means no limit */
    int rest = clock_poll_time(deadline);
    if (rest >= 0) {
        limit.tv_sec = rest / 1000;
        limit.tv_usec = rest % 1000 * 1000;
        if (rest == 0)
            limit.tv_usec = 1;
    }
    setsockopt(socket, SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof limit);
    fcntl(socket, F_SETFL, 0); /* no O_NONBLOCK any more: sends and receives have MSG_DONTWAIT anyway */
}

static sci_error_t connect_to(int socket, unsigned int node, unsigned int id, uint64_t deadline)
{
    struct sockaddr_un address;
    socklen_t length = wire_segment_name(&address, node, id);
    for (;;) {
        if (connect(socket, (struct sockaddr *)&address, length) == 0)
            return SCI_ERR_OK;
        switch (errno) {
        case EINTR:
            break;
        case EAGAIN:
            if (clock_poll_time(deadline) == 0)
                return SCI_ERR_TIMEOUT;
            wait_for_room(socket, deadline); /* for the first time, or again: only part of a long time has passed */
            break;
        case ECONNREFUSED:
            return SCI_ERR_NO_SUCH_SEGMENT;
        case EACCES:
        case EPERM:
        case EPROTOTYPE:
            return SCI_ERR_CONNECTION_REFUSED; /* the name is taken by something that is no segment */
        default:
            return failed("connect", SCI_ERR_SYSTEM);
        }
    }
}

/* Receives the answer. The descriptor that comes along is kept in memory->fd, whatever it is, so that a fork finds it. */
static enum wire_event receive_answer(int socket, union wire_packet *packet, struct memory *memory)
{
    pthread_mutex_lock(&library.lock);
    enum wire_event event = wire_receive(socket, packet, &memory->fd);
    pthread_mutex_unlock(&library.lock);
    return event;
}

static int take_descriptor(struct memory *memory)
{
    pthread_mutex_lock(&library.lock);
    int fd = memory->fd;
    memory->fd = -1;
    pthread_mutex_unlock(&library.lock);
    return fd;
}

static sci_error_t heed_answer(enum wire_event event, const union wire_packet *packet, struct memory *memory)
{
    if (event == WIRE_END)
        return SCI_ERR_NO_SUCH_SEGMENT; /* made unavailable, or its process died, before it answered */
    if (event == WIRE_OTHER_VERSION)
        return SCI_ERR_INCONSISTENT_VERSIONS;
    if (event == WIRE_NO_DESCRIPTOR)
        return failed("recvmsg", SCI_ERR_SYSTEM);
    if (event == WIRE_PACKET && packet->head.kind == WIRE_ANSWER) {
        if (packet->answer.status == SCI_ERR_OK && memory->fd >= 0)
            return memory_adopt(memory, memory->fd, packet->answer.size);
        if (packet->answer.status == SCI_ERR_INCONSISTENT_VERSIONS)
            return SCI_ERR_INCONSISTENT_VERSIONS;
    }
    return SCI_ERR_CONNECTION_REFUSED; /* an answer that makes no sense isn't trusted */
}

static sci_error_t read_answer(int socket, uint64_t deadline, struct memory *memory)
{
    if (!discard_reserve())
        return failed("close", SCI_ERR_SYSTEM);
    union wire_packet packet;
    enum wire_event event = WIRE_NOTHING;
    sci_error_t status = SCI_ERR_OK;
    while (event == WIRE_NOTHING && status == SCI_ERR_OK) {
        struct pollfd state = { .fd = socket, .events = POLLIN };
        if (poll(&state, 1, clock_poll_time(deadline)) == 0 && clock_poll_time(deadline) == 0)
            status = SCI_ERR_TIMEOUT;
        else
            event = receive_answer(socket, &packet, memory);
    }
    if (event != WIRE_NOTHING)
        status = heed_answer(event, &packet, memory);
    int refused = status != SCI_ERR_OK ? take_descriptor(memory) : -1;
    if (refused >= 0)
        discard(refused);
    else
        discard_release();
    return status;
}

static sci_error_t converse(int socket, unsigned int own_node, unsigned int adapter, uint64_t deadline,
                            struct memory *memory)
{
    /* Any process can bind a name: check whose it is before sending anything. */
    if (!peer_socket_allowed(socket))
        return SCI_ERR_CONNECTION_REFUSED;
    wire_refuse_descriptors(socket, false); /* the answer has one, and its sender is known now */
    struct wire_request request = { .head = wire_head(WIRE_REQUEST), .node = own_node, .adapter = adapter };
    /* If the request can't be sent, the other side has closed, perhaps after an answer: read_answer finds out. */
    wire_send(socket, &request, sizeof request, -1);
    return read_answer(socket, deadline, memory);
}

/* The caller doesn't hold the lock. */
static sci_error_t attach(unsigned int node, unsigned int id, unsigned int own_node, unsigned int adapter,
                          unsigned int timeout, struct attachment *attachment)
{
    if (!discard_reserve()) /* for the socket, as long as it is open */
        return failed("close", SCI_ERR_SYSTEM);
    int fd = open_socket(attachment);
    if (fd < 0) {
        discard_release();
        return failed("socket", SCI_ERR_SYSTEM);
    }
    wire_refuse_descriptors(fd, true);
    uint64_t deadline = clock_deadline(timeout < ANSWER ? ANSWER : timeout);
    sci_error_t status = connect_to(fd, node, id, deadline);
    if (status != SCI_ERR_OK) {
        leave_attaching(attachment);
        close(fd);
        discard_release();
        return status;
    }
    status = converse(fd, own_node, adapter, deadline, &attachment->memory);
    if (status != SCI_ERR_OK) {
        leave_attaching(attachment);
        wire_close(fd, status == SCI_ERR_TIMEOUT); /* bye if an answer may be on its way: that is a disconnection */
        return status;
    }
    wire_refuse_descriptors(fd, true);
    return SCI_ERR_OK;
}

static sci_error_t check_connect(sci_desc_t sd, const sci_remote_segment_t *handle, unsigned int node,
                                 unsigned int adapter, sci_cb_remote_segment_t callback, unsigned int flags)
{
    if ((flags & ~SCI_FLAG_USE_CALLBACK) != 0)
        return SCI_ERR_ILLEGAL_FLAG;
    if (handle == NULL || handle_find(sd, KIND_DESCRIPTOR) == NULL ||
        ((flags & SCI_FLAG_USE_CALLBACK) != 0 && callback == NULL))
        return SCI_ERR_ILLEGAL_PARAMETER;
    if (service_is_caller())
        return SCI_ERR_ILLEGAL_OPERATION; /* the answer may have to come from this very thread */
    sci_error_t status = check_adapter(adapter);
    return status == SCI_ERR_OK ? check_node(node) : status;
}

/* Makes the handle; takes the attachment over if it succeeds. */
static sci_error_t keep(sci_desc_t sd, sci_remote_segment_t *handle, struct attachment *attachment,
                        bool use_callback, sci_cb_remote_segment_t callback, void *callback_arg)
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
    segment->node = attachment->node;
    segment->id = attachment->id;
    segment->has_callback = use_callback;
    segment->callback = callback;
    segment->callback_arg = callback_arg;
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

static sci_error_t connect_segment(sci_desc_t sd, sci_remote_segment_t *handle, unsigned int node, unsigned int id,
                                   unsigned int adapter, sci_cb_remote_segment_t callback, void *callback_arg,
                                   unsigned int timeout, unsigned int flags)
{
    sci_error_t status = LIBRARY_LOCKED(check_connect(sd, handle, node, adapter, callback, flags));
    if (status != SCI_ERR_OK)
        return status;
    struct attachment attachment = { .node = node, .id = id };
    status = attach(node, id, library.node /* constant while initialised */, adapter, timeout, &attachment);
    if (status != SCI_ERR_OK)
        return status;
    bool use_callback = (flags & SCI_FLAG_USE_CALLBACK) != 0;
    status = LIBRARY_LOCKED(keep(sd, handle, &attachment, use_callback, callback, callback_arg));
    if (status != SCI_ERR_OK) {
        leave_attaching(&attachment);
        wire_close(attachment.socket, true);
        memory_release(&attachment.memory);
    }
    return status;
}

void SCIConnectSegment(sci_desc_t sd, sci_remote_segment_t *segment, unsigned int nodeId, unsigned int segmentId,
                       unsigned int localAdapterNo, sci_cb_remote_segment_t callback, void *callbackArg,
                       unsigned int timeout, unsigned int flags, sci_error_t *error)
{
    report(error, connect_segment(sd, segment, nodeId, segmentId, localAdapterNo, callback, callbackArg, timeout,
                                  flags));
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

/* Both a packet and the end of the stream end the connection. */
void remote_segment_event(struct remote_segment *segment)
{
    union wire_packet packet;
    enum wire_event event = wire_receive(segment->socket, &packet, NULL);
    if (event == WIRE_NOTHING)
        return;
    bool farewell = event == WIRE_PACKET && packet.head.kind == WIRE_BYE;
    end_link(segment, !farewell && event != WIRE_END);
    memory_release(&segment->memory); /* the segment can't be mapped any more */
    memory_abandon(&segment->memory);

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

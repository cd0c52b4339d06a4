/* Connections to segments, the connector's end. */
#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#include "exports.h"
#include "library.h"
#include "peers.h"
#include "service.h"
#include "wire.h"

/* What connecting yields. */
struct attachment {
    int socket;
    struct memory memory;
};

/* Bounds a blocking connect, which waits for room in the exporter's backlog; poll can't wait for that. */
static void limit_connect(int socket, uint64_t deadline)
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
}

static sci_error_t connect_to(int socket, unsigned int node, unsigned int id, uint64_t deadline)
{
    struct sockaddr_un address;
    socklen_t length = wire_segment_name(&address, node, id);
    for (;;) {
        limit_connect(socket, deadline);
        if (connect(socket, (struct sockaddr *)&address, length) == 0)
            return SCI_ERR_OK;
        switch (errno) {
        case EINTR:
            break;
        case EAGAIN:
            if (clock_poll_time(deadline) == 0)
                return SCI_ERR_TIMEOUT;
            break; /* only part of a long time has passed */
        case ECONNREFUSED:
            return SCI_ERR_NO_SUCH_SEGMENT;
        case EACCES:
        case EPERM:
        case EPROTOTYPE:
            return SCI_ERR_CONNECTION_REFUSED; /* the name is taken by something that is no segment */
        default:
            return SCI_ERR_SYSTEM;
        }
    }
}

static sci_error_t read_answer(int socket, uint64_t deadline, struct memory *memory)
{
    union wire_packet packet;
    enum wire_event event;
    int fd;
    while ((event = wire_receive(socket, &packet, &fd)) == WIRE_NOTHING) {
        struct pollfd state = { .fd = socket, .events = POLLIN };
        if (poll(&state, 1, clock_poll_time(deadline)) == 0 && clock_poll_time(deadline) == 0)
            return SCI_ERR_TIMEOUT;
    }
    if (event == WIRE_END)
        return SCI_ERR_NO_SUCH_SEGMENT; /* made unavailable, or its process died, before it answered */
    if (event == WIRE_OTHER_VERSION)
        return SCI_ERR_INCONSISTENT_VERSIONS;
    sci_error_t status = SCI_ERR_CONNECTION_REFUSED; /* what doesn't make sense isn't trusted */
    if (event == WIRE_PACKET && packet.head.kind == WIRE_ANSWER) {
        if (packet.answer.status == SCI_ERR_OK && fd >= 0)
            return memory_adopt(memory, fd, packet.answer.size);
        if (packet.answer.status == SCI_ERR_INCONSISTENT_VERSIONS)
            status = SCI_ERR_INCONSISTENT_VERSIONS;
    }
    if (fd >= 0)
        close(fd);
    return status;
}

static sci_error_t converse(int socket, unsigned int node, unsigned int id, unsigned int own_node,
                            unsigned int adapter, uint64_t deadline, struct memory *memory)
{
    sci_error_t status = connect_to(socket, node, id, deadline);
    if (status != SCI_ERR_OK)
        return status;
    /* Anybody can bind a name: see who did before saying a word. */
    if (!peer_socket_allowed(socket))
        return SCI_ERR_CONNECTION_REFUSED;
    struct wire_request request = { .head = wire_head(WIRE_REQUEST), .node = own_node, .adapter = adapter };
    /* If it can't be sent the other side has closed, after an answer perhaps: reading tells. */
    wire_send(socket, &request, sizeof request, -1);
    return read_answer(socket, deadline, memory);
}

/* Without the lock. */
static sci_error_t attach(unsigned int node, unsigned int id, unsigned int own_node, unsigned int adapter,
                          unsigned int timeout, struct attachment *attachment)
{
    int fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
    if (fd < 0)
        return SCI_ERR_SYSTEM;
    sci_error_t status = converse(fd, node, id, own_node, adapter, clock_deadline(timeout), &attachment->memory);
    if (status == SCI_ERR_OK)
        attachment->socket = fd;
    else
        close(fd);
    return status;
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
static sci_error_t keep(sci_desc_t sd, sci_remote_segment_t *handle, const struct attachment *attachment,
                        sci_cb_remote_segment_t callback, void *callback_arg)
{
    /* The device may have been closed since it was checked. */
    struct descriptor *owner = handle_find(sd, KIND_DESCRIPTOR);
    if (owner == NULL)
        return SCI_ERR_ILLEGAL_PARAMETER;
    struct remote_segment *segment = calloc(1, sizeof *segment);
    if (segment == NULL || !handle_add(&segment->object, KIND_REMOTE_SEGMENT)) {
        free(segment);
        return SCI_ERR_SYSTEM;
    }
    segment->owner = owner;
    segment->memory = attachment->memory;
    segment->socket = attachment->socket;
    segment->callback = callback;
    segment->callback_arg = callback_arg;
    if (!service_watch(segment->socket, &segment->object)) {
        handle_drop(&segment->object);
        free(segment);
        return SCI_ERR_SYSTEM;
    }
    owner->children++;
    *handle = handle_value(&segment->object); /* before the lock is let go: the callback may come at once */
    return SCI_ERR_OK;
}

static sci_error_t connect_segment(sci_desc_t sd, sci_remote_segment_t *handle, unsigned int node, unsigned int id,
                                   unsigned int adapter, sci_cb_remote_segment_t callback, void *callback_arg,
                                   unsigned int timeout, unsigned int flags)
{
    unsigned int own_node = library.node; /* constant while initialised */
    sci_error_t status = LIBRARY_LOCKED(check_connect(sd, handle, node, adapter, callback, flags));
    if (status != SCI_ERR_OK)
        return status;
    struct attachment attachment;
    status = attach(node, id, own_node, adapter, timeout, &attachment);
    if (status != SCI_ERR_OK)
        return status;
    bool use_callback = (flags & SCI_FLAG_USE_CALLBACK) != 0;
    status = LIBRARY_LOCKED(keep(sd, handle, &attachment, use_callback ? callback : NULL, callback_arg));
    if (status != SCI_ERR_OK) {
        wire_hang_up(attachment.socket);
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

static void end_link(struct remote_segment *segment)
{
    if (segment->socket < 0)
        return;
    service_unwatch(segment->socket);
    wire_hang_up(segment->socket);
    segment->socket = -1;
}

void remote_segment_destroy(struct remote_segment *segment)
{
    uint64_t handle = segment->object.handle;
    handle_drop(&segment->object);
    end_link(segment);
    memory_release(&segment->memory);
    segment->owner->children--;
    free(segment);
    service_settle(handle);
}

static sci_error_t disconnect(sci_remote_segment_t handle, unsigned int flags)
{
    if (flags != 0)
        return SCI_ERR_ILLEGAL_FLAG;
    struct remote_segment *segment = handle_find(handle, KIND_REMOTE_SEGMENT);
    if (segment == NULL)
        return SCI_ERR_ILLEGAL_PARAMETER;
    if (segment->memory.maps > 0)
        return SCI_ERR_BUSY;
    remote_segment_destroy(segment);
    return SCI_ERR_OK;
}

void SCIDisconnectSegment(sci_remote_segment_t segment, unsigned int flags, sci_error_t *error)
{
    report(error, LIBRARY_LOCKED(disconnect(segment, flags)));
}
SHIM_EXPORT(SCIDisconnectSegment);

/* The exporter has something to say: that can only be the end. */
void remote_segment_event(struct remote_segment *segment)
{
    union wire_packet packet;
    enum wire_event event = wire_receive(segment->socket, &packet, NULL);
    if (event == WIRE_NOTHING)
        return;
    bool farewell = event == WIRE_PACKET && packet.head.kind == WIRE_BYE;
    end_link(segment);
    memory_release(&segment->memory); /* can't be mapped any more */

    sci_cb_remote_segment_t callback = segment->callback;
    if (callback == NULL)
        return;
    void *arg = segment->callback_arg;
    sci_remote_segment_t handle = handle_value(&segment->object);
    service_enter_callback(segment->object.handle);
    sci_callback_action_t action =
        callback(arg, handle, farewell ? SCI_CB_DISCONNECT : SCI_CB_LOST, SCI_ERR_OK);
    segment = service_leave_callback();
    if (segment != NULL && action == SCI_CALLBACK_CANCEL)
        segment->callback = NULL;
}

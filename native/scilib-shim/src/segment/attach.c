#include "segment/attach.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#include "base/errors.h"
#include "base/library.h"
#include "system/clock.h"
#include "system/discard.h"
#include "system/peers.h"

/* Attachments whose descriptors belong to no object yet: a fork closes them. Guarded by the lock. */
static LIST_HEAD(, attachment) attaching = LIST_HEAD_INITIALIZER(attaching);

int attach_open(struct attachment *attachment)
{
    pthread_mutex_lock(&library.lock);
    attachment->connected = false;
    attachment->memory = (struct memory){ .fd = -1 };
    attachment->socket = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (attachment->socket >= 0)
        LIST_INSERT_HEAD(&attaching, attachment, others);
    pthread_mutex_unlock(&library.lock);
    return attachment->socket;
}

void attach_leave(struct attachment *attachment)
{
    pthread_mutex_lock(&library.lock);
    LIST_REMOVE(attachment, others);
    pthread_mutex_unlock(&library.lock);
}

void attach_forget_all(void)
{
    struct attachment *attachment; /* on the stack of a thread that doesn't exist in the child; its stack does */
    LIST_FOREACH(attachment, &attaching, others) {
        if (attachment->socket >= 0)
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

static sci_error_t connect_to(int socket, const struct attach_target *target, uint64_t deadline)
{
    for (;;) {
        if (connect(socket, (const struct sockaddr *)&target->address, target->length) == 0)
            return SCI_ERR_OK;
        switch (errno) {
        case EAGAIN:
        case EINTR: /* the kernel's time-out starts anew with each call: without the check, signals could hold the caller for ever */
            if (clock_poll_time(deadline) == 0)
                return SCI_ERR_TIMEOUT;
            wait_for_room(socket, deadline); /* for the first time, or again: only part of the time has passed */
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

static sci_error_t heed_answer(enum wire_event event, const union wire_packet *packet, struct attachment *attachment)
{
    struct memory *memory = &attachment->memory;
    if (event == WIRE_END)
        return SCI_ERR_NO_SUCH_SEGMENT; /* made unavailable, or its process died, before it answered */
    if (event == WIRE_OTHER_VERSION)
        return SCI_ERR_INCONSISTENT_VERSIONS;
    if (event == WIRE_NO_DESCRIPTOR)
        return failed("recvmsg", SCI_ERR_SYSTEM);
    if (event == WIRE_PACKET && packet->head.kind == WIRE_ANSWER) {
        attachment->flags = packet->answer.flags;
        if (packet->answer.status == SCI_ERR_OK && memory->fd >= 0)
            return memory_adopt(memory, memory->fd, packet->answer.size);
        if (packet->answer.status == SCI_ERR_INCONSISTENT_VERSIONS)
            return SCI_ERR_INCONSISTENT_VERSIONS;
    }
    return SCI_ERR_CONNECTION_REFUSED; /* an answer that makes no sense isn't trusted */
}

static sci_error_t read_answer(int socket, uint64_t deadline, struct attachment *attachment)
{
    struct memory *memory = &attachment->memory;
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
        status = heed_answer(event, &packet, attachment);
    int refused = status != SCI_ERR_OK ? take_descriptor(memory) : -1;
    if (refused >= 0)
        discard(refused);
    else
        discard_release();
    return status;
}

static sci_error_t converse(int socket, const struct wire_request *request, uint64_t deadline, struct attachment *attachment)
{
    /* Any process can bind a name: check whose it is before sending anything. */
    if (!peer_socket_allowed(socket))
        return SCI_ERR_CONNECTION_REFUSED;
    if (request != NULL) {
        wire_refuse_descriptors(socket, false); /* the answer has one, and its sender is known now */
        /* If the request can't be sent, the other side has closed, perhaps after an answer: read_answer finds out. */
        wire_send(socket, request, sizeof *request, -1);
    }
    return read_answer(socket, deadline, attachment);
}

sci_error_t attach(const struct attach_target *target, const struct wire_request *request, uint64_t deadline,
                   struct attachment *attachment)
{
    if (!discard_reserve()) /* for the socket, as long as it is open */
        return failed("close", SCI_ERR_SYSTEM);
    int fd = attach_open(attachment);
    if (fd < 0) {
        discard_release();
        return failed("socket", SCI_ERR_SYSTEM);
    }
    if (request != NULL) /* else the answer, with its descriptor, may come at once */
        wire_refuse_descriptors(fd, true);
    sci_error_t status = connect_to(fd, target, deadline);
    if (status != SCI_ERR_OK) {
        attach_leave(attachment);
        close(fd);
        discard_release();
        return status;
    }
    attachment->connected = true;
    status = converse(fd, request, deadline, attachment);
    if (status != SCI_ERR_OK) {
        attach_leave(attachment);
        wire_close(fd, status == SCI_ERR_TIMEOUT); /* bye if an answer may be on its way: that is a disconnection */
        return status;
    }
    wire_refuse_descriptors(fd, true);
    return SCI_ERR_OK;
}

void attach_hang_up(struct attachment *attachment)
{
    pthread_mutex_lock(&library.lock);
    LIST_REMOVE(attachment, others);
    memory_release(&attachment->memory);
    pthread_mutex_unlock(&library.lock);
    wire_close(attachment->socket, false);
}

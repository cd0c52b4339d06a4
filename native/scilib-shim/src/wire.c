#include "wire.h"

#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "sisci_api.h"

__attribute__((format(printf, 2, 3)))
static socklen_t abstract_name(struct sockaddr_un *address, const char *format, ...)
{
    *address = (struct sockaddr_un){ .sun_family = AF_UNIX };
    va_list arguments;
    va_start(arguments, format);
    /* A leading NUL makes it abstract; the name is the bytes, the closing NUL is no part of it. */
    int length = vsnprintf(address->sun_path + 1, sizeof address->sun_path - 1, format, arguments);
    va_end(arguments);
    return (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + (size_t)length);
}

socklen_t wire_segment_name(struct sockaddr_un *address, unsigned int node, unsigned int id)
{
    return abstract_name(address, "sisci-shim/1/seg/%u/%x", node, id);
}

socklen_t wire_interrupt_name(struct sockaddr_un *address, unsigned int node, unsigned int adapter,
                              unsigned int number)
{
    return abstract_name(address, "sisci-shim/1/int/%u/%u/%u", node, adapter, number);
}

struct wire_head wire_head(enum wire_kind kind)
{
    return (struct wire_head){ .magic = WIRE_MAGIC, .version = WIRE_VERSION, .kind = kind };
}

bool wire_send(int socket, const void *packet, size_t size, int fd)
{
    union {
        char bytes[CMSG_SPACE(sizeof(int))];
        struct cmsghdr aligned;
    } control = { .bytes = { 0 } };
    struct iovec part = { .iov_base = (void *)packet, .iov_len = size };
    struct msghdr message = { .msg_iov = &part, .msg_iovlen = 1 };
    if (fd >= 0) {
        message.msg_control = control.bytes;
        message.msg_controllen = sizeof control.bytes;
        struct cmsghdr *rights = CMSG_FIRSTHDR(&message);
        rights->cmsg_level = SOL_SOCKET;
        rights->cmsg_type = SCM_RIGHTS;
        rights->cmsg_len = CMSG_LEN(sizeof fd);
        memcpy(CMSG_DATA(rights), &fd, sizeof fd);
    }
    return sendmsg(socket, &message, MSG_DONTWAIT | MSG_NOSIGNAL) == (ssize_t)size;
}

/* Collects the descriptors of a message: how many there were, the first in *fd, the others closed. */
static int take_descriptors(struct msghdr *message, int *fd)
{
    int count = 0;
    for (struct cmsghdr *part = CMSG_FIRSTHDR(message); part != NULL; part = CMSG_NXTHDR(message, part)) {
        if (part->cmsg_level != SOL_SOCKET || part->cmsg_type != SCM_RIGHTS)
            continue;
        size_t bytes = part->cmsg_len - CMSG_LEN(0);
        for (size_t at = 0; at + sizeof(int) <= bytes; at += sizeof(int)) {
            int received;
            memcpy(&received, CMSG_DATA(part) + at, sizeof received);
            if (count++ == 0)
                *fd = received;
            else
                close(received);
        }
    }
    return count;
}

/*
 * A side that closes with unread packets in its queue resets the other, which reads ECONNRESET once, before what still
 * waits in its own queue: a last word may be there, so ask a second time.
 */
static ssize_t receive(int socket, struct msghdr *message, int flags)
{
    struct msghdr fresh = *message;
    ssize_t got = recvmsg(socket, message, flags);
    if (got < 0 && errno == ECONNRESET) {
        *message = fresh;
        got = recvmsg(socket, message, flags);
    }
    return got;
}

enum wire_event wire_receive(int socket, union wire_packet *packet, int *fd)
{
    union {
        char bytes[CMSG_SPACE(2 * sizeof(int))]; /* room for one too many, to see it */
        struct cmsghdr aligned;
    } control;
    struct iovec part = { .iov_base = packet, .iov_len = sizeof *packet };
    struct msghdr message = { .msg_iov = &part, .msg_iovlen = 1 };
    if (fd != NULL) {
        *fd = -1;
        message.msg_control = control.bytes;
        message.msg_controllen = sizeof control.bytes;
    }
    ssize_t got = receive(socket, &message, MSG_DONTWAIT | MSG_CMSG_CLOEXEC);
    if (got < 0)
        return errno == EAGAIN || errno == EINTR ? WIRE_NOTHING : WIRE_END;

    int count = fd != NULL ? take_descriptors(&message, fd) : 0;
    bool cut = (message.msg_flags & MSG_TRUNC) != 0 || (fd != NULL && (message.msg_flags & MSG_CTRUNC) != 0);
    bool sound = !cut && count <= 1 && got >= (ssize_t)sizeof packet->head && packet->head.magic == WIRE_MAGIC;
    size_t expected = !sound                              ? 0
                      : packet->head.kind == WIRE_REQUEST ? sizeof packet->request
                      : packet->head.kind == WIRE_ANSWER  ? sizeof packet->answer
                                                          : sizeof packet->head;
    if (sound && packet->head.version == WIRE_VERSION && (size_t)got == expected)
        return WIRE_PACKET;
    if (count > 0) {
        close(*fd);
        *fd = -1;
    }
    if (got == 0)
        return WIRE_END;
    return sound && packet->head.version != WIRE_VERSION ? WIRE_OTHER_VERSION : WIRE_GARBAGE;
}

void wire_hang_up(int socket)
{
    struct wire_head bye = wire_head(WIRE_BYE);
    wire_send(socket, &bye, sizeof bye, -1);
    shutdown(socket, SHUT_RDWR);
    close(socket);
}

bool wire_hung_up(int socket)
{
    struct pollfd state = { .fd = socket, .events = POLLIN };
    return poll(&state, 1, 0) > 0;
}

uint64_t clock_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}

uint64_t clock_deadline(unsigned int timeout)
{
    return timeout == SCI_INFINITE_TIMEOUT ? UINT64_MAX : clock_now() + timeout;
}

int clock_poll_time(uint64_t deadline)
{
    if (deadline == UINT64_MAX)
        return -1;
    uint64_t now = clock_now();
    if (now >= deadline)
        return 0;
    return deadline - now < INT_MAX ? (int)(deadline - now) : INT_MAX;
}

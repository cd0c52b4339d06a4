#include "system/wire.h"

#include <errno.h>
#include <poll.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "system/discard.h"

#ifndef SO_PASSRIGHTS
#define SO_PASSRIGHTS 83 /* newer than our headers */
#endif

__attribute__((format(printf, 2, 3)))
static socklen_t abstract_name(struct sockaddr_un *address, const char *format, ...)
{
    *address = (struct sockaddr_un){ .sun_family = AF_UNIX };
    va_list arguments;
    va_start(arguments, format);
    /* A leading NUL byte makes the name abstract. The closing NUL byte is no part of it. */
    int length = vsnprintf(address->sun_path + 1, sizeof address->sun_path - 1, format, arguments);
    va_end(arguments);
    return (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + (size_t)length);
}

socklen_t wire_segment_name(struct sockaddr_un *address, unsigned int node, unsigned int id)
{
    return abstract_name(address, "sisci-shim/1/seg/%u/%x", node, id);
}

socklen_t wire_node_name(struct sockaddr_un *address, unsigned int node, unsigned int place)
{
    return abstract_name(address, "sisci-shim/1/node/%u/%u", node, place);
}

socklen_t wire_interrupt_name(struct sockaddr_un *address, const char *sort, unsigned int node, unsigned int adapter,
                              unsigned int number)
{
    return abstract_name(address, "sisci-shim/1/%s/%u/%u/%u", sort, node, adapter, number);
}

socklen_t wire_shared_interrupt_name(struct sockaddr_un *address, const char *sort, unsigned int node,
                                     unsigned int adapter, unsigned int number, unsigned int place)
{
    return abstract_name(address, "sisci-shim/1/%s/%u/%u/%u/%u", sort, node, adapter, number, place);
}

socklen_t wire_place_name(struct sockaddr_un *address, unsigned int group, unsigned int id, unsigned int place)
{
    return abstract_name(address, "sisci-shim/1/group/%u/%x/%u", group, id, place);
}

socklen_t wire_turn_name(struct sockaddr_un *address, unsigned int group, unsigned int id)
{
    return abstract_name(address, "sisci-shim/1/group/%u/%x/turn", group, id);
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

static atomic_bool kernel_refuses; /* set when SO_PASSRIGHTS has worked */

void wire_refuse_descriptors(int socket, bool refuse)
{
    int pass = !refuse;
    if (setsockopt(socket, SOL_SOCKET, SO_PASSRIGHTS, &pass, sizeof pass) == 0)
        atomic_store_explicit(&kernel_refuses, true, memory_order_relaxed);
}

/* The descriptor that came with a message, -1 if none did. */
static int descriptor_of(struct msghdr *message)
{
    int fd = -1;
    const struct cmsghdr *part = CMSG_FIRSTHDR(message);
    if (part != NULL && part->cmsg_level == SOL_SOCKET && part->cmsg_type == SCM_RIGHTS)
        memcpy(&fd, CMSG_DATA(part), sizeof fd);
    return fd;
}

/*
 * If one side closes with unread packets in its queue, the other side reads ECONNRESET once, before the packets that still
 * wait in its own queue. A last packet may be there, so this function asks a second time.
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

/* Judges a packet of which "got" bytes were received with these flags. */
static enum wire_event judge(const union wire_packet *packet, ssize_t got, int flags)
{
    if ((flags & MSG_TRUNC) != 0 || got < (ssize_t)sizeof packet->head || packet->head.magic != WIRE_MAGIC)
        return WIRE_GARBAGE;
    if (packet->head.version != WIRE_VERSION)
        return WIRE_OTHER_VERSION;
    size_t expected = packet->head.kind == WIRE_REQUEST  ? sizeof packet->request
                      : packet->head.kind == WIRE_ANSWER ? sizeof packet->answer
                                                         : sizeof packet->head;
    return (size_t)got == expected ? WIRE_PACKET : WIRE_GARBAGE;
}

enum wire_event wire_receive(int socket, union wire_packet *packet, int *fd)
{
    union {
        char bytes[CMSG_SPACE(sizeof(int))];
        struct cmsghdr aligned;
    } control;
    struct iovec part = { .iov_base = packet, .iov_len = sizeof *packet };
    struct msghdr message = { .msg_iov = &part, .msg_iovlen = 1 };
    if (fd != NULL) {
        message.msg_control = control.bytes;
        message.msg_controllen = CMSG_LEN(sizeof(int)); /* the padding would be room for a second descriptor */
    }
    /* A descriptor that has no room here stays in the queue: the kernel drops only the references of this look. */
    ssize_t got = receive(socket, &message, MSG_PEEK | MSG_DONTWAIT | MSG_CMSG_CLOEXEC);
    if (fd != NULL)
        *fd = got >= 0 ? descriptor_of(&message) : -1;
    if (got < 0)
        return errno == EAGAIN || errno == EINTR ? WIRE_NOTHING : WIRE_END;
    if ((message.msg_flags & MSG_CTRUNC) != 0) {
        if (fd == NULL || *fd >= 0)
            return WIRE_GARBAGE;
        errno = EMFILE; /* a guess: the kernel gives no reason; a security module may have forbidden it */
        return WIRE_NO_DESCRIPTOR;
    }
    if (got == 0)
        return WIRE_END;
    recv(socket, NULL, 0, MSG_DONTWAIT); /* drops no descriptor that isn't in *fd as well */
    return judge(packet, got, message.msg_flags);
}

enum wire_event wire_receive_bare(int socket, union wire_packet *packet)
{
    if (!atomic_load_explicit(&kernel_refuses, memory_order_relaxed))
        return wire_receive(socket, packet, NULL);
    struct iovec part = { .iov_base = packet, .iov_len = sizeof *packet };
    struct msghdr message = { .msg_iov = &part, .msg_iovlen = 1 };
    ssize_t got = receive(socket, &message, MSG_DONTWAIT);
    if (got < 0)
        return errno == EAGAIN || errno == EINTR ? WIRE_NOTHING : WIRE_END;
    return got == 0 ? WIRE_END : judge(packet, got, message.msg_flags);
}

void wire_say_bye(int socket)
{
    struct wire_head bye = wire_head(WIRE_BYE);
    wire_send(socket, &bye, sizeof bye, -1);
    shutdown(socket, SHUT_RDWR);
}

/* Whether no packet waits at a socket that is shut down, so that none can come any more. */
static bool is_empty(int socket)
{
    int yes = 1;
    struct msghdr nowhere = { 0 };
    /* There is no room for the credentials. So each packet is marked as cut, even an empty one, but the end is not. */
    return setsockopt(socket, SOL_SOCKET, SO_PASSCRED, &yes, sizeof yes) == 0 &&
           receive(socket, &nowhere, MSG_PEEK | MSG_DONTWAIT) == 0 && (nowhere.msg_flags & MSG_CTRUNC) == 0;
}

void wire_close(int socket, bool bye)
{
    union wire_packet farewell;
    if (bye)
        wire_say_bye(socket);
    else
        shutdown(socket, SHUT_RDWR);
    wire_receive(socket, &farewell, NULL); /* takes the other side's bye, which may well be there and needs no discard */
    if (is_empty(socket)) {
        close(socket);
        discard_release();
    } else {
        discard(socket);
    }
}

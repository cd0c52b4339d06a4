#include "raw.h"

#include <errno.h>
#include <netinet/in.h>
#include <string.h>
#include <unistd.h>

#include "check.h"

enum { LINGER = 3600 /* s: longer than any test may take */, SMALL_BUFFER = 4096 };

static socklen_t name(struct sockaddr_un *address, const char *kind, unsigned int node, const char *rest)
{
    *address = (struct sockaddr_un){ .sun_family = AF_UNIX };
    int size = snprintf(address->sun_path + 1, sizeof address->sun_path - 1, "sisci-shim/1/%s/%u/%s", kind, node, rest);
    return (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + (size_t)size);
}

int raw_socket(struct sockaddr_un *address, socklen_t *length, unsigned int node, unsigned int id)
{
    char rest[16];
    snprintf(rest, sizeof rest, "%x", id);
    *length = name(address, "seg", node, rest);
    int fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
    CHECK(fd >= 0);
    return fd;
}

int raw_connect(unsigned int node, unsigned int id)
{
    struct sockaddr_un address;
    socklen_t length;
    int fd = raw_socket(&address, &length, node, id);
    CHECK(connect(fd, (struct sockaddr *)&address, length) == 0);
    return fd;
}

int raw_node(struct sockaddr_un *address, socklen_t *length, unsigned int node, unsigned int place)
{
    char rest[16];
    snprintf(rest, sizeof rest, "%u", place);
    *length = name(address, "node", node, rest);
    int fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    CHECK(fd >= 0);
    return fd;
}

/* Makes a socket, and one of a group's names for it. */
static int group_socket(struct sockaddr_un *address, socklen_t *length, unsigned int id, const char *what)
{
    char rest[32];
    snprintf(rest, sizeof rest, "%x/%s", id, what);
    *length = name(address, "group", DIS_BROADCAST_NODEID_GROUP_ALL, rest);
    int fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
    CHECK(fd >= 0);
    return fd;
}

int raw_group(unsigned int id, const char *what)
{
    struct sockaddr_un address;
    socklen_t length;
    int fd = group_socket(&address, &length, id, what);
    CHECK(bind(fd, (struct sockaddr *)&address, length) == 0);
    return fd;
}

int raw_join(unsigned int id, const char *what)
{
    struct sockaddr_un address;
    socklen_t length;
    int fd = group_socket(&address, &length, id, what);
    CHECK(connect(fd, (struct sockaddr *)&address, length) == 0);
    return fd;
}

/* Returns a connected socket; -1, with errno, if it can't be connected. */
static int connected(int type, const char *sort, unsigned int node, unsigned int number)
{
    char rest[32];
    snprintf(rest, sizeof rest, "%u/%u", ADAPTER, number);
    struct sockaddr_un address;
    socklen_t length = name(&address, sort, node, rest);
    int fd = socket(AF_UNIX, type | SOCK_CLOEXEC, 0);
    CHECK(fd >= 0);
    if (connect(fd, (struct sockaddr *)&address, length) == 0)
        return fd;
    int reason = errno;
    close(fd);
    errno = reason;
    return -1;
}

int raw_interrupt(unsigned int node, unsigned int number)
{
    int fd = connected(SOCK_DGRAM, "int", node, number);
    CHECK(fd >= 0);
    return fd;
}

int raw_queue(const char *sort, unsigned int node, unsigned int number)
{
    int fd = connected(SOCK_SEQPACKET, sort, node, number);
    CHECK(fd >= 0);
    return fd;
}

void raw_crowd(const char *sort, unsigned int node, unsigned int number)
{
    int fd;
    while ((fd = connected(SOCK_SEQPACKET | SOCK_NONBLOCK, sort, node, number)) >= 0)
        close(fd);
    CHECK(errno == EAGAIN);
}

bool try_packet(int socket, const void *packet, size_t size, const int *fds, size_t count)
{
    union {
        char bytes[CMSG_SPACE(RAW_DESCRIPTORS * sizeof(int))];
        struct cmsghdr aligned;
    } control = { .bytes = { 0 } };
    struct iovec part = { .iov_base = (void *)packet, .iov_len = size };
    struct msghdr message = { .msg_iov = &part, .msg_iovlen = 1 };
    if (count > 0) {
        message.msg_control = control.bytes;
        message.msg_controllen = CMSG_SPACE(count * sizeof(int));
        struct cmsghdr *rights = CMSG_FIRSTHDR(&message);
        rights->cmsg_level = SOL_SOCKET;
        rights->cmsg_type = SCM_RIGHTS;
        rights->cmsg_len = CMSG_LEN(count * sizeof(int));
        memcpy(CMSG_DATA(rights), fds, count * sizeof(int));
    }
    ssize_t sent = sendmsg(socket, &message, MSG_NOSIGNAL);
    CHECK(sent == (ssize_t)size || errno == EPIPE || (count > 0 && errno == EPERM));
    return sent >= 0;
}

void send_packet(int socket, const void *packet, size_t size, const int *fds, size_t count)
{
    CHECK(try_packet(socket, packet, size, fds, count));
}

int lingering(int *peer)
{
    struct sockaddr_in address = { .sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
    socklen_t length = sizeof address;
    int small = SMALL_BUFFER; /* bytes: the buffers are soon full */
    int listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    CHECK(setsockopt(listener, SOL_SOCKET, SO_RCVBUF, &small, sizeof small) == 0);
    CHECK(bind(listener, (struct sockaddr *)&address, length) == 0 && listen(listener, 1) == 0);
    CHECK(getsockname(listener, (struct sockaddr *)&address, &length) == 0);
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    CHECK(fd >= 0 && setsockopt(fd, SOL_SOCKET, SO_SNDBUF, &small, sizeof small) == 0);
    CHECK(connect(fd, (struct sockaddr *)&address, length) == 0);
    *peer = accept4(listener, NULL, NULL, SOCK_CLOEXEC);
    CHECK(*peer >= 0);
    close(listener);
    struct linger linger = { .l_onoff = 1, .l_linger = LINGER };
    CHECK(setsockopt(fd, SOL_SOCKET, SO_LINGER, &linger, sizeof linger) == 0);
    static char unread[1 << 16];
    while (send(fd, unread, sizeof unread, MSG_DONTWAIT) > 0)
        continue;
    return fd;
}

/* The fabric: a socket for each endpoint, in the folder that all processes share. */
#include "standin.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

static struct sockaddr_un name_of(uint32_t id)
{
    struct sockaddr_un name = {.sun_family = AF_UNIX};
    if (snprintf(name.sun_path, sizeof name.sun_path, "%s/endpoint-%u", getenv("STANDIN_DIR"), id) >= (int)sizeof name.sun_path)
        abort(); /* the folder's name is too long */
    return name;
}

int fabric_bind(uint32_t id)
{
    struct sockaddr_un name = name_of(id);
    int it = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (it >= 0 && bind(it, (struct sockaddr *)&name, sizeof name) == 0)
        return it;
    if (it >= 0)
        close(it);
    return -1;
}

void fabric_unbind(uint32_t id)
{
    struct sockaddr_un name = name_of(id);
    unlink(name.sun_path);
}

union room {
    char bytes[CMSG_SPACE(sizeof(int))];
    struct cmsghdr header;
};

enum delivery fabric_send(struct mx_endpoint *from, struct peer *to, const struct letter *letter, const void *bytes, int file)
{
    struct letter copy = *letter;
    copy.from = from->id;
    copy.from_session = from->session;
    copy.to_session = to->session;
    struct sockaddr_un name = name_of(to->id);
    struct iovec parts[] = {{&copy, sizeof copy}, {(void *)bytes, bytes == NULL ? 0 : copy.length}};
    union room room = {.header = {.cmsg_len = CMSG_LEN(sizeof file), .cmsg_level = SOL_SOCKET, .cmsg_type = SCM_RIGHTS}};
    struct msghdr message = {.msg_name = &name, .msg_namelen = sizeof name, .msg_iov = parts, .msg_iovlen = 2};
    if (file >= 0) {
        memcpy(CMSG_DATA(&room.header), &file, sizeof file);
        message.msg_control = &room;
        message.msg_controllen = sizeof room.bytes;
    }
    if (sendmsg(from->socket, &message, MSG_NOSIGNAL | MSG_DONTWAIT) >= 0)
        return DELIVERED;
    return errno == ECONNREFUSED || errno == ENOENT || errno == ECONNRESET ? NOBODY : HELD_UP;
}

long fabric_receive(struct mx_endpoint *at, struct letter *letter, char *bytes, int *file)
{
    struct iovec parts[] = {{letter, sizeof *letter}, {bytes, EAGER_MAX}};
    union room room;
    struct msghdr message = {
        .msg_iov = parts, .msg_iovlen = 2, .msg_control = &room, .msg_controllen = sizeof room.bytes};
    ssize_t n = recvmsg(at->socket, &message, MSG_DONTWAIT | MSG_CMSG_CLOEXEC);
    if (n < (ssize_t)sizeof *letter)
        return -1;
    *file = -1;
    if (CMSG_FIRSTHDR(&message) != NULL)
        memcpy(file, CMSG_DATA(CMSG_FIRSTHDR(&message)), sizeof *file);
    return n - (ssize_t)sizeof *letter;
}

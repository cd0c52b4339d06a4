#include "interrupt/interrupt_queue.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <unistd.h>

#include "base/errors.h"
#include "interrupt/interrupt.h"
#include "interrupt/interrupt_number.h"
#include "system/discard.h"
#include "system/peers.h"
#include "system/wire.h"

enum { EVENTS_AT_ONCE = 64 };

struct caller {
    int socket;
    LIST_ENTRY(caller) others;
};

static bool watch(int epoll, int fd, struct caller *caller)
{
    struct epoll_event event = { .events = EPOLLIN, .data.ptr = caller };
    return epoll_ctl(epoll, EPOLL_CTL_ADD, fd, &event) == 0;
}

sci_error_t queue_open(struct local_interrupt *interrupt)
{
    int epoll = epoll_create1(EPOLL_CLOEXEC);
    if (epoll < 0)
        return failed("epoll_create1", SCI_ERR_SYSTEM);
    if (!watch(epoll, interrupt->socket, NULL)) {
        sci_error_t status = failed("epoll_ctl", SCI_ERR_SYSTEM);
        close(epoll);
        return status;
    }
    interrupt->epoll = epoll;
    LIST_INIT(&interrupt->callers);
    return SCI_ERR_OK;
}

/* Length of the next packet; 0: there is none yet, -1: the remote has hung up, or sends what this library never sends. */
static ssize_t next_length(const struct caller *caller)
{
    struct msghdr nowhere = { 0 };
    ssize_t length = recvmsg(caller->socket, &nowhere, MSG_PEEK | MSG_TRUNC | MSG_DONTWAIT);
    if (length < 0)
        return errno == EAGAIN || errno == EINTR ? 0 : -1;
    /* A packet that is cut has descriptors. It stays, because dropping them may take as long as their sender likes. */
    return length > 0 && length <= DATA_LIMIT && (nowhere.msg_flags & MSG_CTRUNC) == 0 ? length : -1;
}

static void hang_up(struct local_interrupt *interrupt, struct caller *caller)
{
    epoll_ctl(interrupt->epoll, EPOLL_CTL_DEL, caller->socket, NULL); /* a close isn't enough while a forked child has a copy */
    wire_close(caller->socket, false);
    LIST_REMOVE(caller, others);
    free(caller);
}

/* Accepts a remote that waits; NULL, with errno, when there is none or the system refuses. */
static struct caller *accept_caller(int listener)
{
    struct caller *caller = calloc(1, sizeof *caller);
    if (caller == NULL || !discard_reserve()) {
        free(caller);
        return NULL;
    }
    caller->socket = accept4(listener, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
    if (caller->socket >= 0)
        return caller;
    discard_release();
    free(caller);
    return NULL;
}

/* Admits a remote that has connected; false, with errno, when the system refuses. */
static bool admit(struct local_interrupt *interrupt)
{
    struct caller *caller = interrupt->arriving;
    if (caller == NULL)
        caller = accept_caller(interrupt->socket);
    if (caller == NULL) /* EINVAL: shut down */
        return errno == EAGAIN || errno == ECONNABORTED || errno == EINTR || errno == EINVAL;
    interrupt->arriving = caller; /* kept, since it may have sent something already */
    bool stranger = !peer_socket_allowed(caller->socket);
    if (!stranger && !watch(interrupt->epoll, caller->socket, caller))
        return false;
    interrupt->arriving = NULL;
    LIST_INSERT_HEAD(&interrupt->callers, caller, others);
    if (stranger)
        hang_up(interrupt, caller);
    return true;
}

static sci_error_t take_packet(struct caller *caller, unsigned int there, void *data, unsigned int *length)
{
    unsigned int room = 0;
    if (length != NULL) {
        room = *length;
        *length = there;
        if (there > room)
            return SCI_ERR_NOSPC;
    }
    recv(caller->socket, data, room, MSG_DONTWAIT); /* no other thread reads, so the packet is there */
    return SCI_ERR_OK;
}

sci_error_t queue_take(struct local_interrupt *interrupt, void *data, unsigned int *length)
{
    struct epoll_event event;
    if (interrupt->arriving != NULL && !admit(interrupt))
        return failed("epoll_ctl", SCI_ERR_SYSTEM);
    /* epoll returns ready descriptors in turn, so no remote keeps another one from being served. */
    for (int i = 0; i < EVENTS_AT_ONCE && epoll_wait(interrupt->epoll, &event, 1, 0) == 1; i++) {
        struct caller *caller = event.data.ptr;
        ssize_t there = caller != NULL ? next_length(caller) : 0;
        if (there > 0)
            return take_packet(caller, (unsigned int)there, data, length);
        if (there < 0)
            hang_up(interrupt, caller);
        else if (caller == NULL && !admit(interrupt))
            return failed("accept4", SCI_ERR_SYSTEM);
    }
    return SCI_ERR_TIMEOUT;
}

static void gather(struct local_interrupt *interrupt)
{
    if (interrupt->arriving != NULL)
        LIST_INSERT_HEAD(&interrupt->callers, interrupt->arriving, others);
    interrupt->arriving = NULL;
}

void queue_close(struct local_interrupt *interrupt)
{
    struct caller *caller;
    gather(interrupt);
    while ((caller = LIST_FIRST(&interrupt->callers)) != NULL) {
        shutdown(caller->socket, SHUT_RDWR); /* otherwise the remote could go on sending for ever */
        while (next_length(caller) > 0) /* no thread takes these any more, and they need no discard */
            recv(caller->socket, NULL, 0, MSG_DONTWAIT);
        hang_up(interrupt, caller);
    }
    close(interrupt->epoll);
}

void queue_forget(struct local_interrupt *interrupt)
{
    struct caller *caller;
    gather(interrupt);
    while ((caller = LIST_FIRST(&interrupt->callers)) != NULL) {
        close(caller->socket);
        LIST_REMOVE(caller, others);
        free(caller);
    }
    close(interrupt->epoll);
}

static void disconnect(struct remote_interrupt *interrupt, unsigned int place)
{
    if (interrupt->connections[place] >= 0)
        wire_close(interrupt->connections[place], false);
    interrupt->connections[place] = -1;
}

void queue_disconnect(struct remote_interrupt *interrupt)
{
    for (unsigned int place = 0; place < SHARERS; place++)
        disconnect(interrupt, place);
}

static sci_error_t call(int socket, const struct number *number, unsigned int place)
{
    struct sockaddr_un address;
    socklen_t length = number_address(number, place, &address);
    /* The send buffer is as large as the system allows. Where one trigger is as good as many it is as small as possible. */
    int room = number->sort == SORT_SHARED ? 1 : INT_MAX / 2;
    setsockopt(socket, SOL_SOCKET, SO_SNDBUF, &room, sizeof room);
    wire_refuse_descriptors(socket, true);
    if (connect(socket, (const struct sockaddr *)&address, length) == 0)
        return SCI_ERR_OK;
    switch (errno) {
    case ECONNREFUSED:
        return SCI_ERR_NOT_CONNECTED;
    case EAGAIN:
        return SCI_ERR_BUSY; /* too many wait to be admitted */
    default:
        return failed("connect", SCI_ERR_SYSTEM);
    }
}

/* Makes a connection to that place if there is none. */
static sci_error_t reach(struct remote_interrupt *interrupt, unsigned int place)
{
    if (interrupt->connections[place] >= 0)
        return SCI_ERR_OK;
    if (!discard_reserve()) /* for the socket, as long as it is open */
        return failed("close", SCI_ERR_SYSTEM);
    int fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (fd < 0) {
        discard_release();
        return failed("socket", SCI_ERR_SYSTEM);
    }
    sci_error_t status = call(fd, &interrupt->number, place);
    if (status != SCI_ERR_OK) {
        close(fd);
        discard_release();
    } else if (peer_socket_allowed(fd)) {
        interrupt->connections[place] = fd;
    } else { /* any process can bind a name */
        wire_close(fd, false);
        status = SCI_ERR_CONNECTION_REFUSED;
    }
    return status;
}

static sci_error_t send_packet(struct remote_interrupt *interrupt, unsigned int place, const void *data,
                               unsigned int length)
{
    sci_error_t status = reach(interrupt, place);
    if (status != SCI_ERR_OK || send(interrupt->connections[place], data, length, MSG_DONTWAIT | MSG_NOSIGNAL) >= 0)
        return status;
    switch (errno) {
    case EAGAIN:
        return interrupt->number.sort == SORT_SHARED ? SCI_ERR_OK /* triggers are pending there */
                                                     : SCI_ERR_OVERFLOW;
    case EPIPE:
    case ECONNRESET:
        disconnect(interrupt, place);
        return SCI_ERR_NOT_CONNECTED;
    default:
        return failed("send", SCI_ERR_SYSTEM);
    }
}

static sci_error_t send_again(struct remote_interrupt *interrupt, unsigned int place, const void *data,
                              unsigned int length)
{
    bool connected = interrupt->connections[place] >= 0;
    sci_error_t status = send_packet(interrupt, place, data, length);
    /* The interrupt of that connection is gone; another interrupt may have the place by now. */
    return connected && status == SCI_ERR_NOT_CONNECTED ? send_packet(interrupt, place, data, length) : status;
}

sci_error_t queue_send(struct remote_interrupt *interrupt, const void *data, unsigned int length)
{
    bool reached = false, strangers = false;
    sci_error_t trouble = SCI_ERR_OK;
    for (unsigned int place = 0; place < (interrupt->number.shared ? SHARERS : 1); place++) {
        sci_error_t status = length > 0 ? send_again(interrupt, place, data, length) : reach(interrupt, place);
        switch (status) {
        case SCI_ERR_OK:                 reached = true;   break;
        case SCI_ERR_CONNECTION_REFUSED: strangers = true; break;
        case SCI_ERR_NOT_CONNECTED:                        break; /* no interrupt has this place */
        default:                         trouble = status; break;
        }
    }
    return trouble != SCI_ERR_OK ? trouble
           : reached             ? SCI_ERR_OK
           : strangers           ? SCI_ERR_CONNECTION_REFUSED
                                 : SCI_ERR_NOT_CONNECTED;
}

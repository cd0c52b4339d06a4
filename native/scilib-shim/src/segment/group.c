#include "segment/group.h"

#include <errno.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/errors.h"
#include "base/library.h"
#include "sisci_types.h"
#include "system/clock.h"
#include "system/discard.h"
#include "system/peers.h"

enum {
    PLACES = 128,
    BACKLOG = 64,
    FIRST_PATIENCE = 50, /* ms: how long one member is waited for before the next one is asked; doubled each round */
    LAST_PATIENCE = 1000,
    NAP = 1 /* ms: between rounds, and between attempts to take a turn whose holder can't be waited for */
};

static void hand_over(struct attachment *from, struct attachment *to)
{
    pthread_mutex_lock(&library.lock);
    to->memory = from->memory;
    from->memory.fd = -1;
    pthread_mutex_unlock(&library.lock);
}

/*
 * With the lock, and not by discard(): in a child of a fork a copy of the socket would keep its name in use, and a turn that waits
 * to be closed would be nobody's. Its memory is another member's too, or has no pages yet, so its close frees none in general.
 */
static void close_attachment(struct attachment *attachment)
{
    pthread_mutex_lock(&library.lock);
    LIST_REMOVE(attachment, others);
    close(attachment->socket);
    memory_release(&attachment->memory);
    pthread_mutex_unlock(&library.lock);
}

/*
 * Waits until the process that has the turn closes its socket, or until the deadline; may return sooner. A process that hangs up
 * at once and keeps the turn costs no whole core: each wait but the first takes NAP at least.
 */
static void await_turn(const struct attach_target *turn, uint64_t deadline, int earlier_waits)
{
    if (earlier_waits > 0)
        poll(NULL, 0, NAP);
    struct attachment waiting;
    int fd = attach_open(&waiting);
    if (fd >= 0)
        wire_refuse_descriptors(fd, true);
    if (fd >= 0 && connect(fd, (const struct sockaddr *)&turn->address, turn->length) == 0) {
        struct pollfd state = { .fd = fd, .events = POLLIN };
        poll(&state, 1, clock_poll_time(deadline));
    } else {
        poll(NULL, 0, NAP); /* the holder doesn't listen yet, has just gone, or has too many that wait */
    }
    if (fd >= 0)
        close_attachment(&waiting);
}

/* Takes the turn: only its holder makes memory or takes a place. It ends with the socket's close. */
static sci_error_t take_turn(unsigned int id, uint64_t deadline, struct attachment *turn)
{
    struct attach_target target;
    target.length = wire_turn_name(&target.address, DIS_BROADCAST_NODEID_GROUP_ALL, id);
    int fd = attach_open(turn);
    if (fd < 0)
        return failed("socket", SCI_ERR_SYSTEM);
    wire_refuse_descriptors(fd, true);
    sci_error_t status = SCI_ERR_OK;
    int waits = 0;
    while (bind(fd, (const struct sockaddr *)&target.address, target.length) < 0 && status == SCI_ERR_OK) {
        if (errno != EADDRINUSE)
            status = failed("bind", SCI_ERR_SYSTEM);
        else if (clock_poll_time(deadline) == 0)
            status = SCI_ERR_TIMEOUT;
        else
            await_turn(&target, deadline, waits++);
    }
    if (status == SCI_ERR_OK && listen(fd, BACKLOG) < 0)
        status = failed("listen", SCI_ERR_SYSTEM);
    if (status != SCI_ERR_OK)
        close_attachment(turn);
    return status;
}

/* Asks the member at one place for the memory. */
static sci_error_t ask(unsigned int id, unsigned int place, bool connector, uint64_t deadline, struct attachment *joined)
{
    struct attach_target target;
    target.length = wire_place_name(&target.address, DIS_BROADCAST_NODEID_GROUP_ALL, id, place);
    struct attachment member;
    sci_error_t status = attach(&target, NULL, deadline, &member);
    if (status == SCI_ERR_NO_SUCH_SEGMENT && member.connected)
        return SCI_ERR_TIMEOUT; /* it has gone, or the system has not let it answer: the next round tells */
    if (status != SCI_ERR_OK)
        return status;
    bool useful = !connector || (member.flags & WIRE_AVAILABLE) != 0;
    if (useful)
        hand_over(&member, joined);
    attach_hang_up(&member);
    return useful ? SCI_ERR_OK : SCI_ERR_NO_SUCH_SEGMENT;
}

/* Asks the members one by one. SCI_ERR_TIMEOUT if none has given the memory and one has not answered. */
static sci_error_t find_memory(unsigned int id, bool connector, int patience, uint64_t deadline, struct attachment *joined)
{
    sci_error_t result = SCI_ERR_NO_SUCH_SEGMENT;
    for (unsigned int place = 0; place < PLACES; place++) {
        uint64_t end = clock_now() + (uint64_t)patience;
        sci_error_t status = ask(id, place, connector, end < deadline ? end : deadline, joined);
        if (status == SCI_ERR_OK || status == SCI_ERR_SYSTEM)
            return status;
        if (status == SCI_ERR_TIMEOUT || (status != SCI_ERR_NO_SUCH_SEGMENT && result == SCI_ERR_NO_SUCH_SEGMENT))
            result = status;
    }
    return result;
}

static sci_error_t make_memory(size_t size, struct attachment *joined)
{
    pthread_mutex_lock(&library.lock);
    sci_error_t status = memory_create(&joined->memory, size);
    pthread_mutex_unlock(&library.lock);
    return status;
}

/* GROUP-2: the memory is there. */
static sci_error_t take_place(unsigned int id, int socket)
{
    struct sockaddr_un address;
    for (unsigned int place = 0; place < PLACES; place++) {
        socklen_t length = wire_place_name(&address, DIS_BROADCAST_NODEID_GROUP_ALL, id, place);
        if (bind(socket, (const struct sockaddr *)&address, length) == 0)
            return listen(socket, BACKLOG) == 0 ? SCI_ERR_OK : failed("listen", SCI_ERR_SYSTEM);
        if (errno != EADDRINUSE)
            return failed("bind", SCI_ERR_SYSTEM);
    }
    errno = EADDRINUSE;
    return failed("bind", SCI_ERR_NOSPC);
}

/* GROUP-1: all of this with the turn. */
static sci_error_t join_in_turn(unsigned int id, size_t size, int patience, uint64_t deadline, struct attachment *joined)
{
    sci_error_t status = find_memory(id, size == 0, patience, deadline, joined);
    if (status == SCI_ERR_NO_SUCH_SEGMENT && size > 0)
        status = make_memory(size, joined);
    if (status == SCI_ERR_OK)
        status = memory_share(&joined->memory, size);
    return status == SCI_ERR_OK ? take_place(id, joined->socket) : status;
}

sci_error_t group_join(unsigned int id, size_t size, uint64_t deadline, struct attachment *joined)
{
    if (attach_open(joined) < 0)
        return failed("socket", SCI_ERR_SYSTEM);
    wire_refuse_descriptors(joined->socket, true); /* accepted sockets inherit that */
    sci_error_t status;
    int patience = FIRST_PATIENCE;
    for (;;) {
        struct attachment turn;
        status = take_turn(id, deadline, &turn);
        if (status == SCI_ERR_OK) {
            status = join_in_turn(id, size, patience, deadline, joined);
            close_attachment(&turn); /* between two rounds others may have it */
        }
        if (status != SCI_ERR_TIMEOUT || clock_poll_time(deadline) == 0)
            break;
        poll(NULL, 0, NAP);
        patience = patience * 2 < LAST_PATIENCE ? patience * 2 : LAST_PATIENCE;
    }
    if (status != SCI_ERR_OK)
        group_give_up(joined);
    return status;
}

void group_give_up(struct attachment *joined)
{
    close_attachment(joined);
}

bool group_answer(int listener, const struct memory *memory, bool available)
{
    if (!discard_reserve()) /* any process can connect, and send what takes long to close where the kernel can't refuse it */
        return false;
    int socket = accept4(listener, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
    if (socket < 0) {
        bool nobody = errno == EAGAIN || errno == ECONNABORTED || errno == EINTR;
        discard_release();
        return nobody;
    }
    bool allowed = peer_socket_allowed(socket);
    struct wire_answer answer = { .head = wire_head(WIRE_ANSWER), .status = allowed ? SCI_ERR_OK : SCI_ERR_CONNECTION_REFUSED,
                                  .flags = available ? WIRE_AVAILABLE : 0, .size = allowed ? memory->group_size : 0 };
    wire_send(socket, &answer, sizeof answer, allowed ? memory->fd : -1); /* a failure concerns only the other process */
    wire_close(socket, false);
    return true;
}

#include "gate.h"

#include <arpa/inet.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/queue.h>
#include <sys/socket.h>
#include <unistd.h>

#include "clock.h"

#define GATE_MAGIC   0x4758584du /* "MXXG" */
#define GATE_VERSION 1

enum { GUESTS = 64 /* at the same time */, PATIENCE_MS = 10000 /* with a guest that sends nothing */, BACKLOG = 128 };

/* Either end of a visit: a guest at our gate, or (ours) our endpoint at another gate. */
struct visit {
    TAILQ_ENTRY(visit) entry;
    struct gate *gate;
    int fd;
    bool ours;
    void *owner;
    uint64_t since;
    uint32_t words[2];
    size_t have; /* how many bytes of words have come */
};

TAILQ_HEAD(visit_list, visit);

struct gate {
    const struct gate_events *events;
    void *user;
    uint32_t address;
    int listener, epoll;
    struct visit_list guests; /* the oldest first */
    struct visit_list visits;
    unsigned int guest_count;
    bool full; /* no descriptor is left to accept a guest: the listener stays readable, and is not polled meanwhile */
};

static struct sockaddr_in place(uint32_t address, uint16_t port)
{
    return (struct sockaddr_in){ .sin_family = AF_INET, .sin_port = htons(port), .sin_addr.s_addr = htonl(address) };
}

static bool watch(struct gate *gate, int fd, uint32_t events, void *what)
{
    return epoll_ctl(gate->epoll, EPOLL_CTL_ADD, fd, &(struct epoll_event){ .events = events, .data.ptr = what }) == 0;
}

/* Closes the descriptors that are open. Keeps errno. */
static void close_both(const struct gate *gate)
{
    int error = errno;
    if (gate->listener >= 0)
        close(gate->listener);
    if (gate->epoll >= 0)
        close(gate->epoll);
    errno = error;
}

static bool listen_at(struct gate *gate, uint16_t port)
{
    const int yes = 1;
    struct sockaddr_in at = place(gate->address, port);
    return gate->listener >= 0 && gate->epoll >= 0
           && setsockopt(gate->listener, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes) == 0
           && bind(gate->listener, (struct sockaddr *)&at, sizeof at) == 0 && listen(gate->listener, BACKLOG) == 0
           && watch(gate, gate->listener, EPOLLIN, NULL);
}

struct gate *gate_open(uint32_t address, uint16_t port, const struct gate_events *events, void *user)
{
    struct gate *gate = calloc(1, sizeof *gate);
    if (gate == NULL)
        return NULL;
    gate->events = events;
    gate->user = user;
    gate->address = address;
    TAILQ_INIT(&gate->guests);
    TAILQ_INIT(&gate->visits);
    gate->listener = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    gate->epoll = epoll_create1(EPOLL_CLOEXEC);
    if (listen_at(gate, port))
        return gate;
    close_both(gate);
    free(gate);
    return NULL;
}

void visit_end(struct visit *visit)
{
    struct gate *gate = visit->gate;
    TAILQ_REMOVE(visit->ours ? &gate->visits : &gate->guests, visit, entry);
    gate->guest_count -= !visit->ours;
    close(visit->fd);
    free(visit);
}

void gate_close(struct gate *gate)
{
    while (!TAILQ_EMPTY(&gate->guests))
        visit_end(TAILQ_FIRST(&gate->guests));
    while (!TAILQ_EMPTY(&gate->visits))
        visit_end(TAILQ_FIRST(&gate->visits));
    close_both(gate);
    free(gate);
}

int gate_descriptor(const struct gate *gate)
{
    return gate->epoll;
}

bool gate_is_visiting(const struct gate *gate)
{
    return !TAILQ_EMPTY(&gate->visits);
}

/* Adds a visit, which owns the descriptor. NULL: it failed, and the descriptor is closed. */
static struct visit *add(struct gate *gate, int fd, bool ours, void *owner)
{
    struct visit *visit = calloc(1, sizeof *visit);
    if (visit == NULL || !watch(gate, fd, ours ? EPOLLOUT : EPOLLIN, visit)) {
        int error = errno;
        close(fd);
        free(visit);
        errno = error;
        return NULL;
    }
    visit->gate = gate;
    visit->fd = fd;
    visit->ours = ours;
    visit->owner = owner;
    visit->since = clock_ms();
    TAILQ_INSERT_TAIL(ours ? &gate->visits : &gate->guests, visit, entry);
    gate->guest_count += !ours;
    return visit;
}

struct visit *visit_start(struct gate *gate, uint32_t address, uint16_t port, void *owner)
{
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (fd < 0)
        return NULL;
    struct sockaddr_in from = place(gate->address, 0), to = place(address, port);
    if (bind(fd, (struct sockaddr *)&from, sizeof from) != 0
        || (connect(fd, (struct sockaddr *)&to, sizeof to) != 0 && errno != EINPROGRESS && errno != ECONNREFUSED)) {
        int error = errno;
        close(fd);
        errno = error;
        return NULL;
    }
    return add(gate, fd, true, owner);
}

static bool say(const struct visit *visit, uint32_t second)
{
    const uint32_t words[2] = { GATE_MAGIC, second };
    return send(visit->fd, words, sizeof words, MSG_NOSIGNAL) == (ssize_t)sizeof words; /* the first bytes sent: there is room */
}

/* Reads the two words. 1: both are here; 0: not yet; -1: they will not come. */
static int listen_to(struct visit *visit)
{
    ssize_t got = recv(visit->fd, (char *)visit->words + visit->have, sizeof visit->words - visit->have, 0);
    if (got < 0)
        return errno == EAGAIN || errno == EINTR ? 0 : -1;
    visit->have += (size_t)got;
    return visit->have == sizeof visit->words ? 1 : got == 0 ? -1 : 0;
}

static void serve_guest(struct visit *guest)
{
    struct gate *gate = guest->gate;
    int heard = listen_to(guest);
    if (heard == 0)
        return;
    if (heard > 0 && guest->words[0] == GATE_MAGIC && guest->words[1] == GATE_VERSION)
        say(guest, gate->events->admit(gate->user));
    visit_end(guest);
}

static void finish(struct visit *visit, uint16_t port, bool refused)
{
    struct gate *gate = visit->gate;
    void *owner = visit->owner;
    visit_end(visit);
    gate->events->answered(gate->user, owner, port, refused);
}

static void go_on(struct visit *visit, uint32_t events)
{
    int error = 0;
    socklen_t length = sizeof error;
    getsockopt(visit->fd, SOL_SOCKET, SO_ERROR, &error, &length);
    if (error != 0) {
        finish(visit, 0, error == ECONNREFUSED);
        return;
    }
    if ((events & EPOLLOUT) != 0) { /* connected */
        struct epoll_event readable = { .events = EPOLLIN, .data.ptr = visit };
        if (!say(visit, GATE_VERSION) || epoll_ctl(visit->gate->epoll, EPOLL_CTL_MOD, visit->fd, &readable) != 0)
            finish(visit, 0, false);
        return;
    }
    int heard = listen_to(visit);
    if (heard == 0)
        return;
    bool good = heard > 0 && visit->words[0] == GATE_MAGIC && visit->words[1] <= UINT16_MAX;
    finish(visit, good ? (uint16_t)visit->words[1] : 0, !good); /* a process listens there, but it is no endpoint */
}

static void let_in(struct gate *gate)
{
    int fd = -1;
    for (int i = 0; i < GUESTS && (fd = accept4(gate->listener, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC)) >= 0; i++) {
        if (gate->guest_count >= GUESTS)
            visit_end(TAILQ_FIRST(&gate->guests)); /* the guest that has been silent for longest makes room */
        add(gate, fd, false, NULL);
    }
    bool full = fd < 0 && (errno == EMFILE || errno == ENFILE || errno == ENOBUFS || errno == ENOMEM);
    if (full == gate->full)
        return;
    struct epoll_event event = { .events = full ? 0 : EPOLLIN };
    epoll_ctl(gate->epoll, EPOLL_CTL_MOD, gate->listener, &event);
    gate->full = full;
}

static void drop_the_silent(struct gate *gate)
{
    struct visit *guest;
    uint64_t now = TAILQ_EMPTY(&gate->guests) ? 0 : clock_ms();
    while ((guest = TAILQ_FIRST(&gate->guests)) != NULL && now - guest->since >= PATIENCE_MS)
        visit_end(guest);
}

/* Takes one event at a time, because handling it may end other visits. */
bool gate_step(struct gate *gate)
{
    bool something = false;
    struct epoll_event event;
    if (gate->full)
        let_in(gate);
    for (int i = 0; i < GUESTS && epoll_wait(gate->epoll, &event, 1, 0) == 1; i++) {
        struct visit *visit = event.data.ptr;
        something = true;
        if (visit == NULL)
            let_in(gate);
        else if (visit->ours)
            go_on(visit, event.events);
        else
            serve_guest(visit);
    }
    drop_the_silent(gate);
    return something;
}

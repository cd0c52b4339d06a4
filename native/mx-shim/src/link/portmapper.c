#include "link/portmapper.h"

#include <arpa/inet.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/queue.h>
#include <sys/socket.h>
#include <unistd.h>

#include "core/clock.h"
#include "link/location.h"

#define PORTMAPPER_MAGIC   0x4758584du /* "MXXG" */
#define PORTMAPPER_VERSION 1

enum { QUERY_BYTES = 8, ANSWER_LEAST = 8 };

enum { CLIENTS_MAX = 64 /* at the same time */, SILENT_MS = 10000 /* then a client that sends nothing is dropped */, BACKLOG = 128 };

struct answer {
    uint32_t magic, port;
    struct location location;
};

/* Either end of a query: a client at our port mapper, or (ours) our endpoint at another one. */
struct query {
    TAILQ_ENTRY(query) entry;
    struct portmapper *mapper;
    int fd;
    bool ours;
    void *owner;
    uint64_t since;
    union {
        uint32_t words[2];
        struct answer answer; /* to a query of ours */
    };
    size_t have; /* how many bytes of that have come */
};

TAILQ_HEAD(query_list, query);

struct portmapper {
    const struct portmapper_events *events;
    void *user;
    uint32_t address;
    struct location location;
    int listener, epoll;
    struct query_list clients; /* the oldest first */
    struct query_list queries; /* of our endpoint */
    unsigned int client_count;
    bool full; /* no descriptor is left to accept a client: the listener stays readable, and is not polled meanwhile */
};

static struct sockaddr_in place(uint32_t address, uint16_t port)
{
    return (struct sockaddr_in){ .sin_family = AF_INET, .sin_port = htons(port), .sin_addr.s_addr = htonl(address) };
}

static bool watch(struct portmapper *mapper, int fd, uint32_t events, void *what)
{
    return epoll_ctl(mapper->epoll, EPOLL_CTL_ADD, fd, &(struct epoll_event){ .events = events, .data.ptr = what }) == 0;
}

/* Closes the descriptors that are open. Keeps errno. */
static void close_both(const struct portmapper *mapper)
{
    int error = errno;
    if (mapper->listener >= 0)
        close(mapper->listener);
    if (mapper->epoll >= 0)
        close(mapper->epoll);
    errno = error;
}

static bool listen_at(struct portmapper *mapper, uint16_t port)
{
    const int yes = 1;
    struct sockaddr_in at = place(mapper->address, port);
    return mapper->listener >= 0 && mapper->epoll >= 0
           && setsockopt(mapper->listener, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes) == 0
           && bind(mapper->listener, (struct sockaddr *)&at, sizeof at) == 0 && listen(mapper->listener, BACKLOG) == 0
           && watch(mapper, mapper->listener, EPOLLIN, NULL);
}

struct portmapper *portmapper_open(uint32_t address, uint16_t port, const struct portmapper_events *events, void *user)
{
    struct portmapper *mapper = calloc(1, sizeof *mapper);
    if (mapper == NULL)
        return NULL;
    mapper->events = events;
    mapper->user = user;
    mapper->address = address;
    mapper->location = location_here();
    TAILQ_INIT(&mapper->clients);
    TAILQ_INIT(&mapper->queries);
    mapper->listener = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    mapper->epoll = epoll_create1(EPOLL_CLOEXEC);
    if (listen_at(mapper, port))
        return mapper;
    close_both(mapper);
    free(mapper);
    return NULL;
}

void query_end(struct query *query)
{
    struct portmapper *mapper = query->mapper;
    TAILQ_REMOVE(query->ours ? &mapper->queries : &mapper->clients, query, entry);
    mapper->client_count -= !query->ours;
    close(query->fd);
    free(query);
}

void portmapper_close(struct portmapper *mapper)
{
    while (!TAILQ_EMPTY(&mapper->clients))
        query_end(TAILQ_FIRST(&mapper->clients));
    while (!TAILQ_EMPTY(&mapper->queries))
        query_end(TAILQ_FIRST(&mapper->queries));
    close_both(mapper);
    free(mapper);
}

int portmapper_descriptor(const struct portmapper *mapper)
{
    return mapper->epoll;
}

bool portmapper_is_asking(const struct portmapper *mapper)
{
    return !TAILQ_EMPTY(&mapper->queries);
}

/* Adds a query, which owns the descriptor. NULL: it failed, and the descriptor is closed. */
static struct query *add(struct portmapper *mapper, int fd, bool ours, void *owner)
{
    struct query *query = calloc(1, sizeof *query);
    if (query == NULL || !watch(mapper, fd, ours ? EPOLLOUT : EPOLLIN, query)) {
        int error = errno;
        close(fd);
        free(query);
        errno = error;
        return NULL;
    }
    query->mapper = mapper;
    query->fd = fd;
    query->ours = ours;
    query->owner = owner;
    query->since = clock_ms();
    TAILQ_INSERT_TAIL(ours ? &mapper->queries : &mapper->clients, query, entry);
    mapper->client_count += !ours;
    return query;
}

struct query *query_start(struct portmapper *mapper, uint32_t address, uint16_t port, void *owner)
{
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (fd < 0)
        return NULL;
    struct sockaddr_in from = place(mapper->address, 0), to = place(address, port);
    if (bind(fd, (struct sockaddr *)&from, sizeof from) != 0
        || (connect(fd, (struct sockaddr *)&to, sizeof to) != 0 && errno != EINPROGRESS && errno != ECONNREFUSED)) {
        int error = errno;
        close(fd);
        errno = error;
        return NULL;
    }
    return add(mapper, fd, true, owner);
}

static bool send_all(const struct query *query, const void *bytes, size_t length)
{
    return send(query->fd, bytes, length, MSG_NOSIGNAL) == (ssize_t)length; /* the first bytes sent: there is room */
}

/* Reads as many bytes, or at least some if no more follow. 1: they are here; 0: not yet; -1: they will not come. */
static int read_bytes(struct query *query, size_t least, size_t most)
{
    ssize_t got = recv(query->fd, (char *)&query->answer + query->have, most - query->have, 0);
    if (got < 0 && (errno == EAGAIN || errno == EINTR))
        return 0;
    if (got > 0)
        query->have += (size_t)got;
    return query->have == most || (got <= 0 && query->have >= least) ? 1 : got <= 0 ? -1 : 0;
}

static void serve_client(struct query *client)
{
    struct portmapper *mapper = client->mapper;
    int heard = read_bytes(client, QUERY_BYTES, QUERY_BYTES);
    if (heard == 0)
        return;
    if (heard > 0 && client->words[0] == PORTMAPPER_MAGIC && client->words[1] == PORTMAPPER_VERSION) {
        struct answer answer = { PORTMAPPER_MAGIC, mapper->events->expect(mapper->user), mapper->location };
        send_all(client, &answer, sizeof answer);
    }
    query_end(client);
}

static void finish(struct query *query, uint16_t port, bool refused, bool apart)
{
    struct portmapper *mapper = query->mapper;
    void *owner = query->owner;
    query_end(query);
    mapper->events->answered(mapper->user, owner, port, refused, apart);
}

static void continue_query(struct query *query, uint32_t events)
{
    int error = 0;
    socklen_t length = sizeof error;
    getsockopt(query->fd, SOL_SOCKET, SO_ERROR, &error, &length);
    if (error != 0) {
        finish(query, 0, error == ECONNREFUSED, false);
        return;
    }
    if ((events & EPOLLOUT) != 0) { /* connected */
        struct epoll_event readable = { .events = EPOLLIN, .data.ptr = query };
        const uint32_t words[] = { PORTMAPPER_MAGIC, PORTMAPPER_VERSION };
        if (!send_all(query, words, sizeof words) || epoll_ctl(query->mapper->epoll, EPOLL_CTL_MOD, query->fd, &readable) != 0)
            finish(query, 0, false, false);
        return;
    }
    int heard = read_bytes(query, ANSWER_LEAST, sizeof query->answer);
    if (heard == 0)
        return;
    bool good = heard > 0 && query->answer.magic == PORTMAPPER_MAGIC && query->answer.port <= UINT16_MAX;
    bool apart = query->have == sizeof query->answer && location_is_apart(query->mapper->location, query->answer.location);
    finish(query, good ? (uint16_t)query->answer.port : 0, !good, apart); /* a process listens there, but it is no endpoint */
}

static void accept_clients(struct portmapper *mapper)
{
    int fd = -1;
    for (int i = 0; i < CLIENTS_MAX && (fd = accept4(mapper->listener, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC)) >= 0; i++) {
        if (mapper->client_count >= CLIENTS_MAX)
            query_end(TAILQ_FIRST(&mapper->clients)); /* the client that has been silent for longest makes room */
        add(mapper, fd, false, NULL);
    }
    bool full = fd < 0 && (errno == EMFILE || errno == ENFILE || errno == ENOBUFS || errno == ENOMEM);
    if (full == mapper->full)
        return;
    struct epoll_event event = { .events = full ? 0 : EPOLLIN };
    epoll_ctl(mapper->epoll, EPOLL_CTL_MOD, mapper->listener, &event);
    mapper->full = full;
}

static void drop_silent_clients(struct portmapper *mapper)
{
    struct query *client;
    uint64_t now = TAILQ_EMPTY(&mapper->clients) ? 0 : clock_ms();
    while ((client = TAILQ_FIRST(&mapper->clients)) != NULL && now - client->since >= SILENT_MS)
        query_end(client);
}

/* Takes one event at a time, because handling it may end other queries. */
bool portmapper_step(struct portmapper *mapper)
{
    bool something = false;
    struct epoll_event event;
    if (mapper->full)
        accept_clients(mapper);
    for (int i = 0; i < CLIENTS_MAX && epoll_wait(mapper->epoll, &event, 1, 0) == 1; i++) {
        struct query *query = event.data.ptr;
        something = true;
        if (query == NULL)
            accept_clients(mapper);
        else if (query->ours)
            continue_query(query, event.events);
        else
            serve_client(query);
    }
    drop_silent_clients(mapper);
    return something;
}

/*
 * Links over UCX: UCX's endpoints, from the query at the other endpoint's port mapper to their end; and the messages on them.
 * core/transport.h declares what the core needs of links. This header has what the transport needs beside that.
 */
#ifndef SHIM_LINK_UCX_LINKS_H
#define SHIM_LINK_UCX_LINKS_H

#include <sys/queue.h>

#include "link/portmapper.h"
#include "link/ucx.h"

LIST_HEAD(link_list, link);

enum { UCX_KINDS = 8 };

struct transport {
    ucp_context_h context;
    ucp_worker_h worker;
    struct portmapper *mapper;
    uint64_t mapper_at;      /* us: when transport_progress next looks at the port mapper */
    uint64_t mapper_due;     /* us: the latest time for that, even if a caller has polled the port mapper's descriptor */
    ucp_listener_h listener; /* NULL while no client is expected */
    uint16_t listener_port;
    unsigned int expected;
    uint64_t expected_until; /* ms */
    uint32_t address;
    const struct transport_events *events;
    void *user;
    struct link_list links;
    struct link_list doomed;    /* closed in a callback, while UCX was still busy with them */
    struct link_list ownerless; /* links without an owner, the youngest first */
    unsigned int closing;       /* number of links that UCX has not finished closing */
    bool in_progress;
    int descriptor, worker_descriptor;
    struct kind {
        struct transport *transport;
        unsigned int number;
    } kinds[UCX_KINDS];
};

struct link {
    LIST_ENTRY(link) entry;
    struct transport *transport;
    struct query *query; /* at the other endpoint's port mapper */
    STAILQ_HEAD(, unsent) unsent; /* messages that wait for the end of the query */
    ucp_ep_h ep; /* NULL until the query is over */
    void *owner;
    uint32_t address;
    uint64_t since; /* ms */
    bool closed;
};

/* Callbacks of the port mapper: a client wants to connect; a query that a link has made is over. */
uint16_t links_expect(void *transport);
void links_answered(void *transport, void *link, uint16_t port, bool refused);

/* Closes UCX's own listener, which is not needed any more. */
void links_close_listener(struct transport *);

/* Closes these links at once. Not to be called in a callback. */
void links_destroy(struct link_list *);

/* The link of this UCX endpoint; NULL if there is none any more. */
struct link *links_find(const struct transport *, ucp_ep_h);

/*
 * Closes links that have stayed without an owner for too long. An endpoint that connects and then sends nothing must not hold
 * our descriptors for ever.
 */
void links_drop_silent(struct transport *);

#endif

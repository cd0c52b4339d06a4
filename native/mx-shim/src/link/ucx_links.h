/*
 * Links over UCX: UCX's endpoints, from the query at the other endpoint's port mapper to their end; and the messages on them.
 * core/transport.h declares what the core needs of links. This header has what the transport needs beside that.
 */
#ifndef SHIM_LINK_UCX_LINKS_H
#define SHIM_LINK_UCX_LINKS_H

#include <sys/queue.h>

#include "link/portmapper.h"
#include "link/ucx_worker.h"

LIST_HEAD(link_list, link);

struct transport {
    struct worker worker;
    /*
     * For links to endpoints of this host in other network namespaces, once there is such a link: without shared memory. UCX
     * (seen with 1.13.1, mm_ep.c) wakes a process that sleeps at shared memory by a socket with an abstract name. Such names
     * belong to a network namespace, so that call fails, and the process sleeps on.
     */
    struct worker apart;
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
    int descriptor; /* an epoll over the workers and the port mapper */
};

struct link {
    LIST_ENTRY(link) entry;
    struct transport *transport;
    struct query *query; /* at the other endpoint's port mapper */
    STAILQ_HEAD(, unsent) unsent; /* messages that wait for the end of the query */
    struct worker *worker;
    ucp_ep_h ep; /* NULL until the query is over */
    void *owner;
    uint32_t address;
    uint64_t since; /* ms */
    enum { LANE_UNKNOWN, LANE_SHARED_MEMORY, LANE_OTHER } lane; /* how UCX moves the bytes of messages, once that is known */
    unsigned int questions; /* for the lane, while it is unknown */
    bool closed;
};

/* Callbacks of the port mapper: a client wants to connect; a query that a link has made is over. */
uint16_t links_expect(void *transport);
void links_answered(void *transport, void *link, uint16_t port, bool refused, bool apart);

/* Closes UCX's own listener, which is not needed any more. */
void links_close_listener(struct transport *);

/* Closes these links at once. Not to be called in a callback. */
void links_destroy(struct link_list *);

/* A message has come to a worker. */
ucs_status_t links_received(void *kind, const void *header, size_t header_length, void *data, size_t length,
                            const ucp_am_recv_param_t *);

/*
 * Closes links that have stayed without an owner for too long. An endpoint that connects and then sends nothing must not hold
 * our descriptors for ever.
 */
void links_drop_silent(struct transport *);

#endif

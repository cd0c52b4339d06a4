/*
 * UCX as this library uses it: its functions, which are found when it is opened, and what a transport is made of.
 */
#ifndef SHIM_UCX_H
#define SHIM_UCX_H

#include <sys/queue.h>

#include <ucp/api/ucp.h>

#include "transport.h"

#define UCX_FUNCTIONS(X)       \
    X(ucp_am_data_release)     \
    X(ucp_am_recv_data_nbx)    \
    X(ucp_am_send_nbx)         \
    X(ucp_cleanup)             \
    X(ucp_config_modify)       \
    X(ucp_config_read)         \
    X(ucp_config_release)      \
    X(ucp_conn_request_query)  \
    X(ucp_context_print_info)  \
    X(ucp_ep_close_nbx)        \
    X(ucp_ep_create)           \
    X(ucp_get_version)         \
    X(ucp_get_version_string)  \
    X(ucp_init_version)        \
    X(ucp_listener_create)     \
    X(ucp_listener_destroy)    \
    X(ucp_listener_query)      \
    X(ucp_listener_reject)     \
    X(ucp_request_free)        \
    X(ucp_worker_arm)          \
    X(ucp_worker_create)       \
    X(ucp_worker_destroy)      \
    X(ucp_worker_get_efd)      \
    X(ucp_worker_progress)     \
    X(ucp_worker_set_am_recv_handler) \
    X(ucs_status_string)

struct ucx {
#define X(name) __typeof__(name) *name;
    UCX_FUNCTIONS(X)
#undef X
    unsigned int transports; /* those that are made or ended just now too: while there are some UCX has locks, and a thread */
    char name[32];
    struct reach reach;
};

extern struct ucx ucx;

/*
 * A context knows the network interfaces that were running when it was made, and no others ever: so each endpoint has its
 * own. NULL: there is none, for that reason. It is ended with ucp_cleanup.
 */
ucp_context_h ucx_create_context(const char **what, ucs_status_t *why);

/*
 * Whether others can be reached by way of the interface; else TRANSPORT_NO_INTERFACE, or that there is no memory to find out.
 * Where there is RDMA nobody knows, as its devices have names of their own.
 */
enum transport_error ucx_check_interface(ucp_context_h, const char *interface);

LIST_HEAD(link_list, link);

struct gate;

enum { UCX_KINDS = 8 };

struct transport {
    ucp_context_h context;
    ucp_worker_h worker;
    struct gate *gate;
    uint64_t gate_at;        /* us: the next look at it */
    uint64_t gate_due;       /* us: no later than this, for who has polled its descriptor */
    ucp_listener_h listener; /* NULL while nobody is expected */
    uint16_t listener_port;
    unsigned int expected;
    uint64_t expected_until; /* ms */
    uint32_t address;
    const struct transport_events *events;
    void *user;
    struct link_list links;
    struct link_list doomed;   /* closed in a callback: UCX is still busy with them */
    struct link_list nameless; /* without an owner, the youngest first */
    unsigned int closing;      /* those that UCX has still to finish with */
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
    struct visit *visit; /* at the other endpoint's gate */
    STAILQ_HEAD(, unsent) unsent; /* messages that wait for the end of the visit */
    ucp_ep_h ep; /* NULL until it is over */
    void *owner;
    uint32_t address;
    uint64_t since; /* ms */
    bool closed;
};

/* ---- ucx_links.c ---- */

/* For the gate: somebody wants in; a visit of ours is over. */
uint16_t links_admit(void *transport);
void links_answered(void *transport, void *link, uint16_t port, bool refused);

/* UCX's own listener is not needed any more. */
void links_close_listener(struct transport *);

/* Closes these at once; not in a callback. */
void links_destroy(struct link_list *);

/* The link that UCX means; NULL if it is none any more. */
struct link *links_find(const struct transport *, ucp_ep_h);

/* Who connects and then says nothing doesn't hold our descriptors for ever. */
void links_drop_the_silent(struct transport *);

#endif

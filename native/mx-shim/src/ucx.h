/* UCX as this library uses it: the functions, which are looked up when UCX is opened, and the structures of a transport. */
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
    unsigned int transports; /* including those being opened or closed: while there are any, UCX has locks and a thread */
    char name[32];
    struct reach reach;
};

extern struct ucx ucx;

/*
 * Creates a UCX context. A context knows the network interfaces that were running when it was created, and never any others. So
 * each endpoint has a context of its own. ucp_cleanup ends it. NULL: it can't be created; what and why give the reason.
 */
ucp_context_h ucx_create_context(const char **what, ucs_status_t *why);

/*
 * Whether other hosts can be reached over the interface. Otherwise TRANSPORT_NO_INTERFACE, or TRANSPORT_NO_RESOURCES if there
 * is no memory to find out. Where UCX has RDMA the answer is TRANSPORT_OPEN: RDMA devices have names of their own, so it is not
 * known which of them belongs to the interface.
 */
enum transport_error ucx_check_interface(ucp_context_h, const char *interface);

LIST_HEAD(link_list, link);

struct gate;

enum { UCX_KINDS = 8 };

struct transport {
    ucp_context_h context;
    ucp_worker_h worker;
    struct gate *gate;
    uint64_t gate_at;        /* us: when transport_progress next looks at the gate */
    uint64_t gate_due;       /* us: the latest time for that, even if a caller has polled the gate's descriptor */
    ucp_listener_h listener; /* NULL while no guest is expected */
    uint16_t listener_port;
    unsigned int expected;
    uint64_t expected_until; /* ms */
    uint32_t address;
    const struct transport_events *events;
    void *user;
    struct link_list links;
    struct link_list doomed;   /* closed in a callback, while UCX was still busy with them */
    struct link_list nameless; /* links without an owner, the youngest first */
    unsigned int closing;      /* number of links that UCX has not finished closing */
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
    ucp_ep_h ep; /* NULL until the visit is over */
    void *owner;
    uint32_t address;
    uint64_t since; /* ms */
    bool closed;
};

/* ---- ucx_links.c ---- */

/* Callbacks of the gate: a guest asks to come in; a visit that a link has made is over. */
uint16_t links_admit(void *transport);
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
void links_drop_the_silent(struct transport *);

#endif

/* UCX as this library uses it: its functions, which are looked up when UCX is opened, and its contexts. */
#ifndef SHIM_LINK_UCX_H
#define SHIM_LINK_UCX_H

#include <ucp/api/ucp.h>

#include "core/transport.h"

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
    X(ucp_ep_print_info)       \
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

enum ucx_transports { UCX_ALL, UCX_WITHOUT_SHARED_MEMORY };

/*
 * Whether the settings (UCX_TLS) let UCX use shared memory, and another transport to other processes too. Otherwise a context
 * without shared memory is the same, or reaches nobody.
 */
bool ucx_may_leave_out_shared_memory(void);

/*
 * Creates a UCX context. A context knows the network interfaces that were running when it was created, and never any others. So
 * each endpoint has a context of its own. ucp_cleanup ends it. NULL: it can't be created; what and why give the reason.
 */
ucp_context_h ucx_create_context(enum ucx_transports, const char **what, ucs_status_t *why);

/*
 * Whether other hosts can be reached over the interface. Otherwise TRANSPORT_NO_INTERFACE, or TRANSPORT_NO_RESOURCES if there
 * is no memory to find out. Where UCX has RDMA the answer is TRANSPORT_OPEN: RDMA devices have names of their own, so it is not
 * known which of them belongs to the interface.
 */
enum transport_error ucx_check_interface(ucp_context_h, const char *interface);

#endif

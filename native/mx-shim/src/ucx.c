/*
 * The transport over UCX, which is opened when it is first asked for. What a process gets from the library being opened,
 * and what it does not, is decided here.
 */
#include "transport.h"

#include "environment.h"

#include <ucp/api/ucp.h>

#include <arpa/inet.h>
#include <assert.h>
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/queue.h>

#include "clock.h"

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
    X(ucp_listener_reject)     \
    X(ucp_request_free)        \
    X(ucp_worker_arm)          \
    X(ucp_worker_create)       \
    X(ucp_worker_destroy)      \
    X(ucp_worker_get_efd)      \
    X(ucp_worker_progress)     \
    X(ucp_worker_set_am_recv_handler) \
    X(ucs_status_string)

/* UCX. The context is of the process: it is made when UCX is found and serves all endpoints. */
static struct {
#define X(name) __typeof__(name) *name;
    UCX_FUNCTIONS(X)
#undef X
    ucp_context_h context;
    char name[32];
    struct reach reach;
    char reason[TRANSPORT_REASON_BYTES];
} ucx;

/*
 * UCX reads these while its library is being loaded, and what it would do else is not for a library in somebody else's
 * process to do: handlers for SIGSEGV, SIGBUS, SIGILL, SIGFPE and SIGHUP, lines on the program's standard output, new
 * code at the start of mmap, munmap and others (without it, memory is registered for each rendezvous anew). What the user has
 * set in the environment stays.
 */
static const struct variable while_loading[] = {
    { "UCX_ERROR_SIGNALS", "" },
    { "UCX_DEBUG_SIGNO", "0" },
    { "UCX_LOG_LEVEL", "fatal" },
    { "UCX_MEM_EVENTS", "n" },
    { "UCX_MEMTYPE_CACHE", "n" },
    { "UCX_VFS_ENABLE", "n" },
};

/* The same for a context: the death of a process is to be noticed, also by those who share memory with it, and soon. */
static const struct variable of_context[] = {
    { "KEEPALIVE_INTERVAL", "1s" },
    { "MM_ERROR_HANDLING", "y" },
    { "CM_REUSEADDR", "y" },
};

enum { KINDS = 8, PATIENCE_MS = 10000 /* for a link's first message */, FAREWELL_MS = 3000 /* for closing all links */ };

LIST_HEAD(link_list, link);

struct transport {
    ucp_worker_h worker;
    ucp_listener_h listener;
    uint32_t address;
    const struct transport_events *events;
    void *user;
    struct link_list links;
    struct link_list doomed;   /* closed in a callback: UCX is still busy with them */
    struct link_list nameless; /* without an owner, the youngest first */
    unsigned int closing;      /* those that UCX has still to finish with */
    bool in_progress;
    int descriptor;
    struct kind {
        struct transport *transport;
        unsigned int number;
    } kinds[KINDS];
};

struct link {
    LIST_ENTRY(link) entry;
    struct transport *transport;
    ucp_ep_h ep;
    void *owner;
    uint32_t address;
    uint64_t since; /* ms */
    bool closed;
};

static bool fail(const char *what, const char *why)
{
    snprintf(ucx.reason, sizeof ucx.reason, "%s: %s", what, why);
    for (char *c = ucx.reason; *c != 0; c++)
        if (*c == '\n')
            *c = ' ';
    return false;
}

static bool load(void)
{
    /* UCX has threads and exit handlers, so that it can't be unloaded. */
    void *library = dlopen("libucp.so.0", RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
    if (library == NULL)
        return fail("no UCX", dlerror());
#define X(name)                                                          \
    ucx.name = (__typeof__(name) *)dlsym(library, #name);                \
    if (ucx.name == NULL)                                                \
        return fail("UCX is too old", "it has no function " #name);
    UCX_FUNCTIONS(X)
#undef X
    unsigned int major, minor, release;
    ucx.ucp_get_version(&major, &minor, &release);
    if (major != UCP_API_MAJOR || minor < UCP_API_MINOR) {
        char why[64];
        snprintf(why, sizeof why, "it is %u.%u, and at least %d.%d is needed", major, minor, UCP_API_MAJOR, UCP_API_MINOR);
        return fail("UCX is of another version", why);
    }
    snprintf(ucx.name, sizeof ucx.name, "UCX %s", ucx.ucp_get_version_string());
    return true;
}

/* UCX tells only in words what it found: "# resource 3 : md 2 dev 1 flags -- rc_verbs/mlx5_0:1". */
static struct reach reach_of(ucp_context_h context)
{
    struct reach reach = { .rdma = false, .tcp = false };
    char *text = NULL;
    size_t length;
    FILE *file = open_memstream(&text, &length);
    if (file == NULL)
        return reach;
    ucx.ucp_context_print_info(context, file);
    fclose(file);
    static const char *const rdma[] = { "rc_", "ud_", "dc_" };
    char *rest;
    for (char *line = strtok_r(text, "\n", &rest); line != NULL; line = strtok_r(NULL, "\n", &rest)) {
        const char *name = strrchr(line, ' ');
        if (strstr(line, "resource") == NULL || name == NULL || strchr(name, '/') == NULL)
            continue;
        name++;
        if (strncmp(name, "tcp/", 4) == 0)
            reach.tcp = true;
        for (size_t i = 0; i < sizeof rdma / sizeof *rdma; i++)
            if (strncmp(name, rdma[i], strlen(rdma[i])) == 0)
                reach.rdma = true;
    }
    free(text);
    return reach;
}

static bool create_context(void)
{
    ucp_config_t *config;
    ucs_status_t status = ucx.ucp_config_read(NULL, NULL, &config);
    if (status != UCS_OK)
        return fail("UCX does not take its settings", ucx.ucs_status_string(status));
    for (size_t i = 0; i < sizeof of_context / sizeof *of_context; i++) {
        char variable[64];
        snprintf(variable, sizeof variable, "UCX_%s", of_context[i].name);
        if (getenv(variable) == NULL)
            ucx.ucp_config_modify(config, of_context[i].name, of_context[i].value);
    }
    ucp_params_t params = {
        .field_mask = UCP_PARAM_FIELD_FEATURES | UCP_PARAM_FIELD_MT_WORKERS_SHARED | UCP_PARAM_FIELD_NAME,
        .features = UCP_FEATURE_AM | UCP_FEATURE_WAKEUP,
        .mt_workers_shared = 1,
        .name = "mx",
    };
    status = ucx.ucp_init_version(UCP_API_MAJOR, UCP_API_MINOR, &params, config, &ucx.context);
    ucx.ucp_config_release(config);
    if (status != UCS_OK)
        return fail("UCX finds nothing to work with", ucx.ucs_status_string(status));
    ucx.reach = reach_of(ucx.context);
    return true;
}

static void find(void)
{
    static struct environment before; /* what is in place stays in use */
    environment_extend(&before, while_loading, sizeof while_loading / sizeof *while_loading);
    bool found = load() && create_context();
    environment_restore(&before);
    if (found)
        ucx.reason[0] = 0;
}

bool transport_find(char *reason)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, find);
    snprintf(reason, TRANSPORT_REASON_BYTES, "%s", ucx.reason);
    return ucx.reason[0] == 0;
}

struct reach transport_reach(void)
{
    return ucx.reach;
}

const char *transport_name(void)
{
    return ucx.name;
}

/* ---- operations ---- */

static_assert(sizeof(struct iovec) == sizeof(ucp_dt_iov_t) && offsetof(struct iovec, iov_base) == offsetof(ucp_dt_iov_t, buffer)
                  && offsetof(struct iovec, iov_len) == offsetof(ucp_dt_iov_t, length),
              "a list of segments is UCX's as it is");

static void operation_sent(void *request, ucs_status_t status, void *operation)
{
    ucx.ucp_request_free(request);
    ((struct operation *)operation)->done(operation, status == UCS_OK);
}

static void operation_fetched(void *request, ucs_status_t status, size_t length, void *operation)
{
    (void)length;
    operation_sent(request, status, operation);
}

static enum submitted submitted(ucs_status_ptr_t result)
{
    return result == NULL ? SUBMITTED_DONE : UCS_PTR_IS_ERR(result) ? SUBMITTED_FAILED : SUBMITTED_UNDER_WAY;
}

/* What UCX calls a buffer: the one segment, or the list of them. */
struct buffer {
    void *start;
    size_t count;
};

static struct buffer buffer_of(const struct iovec *segments, size_t count, ucp_request_param_t *param)
{
    if (count == 0)
        return (struct buffer){ NULL, 0 };
    if (count == 1)
        return (struct buffer){ segments[0].iov_base, segments[0].iov_len };
    param->op_attr_mask |= UCP_OP_ATTR_FIELD_DATATYPE;
    param->datatype = UCP_DATATYPE_IOV;
    return (struct buffer){ (void *)(uintptr_t)segments, count };
}

enum submitted link_send(struct link *link, unsigned int kind, const void *header, size_t header_length,
                         const struct iovec *segments, size_t count, unsigned int flags, struct operation *operation)
{
    ucp_request_param_t param = {
        .op_attr_mask = UCP_OP_ATTR_FIELD_CALLBACK | UCP_OP_ATTR_FIELD_USER_DATA | UCP_OP_ATTR_FIELD_FLAGS,
        .flags = ((flags & SEND_ON_REQUEST) != 0 ? UCP_AM_SEND_FLAG_RNDV : UCP_AM_SEND_FLAG_EAGER)
                 | ((flags & SEND_NAMES_LINK) != 0 ? UCP_AM_SEND_FLAG_REPLY : 0u),
        .cb.send = operation_sent,
        .user_data = operation,
    };
    struct buffer buffer = buffer_of(segments, count, &param);
    return submitted(
        ucx.ucp_am_send_nbx(link->ep, kind, header, header_length, buffer.start, buffer.count, &param));
}

enum submitted payload_fetch(struct transport *transport, const struct payload *payload, const struct iovec *segments,
                             size_t count, struct operation *operation)
{
    ucp_request_param_t param = {
        .op_attr_mask = UCP_OP_ATTR_FIELD_CALLBACK | UCP_OP_ATTR_FIELD_USER_DATA,
        .cb.recv_am = operation_fetched,
        .user_data = operation,
    };
    struct buffer buffer = buffer_of(segments, count, &param);
    return submitted(
        ucx.ucp_am_recv_data_nbx(transport->worker, payload->data, buffer.start, buffer.count, &param));
}

void payload_drop(struct transport *transport, const struct payload *payload)
{
    ucx.ucp_am_data_release(transport->worker, payload->data);
}

/* ---- links ---- */

static void link_failed(void *argument, ucp_ep_h ep, ucs_status_t status)
{
    (void)ep;
    struct link *link = argument;
    if (link->closed)
        return;
    if (link->owner == NULL)
        link_close(link);
    else
        link->transport->events->lost(link->transport->user, link, link->owner,
                                      status == UCS_ERR_REJECTED || status == UCS_ERR_NOT_CONNECTED);
}

static struct link *link_allocate(struct transport *transport, void *owner)
{
    struct link *link = calloc(1, sizeof *link);
    if (link == NULL)
        return NULL;
    link->transport = transport;
    link->owner = owner;
    link->since = clock_ms();
    return link;
}

/* NULL, and the link is freed: UCX can't. */
static struct link *link_create(struct link *link, ucp_ep_params_t *params)
{
    struct transport *transport = link->transport;
    params->field_mask |= UCP_EP_PARAM_FIELD_ERR_HANDLING_MODE | UCP_EP_PARAM_FIELD_ERR_HANDLER;
    params->err_mode = UCP_ERR_HANDLING_MODE_PEER;
    params->err_handler = (ucp_err_handler_t){ .cb = link_failed, .arg = link };
    if (ucx.ucp_ep_create(transport->worker, params, &link->ep) != UCS_OK) {
        free(link);
        return NULL;
    }
    LIST_INSERT_HEAD(link->owner == NULL ? &transport->nameless : &transport->links, link, entry);
    return link;
}

static struct sockaddr_in socket_address(uint32_t address, uint16_t port)
{
    return (struct sockaddr_in){
        .sin_family = AF_INET, .sin_port = htons(port), .sin_addr.s_addr = htonl(address)
    };
}

struct link *link_open(struct transport *transport, uint32_t address, uint16_t port, void *owner)
{
    struct sockaddr_in remote = socket_address(address, port), local = socket_address(transport->address, 0);
    ucp_ep_params_t params = {
        .field_mask = UCP_EP_PARAM_FIELD_FLAGS | UCP_EP_PARAM_FIELD_SOCK_ADDR | UCP_EP_PARAM_FIELD_LOCAL_SOCK_ADDR,
        .flags = UCP_EP_PARAMS_FLAGS_CLIENT_SERVER,
        .sockaddr = { .addr = (struct sockaddr *)&remote, .addrlen = sizeof remote },
        .local_sockaddr = { .addr = (struct sockaddr *)&local, .addrlen = sizeof local }, /* others see who we are */
    };
    struct link *link = link_allocate(transport, owner);
    if (link == NULL)
        return NULL;
    link->address = address;
    return link_create(link, &params);
}

static void connection_requested(ucp_conn_request_h request, void *argument)
{
    struct transport *transport = argument;
    struct link *link = link_allocate(transport, NULL);
    if (link == NULL) {
        ucx.ucp_listener_reject(transport->listener, request);
        return;
    }
    ucp_conn_request_attr_t attributes = { .field_mask = UCP_CONN_REQUEST_ATTR_FIELD_CLIENT_ADDR };
    if (ucx.ucp_conn_request_query(request, &attributes) == UCS_OK && attributes.client_address.ss_family == AF_INET)
        link->address = ntohl(((const struct sockaddr_in *)&attributes.client_address)->sin_addr.s_addr);
    ucp_ep_params_t params = { .field_mask = UCP_EP_PARAM_FIELD_CONN_REQUEST, .conn_request = request };
    link_create(link, &params);
}

static void link_is_closed(void *request, ucs_status_t status, void *transport)
{
    (void)status;
    ((struct transport *)transport)->closing--;
    ucx.ucp_request_free(request);
}

static void link_destroy(struct link *link)
{
    ucp_request_param_t param = {
        .op_attr_mask = UCP_OP_ATTR_FIELD_CALLBACK | UCP_OP_ATTR_FIELD_USER_DATA | UCP_OP_ATTR_FIELD_FLAGS,
        .flags = UCP_EP_CLOSE_FLAG_FORCE,
        .cb.send = link_is_closed,
        .user_data = link->transport,
    };
    if (UCS_PTR_IS_PTR(ucx.ucp_ep_close_nbx(link->ep, &param)))
        link->transport->closing++;
    LIST_REMOVE(link, entry);
    free(link);
}

void link_close(struct link *link)
{
    if (link->closed)
        return;
    link->closed = true;
    if (!link->transport->in_progress) {
        link_destroy(link);
        return;
    }
    LIST_REMOVE(link, entry);
    LIST_INSERT_HEAD(&link->transport->doomed, link, entry);
}

void *link_owner(const struct link *link)
{
    return link->owner;
}

void link_own(struct link *link, void *owner)
{
    if (link->owner == NULL) {
        LIST_REMOVE(link, entry);
        LIST_INSERT_HEAD(&link->transport->links, link, entry);
    }
    link->owner = owner;
}

uint32_t link_address(const struct link *link)
{
    return link->address;
}

/* ---- arrival ---- */

static struct link *find_link(const struct transport *transport, ucp_ep_h ep)
{
    struct link *link;
    LIST_FOREACH(link, &transport->nameless, entry)
        if (link->ep == ep)
            return link;
    LIST_FOREACH(link, &transport->links, entry)
        if (link->ep == ep)
            return link;
    return NULL;
}

static ucs_status_t arrived(void *argument, const void *header, size_t header_length, void *data, size_t length,
                            const ucp_am_recv_param_t *param)
{
    const struct kind *kind = argument;
    struct transport *transport = kind->transport;
    struct payload payload = {
        .place = (param->recv_attr & UCP_AM_RECV_ATTR_FLAG_RNDV) != 0   ? PAYLOAD_REMOTE
                 : (param->recv_attr & UCP_AM_RECV_ATTR_FLAG_DATA) != 0 ? PAYLOAD_HELD
                                                                        : PAYLOAD_PASSING,
        .data = data,
        .length = length,
    };
    struct link *link = (param->recv_attr & UCP_AM_RECV_ATTR_FIELD_REPLY_EP) != 0 ? find_link(transport, param->reply_ep) : NULL;
    return transport->events->arrived(transport->user, link, kind->number, header, header_length, &payload) ? UCS_INPROGRESS
                                                                                                            : UCS_OK;
}

/* ---- the transport ---- */

static bool receive_all_kinds(struct transport *transport)
{
    for (unsigned int number = 0; number < KINDS; number++) {
        transport->kinds[number] = (struct kind){ transport, number };
        ucp_am_handler_param_t param = {
            .field_mask = UCP_AM_HANDLER_PARAM_FIELD_ID | UCP_AM_HANDLER_PARAM_FIELD_FLAGS | UCP_AM_HANDLER_PARAM_FIELD_CB
                          | UCP_AM_HANDLER_PARAM_FIELD_ARG,
            .id = number,
            .flags = UCP_AM_FLAG_WHOLE_MSG,
            .cb = arrived,
            .arg = &transport->kinds[number],
        };
        if (ucx.ucp_worker_set_am_recv_handler(transport->worker, &param) != UCS_OK)
            return false;
    }
    return true;
}

static ucs_status_t listen_at(struct transport *transport, uint32_t address, uint16_t port)
{
    struct sockaddr_in local = socket_address(address, port);
    ucp_listener_params_t params = {
        .field_mask = UCP_LISTENER_PARAM_FIELD_SOCK_ADDR | UCP_LISTENER_PARAM_FIELD_CONN_HANDLER,
        .sockaddr = { .addr = (struct sockaddr *)&local, .addrlen = sizeof local },
        .conn_handler = { .cb = connection_requested, .arg = transport },
    };
    return ucx.ucp_listener_create(transport->worker, &params, &transport->listener);
}

enum transport_error transport_open(uint32_t address, uint16_t port, const struct transport_events *events, void *user,
                                    struct transport **result)
{
    struct transport *transport = calloc(1, sizeof *transport);
    if (transport == NULL)
        return TRANSPORT_NO_RESOURCES;
    transport->events = events;
    transport->user = user;
    transport->address = address;
    ucp_worker_params_t params = {
        .field_mask = UCP_WORKER_PARAM_FIELD_THREAD_MODE,
        .thread_mode = UCS_THREAD_MODE_SERIALIZED,
    };
    if (ucx.ucp_worker_create(ucx.context, &params, &transport->worker) != UCS_OK) {
        free(transport);
        return TRANSPORT_NO_RESOURCES;
    }
    ucs_status_t status = UCS_ERR_NO_RESOURCE;
    if (ucx.ucp_worker_get_efd(transport->worker, &transport->descriptor) == UCS_OK && receive_all_kinds(transport))
        status = listen_at(transport, address, port);
    if (status != UCS_OK) {
        ucx.ucp_worker_destroy(transport->worker);
        free(transport);
        return status == UCS_ERR_BUSY ? TRANSPORT_ADDRESS_IN_USE : TRANSPORT_NO_RESOURCES;
    }
    *result = transport;
    return TRANSPORT_OPEN;
}

static void destroy_all(struct link_list *links)
{
    while (!LIST_EMPTY(links))
        link_destroy(LIST_FIRST(links));
}

static bool ignore_arrival(void *user, struct link *link, unsigned int kind, const void *header, size_t header_length,
                           const struct payload *payload)
{
    (void)user, (void)link, (void)kind, (void)header, (void)header_length, (void)payload;
    return false;
}

static void ignore_loss(void *user, struct link *link, void *owner, bool refused)
{
    (void)user, (void)link, (void)owner, (void)refused;
}

void transport_close(struct transport *transport)
{
    static const struct transport_events nothing = { .arrived = ignore_arrival, .lost = ignore_loss };
    transport->events = &nothing;
    ucx.ucp_listener_destroy(transport->listener);
    destroy_all(&transport->links);
    destroy_all(&transport->nameless);
    for (uint64_t end = clock_ms() + FAREWELL_MS; transport->closing > 0 && clock_ms() < end;)
        transport_progress(transport);
    ucx.ucp_worker_destroy(transport->worker);
    free(transport);
}

/* Who connects and then says nothing doesn't hold our descriptors for ever. */
static void drop_the_silent(struct transport *transport)
{
    struct link *link = LIST_FIRST(&transport->nameless);
    for (uint64_t now = link != NULL ? clock_ms() : 0; link != NULL;) {
        struct link *next = LIST_NEXT(link, entry);
        if (now - link->since >= PATIENCE_MS)
            link_destroy(link);
        link = next;
    }
}

bool transport_progress(struct transport *transport)
{
    transport->in_progress = true;
    bool something = ucx.ucp_worker_progress(transport->worker) != 0;
    transport->in_progress = false;
    if (!LIST_EMPTY(&transport->doomed))
        destroy_all(&transport->doomed);
    if (!LIST_EMPTY(&transport->nameless))
        drop_the_silent(transport);
    return something;
}

int transport_descriptor(const struct transport *transport)
{
    return transport->descriptor;
}

bool transport_arm(struct transport *transport)
{
    return ucx.ucp_worker_arm(transport->worker) == UCS_OK;
}

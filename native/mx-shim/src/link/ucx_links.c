#include "link/ucx_links.h"

#include <arpa/inet.h>
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>

#include "core/clock.h"

enum { SILENT_MS = 10000 /* until a link without an owner is closed, and UCX's listener when no client has connected */ };

/* A message that waits until the link can carry it. */
struct unsent {
    STAILQ_ENTRY(unsent) entry;
    unsigned int kind, flags;
    const void *header;
    size_t header_length;
    struct operation *operation;
};

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

/* A buffer as UCX takes it: a single segment, or a list of segments. */
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

static enum submitted send_later(struct link *link, struct unsent message)
{
    struct unsent *unsent = malloc(sizeof *unsent);
    if (unsent == NULL)
        return SUBMITTED_FAILED;
    *unsent = message;
    STAILQ_INSERT_TAIL(&link->unsent, unsent, entry);
    return SUBMITTED_UNDER_WAY;
}

enum submitted link_send(struct link *link, unsigned int kind, const void *header, size_t header_length,
                         const struct iovec *segments, size_t count, unsigned int flags, struct operation *operation)
{
    if (link->ep == NULL) /* before a link is made, no message with a payload is sent over it */
        return count > 0 ? SUBMITTED_FAILED
                         : send_later(link, (struct unsent){ .kind = kind,
                                                             .flags = flags,
                                                             .header = header,
                                                             .header_length = header_length,
                                                             .operation = operation });
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

/* Sends the messages that have waited, or ends their operations if the link will not be made. */
static void end_waiting(struct link *link)
{
    for (struct unsent *unsent; (unsent = STAILQ_FIRST(&link->unsent)) != NULL; free(unsent)) {
        STAILQ_REMOVE_HEAD(&link->unsent, entry);
        enum submitted result = link->ep == NULL ? SUBMITTED_FAILED
                                                 : link_send(link, unsent->kind, unsent->header, unsent->header_length,
                                                             NULL, 0, unsent->flags, unsent->operation);
        if (result != SUBMITTED_UNDER_WAY)
            unsent->operation->done(unsent->operation, result == SUBMITTED_DONE);
    }
}

enum submitted payload_fetch(struct transport *transport, const struct payload *payload, const struct iovec *segments,
                             size_t count, struct operation *operation)
{
    ucp_request_param_t param = {
        .op_attr_mask = UCP_OP_ATTR_FIELD_CALLBACK | UCP_OP_ATTR_FIELD_USER_DATA,
        .cb.recv_am = operation_fetched,
        .user_data = operation,
    };
    (void)transport;
    struct buffer buffer = buffer_of(segments, count, &param);
    return submitted(
        ucx.ucp_am_recv_data_nbx(((struct worker *)payload->origin)->ucp, payload->data, buffer.start, buffer.count, &param));
}

void payload_drop(struct transport *transport, const struct payload *payload)
{
    (void)transport;
    ucx.ucp_am_data_release(((struct worker *)payload->origin)->ucp, payload->data);
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

static struct link *link_create(struct transport *transport, uint32_t address, void *owner)
{
    struct link *link = calloc(1, sizeof *link);
    if (link == NULL)
        return NULL;
    link->transport = transport;
    link->worker = &transport->worker;
    link->address = address;
    link->owner = owner;
    link->since = clock_ms();
    STAILQ_INIT(&link->unsent);
    LIST_INSERT_HEAD(owner == NULL ? &transport->ownerless : &transport->links, link, entry);
    return link;
}

static bool link_make(struct link *link, ucp_ep_params_t *params)
{
    params->field_mask |= UCP_EP_PARAM_FIELD_ERR_HANDLING_MODE | UCP_EP_PARAM_FIELD_ERR_HANDLER;
    params->err_mode = UCP_ERR_HANDLING_MODE_PEER;
    params->err_handler = (ucp_err_handler_t){ .cb = link_failed, .arg = link };
    if (ucx.ucp_ep_create(link->worker->ucp, params, &link->ep) == UCS_OK)
        return true;
    link->ep = NULL;
    return false;
}

static struct sockaddr_in socket_address(uint32_t address, uint16_t port)
{
    return (struct sockaddr_in){
        .sin_family = AF_INET, .sin_port = htons(port), .sin_addr.s_addr = htonl(address)
    };
}

struct link *link_open(struct transport *transport, uint32_t address, uint16_t port, void *owner)
{
    struct link *link = link_create(transport, address, owner);
    if (link == NULL)
        return NULL;
    link->query = query_start(transport->mapper, address, port, link);
    if (link->query == NULL) {
        LIST_REMOVE(link, entry);
        free(link);
        return NULL;
    }
    transport->mapper_at = 0;
    return link;
}

/* The worker without shared memory; or the other one, if that is the same or can't be opened. */
static struct worker *worker_apart(struct transport *transport)
{
    struct epoll_event readable = { .events = EPOLLIN };
    if (transport->apart.ucp != NULL)
        return &transport->apart;
    if (!ucx_may_leave_out_shared_memory()
        || worker_open(&transport->apart, transport, UCX_WITHOUT_SHARED_MEMORY, NULL, links_received) != TRANSPORT_OPEN)
        return &transport->worker;
    if (epoll_ctl(transport->descriptor, EPOLL_CTL_ADD, transport->apart.descriptor, &readable) == 0)
        return &transport->apart;
    worker_close(&transport->apart);
    return &transport->worker;
}

/*
 * One end without shared memory is enough: UCX uses only what both have. So the endpoint that answers does nothing but tell where
 * it is. One of an earlier build does not tell that: then the link has shared memory.
 */
void links_answered(void *argument, void *owner, uint16_t port, bool refused, bool apart)
{
    struct transport *transport = argument;
    struct link *link = owner;
    link->query = NULL;
    if (apart)
        link->worker = worker_apart(transport);
    struct sockaddr_in remote = socket_address(link->address, port), local = socket_address(transport->address, 0);
    ucp_ep_params_t params = {
        .field_mask = UCP_EP_PARAM_FIELD_FLAGS | UCP_EP_PARAM_FIELD_SOCK_ADDR | UCP_EP_PARAM_FIELD_LOCAL_SOCK_ADDR,
        .flags = UCP_EP_PARAMS_FLAGS_CLIENT_SERVER,
        .sockaddr = { .addr = (struct sockaddr *)&remote, .addrlen = sizeof remote },
        .local_sockaddr = { .addr = (struct sockaddr *)&local, .addrlen = sizeof local }, /* the other end sees our address */
    };
    if (port != 0 && link_make(link, &params))
        end_waiting(link);
    else
        transport->events->lost(transport->user, link, link->owner, refused);
}

static void connection_requested(ucp_conn_request_h request, void *argument)
{
    struct transport *transport = argument;
    transport->expected -= transport->expected > 0;
    ucp_conn_request_attr_t attributes = { .field_mask = UCP_CONN_REQUEST_ATTR_FIELD_CLIENT_ADDR };
    uint32_t address = 0;
    if (ucx.ucp_conn_request_query(request, &attributes) == UCS_OK && attributes.client_address.ss_family == AF_INET)
        address = ntohl(((const struct sockaddr_in *)&attributes.client_address)->sin_addr.s_addr);
    struct link *link = link_create(transport, address, NULL);
    if (link == NULL) {
        ucx.ucp_listener_reject(transport->listener, request);
        return;
    }
    ucp_ep_params_t params = { .field_mask = UCP_EP_PARAM_FIELD_CONN_REQUEST, .conn_request = request };
    if (!link_make(link, &params))
        link_close(link);
}

/* Opens UCX's own listener, for clients that are expected. */
static void listen_for_clients(struct transport *transport)
{
    struct sockaddr_in local = socket_address(transport->address, 0);
    ucp_listener_params_t params = {
        .field_mask = UCP_LISTENER_PARAM_FIELD_SOCK_ADDR | UCP_LISTENER_PARAM_FIELD_CONN_HANDLER,
        .sockaddr = { .addr = (struct sockaddr *)&local, .addrlen = sizeof local },
        .conn_handler = { .cb = connection_requested, .arg = transport },
    };
    ucp_listener_attr_t attributes = { .field_mask = UCP_LISTENER_ATTR_FIELD_SOCKADDR };
    if (ucx.ucp_listener_create(transport->worker.ucp, &params, &transport->listener) != UCS_OK) {
        transport->listener = NULL;
        return;
    }
    transport->listener_port = ucx.ucp_listener_query(transport->listener, &attributes) == UCS_OK
                                   ? ntohs(((const struct sockaddr_in *)&attributes.sockaddr)->sin_port)
                                   : 0;
}

uint16_t links_expect(void *argument)
{
    struct transport *transport = argument;
    if (transport->listener == NULL)
        listen_for_clients(transport);
    if (transport->listener == NULL)
        return 0;
    transport->expected++;
    transport->expected_until = clock_ms() + SILENT_MS;
    return transport->listener_port;
}

void links_close_listener(struct transport *transport)
{
    if (transport->listener != NULL)
        ucx.ucp_listener_destroy(transport->listener);
    transport->listener = NULL;
    transport->expected = 0;
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
    if (link->query != NULL)
        query_end(link->query);
    if (link->ep != NULL && UCS_PTR_IS_PTR(ucx.ucp_ep_close_nbx(link->ep, &param)))
        link->transport->closing++;
    link->ep = NULL;
    end_waiting(link);
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

/*
 * Finds out which transport carries the messages of a link. UCX gives that only as text, with one line for each transport that
 * the link uses: "lane[1]:  3:sysv/memory.0 md[2] -> md[2]/sysv/sysdev[255] am am_bw#0 keepalive". The line with the word am is
 * that of messages. There is none until both ends have chosen.
 */
static void find_lane(struct link *link)
{
    static const char *const shared_memory[] = { ":posix/", ":sysv/", ":xpmem/" };
    char *text = NULL, *rest;
    size_t length;
    FILE *file = open_memstream(&text, &length);
    if (file == NULL)
        return;
    ucx.ucp_ep_print_info(link->ep, file);
    fclose(file);
    for (char *line = strtok_r(text, "\n", &rest); line != NULL; line = strtok_r(NULL, "\n", &rest)) {
        if (strstr(line, "lane[") == NULL || strstr(line, " am ") == NULL)
            continue;
        link->lane = LANE_OTHER;
        for (size_t i = 0; i < sizeof shared_memory / sizeof *shared_memory; i++)
            if (strstr(line, shared_memory[i]) != NULL)
                link->lane = LANE_SHARED_MEMORY;
    }
    free(text);
}

bool link_shares_memory(struct link *link)
{
    /* More and more seldom: a text without the word am would be written and read for each send. */
    if (link->lane == LANE_UNKNOWN && link->ep != NULL) {
        link->questions++;
        if ((link->questions & (link->questions - 1)) == 0)
            find_lane(link);
    }
    return link->lane == LANE_SHARED_MEMORY;
}

static struct link *find_link(const struct transport *transport, ucp_ep_h ep)
{
    struct link *link;
    LIST_FOREACH(link, &transport->ownerless, entry)
        if (link->ep == ep)
            return link;
    LIST_FOREACH(link, &transport->links, entry)
        if (link->ep == ep)
            return link;
    return NULL;
}

ucs_status_t links_received(void *argument, const void *header, size_t header_length, void *data, size_t length,
                            const ucp_am_recv_param_t *param)
{
    const struct kind *kind = argument;
    struct transport *transport = kind->worker->transport;
    struct payload payload = {
        .place = (param->recv_attr & UCP_AM_RECV_ATTR_FLAG_RNDV) != 0   ? PAYLOAD_REMOTE
                 : (param->recv_attr & UCP_AM_RECV_ATTR_FLAG_DATA) != 0 ? PAYLOAD_HELD
                                                                        : PAYLOAD_PASSING,
        .data = data,
        .length = length,
        .origin = kind->worker,
    };
    struct link *link = (param->recv_attr & UCP_AM_RECV_ATTR_FIELD_REPLY_EP) != 0 ? find_link(transport, param->reply_ep) : NULL;
    return transport->events->received(transport->user, link, kind->number, header, header_length, &payload) ? UCS_INPROGRESS
                                                                                                            : UCS_OK;
}

void links_destroy(struct link_list *links)
{
    while (!LIST_EMPTY(links))
        link_destroy(LIST_FIRST(links));
}

void links_drop_silent(struct transport *transport)
{
    struct link *link = LIST_FIRST(&transport->ownerless);
    for (uint64_t now = link != NULL ? clock_ms() : 0; link != NULL;) {
        struct link *next = LIST_NEXT(link, entry);
        if (now - link->since >= SILENT_MS)
            link_destroy(link);
        link = next;
    }
}

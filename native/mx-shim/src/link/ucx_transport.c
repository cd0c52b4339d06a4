/* The transport over UCX: a UCX worker and a port mapper. */
#include "core/transport.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <unistd.h>

#include "core/clock.h"
#include "link/ucx_links.h"

enum {
    FAREWELL_MS = 3000,     /* for closing all links */
    MAPPER_EVERY_US = 4000, /* time between looks at the port mapper, each of which is a system call */
    MAPPER_AT_LEAST_EVERY_US = 100000 /* even if a caller has polled its descriptor: silent clients have to be dropped */
};

static ucs_status_t on_active_message(void *argument, const void *header, size_t header_length, void *data, size_t length,
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
    struct link *link = (param->recv_attr & UCP_AM_RECV_ATTR_FIELD_REPLY_EP) != 0 ? links_find(transport, param->reply_ep) : NULL;
    return transport->events->received(transport->user, link, kind->number, header, header_length, &payload) ? UCS_INPROGRESS
                                                                                                            : UCS_OK;
}

static bool receive_all_kinds(struct transport *transport)
{
    for (unsigned int number = 0; number < UCX_KINDS; number++) {
        transport->kinds[number] = (struct kind){ transport, number };
        ucp_am_handler_param_t param = {
            .field_mask = UCP_AM_HANDLER_PARAM_FIELD_ID | UCP_AM_HANDLER_PARAM_FIELD_FLAGS | UCP_AM_HANDLER_PARAM_FIELD_CB
                          | UCP_AM_HANDLER_PARAM_FIELD_ARG,
            .id = number,
            .flags = UCP_AM_FLAG_WHOLE_MSG,
            .cb = on_active_message,
            .arg = &transport->kinds[number],
        };
        if (ucx.ucp_worker_set_am_recv_handler(transport->worker, &param) != UCS_OK)
            return false;
    }
    return true;
}

/* Opens one descriptor for both UCX and the port mapper. */
static bool watch(struct transport *transport)
{
    struct epoll_event readable = { .events = EPOLLIN };
    transport->descriptor = epoll_create1(EPOLL_CLOEXEC);
    return transport->descriptor >= 0 && ucx.ucp_worker_get_efd(transport->worker, &transport->worker_descriptor) == UCS_OK
           && epoll_ctl(transport->descriptor, EPOLL_CTL_ADD, transport->worker_descriptor, &readable) == 0
           && epoll_ctl(transport->descriptor, EPOLL_CTL_ADD, portmapper_descriptor(transport->mapper), &readable) == 0;
}

static void destroy(struct transport *transport)
{
    if (transport->worker != NULL)
        ucx.ucp_worker_destroy(transport->worker);
    if (transport->context != NULL)
        ucx.ucp_cleanup(transport->context);
    __atomic_sub_fetch(&ucx.transports, 1, __ATOMIC_RELAXED);
    if (transport->descriptor >= 0)
        close(transport->descriptor);
    portmapper_close(transport->mapper);
    free(transport);
}

static enum transport_error create_worker(struct transport *transport, const char *interface)
{
    const char *what;
    ucs_status_t status;
    transport->context = ucx_create_context(&what, &status);
    enum transport_error error = transport->context == NULL ? TRANSPORT_NO_RESOURCES
                                                            : ucx_check_interface(transport->context, interface);
    if (error != TRANSPORT_OPEN)
        return error;
    ucp_worker_params_t params = {
        .field_mask = UCP_WORKER_PARAM_FIELD_THREAD_MODE,
        .thread_mode = UCS_THREAD_MODE_SERIALIZED,
    };
    status = ucx.ucp_worker_create(transport->context, &params, &transport->worker);
    if (status != UCS_OK)
        transport->worker = NULL;
    return status == UCS_OK ? TRANSPORT_OPEN : TRANSPORT_NO_RESOURCES;
}

static enum transport_error prepare(struct transport *transport, const char *interface)
{
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before); /* UCX's threads inherit it: signals are for the program's threads */
    enum transport_error error = create_worker(transport, interface);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (error == TRANSPORT_OPEN && (!receive_all_kinds(transport) || !watch(transport)))
        error = TRANSPORT_NO_RESOURCES;
    return error;
}

enum transport_error transport_open(uint32_t address, const char *interface, uint16_t port, const struct transport_events *events,
                                    void *user, struct transport **result)
{
    static const struct portmapper_events portmapper_events = { .expect = links_expect, .answered = links_answered };
    struct transport *transport = calloc(1, sizeof *transport);
    if (transport == NULL)
        return TRANSPORT_NO_RESOURCES;
    transport->events = events;
    transport->user = user;
    transport->address = address;
    transport->descriptor = -1;
    transport->mapper = portmapper_open(address, port, &portmapper_events, transport); /* first, because its port may be in use */
    if (transport->mapper == NULL) {
        int error = errno;
        free(transport);
        return error == EADDRINUSE ? TRANSPORT_ADDRESS_IN_USE : TRANSPORT_NO_RESOURCES;
    }
    __atomic_add_fetch(&ucx.transports, 1, __ATOMIC_RELAXED);
    enum transport_error error = prepare(transport, interface);
    if (error == TRANSPORT_OPEN)
        *result = transport;
    else
        destroy(transport);
    return error;
}

static bool ignore_message(void *user, struct link *link, unsigned int kind, const void *header, size_t header_length,
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
    static const struct transport_events nothing = { .received = ignore_message, .lost = ignore_loss };
    transport->events = &nothing;
    links_close_listener(transport);
    links_destroy(&transport->links);
    links_destroy(&transport->ownerless);
    for (uint64_t end = clock_ms() + FAREWELL_MS; transport->closing > 0 && clock_ms() < end;)
        transport_progress(transport);
    destroy(transport);
}

/* True if there was something to do. */
static bool look_at_portmapper(struct transport *transport)
{
    uint64_t now = clock_us();
    if (now < transport->mapper_at)
        return false;
    transport->mapper_at = portmapper_is_asking(transport->mapper) ? 0 : now + MAPPER_EVERY_US;
    transport->mapper_due = now + MAPPER_AT_LEAST_EVERY_US;
    bool something = portmapper_step(transport->mapper);
    if (transport->listener != NULL && (transport->expected == 0 || now / 1000 >= transport->expected_until))
        links_close_listener(transport);
    return something;
}

bool transport_progress(struct transport *transport)
{
    transport->in_progress = true;
    bool something = look_at_portmapper(transport);
    something |= ucx.ucp_worker_progress(transport->worker) != 0;
    transport->in_progress = false;
    if (!LIST_EMPTY(&transport->doomed))
        links_destroy(&transport->doomed);
    if (!LIST_EMPTY(&transport->ownerless))
        links_drop_silent(transport);
    return something;
}

int transport_descriptor(const struct transport *transport)
{
    return transport->descriptor;
}

bool transport_arm(struct transport *transport)
{
    transport->mapper_at = 0; /* a thread that has slept looks at the port mapper when it wakes */
    if (transport->expected == 0)
        links_close_listener(transport);
    return ucx.ucp_worker_arm(transport->worker) == UCS_OK;
}

enum { WORKER, PORTMAPPER };

void transport_descriptors(const struct transport *transport, int descriptors[TRANSPORT_DESCRIPTORS])
{
    descriptors[WORKER] = transport->worker_descriptor;
    descriptors[PORTMAPPER] = portmapper_descriptor(transport->mapper);
}

void transport_waited(struct transport *transport, const bool readable[TRANSPORT_DESCRIPTORS])
{
    uint64_t later = clock_us() + MAPPER_EVERY_US;
    transport->mapper_at = readable[PORTMAPPER] ? 0 : later < transport->mapper_due ? later : transport->mapper_due;
}

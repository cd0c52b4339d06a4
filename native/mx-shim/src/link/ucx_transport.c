/* The transport over UCX: UCX workers and a port mapper. */
#include "core/transport.h"

#include <errno.h>
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

/* Opens one descriptor for both the worker and the port mapper. */
static bool watch(struct transport *transport)
{
    struct epoll_event readable = { .events = EPOLLIN };
    transport->descriptor = epoll_create1(EPOLL_CLOEXEC);
    return transport->descriptor >= 0
           && epoll_ctl(transport->descriptor, EPOLL_CTL_ADD, transport->worker.descriptor, &readable) == 0
           && epoll_ctl(transport->descriptor, EPOLL_CTL_ADD, portmapper_descriptor(transport->mapper), &readable) == 0;
}

static void destroy(struct transport *transport)
{
    worker_close(&transport->apart);
    worker_close(&transport->worker);
    __atomic_sub_fetch(&ucx.transports, 1, __ATOMIC_RELAXED);
    if (transport->descriptor >= 0)
        close(transport->descriptor);
    portmapper_close(transport->mapper);
    free(transport);
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
    enum transport_error error = worker_open(&transport->worker, transport, UCX_ALL, interface, links_received);
    if (error == TRANSPORT_OPEN && !watch(transport))
        error = TRANSPORT_NO_RESOURCES;
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
    something |= ucx.ucp_worker_progress(transport->worker.ucp) != 0;
    if (transport->apart.ucp != NULL)
        something |= ucx.ucp_worker_progress(transport->apart.ucp) != 0;
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
    return ucx.ucp_worker_arm(transport->worker.ucp) == UCS_OK
           && (transport->apart.ucp == NULL || ucx.ucp_worker_arm(transport->apart.ucp) == UCS_OK);
}

enum { WORKER, PORTMAPPER, APART };

void transport_descriptors(const struct transport *transport, int descriptors[TRANSPORT_DESCRIPTORS])
{
    descriptors[WORKER] = transport->worker.descriptor;
    descriptors[PORTMAPPER] = portmapper_descriptor(transport->mapper);
    descriptors[APART] = transport->apart.ucp == NULL ? -1 : transport->apart.descriptor;
}

void transport_waited(struct transport *transport, const bool readable[TRANSPORT_DESCRIPTORS])
{
    uint64_t later = clock_us() + MAPPER_EVERY_US;
    transport->mapper_at = readable[PORTMAPPER] ? 0 : later < transport->mapper_due ? later : transport->mapper_due;
}

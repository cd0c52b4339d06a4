/*
 * Progress and waiting. Of the threads that wait at an endpoint, one sleeps at the transport. The others wait for this thread,
 * since it makes their progress too. When it leaves, one of them takes its place.
 */
#include <errno.h>
#include <poll.h>
#include <sched.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "exports.h"
#include "message.h"
#include "mx_shim.h"
#include "request.h"

enum {
    POLL_US = 50,       /* if an event comes soon, polling for it costs less than falling asleep */
    OTHERS_EVERY_MS = 1 /* between looks at the other endpoints of the process */
};

static bool bell_open(struct bell *bell)
{
    bell->armed = bell->rung = false;
    return (bell->fd = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC)) >= 0;
}

static void bell_ring(struct bell *bell)
{
    if (!bell->armed)
        return;
    bell->armed = false;
    bell->rung = true;
    eventfd_write(bell->fd, 1);
}

static void bell_arm(struct bell *bell)
{
    eventfd_t value;
    if (bell->rung)
        eventfd_read(bell->fd, &value);
    bell->rung = false;
    bell->armed = true;
}

bool waiting_open(endpoint *ep)
{
    pthread_condattr_t attributes;
    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC); /* the clock of deadlines */
    pthread_cond_init(&ep->changed, &attributes);
    pthread_condattr_destroy(&attributes);
    ep->inner.fd = ep->outer.fd = ep->outer_descriptor = -1;
    return bell_open(&ep->inner) && bell_open(&ep->outer) && (ep->outer_descriptor = epoll_create1(EPOLL_CLOEXEC)) >= 0;
}

bool waiting_watch(endpoint *ep)
{
    struct epoll_event readable = { .events = EPOLLIN };
    return epoll_ctl(ep->outer_descriptor, EPOLL_CTL_ADD, ep->outer.fd, &readable) == 0
           && epoll_ctl(ep->outer_descriptor, EPOLL_CTL_ADD, transport_descriptor(ep->transport), &readable) == 0;
}

void waiting_close(endpoint *ep)
{
    const int descriptors[] = { ep->inner.fd, ep->outer.fd, ep->outer_descriptor };
    for (unsigned int i = 0; i < sizeof descriptors / sizeof *descriptors; i++)
        if (descriptors[i] >= 0)
            close(descriptors[i]);
    pthread_cond_destroy(&ep->changed);
}

void announce(endpoint *ep)
{
    if (ep->changes != ep->announced && ep->waiting > 0)
        pthread_cond_broadcast(&ep->changed);
    if (ep->changes != ep->announced || ep->stirred) {
        bell_ring(&ep->inner);
        bell_ring(&ep->outer);
    }
    ep->announced = ep->changes;
    ep->stirred = false;
}

void progress(endpoint *ep)
{
    if (ep->in_progress || ep->progression_disabled)
        return;
    ep->in_progress = true;
    if (transport_progress(ep->transport))
        ep->stirred = true; /* the transport may now have more to do: a sleeping thread has to arm it again */
    if (ep->speechless)
        peers_lose_speechless(ep);
    requests_expire(ep);
    ep->in_progress = false;
}

/* Makes progress on the other endpoints of this process, except those that another thread has locked. */
static void progress_others(const endpoint *ep)
{
    pthread_mutex_lock(&library_lock);
    endpoint *other;
    TAILQ_FOREACH(other, &library_endpoints, of_library) {
        if (other == ep || pthread_mutex_trylock(&other->lock) != 0)
            continue;
        progress(other);
        announce(other);
        pthread_mutex_unlock(&other->lock);
    }
    pthread_mutex_unlock(&library_lock);
}

bool look(endpoint *ep, bool (*ready)(endpoint *, void *), void *argument)
{
    if (ready(ep, argument))
        return true;
    progress(ep);
    return ready(ep, argument);
}

/* Wakes sleeping threads and unlocks, so that other threads can use the endpoint. */
static void let_go(endpoint *ep)
{
    announce(ep);
    pthread_mutex_unlock(&ep->lock);
}

static void sleep_beside(endpoint *ep, uint64_t until)
{
    announce(ep);
    ep->waiting++;
    if (until == NEVER) {
        pthread_cond_wait(&ep->changed, &ep->lock);
    } else {
        struct timespec end = { .tv_sec = (time_t)(until / 1000), .tv_nsec = (long)(until % 1000) * 1000000 };
        pthread_cond_timedwait(&ep->changed, &ep->lock, &end);
    }
    ep->waiting--;
}

static int milliseconds_to(uint64_t until)
{
    if (until == NEVER)
        return -1;
    uint64_t now = clock_ms();
    return until <= now ? 0 : until - now >= INT32_MAX ? INT32_MAX : (int)(until - now) + 1;
}

static void sleep_at_transport(endpoint *ep, uint64_t until)
{
    bool stirred = ep->stirred;
    announce(ep);
    if (!ep->progression_disabled && (stirred || !transport_arm(ep->transport))) { /* ENDPOINT-2: there is more to do */
        pthread_mutex_unlock(&ep->lock);
        sched_yield(); /* in a flood of messages other threads need the lock too */
        pthread_mutex_lock(&ep->lock);
        return;
    }
    bell_arm(&ep->inner);
    ep->asleep = true;
    struct pollfd descriptors[] = {
        { .fd = ep->inner.fd, .events = POLLIN },
        { .fd = ep->progression_disabled ? -1 : transport_descriptor(ep->transport), .events = POLLIN },
    };
    bool until_then = until < ep->next_deadline || ep->progression_disabled; /* else a request's deadline comes first */
    int timeout = milliseconds_to(until_then ? until : ep->next_deadline);
    pthread_mutex_unlock(&ep->lock);
    poll(descriptors, 2, timeout);
    pthread_mutex_lock(&ep->lock);
    ep->inner.armed = false;
    ep->asleep = false;
    if (ep->waiting > 0)
        pthread_cond_broadcast(&ep->changed); /* one of them has to sleep at the transport if this thread doesn't come back */
}

bool wait_until(endpoint *ep, uint64_t deadline, bool (*ready)(endpoint *, void *), void *argument)
{
    const uint64_t wakeups = ep->wakeups;
    const uint64_t polling_ends = clock_us() + POLL_US;
    bool polling = true;
    while (!look(ep, ready, argument)) {
        uint64_t now = clock_us();
        if (ep->wakeups != wakeups || now / 1000 >= deadline)
            return false;
        polling = polling && now < polling_ends;
        if (polling) {
            let_go(ep);
            pthread_mutex_lock(&ep->lock);
        } else if (ep->asleep) {
            sleep_beside(ep, deadline);
        } else {
            sleep_at_transport(ep, deadline);
        }
    }
    return true;
}

bool wait_with_others(endpoint *ep, uint64_t deadline, bool (*ready)(endpoint *, void *), void *argument)
{
    for (;;) {
        uint64_t slice = clock_ms() + OTHERS_EVERY_MS;
        if (wait_until(ep, slice < deadline ? slice : deadline, ready, argument))
            return true;
        if (clock_ms() >= deadline)
            return false;
        let_go(ep);
        progress_others(ep);
        pthread_mutex_lock(&ep->lock);
    }
}

EXPORTED int mx_shim_descriptor(mx_endpoint_t ep)
{
    return ep == NULL ? -1 : ep->outer_descriptor;
}

/*
 * ENDPOINT-2: whether something that has happened since the last call of this function is still to be found, or there is more
 * to do.
 */
static bool is_there_news(endpoint *ep)
{
    const uint64_t known = ep->outer_changes;
    progress(ep);
    ep->outer_changes = ep->changes;
    struct match_item *completed = match_items_last(&ep->completed), *message = match_items_last(&ep->unexpected);
    return ep->stirred || ep->woken > known || (completed != NULL && REQUEST_OF(completed, completion)->change > known)
           || (message != NULL && arrival_of(message)->change > known);
}

/* Arms outer. False: outer is not armed, and the caller has to look first. */
static bool arm_outer(endpoint *ep)
{
    bool nothing_new = !is_there_news(ep);
    announce(ep);
    bell_arm(&ep->outer);
    return ep->outer.armed = nothing_new && (ep->progression_disabled || transport_arm(ep->transport));
}

EXPORTED int mx_shim_arm(mx_endpoint_t ep)
{
    if (endpoint_enter(ep) != MX_SUCCESS)
        return MX_SHIM_LOOK_AGAIN;
    int result = arm_outer(ep) ? MX_SHIM_ARMED : MX_SHIM_LOOK_AGAIN;
    endpoint_leave(ep, __func__, MX_SUCCESS);
    return result;
}

EXPORTED int mx_shim_wait(mx_endpoint_t ep, struct pollfd *others, unsigned int count, int milliseconds)
{
    enum { OUTER, TRANSPORT, OWN = TRANSPORT + TRANSPORT_DESCRIPTORS };
    struct pollfd all[OWN + MX_SHIM_OTHERS_MAX];
    int of_transport[TRANSPORT_DESCRIPTORS];
    bool readable[TRANSPORT_DESCRIPTORS];
    if (count > MX_SHIM_OTHERS_MAX || endpoint_enter(ep) != MX_SUCCESS)
        return MX_SHIM_LOOK_FIRST;
    if (!arm_outer(ep)) {
        endpoint_leave(ep, __func__, MX_SUCCESS);
        return MX_SHIM_LOOK_FIRST;
    }
    transport_descriptors(ep->transport, of_transport);
    all[OUTER] = (struct pollfd){ .fd = ep->outer.fd, .events = POLLIN };
    for (unsigned int i = 0; i < TRANSPORT_DESCRIPTORS; i++)
        all[TRANSPORT + i] = (struct pollfd){ .fd = ep->progression_disabled ? -1 : of_transport[i], .events = POLLIN };
    if (count > 0)
        memcpy(all + OWN, others, count * sizeof *others);
    endpoint_leave(ep, __func__, MX_SUCCESS);

    int result = 0;
    bool waited = poll(all, OWN + count, milliseconds) >= 0;
    for (unsigned int i = 0; i < count; i++) {
        others[i].revents = waited ? all[OWN + i].revents : 0;
        result += others[i].revents != 0;
    }
    for (unsigned int i = 0; i < TRANSPORT_DESCRIPTORS; i++)
        readable[i] = !waited || all[TRANSPORT + i].revents != 0;
    pthread_mutex_lock(&ep->lock);
    ep->outer.armed = false; /* else an event that this thread finds would ring it */
    transport_waited(ep->transport, readable);
    pthread_mutex_unlock(&ep->lock);
    return result;
}

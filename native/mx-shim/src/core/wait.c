#include "core/wait.h"

#include <poll.h>
#include <sched.h>
#include <sys/epoll.h>
#include <unistd.h>

#include "core/arrival.h"
#include "core/clock.h"
#include "core/progress.h"
#include "core/registry.h"
#include "core/request.h"

enum {
    POLL_US = 50,       /* if an event comes soon, polling for it costs less than falling asleep */
    OTHERS_EVERY_MS = 1 /* between looks at the other endpoints of the process */
};

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
    if (ep->changes != ep->announced || ep->needs_progress) {
        bell_ring(&ep->inner);
        bell_ring(&ep->outer);
    }
    ep->announced = ep->changes;
    ep->needs_progress = false;
}

/* Makes progress on the other endpoints of this process, except those that another thread has locked. */
static void progress_others(const endpoint *ep)
{
    pthread_mutex_lock(&registry_lock);
    endpoint *other;
    TAILQ_FOREACH(other, &registry_endpoints, of_process) {
        if (other == ep || pthread_mutex_trylock(&other->lock) != 0)
            continue;
        progress(other);
        announce(other);
        pthread_mutex_unlock(&other->lock);
    }
    pthread_mutex_unlock(&registry_lock);
}

bool look(endpoint *ep, bool (*ready)(endpoint *, void *), void *argument)
{
    if (ready(ep, argument))
        return true;
    progress(ep);
    return ready(ep, argument);
}

/* Wakes sleeping threads and unlocks, so that other threads can use the endpoint. */
static void wake_and_unlock(endpoint *ep)
{
    announce(ep);
    pthread_mutex_unlock(&ep->lock);
}

static void yield_core(endpoint *ep)
{
    wake_and_unlock(ep);
    uint64_t from = clock_us();
    sched_yield();
    uint64_t to = clock_us();
    pthread_mutex_lock(&ep->lock);
    spin_yielded(&ep->spin, from, to);
}

bool look_yielding(endpoint *ep, bool (*ready)(endpoint *, void *), void *argument)
{
    bool found = look(ep, ready, argument);
    if (!found && !ep->in_handler && !ep->waits_outside && spin_in_vain(&ep->spin, clock_us())) {
        yield_core(ep);
        found = look(ep, ready, argument);
    }
    if (found)
        spin_news(&ep->spin);
    return found;
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
    bool needs_progress = ep->needs_progress;
    announce(ep);
    if (!ep->progression_disabled && (needs_progress || !transport_arm(ep->transport))) { /* ENDPOINT-2: there is more to do */
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
    spin_news(&ep->spin);
    while (!look(ep, ready, argument)) {
        uint64_t now = clock_us();
        if (ep->wakeups != wakeups || now / 1000 >= deadline)
            return false;
        bool yields = spin_in_vain(&ep->spin, now);
        polling = polling && now < polling_ends && !spin_rests(&ep->spin, now);
        if (polling && yields) {
            yield_core(ep);
        } else if (polling) {
            wake_and_unlock(ep);
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
        wake_and_unlock(ep);
        progress_others(ep);
        pthread_mutex_lock(&ep->lock);
    }
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
    return ep->needs_progress || ep->woken > known || (completed != NULL && REQUEST_OF(completed, completion)->change > known)
           || (message != NULL && arrival_of(message)->change > known);
}

bool waiting_arm_outer(endpoint *ep)
{
    ep->waits_outside = true;
    bool nothing_new = !is_there_news(ep);
    announce(ep);
    bell_arm(&ep->outer);
    return ep->outer.armed = nothing_new && (ep->progression_disabled || transport_arm(ep->transport));
}

#include "segment/events.h"

#include "base/library.h"

void events_open(struct events *events)
{
    pthread_condattr_t attributes;
    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC); /* the clock of deadlines */
    pthread_cond_init(&events->changed, &attributes);
    pthread_condattr_destroy(&attributes);
}

void events_add(struct events *events, struct event event)
{
    if (events->count == EVENTS_KEPT) {
        events->first = (events->first + 1) % EVENTS_KEPT;
        events->count--;
        events->overrun = true;
    }
    events->kept[(events->first + events->count++) % EVENTS_KEPT] = event;
    pthread_cond_signal(&events->changed);
}

void events_finish(struct events *events)
{
    events->over = true;
    pthread_cond_broadcast(&events->changed);
}

static bool nothing_to_say(const struct events *events)
{
    return events->count == 0 && !events->overrun && !events->over && !events->closed;
}

/* False when the time is up. */
static bool wait_for_change(struct events *events, uint64_t deadline)
{
    if (deadline == UINT64_MAX)
        return pthread_cond_wait(&events->changed, &library.lock) == 0;
    struct timespec until = { .tv_sec = (time_t)(deadline / 1000), .tv_nsec = (long)(deadline % 1000) * 1000000 };
    return pthread_cond_timedwait(&events->changed, &library.lock, &until) == 0;
}

static sci_error_t take(struct events *events, struct event *event)
{
    if (events->closed)
        return SCI_ERR_CANCELLED;
    if (events->overrun) {
        events->overrun = false;
        return SCI_ERR_OVERFLOW;
    }
    if (events->count == 0)
        return events->over ? SCI_ERR_SEGMENT_NOT_CONNECTED : SCI_ERR_TIMEOUT;
    *event = events->kept[events->first];
    events->first = (events->first + 1) % EVENTS_KEPT;
    events->count--;
    return SCI_ERR_OK;
}

sci_error_t events_take(struct events *events, uint64_t deadline, struct event *event)
{
    events->waiting++;
    while (nothing_to_say(events) && wait_for_change(events, deadline))
        continue;
    sci_error_t status = take(events, event);
    if (--events->waiting == 0 && events->closed)
        pthread_cond_broadcast(&library.settled);
    return status;
}

void events_close(struct events *events)
{
    events->closed = true;
    pthread_cond_broadcast(&events->changed);
    while (events->waiting > 0)
        pthread_cond_wait(&library.settled, &library.lock);
    pthread_cond_destroy(&events->changed);
}

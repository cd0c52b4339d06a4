/* The library's own thread: makes the callbacks, and notices dead processes. */
#include "standin.h"

#include <errno.h>
#include <linux/futex.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum { LOOK_MILLIS = 20 };

pthread_mutex_t standin_callbacks = PTHREAD_MUTEX_INITIALIZER;
static pthread_t monitor;
static atomic_bool running, ending;

bool standin_is_monitor(void)
{
    return atomic_load(&running) && pthread_equal(pthread_self(), monitor);
}

static bool is_dead(pid_t process)
{
    return process != 0 && kill(process, 0) != 0 && errno == ESRCH;
}

/* Cleans up after dead processes, as a card's driver does. The first monitor that notices does so. The caller holds the lock. */
static void bury(void)
{
    struct registry *r = standin_registry;
    for (unsigned i = 0; i < PROCESSES; i++)
        if (is_dead(r->processes[i].process))
            r->processes[i].process = 0;
    for (unsigned i = 0; i < CONNECTIONS; i++)
        if (is_dead(r->connections[i].process))
            r->connections[i].ended = r->connections[i].lost = true;
    for (unsigned i = 0; i < INTERRUPTS; i++)
        if (is_dead(r->interrupts[i].process))
            r->interrupts[i].process = 0;
    for (unsigned i = 0; i < SEGMENTS; i++) {
        struct shared_segment *segment = &r->segments[i];
        if (!is_dead(segment->process))
            continue;
        char path[PATH_BYTES];
        standin_segment_path(path, segment->serial);
        unlink(path);
        for (unsigned c = 0; c < CONNECTIONS; c++) /* their end is not reported: the segment's owner is dead */
            if (r->connections[c].serial == segment->serial && r->connections[c].ended)
                r->connections[c].process = 0;
        segment->process = 0;
    }
}

/* A callback that is to be made. */
struct event {
    struct handle *handle;
    sci_segment_cb_reason_t reason;
};

/* Finds one event of a local segment, and marks it in the registry as reported. The caller holds the lock. */
static bool local_event(struct handle *segment, struct event *event)
{
    for (unsigned i = 0; i < CONNECTIONS; i++) {
        struct connection *it = &standin_registry->connections[i];
        if (it->process == 0 || it->serial != segment->serial)
            continue;
        if (!it->announced) {
            it->announced = true;
            *event = (struct event){segment, SCI_CB_CONNECT};
            return true;
        }
        if (it->ended) {
            it->process = 0;
            *event = (struct event){segment, it->lost ? SCI_CB_LOST : SCI_CB_DISCONNECT};
            return true;
        }
    }
    return false;
}

static bool remote_event(struct handle *remote, struct event *event)
{
    struct shared_segment *segment = &standin_registry->segments[remote->index];
    if (remote->told || (segment->process != 0 && segment->serial == remote->serial))
        return false;
    remote->told = true;
    *event = (struct event){remote, SCI_CB_LOST};
    return true;
}

static bool interrupt_event(struct handle *interrupt, struct event *event)
{
    struct shared_interrupt *it = &standin_registry->interrupts[interrupt->index];
    if (it->pending == 0)
        return false;
    it->pending = 0;
    *event = (struct event){interrupt, SCI_CB_OPERATIONAL};
    return true;
}

static bool late_event(struct handle *it, struct event *event)
{
    bool late = it->late;
    it->late = false;
    *event = (struct event){it, SCI_CB_LOST};
    return late;
}

static bool next_event(struct event *event)
{
    bool found = false;
    standin_lock();
    for (struct handle *h = standin_handles; h != NULL && !found; h = h->next) {
        if (h->callback == NULL)
            continue;
        if (h->ended)
            found = late_event(h, event);
        else if (h->kind == LOCAL)
            found = local_event(h, event);
        else if (h->kind == REMOTE)
            found = remote_event(h, event);
        else
            found = interrupt_event(h, event);
    }
    standin_unlock();
    return found;
}

/*
 * Makes a callback, without the registry's lock. The caller holds standin_callbacks, so nothing is removed meanwhile. A
 * handle that was removed before may still get its last callback.
 */
static void make(const struct event *event)
{
    struct handle *h = event->handle;
    unsigned long ignored;
    if (event->reason == SCI_CB_LOST && calls_is_to_fail("SCI_CB_LOST", 16, &ignored))
        return;
    if (h->kind == LOCAL)
        ((sci_cb_local_segment_t)h->callback)(h->argument, (sci_local_segment_t)h, event->reason, NODE, 0, SCI_ERR_OK);
    else if (h->kind == REMOTE)
        ((sci_cb_remote_segment_t)h->callback)(h->argument, (sci_remote_segment_t)h, event->reason, SCI_ERR_OK);
    else
        ((sci_cb_interrupt_t)h->callback)(h->argument, (sci_local_interrupt_t)h, SCI_ERR_OK);
}

static atomic_uint *own_bell(void)
{
    for (unsigned i = 0; i < PROCESSES; i++)
        if (standin_registry->processes[i].process == getpid())
            return &standin_registry->processes[i].bell;
    abort();
}

static void *work(void *nothing)
{
    atomic_uint *bell = own_bell();
    while (!atomic_load(&ending)) {
        unsigned seen = atomic_load(bell);
        struct event event;
        pthread_mutex_lock(&standin_callbacks);
        while (next_event(&event))
            make(&event);
        pthread_mutex_unlock(&standin_callbacks);
        struct timespec wait = {0, LOOK_MILLIS * 1000000L};
        if (syscall(SYS_futex, bell, FUTEX_WAIT, seen, &wait, NULL, 0) != 0 && errno == ETIMEDOUT) {
            standin_lock();
            bury();
            standin_unlock();
        }
    }
    return nothing;
}

void standin_monitor_start(void)
{
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    atomic_store(&ending, false);
    if (pthread_create(&monitor, NULL, work, NULL) != 0)
        abort();
    atomic_store(&running, true);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
}

void standin_monitor_stop(void)
{
    atomic_store(&ending, true);
    standin_ring(getpid());
    pthread_join(monitor, NULL);
    atomic_store(&running, false);
}

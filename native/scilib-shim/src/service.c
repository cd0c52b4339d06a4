#include "service.h"

#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "library.h"
#include "link.h"
#include "wire.h"

enum { STACK_SIZE = 256 * 1024, EVENTS = 16, RETRY_MS = 50 };

static struct {
    bool running;
    bool stopping;
    pthread_t thread;
    int epoll;
    int wake;
    uint64_t in_callback; /* handle whose callback runs now, 0: none */
    uint64_t retry_at;    /* 0: nothing is starved */
} service;

static void dispatch(struct object *object)
{
    switch (object->kind) {
    case KIND_LOCAL_SEGMENT:   local_segment_event((struct local_segment *)object); break;
    case KIND_LINK:            link_event((struct link *)object); break;
    case KIND_REMOTE_SEGMENT:  remote_segment_event((struct remote_segment *)object); break;
    case KIND_LOCAL_INTERRUPT: local_interrupt_event((struct local_interrupt *)object); break;
    default:                   break; /* nothing else is watched */
    }
}

static void retry(void *object)
{
    struct local_segment *segment = object;
    if (segment->starved)
        local_segment_event(segment);
}

/* Does what is due by the clock and returns when to wake up for the next such thing. */
static uint64_t keep_time(void)
{
    if (service.retry_at != 0 && clock_now() >= service.retry_at) {
        service.retry_at = 0;
        handle_each(KIND_LOCAL_SEGMENT, retry);
    }
    uint64_t expiry = link_expire();
    return service.retry_at != 0 && service.retry_at < expiry ? service.retry_at : expiry;
}

static void *serve(void *unused)
{
    (void)unused;
    struct epoll_event events[EVENTS];
    pthread_mutex_lock(&library.lock);
    while (!service.stopping) {
        uint64_t next = keep_time();
        pthread_mutex_unlock(&library.lock);
        int count = epoll_wait(service.epoll, events, EVENTS, clock_poll_time(next));
        pthread_mutex_lock(&library.lock);
        for (int i = 0; i < count && !service.stopping; i++) {
            /* An earlier event or another thread may have removed it. */
            struct object *object = handle_lookup(events[i].data.u64);
            if (object != NULL)
                dispatch(object);
        }
    }
    pthread_mutex_unlock(&library.lock);
    return NULL;
}

static bool start_thread(void)
{
    size_t stack = STACK_SIZE > PTHREAD_STACK_MIN ? STACK_SIZE : (size_t)PTHREAD_STACK_MIN;
    pthread_attr_t attributes;
    if (pthread_attr_init(&attributes) != 0)
        return false;
    pthread_attr_setstacksize(&attributes, stack);
    /* Signals are the program's business: the thread inherits a mask that blocks them all. */
    sigset_t all, former;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &former);
    bool started = pthread_create(&service.thread, &attributes, serve, NULL) == 0;
    pthread_sigmask(SIG_SETMASK, &former, NULL);
    pthread_attr_destroy(&attributes);
    if (started)
        pthread_setname_np(service.thread, "sisci-shim");
    return started;
}

static bool start(void)
{
    if (service.running)
        return true;
    service.stopping = false;
    service.retry_at = 0;
    service.epoll = epoll_create1(EPOLL_CLOEXEC);
    service.wake = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    struct epoll_event event = { .events = EPOLLIN, .data.u64 = 0 /* nobody's handle */ };
    service.running = service.epoll >= 0 && service.wake >= 0 &&
                      epoll_ctl(service.epoll, EPOLL_CTL_ADD, service.wake, &event) == 0 && start_thread();
    if (!service.running) {
        if (service.epoll >= 0)
            close(service.epoll);
        if (service.wake >= 0)
            close(service.wake);
    }
    return service.running;
}

static bool control(int operation, int fd, const struct object *object, uint32_t events)
{
    struct epoll_event event = { .events = events, .data.u64 = object->handle };
    return epoll_ctl(service.epoll, operation, fd, &event) == 0;
}

bool service_watch(int fd, const struct object *object)
{
    return start() && control(EPOLL_CTL_ADD, fd, object, EPOLLIN);
}

bool service_watch_once(int fd, const struct object *object)
{
    return start() && control(EPOLL_CTL_ADD, fd, object, EPOLLIN | EPOLLONESHOT);
}

void service_rearm(int fd, const struct object *object)
{
    control(EPOLL_CTL_MOD, fd, object, EPOLLIN | EPOLLONESHOT);
}

void service_unwatch(int fd)
{
    if (service.running)
        epoll_ctl(service.epoll, EPOLL_CTL_DEL, fd, NULL);
}

void service_retry_later(void)
{
    service.retry_at = clock_now() + RETRY_MS;
}

static void wake(void)
{
    uint64_t one = 1;
    /* Fails only when the counter is full, and then the thread is woken anyway. */
    ssize_t written = write(service.wake, &one, sizeof one);
    (void)written;
}

void service_stop(void)
{
    if (!service.running)
        return;
    service.stopping = true;
    wake();
    pthread_mutex_unlock(&library.lock);
    pthread_join(service.thread, NULL);
    pthread_mutex_lock(&library.lock);
    close(service.epoll);
    close(service.wake);
    service.running = false;
}

bool service_is_caller(void)
{
    return service.running && pthread_equal(pthread_self(), service.thread);
}

void service_enter_callback(uint64_t handle)
{
    service.in_callback = handle;
    pthread_mutex_unlock(&library.lock);
}

void *service_leave_callback(void)
{
    pthread_mutex_lock(&library.lock);
    struct object *object = handle_lookup(service.in_callback);
    service.in_callback = 0;
    pthread_cond_broadcast(&library.settled);
    return object;
}

void service_settle(uint64_t handle)
{
    /* Its own callback can't wait for its own end; its removal was heeded the moment the handle was dropped. */
    if (service_is_caller())
        return;
    while (service.in_callback == handle)
        pthread_cond_wait(&library.settled, &library.lock);
}

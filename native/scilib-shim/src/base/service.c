#include "base/service.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "base/handles.h"
#include "base/library.h"
#include "system/clock.h"
#include "system/thread.h"

enum { EVENTS = 16, RETRY_MS = 50 };

static struct {
    const struct service_handlers *handlers;
    bool running;
    bool stopping;
    pthread_t thread;
    int epoll;
    int wake;
    uint64_t in_callback; /* the handle whose callback runs now, 0: none */
    uint64_t retry_at;    /* 0: nothing is starved */
} service;

void service_set_handlers(const struct service_handlers *handlers)
{
    service.handlers = handlers;
}

/* Does what is due now, and returns the time when the next such thing is due. */
static uint64_t keep_time(void)
{
    if (service.retry_at != 0 && clock_now() >= service.retry_at) {
        service.retry_at = 0;
        service.handlers->retry();
    }
    uint64_t expiry = service.handlers->expire();
    return service.retry_at != 0 && service.retry_at < expiry ? service.retry_at : expiry;
}

static void *serve(void *unused)
{
    (void)unused;
    struct epoll_event events[EVENTS];
    pthread_mutex_lock(&library.lock);
    while (!service.stopping && service_is_caller()) {
        uint64_t next = keep_time();
        pthread_mutex_unlock(&library.lock);
        int count = epoll_wait(service.epoll, events, EVENTS, clock_poll_time(next));
        pthread_mutex_lock(&library.lock);
        for (int i = 0; i < count && !service.stopping && service_is_caller(); i++) {
            /* An earlier event or another thread may have removed the object. */
            struct object *object = handle_lookup(events[i].data.u64);
            if (object != NULL)
                service.handlers->ready(object);
        }
    }
    bool forked = !service_is_caller(); /* a callback has forked, and this is the child: its thread ends here */
    pthread_mutex_unlock(&library.lock);
    if (forked)
        exit(0); /* as the end of the child's only thread would do; the child may have more threads by now */
    return NULL;
}

/* Returns the name of the call that failed, NULL if none did. */
static const char *set_up(void)
{
    struct epoll_event event = { .events = EPOLLIN, .data.u64 = 0 /* no object's handle */ };
    service.epoll = service.wake = -1;
    if ((service.epoll = epoll_create1(EPOLL_CLOEXEC)) < 0)
        return "epoll_create1";
    if ((service.wake = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) < 0)
        return "eventfd";
    if (epoll_ctl(service.epoll, EPOLL_CTL_ADD, service.wake, &event) < 0)
        return "epoll_ctl";
    return thread_start(&service.thread, "sisci-shim", serve, NULL) ? NULL : "pthread_create";
}

static sci_error_t start(void)
{
    if (service.running)
        return SCI_ERR_OK;
    service.stopping = false;
    service.retry_at = 0;
    const char *refused = set_up();
    service.running = refused == NULL;
    if (service.running)
        return SCI_ERR_OK;
    sci_error_t status = failed(refused, SCI_ERR_SYSTEM);
    if (service.epoll >= 0)
        close(service.epoll);
    if (service.wake >= 0)
        close(service.wake);
    return status;
}

static bool control(int operation, int fd, const struct object *object, uint32_t events)
{
    struct epoll_event event = { .events = events, .data.u64 = object->handle };
    return epoll_ctl(service.epoll, operation, fd, &event) == 0;
}

static sci_error_t watch(int fd, const struct object *object, uint32_t events)
{
    sci_error_t status = start();
    if (status != SCI_ERR_OK)
        return status;
    return control(EPOLL_CTL_ADD, fd, object, events) ? SCI_ERR_OK : failed("epoll_ctl", SCI_ERR_SYSTEM);
}

sci_error_t service_watch(int fd, const struct object *object)
{
    return watch(fd, object, EPOLLIN);
}

sci_error_t service_watch_once(int fd, const struct object *object)
{
    return watch(fd, object, EPOLLIN | EPOLLONESHOT);
}

void service_rearm(int fd, const struct object *object)
{
    control(EPOLL_CTL_MOD, fd, object, EPOLLIN | EPOLLONESHOT);
}

void service_heed(int fd, const struct object *object, bool heed)
{
    control(EPOLL_CTL_MOD, fd, object, heed ? EPOLLIN : 0);
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

void service_forget(void)
{
    if (!service.running)
        return;
    close(service.epoll);
    close(service.wake);
    service.running = false;
    service.in_callback = 0;
    service.retry_at = 0;
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
    /* A callback can't wait for its own end. No further callback is made, since the handle has been dropped. */
    if (service_is_caller())
        return;
    while (service.in_callback == handle)
        pthread_cond_wait(&library.settled, &library.lock);
}

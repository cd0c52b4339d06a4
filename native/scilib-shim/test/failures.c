/* Linked into the library in place of the functions that it calls (-Wl,--wrap). */
#include "failures.h"

#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/types.h>

static atomic_int left;
static _Atomic(const char *) failed;
static _Atomic(const char *) always;
static void (*_Atomic fetched)(void);
static void (*_Atomic unmapped)(void);
static sem_t waits;
static int next_wait;
static pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t opened = PTHREAD_COND_INITIALIZER;
static bool closed;

__attribute__((visibility("default"))) void fail_call(int number)
{
    failed = NULL;
    left = number;
}

__attribute__((visibility("default"))) const char *failed_call(void)
{
    return failed;
}

__attribute__((visibility("default"))) void fail_always(const char *name)
{
    always = name;
}

__attribute__((visibility("default"))) void when_fetched(void (*action)(void))
{
    sem_init(&waits, 0, 0);
    fetched = action;
}

__attribute__((visibility("default"))) int wait_after_fetched(void)
{
    while (sem_wait(&waits) != 0)
        continue;
    return next_wait;
}

__attribute__((visibility("default"))) void when_unmapped(void (*action)(void))
{
    unmapped = action;
}

static void set_gate(bool value)
{
    pthread_mutex_lock(&gate);
    closed = value;
    pthread_cond_broadcast(&opened);
    pthread_mutex_unlock(&gate);
}

__attribute__((visibility("default"))) void hold_receives(void)
{
    set_gate(true);
}

__attribute__((visibility("default"))) void let_receive(void)
{
    set_gate(false);
}

static bool fails(const char *name)
{
    const char *doomed = always;
    if (doomed != NULL && strcmp(name, doomed) == 0) {
        errno = ENOMEM;
        return true;
    }
    if (atomic_load(&left) <= 0 || atomic_fetch_sub(&left, 1) != 1)
        return false;
    failed = name;
    errno = ENOMEM;
    return true;
}

/* name, type, what it returns when it fails, parameters, arguments */
#define WRAP(name, type, failure, parameters, arguments)            \
    type __real_##name parameters;                                  \
    type __wrap_##name parameters;                                  \
    type __wrap_##name parameters                                   \
    {                                                               \
        return fails(#name) ? (failure) : __real_##name arguments;  \
    }

WRAP(calloc, void *, NULL, (size_t count, size_t size), (count, size))
WRAP(realloc, void *, NULL, (void *memory, size_t size), (memory, size))
WRAP(mmap, void *, (void *)-1, (void *wish, size_t size, int protection, int flags, int fd, off_t offset),
     (wish, size, protection, flags, fd, offset))
WRAP(memfd_create, int, -1, (const char *label, unsigned int flags), (label, flags))
WRAP(ftruncate, int, -1, (int fd, off_t size), (fd, size))
WRAP(fcntl, int, -1, (int fd, int command, int value), (fd, command, value))
WRAP(socket, int, -1, (int family, int type, int protocol), (family, type, protocol))
WRAP(bind, int, -1, (int fd, const struct sockaddr *address, socklen_t length), (fd, address, length))
WRAP(listen, int, -1, (int fd, int backlog), (fd, backlog))
WRAP(accept4, int, -1, (int fd, struct sockaddr *address, socklen_t *length, int flags), (fd, address, length, flags))
WRAP(connect, int, -1, (int fd, const struct sockaddr *address, socklen_t length), (fd, address, length))
WRAP(setsockopt, int, -1, (int fd, int level, int option, const void *value, socklen_t length),
     (fd, level, option, value, length))
WRAP(getsockopt, int, -1, (int fd, int level, int option, void *value, socklen_t *length),
     (fd, level, option, value, length))
WRAP(sendmsg, ssize_t, -1, (int fd, const struct msghdr *message, int flags), (fd, message, flags))
WRAP(send, ssize_t, -1, (int fd, const void *data, size_t size, int flags), (fd, data, size, flags))
WRAP(sendto, ssize_t, -1,
     (int fd, const void *data, size_t size, int flags, const struct sockaddr *address, socklen_t length),
     (fd, data, size, flags, address, length))
WRAP(getrandom, ssize_t, -1, (void *bytes, size_t count, unsigned int flags), (bytes, count, flags))
WRAP(epoll_create1, int, -1, (int flags), (flags))
WRAP(epoll_ctl, int, -1, (int epoll, int operation, int fd, struct epoll_event *event), (epoll, operation, fd, event))
WRAP(eventfd, int, -1, (unsigned int count, int flags), (count, flags))
WRAP(pthread_create, int, EAGAIN,
     (pthread_t *thread, const pthread_attr_t *attributes, void *(*run)(void *), void *argument),
     (thread, attributes, run, argument))

ssize_t __real_recvmsg(int fd, struct msghdr *message, int flags);
ssize_t __wrap_recvmsg(int fd, struct msghdr *message, int flags);
ssize_t __wrap_recvmsg(int fd, struct msghdr *message, int flags)
{
    pthread_mutex_lock(&gate);
    while (closed)
        pthread_cond_wait(&opened, &gate);
    pthread_mutex_unlock(&gate);
    return fails("recvmsg") ? -1 : __real_recvmsg(fd, message, flags);
}

int __real_epoll_wait(int epoll, struct epoll_event *events, int most, int timeout);
int __wrap_epoll_wait(int epoll, struct epoll_event *events, int most, int timeout);
int __wrap_epoll_wait(int epoll, struct epoll_event *events, int most, int timeout)
{
    static bool acted; /* the library has one thread that comes here */
    if (acted) {
        acted = false;
        next_wait = timeout;
        sem_post(&waits);
    }
    int count = __real_epoll_wait(epoll, events, most, timeout);
    void (*action)(void) = count > 0 ? atomic_exchange(&fetched, NULL) : NULL;
    if (action != NULL) {
        action();
        acted = true;
    }
    return count;
}

int __real_munmap(void *address, size_t size);
int __wrap_munmap(void *address, size_t size);
int __wrap_munmap(void *address, size_t size)
{
    void (*action)(void) = atomic_exchange(&unmapped, NULL);
    if (action != NULL)
        action();
    return __real_munmap(address, size);
}

/* Descriptors of any kind: closing, poll(2), epoll(7), eventfd(2). */
#include "jfs_nativelib_Posix.h"

#include <errno.h>
#include <poll.h>
#include <stdint.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <time.h>
#include <unistd.h>

#include "posix.h"

JNIEXPORT jint JNICALL Java_jfs_nativelib_Posix_close(JNIEnv *env, jclass self, jint fd)
{
    (void)env, (void)self;
    return result(close(fd));
}

static int64_t now_millis(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/*
 * poll(2); an interrupted wait goes on with the time that is left. Returns the events of the first descriptor in the low
 * 16 bits, of the second one in the high 16 bits.
 */
static jint poll_for(struct pollfd *set, nfds_t count, jint millis)
{
    int64_t deadline = millis < 0 ? 0 : now_millis() + millis;
    int left = millis;
    for (;;) {
        int n = poll(set, count, left);
        if (n >= 0)
            return (jint)((unsigned short)set[0].revents | (unsigned)(unsigned short)set[1].revents << 16);
        if (errno != EINTR)
            return -errno;
        if (millis >= 0) {
            int64_t rest = deadline - now_millis();
            left = rest > 0 ? (int)rest : 0;
        }
    }
}

JNIEXPORT jint JNICALL Java_jfs_nativelib_Posix_poll(JNIEnv *env, jclass self, jint fd1, jint events1, jint fd2,
                                                     jint events2, jint millis)
{
    (void)env, (void)self;
    struct pollfd set[] = {{.fd = fd1, .events = (short)events1}, {.fd = fd2, .events = (short)events2}};
    return poll_for(set, 2, millis);
}

JNIEXPORT jint JNICALL Java_jfs_nativelib_Posix_epollCreate(JNIEnv *env, jclass self)
{
    (void)env, (void)self;
    return result(epoll_create1(EPOLL_CLOEXEC));
}

static jint epoll_control(int epoll, int operation, int fd, int events, int64_t tag)
{
    struct epoll_event event = {.events = (uint32_t)events, .data.u64 = (uint64_t)tag};
    return result(epoll_ctl(epoll, operation, fd, &event));
}

JNIEXPORT jint JNICALL Java_jfs_nativelib_Posix_epollAdd(JNIEnv *env, jclass self, jint epoll, jint fd, jint events,
                                                         jlong tag)
{
    (void)env, (void)self;
    return epoll_control(epoll, EPOLL_CTL_ADD, fd, events, tag);
}

JNIEXPORT jint JNICALL Java_jfs_nativelib_Posix_epollModify(JNIEnv *env, jclass self, jint epoll, jint fd, jint events,
                                                            jlong tag)
{
    (void)env, (void)self;
    return epoll_control(epoll, EPOLL_CTL_MOD, fd, events, tag);
}

JNIEXPORT jint JNICALL Java_jfs_nativelib_Posix_epollRemove(JNIEnv *env, jclass self, jint epoll, jint fd)
{
    (void)env, (void)self;
    return epoll_control(epoll, EPOLL_CTL_DEL, fd, 0, 0);
}

JNIEXPORT jint JNICALL Java_jfs_nativelib_Posix_epollWait(JNIEnv *env, jclass self, jint epoll, jlongArray ready,
                                                          jint millis)
{
    (void)self;
    struct epoll_event events[64];
    int most = (*env)->GetArrayLength(env, ready) / 2;
    int n = epoll_wait(epoll, events, most < 64 ? most : 64, millis);
    if (n < 0)
        return errno == EINTR ? 0 : -errno;
    for (int i = 0; i < n; i++) {
        jlong pair[2] = {(jlong)events[i].data.u64, (jlong)events[i].events};
        (*env)->SetLongArrayRegion(env, ready, 2 * i, 2, pair);
    }
    return n;
}

JNIEXPORT jint JNICALL Java_jfs_nativelib_Posix_eventCreate(JNIEnv *env, jclass self)
{
    (void)env, (void)self;
    return result(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
}

JNIEXPORT jint JNICALL Java_jfs_nativelib_Posix_eventSignal(JNIEnv *env, jclass self, jint fd)
{
    (void)env, (void)self;
    uint64_t one = 1;
    return result(write(fd, &one, sizeof one));
}

JNIEXPORT jint JNICALL Java_jfs_nativelib_Posix_eventClear(JNIEnv *env, jclass self, jint fd)
{
    (void)env, (void)self;
    uint64_t count;
    return read(fd, &count, sizeof count) < 0 && errno != EAGAIN ? -errno : 0;
}

/*
 * System calls for Java. Each function unpacks its arguments, makes the call and returns the value or -errno. No
 * function keeps state. Only the JVM allocates memory, for arrays and strings.
 */
#define _GNU_SOURCE
#include "jfs_nativelib_Posix.h"

#include <arpa/inet.h>
#include <errno.h>
#include <linux/futex.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#include "buffer.h"
#include "tuple.h"

#define MESSAGE_MAX 1024 /* longest rendezvous message, bytes */
#define RANDOM_MAX 256 /* bytes; getrandom(2) gives up to this many completely or not at all */

static jint result(long value)
{
    return value < 0 ? -errno : (jint)value;
}

JNIEXPORT jstring JNICALL Java_jfs_nativelib_Posix_errorText(JNIEnv *env, jclass self, jint number)
{
    (void)self;
    char text[128];
    return (*env)->NewStringUTF(env, strerror_r(number, text, sizeof text));
}

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

/*
 * Makes the address of an abstract name: a NUL byte, the name, and no terminator. Returns the address's length, or -1 if
 * the name is too long.
 */
static int abstract_address(JNIEnv *env, jstring name, struct sockaddr_un *address)
{
    jsize chars = (*env)->GetStringLength(env, name);
    jsize bytes = (*env)->GetStringUTFLength(env, name);
    if ((size_t)bytes + 1 > sizeof address->sun_path - 1) {
        errno = ENAMETOOLONG;
        return -1;
    }
    memset(address, 0, sizeof *address);
    address->sun_family = AF_UNIX;
    (*env)->GetStringUTFRegion(env, name, 0, chars, address->sun_path + 1);
    return (int)(offsetof(struct sockaddr_un, sun_path) + 1 + (size_t)bytes);
}

static int close_keeping_errno(int fd)
{
    int saved = errno;
    close(fd);
    errno = saved;
    return -1;
}

#ifndef SO_PASSRIGHTS
#define SO_PASSRIGHTS 83 /* newer than our headers */
#endif

/*
 * Makes a rendezvous socket, which takes no file descriptors from its peer: to close a received descriptor may take as
 * long as its sender likes. From Linux 6.16 on the kernel doesn't let the peer send any, also to the sockets that a
 * listener accepts. An older kernel drops them on receipt.
 */
static int rendezvous_socket(void)
{
    int fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_NONBLOCK | SOCK_CLOEXEC, 0), no = 0;
    if (fd >= 0)
        setsockopt(fd, SOL_SOCKET, SO_PASSRIGHTS, &no, sizeof no);
    return fd;
}

JNIEXPORT jint JNICALL Java_jfs_nativelib_Posix_unixListen(JNIEnv *env, jclass self, jstring name, jint backlog)
{
    (void)self;
    struct sockaddr_un address;
    int length = abstract_address(env, name, &address);
    if (length < 0)
        return -errno;
    int fd = rendezvous_socket();
    if (fd >= 0 && (bind(fd, (struct sockaddr *)&address, (socklen_t)length) < 0 || listen(fd, backlog) < 0))
        fd = close_keeping_errno(fd);
    return result(fd);
}

/* Makes a rendezvous socket, and binds it to the abstract name "own" if that is not NULL. */
static int named_socket(JNIEnv *env, jstring own)
{
    struct sockaddr_un address;
    int length = own == NULL ? 0 : abstract_address(env, own, &address);
    if (length < 0)
        return -1;
    int fd = rendezvous_socket();
    /* A process that may not bind goes on without a name: the other side may identify it by other means. */
    if (fd >= 0 && length > 0 && bind(fd, (struct sockaddr *)&address, (socklen_t)length) < 0 && errno != EACCES
        && errno != EPERM)
        fd = close_keeping_errno(fd);
    return fd;
}

JNIEXPORT jint JNICALL Java_jfs_nativelib_Posix_unixConnect(JNIEnv *env, jclass self, jstring own, jstring name)
{
    (void)self;
    struct sockaddr_un address;
    int length = abstract_address(env, name, &address);
    if (length < 0)
        return -errno;
    int fd = named_socket(env, own);
    if (fd >= 0 && connect(fd, (struct sockaddr *)&address, (socklen_t)length) < 0)
        fd = close_keeping_errno(fd);
    return result(fd);
}

JNIEXPORT jstring JNICALL Java_jfs_nativelib_Posix_unixPeerName(JNIEnv *env, jclass self, jint fd)
{
    (void)self;
    struct sockaddr_un address;
    socklen_t length = sizeof address;
    const size_t start = offsetof(struct sockaddr_un, sun_path) + 1;
    if (getpeername(fd, (struct sockaddr *)&address, &length) < 0 || address.sun_family != AF_UNIX || length <= start
        || address.sun_path[0] != '\0')
        return NULL;
    char text[sizeof address.sun_path];
    size_t bytes = length - start;
    for (size_t i = 0; i < bytes; i++) {
        text[i] = address.sun_path[1 + i];
        if (text[i] < ' ' || text[i] > '~')
            return NULL;
    }
    text[bytes] = '\0';
    return (*env)->NewStringUTF(env, text);
}

JNIEXPORT jint JNICALL Java_jfs_nativelib_Posix_setMaxPacingRate(JNIEnv *env, jclass self, jint fd, jlong rate)
{
    (void)env, (void)self;
    uint64_t limit = (uint64_t)rate, set = 0;
    socklen_t length = sizeof set;
    if (setsockopt(fd, SOL_SOCKET, SO_MAX_PACING_RATE, &limit, sizeof limit) < 0)
        return -errno;
    if (getsockopt(fd, SOL_SOCKET, SO_MAX_PACING_RATE, &set, &length) == 0 && length == sizeof set && set == limit)
        return 0;
    const uint32_t none = UINT32_MAX; /* the kernel took only the lower 32 bits as the limit */
    setsockopt(fd, SOL_SOCKET, SO_MAX_PACING_RATE, &none, sizeof none);
    return rate == -1 ? 0 : -EOPNOTSUPP;
}

/*
 * Converts an address as Java writes it, with IPv4 as ::ffff:a.b.c.d, to an address of family AF_INET or AF_INET6. Returns
 * its length.
 */
static socklen_t tcp_address(const jbyte *bytes, uint32_t scope, int port, struct sockaddr_storage *out)
{
    memset(out, 0, sizeof *out);
    if (memcmp(bytes, mapped_prefix, sizeof mapped_prefix) == 0) {
        struct sockaddr_in *v4 = (struct sockaddr_in *)out;
        v4->sin_family = AF_INET;
        v4->sin_port = htons((uint16_t)port);
        memcpy(&v4->sin_addr, bytes + sizeof mapped_prefix, 4);
        return sizeof *v4;
    }
    struct sockaddr_in6 *v6 = (struct sockaddr_in6 *)out;
    v6->sin6_family = AF_INET6;
    v6->sin6_port = htons((uint16_t)port);
    v6->sin6_scope_id = scope;
    memcpy(&v6->sin6_addr, bytes, 16);
    return sizeof *v6;
}

static int tcp_socket(const struct sockaddr_storage *address)
{
    return socket(address->ss_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
}

JNIEXPORT jint JNICALL Java_jfs_nativelib_Posix_tcpListen(JNIEnv *env, jclass self, jbyteArray address, jint port,
                                                          jint backlog)
{
    (void)self;
    jbyte bytes[16];
    struct sockaddr_storage local;
    int yes = 1, no = 0;
    if ((*env)->GetArrayLength(env, address) != sizeof bytes)
        return -EINVAL;
    (*env)->GetByteArrayRegion(env, address, 0, sizeof bytes, bytes);
    socklen_t length = tcp_address(bytes, 0, port, &local);
    int fd = tcp_socket(&local);
    if (fd >= 0 && (setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes) < 0
                    || (local.ss_family == AF_INET6 && setsockopt(fd, IPPROTO_IPV6, IPV6_V6ONLY, &no, sizeof no) < 0)
                    || bind(fd, (struct sockaddr *)&local, length) < 0 || listen(fd, backlog) < 0))
        fd = close_keeping_errno(fd);
    return result(fd);
}

JNIEXPORT jint JNICALL Java_jfs_nativelib_Posix_tcpConnect(JNIEnv *env, jclass self, jbyteArray tuple, jint port)
{
    (void)self;
    jbyte bytes[2 * END_BYTES];
    struct sockaddr_storage local, remote;
    uint32_t scope[2];
    int yes = 1;
    if ((*env)->GetArrayLength(env, tuple) != sizeof bytes)
        return -EINVAL;
    (*env)->GetByteArrayRegion(env, tuple, 0, sizeof bytes, bytes);
    memcpy(&scope[0], bytes + END_SCOPE, 4);
    memcpy(&scope[1], bytes + END_BYTES + END_SCOPE, 4);
    socklen_t length = tcp_address(bytes, ntohl(scope[0]), 0, &local);
    tcp_address(bytes + END_BYTES, ntohl(scope[1]), port, &remote);
    int fd = tcp_socket(&local);
    if (fd >= 0 && (setsockopt(fd, IPPROTO_IP, IP_BIND_ADDRESS_NO_PORT, &yes, sizeof yes) < 0
                    || setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes) < 0
                    || bind(fd, (struct sockaddr *)&local, length) < 0
                    || (connect(fd, (struct sockaddr *)&remote, length) < 0 && errno != EINPROGRESS)))
        fd = close_keeping_errno(fd);
    return result(fd);
}

JNIEXPORT jint JNICALL Java_jfs_nativelib_Posix_accept(JNIEnv *env, jclass self, jint listener)
{
    (void)env, (void)self;
    return result(accept4(listener, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC));
}

JNIEXPORT jint JNICALL Java_jfs_nativelib_Posix_send(JNIEnv *env, jclass self, jint fd, jbyteArray message,
                                                         jint length)
{
    (void)self;
    char bytes[MESSAGE_MAX];
    if (length < 0 || length > MESSAGE_MAX || length > (*env)->GetArrayLength(env, message))
        return -EMSGSIZE;
    (*env)->GetByteArrayRegion(env, message, 0, length, (jbyte *)bytes);
    return result(send(fd, bytes, (size_t)length, MSG_DONTWAIT | MSG_NOSIGNAL));
}

JNIEXPORT jint JNICALL Java_jfs_nativelib_Posix_receive(JNIEnv *env, jclass self, jint fd, jbyteArray buffer)
{
    (void)self;
    char bytes[MESSAGE_MAX];
    jsize room = (*env)->GetArrayLength(env, buffer);
    struct iovec data = {.iov_base = bytes, .iov_len = room < MESSAGE_MAX ? (size_t)room : MESSAGE_MAX};
    /* The message has no room for descriptors, so the kernel drops them. */
    struct msghdr message = {.msg_iov = &data, .msg_iovlen = 1};
    ssize_t n = recvmsg(fd, &message, MSG_DONTWAIT);
    if (n < 0 && errno == ECONNRESET) /* comes once if the peer closed without reading our message; the peer's last message follows */
        n = recvmsg(fd, &message, MSG_DONTWAIT);
    if (n < 0)
        return -errno;
    if ((message.msg_flags & (MSG_CTRUNC | MSG_TRUNC)) != 0)
        return -EBADMSG;
    (*env)->SetByteArrayRegion(env, buffer, 0, (jsize)n, (const jbyte *)bytes);
    return (jint)n;
}

JNIEXPORT jlong JNICALL Java_jfs_nativelib_Posix_peerCredentials(JNIEnv *env, jclass self, jint fd)
{
    (void)env, (void)self;
    struct ucred peer;
    socklen_t length = sizeof peer;
    if (getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &length) < 0)
        return -errno;
    return (jlong)((uint64_t)peer.uid << 32 | (uint32_t)peer.pid);
}

JNIEXPORT jint JNICALL Java_jfs_nativelib_Posix_effectiveUser(JNIEnv *env, jclass self)
{
    (void)env, (void)self;
    return (jint)geteuid();
}

static int put_end(const struct sockaddr_storage *address, unsigned char *out)
{
    uint32_t scope = 0, port;
    if (address->ss_family == AF_INET) {
        const struct sockaddr_in *v4 = (const struct sockaddr_in *)address;
        memcpy(out, mapped_prefix, sizeof mapped_prefix);
        memcpy(out + sizeof mapped_prefix, &v4->sin_addr, 4);
        port = htonl(ntohs(v4->sin_port));
    } else if (address->ss_family == AF_INET6) {
        const struct sockaddr_in6 *v6 = (const struct sockaddr_in6 *)address;
        memcpy(out, &v6->sin6_addr, 16);
        scope = htonl(v6->sin6_scope_id);
        port = htonl(ntohs(v6->sin6_port));
    } else {
        return -EAFNOSUPPORT;
    }
    memcpy(out + END_SCOPE, &scope, 4);
    memcpy(out + END_PORT, &port, 4);
    return 0;
}

JNIEXPORT jint JNICALL Java_jfs_nativelib_Posix_tcpTuple(JNIEnv *env, jclass self, jint fd, jbyteArray out)
{
    (void)self;
    unsigned char tuple[2 * END_BYTES];
    struct sockaddr_storage address;
    socklen_t length = sizeof address;
    int status;
    if (getsockname(fd, (struct sockaddr *)&address, &length) < 0)
        return -errno;
    if ((status = put_end(&address, tuple)) < 0)
        return status;
    length = sizeof address;
    if (getpeername(fd, (struct sockaddr *)&address, &length) < 0)
        return -errno;
    if ((status = put_end(&address, tuple + END_BYTES)) < 0)
        return status;
    struct tcp_info info;
    length = sizeof info;
    if (getsockopt(fd, IPPROTO_TCP, TCP_INFO, &info, &length) < 0)
        return -errno;
    (*env)->SetByteArrayRegion(env, out, 0, sizeof tuple, (const jbyte *)tuple);
    return info.tcpi_state;
}

JNIEXPORT jint JNICALL Java_jfs_nativelib_Posix_descriptorLimit(JNIEnv *env, jclass self)
{
    (void)env, (void)self;
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) < 0)
        return -errno;
    return limit.rlim_cur > INT32_MAX ? INT32_MAX : (jint)limit.rlim_cur;
}

#ifndef MADV_POPULATE_WRITE
#define MADV_POPULATE_WRITE 23 /* Linux 5.14 */
#endif

JNIEXPORT jint JNICALL Java_jfs_nativelib_Posix_populatePages(JNIEnv *env, jclass self, jobject region, jint offset,
                                                              jint length)
{
    (void)self;
    char *part = part_of(env, region, offset, length);
    return part == NULL ? -EINVAL : result(madvise(part, (size_t)length, MADV_POPULATE_WRITE));
}

JNIEXPORT jint JNICALL Java_jfs_nativelib_Posix_releasePages(JNIEnv *env, jclass self, jobject region, jint offset,
                                                             jint length)
{
    (void)self;
    char *part = part_of(env, region, offset, length);
    if (part == NULL)
        return -EINVAL;
    /* The kernel's pages may be larger than the caller's, and madvise rounds the length up: release whole pages only. */
    uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
    uintptr_t start = ((uintptr_t)part + page - 1) / page * page;
    uintptr_t end = ((uintptr_t)part + (uintptr_t)length) / page * page;
    return start < end ? result(madvise((void *)start, end - start, MADV_REMOVE)) : 0;
}

#ifndef SYS_futex_waitv
#define SYS_futex_waitv 449 /* Linux 5.16, on every processor */
#endif
#define FUTEX_WORD 2 /* FUTEX_32, which older headers lack: the word has 32 bits */

/*
 * struct futex_waitv, which older headers lack. Without FUTEX_PRIVATE_FLAG the kernel identifies the word by its place in
 * the mapped file, so it is the same futex in both processes.
 */
struct futex_word {
    uint64_t value, address;
    uint32_t flags, reserved;
};

JNIEXPORT jint JNICALL Java_jfs_nativelib_Posix_futexWait(JNIEnv *env, jclass self, jobject memory, jint offset,
                                                          jint value, jobject own, jint own_value, jlong nanos)
{
    (void)self;
    char *shared_word = part_of(env, memory, offset, sizeof(uint32_t));
    char *own_word = part_of(env, own, 0, sizeof(uint32_t));
    if (shared_word == NULL || own_word == NULL)
        return -EINVAL;
    struct futex_word words[] = {
        {.value = (uint32_t)value, .address = (uintptr_t)shared_word, .flags = FUTEX_WORD},
        {.value = (uint32_t)own_value, .address = (uintptr_t)own_word, .flags = FUTEX_WORD | FUTEX_PRIVATE_FLAG},
    };
    struct timespec end;
    if (nanos >= 0) {
        clock_gettime(CLOCK_MONOTONIC, &end);
        end.tv_sec += nanos / 1000000000;
        end.tv_nsec += nanos % 1000000000;
        if (end.tv_nsec >= 1000000000) {
            end.tv_nsec -= 1000000000;
            end.tv_sec++;
        }
    }
    long woken = syscall(SYS_futex_waitv, words, 2, 0, nanos < 0 ? NULL : &end, CLOCK_MONOTONIC);
    return woken >= 0 || errno == EINTR ? 0 : -errno;
}

JNIEXPORT jint JNICALL Java_jfs_nativelib_Posix_futexWake(JNIEnv *env, jclass self, jobject memory, jint offset, jboolean own)
{
    (void)self;
    char *word = part_of(env, memory, offset, sizeof(uint32_t));
    if (word == NULL)
        return -EINVAL;
    return result(syscall(SYS_futex, word, own ? FUTEX_WAKE_PRIVATE : FUTEX_WAKE, INT32_MAX, NULL, NULL, 0));
}

JNIEXPORT jint JNICALL Java_jfs_nativelib_Posix_random(JNIEnv *env, jclass self, jbyteArray out)
{
    (void)self;
    jbyte bytes[RANDOM_MAX];
    jint length = (*env)->GetArrayLength(env, out);
    if (length > RANDOM_MAX)
        return -EINVAL;
    long got = syscall(SYS_getrandom, bytes, (size_t)length, GRND_NONBLOCK); /* up to RANDOM_MAX bytes: all of them, or an error */
    if (got == length)
        (*env)->SetByteArrayRegion(env, out, 0, length, bytes);
    return result(got);
}

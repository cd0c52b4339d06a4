/* TCP sockets, and what the kernel knows of a connection. */
#include "jfs_nativelib_Posix.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdint.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>

#include "posix.h"
#include "tuple.h"

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

/* Resets the connection, as a close with linger 0 does. To connect to no address is the way to that which keeps the descriptor. */
static int tcp_reset(int fd)
{
    const struct sockaddr nowhere = {.sa_family = AF_UNSPEC};
    return connect(fd, &nowhere, sizeof nowhere);
}

JNIEXPORT jint JNICALL Java_jfs_nativelib_Posix_tcpEnd(JNIEnv *env, jclass self, jint fd, jboolean end_first)
{
    (void)env, (void)self;
    struct linger linger;
    socklen_t length = sizeof linger;
    int unread = 0;
    if (getsockopt(fd, SOL_SOCKET, SO_LINGER, &linger, &length) < 0 || ioctl(fd, FIONREAD, &unread) < 0)
        return -errno;
    if ((linger.l_onoff && linger.l_linger == 0) || (unread > 0 && !end_first))
        return result(tcp_reset(fd));
    if (shutdown(fd, unread > 0 ? SHUT_WR : SHUT_RDWR) < 0)
        return -errno;
    return unread > 0 ? result(tcp_reset(fd)) : 0;
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

/* Unix sockets with abstract names, by which processes of one host meet. */
#include "jfs_nativelib_Posix.h"

#include <errno.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>

#include "posix.h"

#ifndef SO_PASSRIGHTS
#define SO_PASSRIGHTS 83 /* newer than our headers */
#endif

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

JNIEXPORT jlong JNICALL Java_jfs_nativelib_Posix_peerCredentials(JNIEnv *env, jclass self, jint fd)
{
    (void)env, (void)self;
    struct ucred peer;
    socklen_t length = sizeof peer;
    if (getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &length) < 0)
        return -errno;
    return (jlong)((uint64_t)peer.uid << 32 | (uint32_t)peer.pid);
}

/* Sockets of either kind, Unix or TCP: accepting, and messages. */
#include "jfs_nativelib_Posix.h"

#include <errno.h>
#include <sys/socket.h>

#include "posix.h"

#define MESSAGE_MAX 1024 /* bytes; Posix.MESSAGE_MAX */

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

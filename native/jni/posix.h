/*
 * What the sources of class Posix (posix_*.c) have in common. Each of their functions unpacks its arguments, makes a system call and
 * returns the value or -errno. No function keeps state. Only the JVM allocates memory, for arrays and strings.
 */
#ifndef JFS_POSIX_H
#define JFS_POSIX_H

#include <errno.h>
#include <jni.h>
#include <unistd.h>

/* What a native method returns for the result of a system call: the value, or -errno. */
static inline jint result(long value)
{
    return value < 0 ? -errno : (jint)value;
}

/* Closes a descriptor after another call has failed. Returns -1, and errno is still the one of that call. */
static inline int close_keeping_errno(int fd)
{
    int saved = errno;
    close(fd);
    errno = saved;
    return -1;
}

#endif

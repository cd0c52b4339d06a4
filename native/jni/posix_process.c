/* The process: texts of errors, its user, its limits, random numbers. */
#include "jfs_nativelib_Posix.h"

#include <errno.h>
#include <stdint.h>
#include <string.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "posix.h"

#define RANDOM_MAX 256 /* bytes; getrandom(2) gives up to this many completely or not at all */

JNIEXPORT jstring JNICALL Java_jfs_nativelib_Posix_errorText(JNIEnv *env, jclass self, jint number)
{
    (void)self;
    char text[128];
    return (*env)->NewStringUTF(env, strerror_r(number, text, sizeof text));
}

JNIEXPORT jint JNICALL Java_jfs_nativelib_Posix_effectiveUser(JNIEnv *env, jclass self)
{
    (void)env, (void)self;
    return (jint)geteuid();
}

JNIEXPORT jint JNICALL Java_jfs_nativelib_Posix_descriptorLimit(JNIEnv *env, jclass self)
{
    (void)env, (void)self;
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) < 0)
        return -errno;
    return limit.rlim_cur > INT32_MAX ? INT32_MAX : (jint)limit.rlim_cur;
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

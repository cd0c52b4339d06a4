/* Direct buffers, whose bounds are checked before C touches them. */
#ifndef JFS_BUFFER_H
#define JFS_BUFFER_H

#include <jni.h>
#include <stddef.h>

/* The length bytes at offset of a direct buffer, or NULL if they are not in it. */
static inline char *part_of(JNIEnv *env, jobject region, jint offset, jint length)
{
    char *base = (*env)->GetDirectBufferAddress(env, region);
    return base == NULL || offset < 0 || length < 0 || (*env)->GetDirectBufferCapacity(env, region) - offset < length
               ? NULL
               : base + offset;
}

#endif

/* Access to direct buffers. The bounds are checked before C code touches the memory. */
#ifndef JFS_BUFFER_H
#define JFS_BUFFER_H

#include <jni.h>
#include <stddef.h>

/* The address of the bytes [offset, offset + length) of a direct buffer; NULL if they are not all in the buffer. */
static inline char *part_of(JNIEnv *env, jobject region, jint offset, jint length)
{
    char *base = (*env)->GetDirectBufferAddress(env, region);
    return base == NULL || offset < 0 || length < 0 || (*env)->GetDirectBufferCapacity(env, region) - offset < length
               ? NULL
               : base + offset;
}

#endif

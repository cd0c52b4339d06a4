/* Objects of C as Java has them: an address in a long. A native method returns an error code, and its results in a long[]. */
#ifndef JFS_HANDLES_H
#define JFS_HANDLES_H

#include <jni.h>
#include <stdint.h>

/* The object whose address Java has. The caller knows its type. */
static inline void *handle(jlong value)
{
    return (void *)(intptr_t)value;
}

/* Stores a result. If the array is too short, an ArrayIndexOutOfBoundsException is pending afterwards. */
static inline void put(JNIEnv *env, jlongArray out, jsize index, jlong value)
{
    (*env)->SetLongArrayRegion(env, out, index, 1, &value);
}

#endif

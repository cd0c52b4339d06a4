/*
 * Blocks of an array's elements that lie at one distance from each other, to memory and back. In C, because a compiler of C copies a
 * short block by one or two loads and stores, and the compilers of the JVM by one for each element (docs/performance/layouts.md).
 */
#include "jfs_nativelib_Blocks.h"

#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* Blocks in an array. All numbers but the size of an element, in bytes, are of elements. The distance may be negative or 0. */
struct blocks {
    int64_t first, distance, length, count, size;
};

/* Whether all blocks are in an array of that many elements (BLOCKS-1). No sum overflows, because each number comes from a jint. */
static bool are_in(const struct blocks *blocks, int64_t array_length)
{
    int64_t last = blocks->first + (blocks->count - 1) * blocks->distance;
    int64_t low = last < blocks->first ? last : blocks->first;
    int64_t high = last < blocks->first ? blocks->first : last;
    return blocks->length >= 0 && blocks->count > 0 && low >= 0 && high + blocks->length <= array_length;
}

/* The memory for all blocks, one behind the other, in a view of elements, from an index on; NULL if it is not all in the view. */
static char *memory_for(JNIEnv *env, const struct blocks *blocks, jobject view, jint index)
{
    char *base = (*env)->GetDirectBufferAddress(env, view);
    int64_t capacity = (*env)->GetDirectBufferCapacity(env, view); /* in elements */
    return base == NULL || index < 0 || index + blocks->length * blocks->count > capacity ? NULL : base + index * blocks->size;
}

/* Where the compiler knows the number of bytes, it makes no call of the copy. */
static inline __attribute__((always_inline)) void copy(char *to, ptrdiff_t to_step, const char *from, ptrdiff_t from_step,
                                                       size_t bytes, int64_t count)
{
#pragma GCC unroll 4
    for (int64_t i = 0; i < count; i++, to += to_step, from += from_step)
        memcpy(to, from, bytes);
}

/* The bytes of most short blocks: one to four elements, and powers of two. */
#define FOR_EACH_SHORT_BLOCK(X) X(1) X(2) X(3) X(4) X(6) X(8) X(12) X(16) X(24) X(32) X(64) X(128)

static void gather(char *to, const char *from, ptrdiff_t distance, size_t bytes, int64_t count)
{
    switch (bytes) {
#define GATHER(n) case n: copy(to, n, from, distance, n, count); break;
    FOR_EACH_SHORT_BLOCK(GATHER)
    default: copy(to, (ptrdiff_t)bytes, from, distance, bytes, count);
    }
}

/* Blocks that overlap are stored in their order: the array's memory and the other memory may be the same for the compiler. */
static void scatter(char *to, ptrdiff_t distance, const char *from, size_t bytes, int64_t count)
{
    switch (bytes) {
#define SCATTER(n) case n: copy(to, distance, from, n, n, count); break;
    FOR_EACH_SHORT_BLOCK(SCATTER)
    default: copy(to, distance, from, (ptrdiff_t)bytes, bytes, count);
    }
}

static jint copy_blocks(JNIEnv *env, jarray array, const struct blocks *blocks, jobject view, jint index, bool gathers)
{
    char *memory = are_in(blocks, (*env)->GetArrayLength(env, array)) ? memory_for(env, blocks, view, index) : NULL;
    if (memory == NULL)
        return -EINVAL;
    char *base = (*env)->GetPrimitiveArrayCritical(env, array, NULL); /* from here on no call of JNI, and nothing that waits */
    if (base == NULL)
        return -ENOMEM;
    char *first = base + blocks->first * blocks->size;
    ptrdiff_t distance = blocks->distance * blocks->size;
    size_t bytes = (size_t)(blocks->length * blocks->size);
    if (gathers)
        gather(memory, first, distance, bytes, blocks->count);
    else
        scatter(first, distance, memory, bytes, blocks->count);
    (*env)->ReleasePrimitiveArrayCritical(env, array, base, gathers ? JNI_ABORT : 0);
    return 0;
}

JNIEXPORT jint JNICALL Java_jfs_nativelib_Blocks_gather(JNIEnv *env, jclass self, jobject from, jint first, jint distance, jint length,
                                                        jint count, jobject into, jint index, jint size)
{
    (void)self;
    struct blocks blocks = {first, distance, length, count, size};
    return copy_blocks(env, from, &blocks, into, index, true);
}

JNIEXPORT jint JNICALL Java_jfs_nativelib_Blocks_scatter(JNIEnv *env, jclass self, jobject from, jint index, jobject into, jint first,
                                                         jint distance, jint length, jint count, jint size)
{
    (void)self;
    struct blocks blocks = {first, distance, length, count, size};
    return copy_blocks(env, into, &blocks, from, index, false);
}

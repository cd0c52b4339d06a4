/*
 * A thread waits for another process to change a word of shared memory. The only system call is sched_yield(2). The loop
 * is in C and not in Java, so the JVM's compilers spend no time on it, and it costs the same from the first time on.
 */
#include "jfs_nativelib_Words.h"

#include <errno.h>
#include <sched.h>
#include <stdbool.h>
#include <stdint.h>
#include <time.h>

#include "buffer.h"

/* How many looks are made between two readings of the clock; a reading takes about as long as a look. */
#define LOOKS 8

static int64_t now_nanos(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

/* Tells the processor that this thread waits for another one. */
static inline void relax(void)
{
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ volatile("isb" ::: "memory");
#endif
}

struct words {
    const int64_t *wide;
    int64_t wide_value;
    const int32_t *narrow;
    int32_t narrow_value;
};

/* The loads acquire: the caller then sees what was written before the change. */
static inline bool have_changed(const struct words *words)
{
    return __atomic_load_n(words->wide, __ATOMIC_ACQUIRE) != words->wide_value
           || __atomic_load_n(words->narrow, __ATOMIC_ACQUIRE) != words->narrow_value;
}

static bool change_soon(const struct words *words)
{
    for (int i = 0; i < LOOKS; i++) {
        if (have_changed(words))
            return true;
        relax();
    }
    return false;
}

JNIEXPORT jlong JNICALL Java_jfs_nativelib_Words_awaitChange(JNIEnv *env, jclass self, jobject memory, jint wide, jlong wide_value,
                                                             jint narrow, jint narrow_value, jlong nanos, jlong alone, jlong lost)
{
    (void)self;
    struct words words = {
        .wide = (const int64_t *)part_of(env, memory, wide, sizeof(int64_t)),
        .wide_value = wide_value,
        .narrow = (const int32_t *)part_of(env, memory, narrow, sizeof(int32_t)),
        .narrow_value = narrow_value,
    };
    if (words.wide == NULL || words.narrow == NULL || wide % (jint)sizeof(int64_t) != 0 || narrow % (jint)sizeof(int32_t) != 0)
        return -EINVAL;
    int64_t away = 0, start = now_nanos(), now = start;
    for (;;) {
        bool changed = change_soon(&words);
        int64_t before = now;
        now = now_nanos();
        if (now - before > lost) {
            away = now - before;
        } else if (!changed && now - start > alone) {
            before = now;
            sched_yield();
            now = now_nanos();
            away = now - before;
        }
        if (changed || away > lost || now - start >= nanos)
            return away << jfs_nativelib_Words_AWAY_SHIFT | (changed || have_changed(&words) ? jfs_nativelib_Words_CHANGED : 0);
    }
}

JNIEXPORT void JNICALL Java_jfs_nativelib_Words_yieldCore(JNIEnv *env, jclass self)
{
    (void)env, (void)self;
    sched_yield();
}

static int64_t cpu_nanos(clockid_t of)
{
    struct timespec used;
    return clock_gettime(of, &used) == 0 ? (int64_t)used.tv_sec * 1000000000 + used.tv_nsec : 0;
}

JNIEXPORT jlong JNICALL Java_jfs_nativelib_Words_othersNanos(JNIEnv *env, jclass self)
{
    (void)env, (void)self;
    return cpu_nanos(CLOCK_PROCESS_CPUTIME_ID) - cpu_nanos(CLOCK_THREAD_CPUTIME_ID);
}

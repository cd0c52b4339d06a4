/* Pages of mapped memory, and futexes in it. */
#include "jfs_nativelib_Posix.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

#include "buffer.h"
#include "posix.h"

#ifndef MADV_POPULATE_WRITE
#define MADV_POPULATE_WRITE 23 /* Linux 5.14 */
#endif

#ifndef SYS_futex_waitv
#define SYS_futex_waitv 449 /* Linux 5.16, on every processor */
#endif
#ifndef F_ADD_SEALS
#define F_ADD_SEALS 1033 /* Linux 3.17 */
#define F_SEAL_SEAL 1
#define F_SEAL_SHRINK 2
#define F_SEAL_GROW 4
#endif
#define MEMFD_FLAGS 3 /* MFD_CLOEXEC | MFD_ALLOW_SEALING, for whose declarations glibc has to be 2.27 */

#define FUTEX_WORD 2 /* FUTEX_32, which older headers lack: the word has 32 bits */

JNIEXPORT jint JNICALL Java_jfs_nativelib_Posix_populatePages(JNIEnv *env, jclass self, jobject region, jint offset,
                                                              jint length)
{
    (void)self;
    char *part = part_of(env, region, offset, length);
    return part == NULL ? -EINVAL : result(madvise(part, (size_t)length, MADV_POPULATE_WRITE));
}

JNIEXPORT jint JNICALL Java_jfs_nativelib_Posix_releasePages(JNIEnv *env, jclass self, jobject region, jint offset,
                                                             jint length)
{
    (void)self;
    char *part = part_of(env, region, offset, length);
    if (part == NULL)
        return -EINVAL;
    /* The kernel's pages may be larger than the caller's, and madvise rounds the length up: release whole pages only. */
    uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
    uintptr_t start = ((uintptr_t)part + page - 1) / page * page;
    uintptr_t end = ((uintptr_t)part + (uintptr_t)length) / page * page;
    return start < end ? result(madvise((void *)start, end - start, MADV_REMOVE)) : 0;
}

/* The copy is made by the kernel, for which a missing page is an error. In this process's own loads it would be a SIGBUS. */
JNIEXPORT jint JNICALL Java_jfs_nativelib_Posix_copyMapped(JNIEnv *env, jclass self, jobject from, jint offset, jbyteArray to,
                                                           jint length)
{
    (void)self;
    enum { MOST = jfs_nativelib_Posix_COPY_MAX };
    char bytes[MOST];
    char *part = part_of(env, from, offset, length);
    if (part == NULL || length > (*env)->GetArrayLength(env, to))
        return -EINVAL;
    size_t most = length < MOST ? (size_t)length : MOST;
    struct iovec here = {bytes, most}, there = {part, most};
    ssize_t copied = process_vm_readv(getpid(), &here, 1, &there, 1, 0);
    if (copied < 0)
        return -errno;
    (*env)->SetByteArrayRegion(env, to, 0, (jsize)copied, (const jbyte *)bytes);
    return (jint)copied;
}

/*
 * struct futex_waitv, which older headers lack. Without FUTEX_PRIVATE_FLAG the kernel identifies the word by its place in
 * the mapped file, so it is the same futex in both processes.
 */
struct futex_word {
    uint64_t value, address;
    uint32_t flags, reserved;
};

/* The caller's own word is the last one. */
static jint wait_at(struct futex_word *words, jint count, char *own, jint own_value, jlong nanos)
{
    words[count] = (struct futex_word){
        .value = (uint32_t)own_value, .address = (uintptr_t)own, .flags = FUTEX_WORD | FUTEX_PRIVATE_FLAG};
    struct timespec end;
    if (nanos >= 0) {
        clock_gettime(CLOCK_MONOTONIC, &end);
        end.tv_sec += nanos / 1000000000;
        end.tv_nsec += nanos % 1000000000;
        if (end.tv_nsec >= 1000000000) {
            end.tv_nsec -= 1000000000;
            end.tv_sec++;
        }
    }
    long woken = syscall(SYS_futex_waitv, words, count + 1, 0, nanos < 0 ? NULL : &end, CLOCK_MONOTONIC);
    return woken >= 0 || errno == EINTR ? 0 : -errno;
}

JNIEXPORT jint JNICALL Java_jfs_nativelib_Posix_futexWait(JNIEnv *env, jclass self, jobject memory, jint offset,
                                                          jint value, jobject own, jint own_value, jlong nanos)
{
    (void)self;
    char *shared_word = part_of(env, memory, offset, sizeof(uint32_t));
    char *own_word = part_of(env, own, 0, sizeof(uint32_t));
    if (shared_word == NULL || own_word == NULL)
        return -EINVAL;
    struct futex_word words[2] = {{.value = (uint32_t)value, .address = (uintptr_t)shared_word, .flags = FUTEX_WORD}};
    return wait_at(words, 1, own_word, own_value, nanos);
}

JNIEXPORT jint JNICALL Java_jfs_nativelib_Posix_futexWaitMany(JNIEnv *env, jclass self, jobjectArray memories,
                                                              jintArray offsets, jintArray values, jint count,
                                                              jobject own, jint own_value, jlong nanos)
{
    (void)self;
    struct futex_word words[jfs_nativelib_Posix_FUTEX_WORDS_MAX + 1];
    jint at[jfs_nativelib_Posix_FUTEX_WORDS_MAX], value[jfs_nativelib_Posix_FUTEX_WORDS_MAX];
    char *own_word = part_of(env, own, 0, sizeof(uint32_t));
    if (own_word == NULL || count < 0 || count > jfs_nativelib_Posix_FUTEX_WORDS_MAX ||
        count > (*env)->GetArrayLength(env, memories) || count > (*env)->GetArrayLength(env, offsets) ||
        count > (*env)->GetArrayLength(env, values))
        return -EINVAL;
    (*env)->GetIntArrayRegion(env, offsets, 0, count, at);
    (*env)->GetIntArrayRegion(env, values, 0, count, value);
    for (jint i = 0; i < count; i++) {
        jobject memory = (*env)->GetObjectArrayElement(env, memories, i);
        char *word = memory == NULL ? NULL : part_of(env, memory, at[i], sizeof(uint32_t));
        (*env)->DeleteLocalRef(env, memory);
        if (word == NULL)
            return -EINVAL;
        words[i] = (struct futex_word){
            .value = (uint32_t)value[i], .address = (uintptr_t)word, .flags = FUTEX_WORD};
    }
    return wait_at(words, count, own_word, own_value, nanos);
}

JNIEXPORT jint JNICALL Java_jfs_nativelib_Posix_futexWake(JNIEnv *env, jclass self, jobject memory, jint offset, jboolean own)
{
    (void)self;
    char *word = part_of(env, memory, offset, sizeof(uint32_t));
    if (word == NULL)
        return -EINVAL;
    return result(syscall(SYS_futex, word, own ? FUTEX_WAKE_PRIVATE : FUTEX_WAKE, INT32_MAX, NULL, NULL, 0));
}

/* The descriptor stays open: /proc/PID/fd/N is the way by which other processes come to the memory. */
JNIEXPORT jobject JNICALL Java_jfs_nativelib_Posix_publishedMemory(JNIEnv *env, jclass self, jstring name, jint bytes)
{
    (void)self;
    const char *chars = (*env)->GetStringUTFChars(env, name, NULL);
    if (chars == NULL)
        return NULL;
    int fd = (int)syscall(SYS_memfd_create, chars, MEMFD_FLAGS);
    (*env)->ReleaseStringUTFChars(env, name, chars);
    if (fd < 0)
        return NULL;
    if (ftruncate(fd, bytes) == 0 && fcntl(fd, F_ADD_SEALS, F_SEAL_SEAL | F_SEAL_SHRINK | F_SEAL_GROW) == 0) {
        void *memory = mmap(NULL, (size_t)bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, fd, 0);
        if (memory != MAP_FAILED) {
            jobject buffer = (*env)->NewDirectByteBuffer(env, memory, bytes);
            if (buffer != NULL)
                return buffer;
            munmap(memory, (size_t)bytes);
        }
    }
    close(fd);
    return NULL;
}

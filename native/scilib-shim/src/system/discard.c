#include "system/discard.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "system/thread.h"

enum { MOST_WAITING = 64 };

static struct {
    pthread_mutex_t lock; /* no other lock is taken while it is held */
    int *waiting; /* oldest first */
    size_t count;
    size_t reserved; /* places whose descriptors have not come yet */
    size_t capacity; /* at least count + reserved */
    bool running;
} queue = { .lock = PTHREAD_MUTEX_INITIALIZER };

static void *close_waiting(void *unused)
{
    (void)unused;
    pthread_mutex_lock(&queue.lock);
    while (queue.count > 0) {
        int fd = queue.waiting[0];
        memmove(queue.waiting, queue.waiting + 1, --queue.count * sizeof *queue.waiting);
        pthread_mutex_unlock(&queue.lock);
        close(fd);
        pthread_mutex_lock(&queue.lock);
    }
    queue.running = false;
    pthread_mutex_unlock(&queue.lock);
    return NULL;
}

/* The caller holds the lock, as for reserve(). */
static void ensure_thread(void)
{
    pthread_t thread;
    if (queue.running || queue.count == 0 || !thread_start(&thread, "sisci-discard", close_waiting, NULL))
        return;
    queue.running = true;
    pthread_detach(thread); /* no thread may wait for its end */
}

static bool reserve(void)
{
    if (queue.count >= MOST_WAITING) {
        errno = EBUSY;
        return false;
    }
    size_t needed = queue.count + queue.reserved + 1;
    if (needed > queue.capacity) {
        size_t capacity = 2 * needed;
        int *larger = realloc(queue.waiting, capacity * sizeof *larger);
        if (larger == NULL)
            return false;
        queue.waiting = larger;
        queue.capacity = capacity;
    }
    queue.reserved++;
    return true;
}

bool discard_reserve(void)
{
    pthread_mutex_lock(&queue.lock);
    ensure_thread();
    bool reserved = reserve();
    pthread_mutex_unlock(&queue.lock);
    return reserved;
}

void discard_release(void)
{
    pthread_mutex_lock(&queue.lock);
    queue.reserved--;
    pthread_mutex_unlock(&queue.lock);
}

void discard(int fd)
{
    if (fcntl(fd, F_GET_SEALS) >= 0) { /* only memory has seals, and closing memory doesn't wait for another process */
        close(fd);
        discard_release();
        return;
    }
    pthread_mutex_lock(&queue.lock);
    queue.reserved--;
    queue.waiting[queue.count++] = fd;
    ensure_thread();
    pthread_mutex_unlock(&queue.lock);
}

void discard_retry(void)
{
    pthread_mutex_lock(&queue.lock);
    ensure_thread();
    pthread_mutex_unlock(&queue.lock);
}

void discard_lock(void)
{
    pthread_mutex_lock(&queue.lock);
}

void discard_unlock(void)
{
    pthread_mutex_unlock(&queue.lock);
}

void discard_forget(void)
{
    queue.running = false;
    queue.reserved = 0; /* waiting descriptors go on waiting, for the next reservation */
}

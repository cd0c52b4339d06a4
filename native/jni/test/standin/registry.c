/* The fabric: a file that all its processes map; and this process's part in it. */
#include "standin.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/futex.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

struct registry *standin_registry;
struct handle *standin_handles;

void standin_segment_path(char path[PATH_BYTES], unsigned serial)
{
    snprintf(path, PATH_BYTES, "%s/segment-%u", getenv("STANDIN_DIR"), serial);
}

/* Maps the registry. The first process initialises it; the file's lock keeps others waiting. */
static struct registry *join(void)
{
    char path[PATH_BYTES];
    if (getenv("STANDIN_DIR") == NULL)
        return NULL;
    snprintf(path, sizeof path, "%s/registry", getenv("STANDIN_DIR"));
    int file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    if (file < 0 || flock(file, LOCK_EX) != 0 || ftruncate(file, sizeof(struct registry)) != 0)
        return NULL;
    struct registry *it = mmap(NULL, sizeof *it, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (it == MAP_FAILED)
        return NULL;
    if (!it->ready) {
        pthread_mutexattr_t attributes;
        pthread_mutexattr_init(&attributes);
        pthread_mutexattr_setpshared(&attributes, PTHREAD_PROCESS_SHARED);
        pthread_mutexattr_setrobust(&attributes, PTHREAD_MUTEX_ROBUST);
        pthread_mutex_init(&it->lock, &attributes);
        it->ready = true;
    }
    flock(file, LOCK_UN); /* the mapping would keep the lock */
    close(file);
    return it;
}

/*
 * A process may be killed when it has been woken to take the lock. If a third process has taken the lock by then, the
 * wake-up is lost: neither the kernel nor the C library wakes another waiter when that process unlocks. So each waiter
 * tries again every second.
 */
void standin_lock(void)
{
    int result;
    do {
        struct timespec until;
        clock_gettime(CLOCK_MONOTONIC, &until);
        until.tv_sec++;
        result = pthread_mutex_clocklock(&standin_registry->lock, CLOCK_MONOTONIC, &until);
    } while (result == ETIMEDOUT);
    if (result == EOWNERDEAD)
        pthread_mutex_consistent(&standin_registry->lock); /* each change is one store, or is in an unused entry */
}

void standin_unlock(void)
{
    pthread_mutex_unlock(&standin_registry->lock);
}

void standin_ring(pid_t process)
{
    for (unsigned i = 0; i < PROCESSES; i++) {
        struct process *it = &standin_registry->processes[i];
        if (it->process == process) {
            atomic_fetch_add(&it->bell, 1);
            syscall(SYS_futex, &it->bell, FUTEX_WAKE, INT_MAX, NULL, NULL, 0);
        }
    }
}

int standin_begin(void)
{
    standin_registry = join();
    if (standin_registry == NULL)
        return -1;
    bool entered = false;
    standin_lock();
    for (unsigned i = 0; i < PROCESSES && !entered; i++) {
        struct process *it = &standin_registry->processes[i];
        if (it->process == 0) {
            it->process = getpid();
            entered = true;
        }
    }
    standin_unlock();
    if (!entered)
        return -1;
    standin_monitor_start();
    return 0;
}

void standin_end(void)
{
    standin_monitor_stop();
    standin_lock();
    for (unsigned i = 0; i < PROCESSES; i++)
        if (standin_registry->processes[i].process == getpid())
            standin_registry->processes[i].process = 0;
    standin_unlock();
    standin_registry = NULL; /* it stays mapped */
}

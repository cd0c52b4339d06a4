#include "processes.h"

#include <dirent.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static int entries(const char *path)
{
    DIR *directory = opendir(path);
    CHECK(directory != NULL);
    int count = 0;
    for (struct dirent *entry; (entry = readdir(directory)) != NULL;)
        count += entry->d_name[0] != '.';
    closedir(directory);
    return count;
}

int open_descriptors(void)
{
    return entries("/proc/self/fd") - 1; /* the directory's own */
}

int own_threads(void)
{
    return entries("/proc/self/task");
}

void await_threads(int count)
{
    time_t deadline = time(NULL) + WHILE / 1000;
    while (own_threads() != count) {
        CHECK(time(NULL) <= deadline);
        sched_yield();
    }
}

void await_descriptors(int count)
{
    time_t deadline = time(NULL) + WHILE / 1000;
    while (open_descriptors() != count) {
        CHECK(time(NULL) <= deadline);
        sched_yield();
    }
}

struct peer start_peer(void (*body)(int channel))
{
    int ends[2];
    CHECK(socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) == 0);
    pid_t pid = fork();
    CHECK(pid >= 0);
    if (pid == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        close(ends[0]);
        body(ends[1]);
        exit(0);
    }
    close(ends[1]);
    return (struct peer){ .pid = pid, .channel = ends[0] };
}

static int reap(struct peer *peer)
{
    int status;
    CHECK(waitpid(peer->pid, &status, 0) == peer->pid);
    close(peer->channel);
    return status;
}

void peer_finish(struct peer *peer)
{
    int status = reap(peer);
    CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

void peer_kill(struct peer *peer)
{
    CHECK(kill(peer->pid, SIGKILL) == 0);
    CHECK(WIFSIGNALED(reap(peer)));
}

void tell(int channel, uint64_t message)
{
    CHECK(send(channel, &message, sizeof message, MSG_NOSIGNAL) == sizeof message);
}

uint64_t listen_to(int channel)
{
    uint64_t message;
    CHECK(recv(channel, &message, sizeof message, 0) == sizeof message);
    return message;
}

struct gauge {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    int value;
};

struct gauge *gauge_new(void)
{
    struct gauge *gauge = calloc(1, sizeof *gauge);
    CHECK(gauge != NULL);
    pthread_mutex_init(&gauge->lock, NULL);
    pthread_cond_init(&gauge->changed, NULL);
    return gauge;
}

void gauge_add(struct gauge *gauge, int amount)
{
    pthread_mutex_lock(&gauge->lock);
    gauge->value += amount;
    pthread_cond_broadcast(&gauge->changed);
    pthread_mutex_unlock(&gauge->lock);
}

int gauge_read(struct gauge *gauge)
{
    pthread_mutex_lock(&gauge->lock);
    int value = gauge->value;
    pthread_mutex_unlock(&gauge->lock);
    return value;
}

void gauge_await(struct gauge *gauge, int value, int limit)
{
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec += limit / 1000;
    until.tv_nsec += limit % 1000 * 1000000L;
    if (until.tv_nsec >= 1000000000L) {
        until.tv_sec++;
        until.tv_nsec -= 1000000000L;
    }
    pthread_mutex_lock(&gauge->lock);
    while (gauge->value < value)
        CHECK(pthread_cond_timedwait(&gauge->changed, &gauge->lock, &until) == 0);
    pthread_mutex_unlock(&gauge->lock);
}

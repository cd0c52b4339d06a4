/*
 * What tests of the native libraries share: checks, a second process, and a look at what is left behind. Processes keep in
 * step by messages over a socket pair, never by sleeping.
 */
#ifndef TEST_PROCESSES_H
#define TEST_PROCESSES_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/types.h>

enum { SKIPPED = 77, WHILE = 30000 /* ms: longer than anything takes here */ };

#define CHECK(condition)                                                                  \
    do {                                                                                  \
        if (!(condition)) {                                                               \
            fprintf(stderr, "%s:%d: failed: %s\n", __FILE__, __LINE__, #condition);       \
            exit(1);                                                                      \
        }                                                                                 \
    } while (0)

/* Open descriptors of this process. */
int open_descriptors(void);

/* Threads of this process. */
int own_threads(void);

/* Waits until so many are open: what a library closes in a thread of its own may still be. */
void await_descriptors(int count);

/* Waits until there are so many: for a moment the kernel still shows one that has been joined. */
void await_threads(int count);

struct peer {
    pid_t pid;
    int channel;
};

/* Forks; the child runs body and exits with 0. To be called before the library under test is initialised. */
struct peer start_peer(void (*body)(int channel));

/* Expects the child to exit with 0, or to have been killed by a signal. */
void peer_finish(struct peer *peer);
void peer_kill(struct peer *peer);

/* One message over the channel. listen_to fails the test if the other process has gone. */
void tell(int channel, uint64_t message);
uint64_t listen_to(int channel);

/* A counter that threads wait for. */
struct gauge;
struct gauge *gauge_new(void);
void gauge_add(struct gauge *gauge, int amount);
int gauge_read(struct gauge *gauge);
/* Waits until it has reached value; fails the test if that takes longer than limit milliseconds. */
void gauge_await(struct gauge *gauge, int value, int limit);

#endif

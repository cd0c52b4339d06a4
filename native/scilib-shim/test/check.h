/*
 * What the tests share: checks, a second process, and a look at what is left behind.
 *
 * Each test program is a node of its own, so that they can run side by side. Processes keep in step by messages over
 * a socket pair, never by sleeping.
 */
#ifndef SHIM_TEST_CHECK_H
#define SHIM_TEST_CHECK_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/types.h>

#include "sisci_api.h"
#include "sisci_shim.h"

enum { SKIPPED = 77, ADAPTER = 0, PAGE = 4096, WHILE = 30000 /* ms: longer than anything takes here */ };

#define CHECK(condition)                                                                  \
    do {                                                                                  \
        if (!(condition)) {                                                               \
            fprintf(stderr, "%s:%d: failed: %s\n", __FILE__, __LINE__, #condition);       \
            exit(1);                                                                      \
        }                                                                                 \
    } while (0)

/* Runs a statement that writes to error, and checks the outcome. */
#define EXPECT(expected, statement)                                                                        \
    do {                                                                                                   \
        sci_error_t error = (sci_error_t)-1;                                                               \
        statement;                                                                                         \
        if (error != (expected)) {                                                                         \
            fprintf(stderr, "%s:%d: %s: expected %s, got %#x: %s\n", __FILE__, __LINE__, #statement,       \
                    #expected, (unsigned int)error, SCIGetErrorString(error));                             \
            exit(1);                                                                                       \
        }                                                                                                  \
    } while (0)
#define OK(statement) EXPECT(SCI_ERR_OK, statement)

/* Makes the environment name a node that no other running test has, and returns its id. */
unsigned int use_own_node(void);

/* A node that nobody is: a process that has ended, but isn't waited for until this one ends, has its number. */
unsigned int nobodys_node(void);

/* Initialises the library and opens a device. */
sci_desc_t begin(void);

/* Closes both and checks that no name of our node is left. */
void end(sci_desc_t sd);

/* Socket names of our node that exist now, in all processes. */
int names_in_use(void);

/* Open descriptors of this process. */
int open_descriptors(void);

/* Threads of this process. */
int own_threads(void);

/* Ranges of this process in which segments are mapped. */
int own_mappings(void);

/* Waits until so many are open: the library closes what it refuses in a thread of its own. */
void await_descriptors(int count);

struct peer {
    pid_t pid;
    int channel;
};

/* Forks; the child runs body and exits with 0. To be called before SCIInitialize. */
struct peer start_peer(void (*body)(int channel));

/* Expects the child to exit with 0, or to have been killed by a signal. */
void peer_finish(struct peer *peer);
void peer_kill(struct peer *peer);

/* One message over the channel. listen_to fails the test if the other process has gone. */
void tell(int channel, uint64_t message);
uint64_t listen_to(int channel);

/* A segment that is prepared and available. */
sci_local_segment_t offer(sci_desc_t sd, unsigned int id, size_t size, sci_cb_local_segment_t callback, void *arg);

/* A counter that threads wait for. */
struct gauge;
struct gauge *gauge_new(void);
void gauge_add(struct gauge *gauge, int amount);
int gauge_read(struct gauge *gauge);
/* Waits until it has reached value; fails the test if that takes longer than limit milliseconds. */
void gauge_await(struct gauge *gauge, int value, int limit);

#endif

/*
 * What the examples share: their options, and errors that end them. What is worth reading is in the examples.
 *
 * Each runs as two processes, of which one is the server:
 *     shmem_pingpong -server & shmem_pingpong -client -size 1024
 */
#ifndef SISCI_EXAMPLE_H
#define SISCI_EXAMPLE_H

#include <stdbool.h>
#include <stddef.h>

#include <sisci_api.h>

enum { NO_FLAGS = 0, NO_OFFSET = 0, PATIENCE = 20000 /* ms that the other process may take to come, or to answer */ };

struct options {
    bool server;
    unsigned int adapter;
    unsigned int remote_node; /* 0: our own */
    unsigned int base;        /* first of the segment ids and interrupt numbers */
    size_t size;              /* of a message, bytes */
    double seconds;           /* how long the client measures */
};

/* -server or -client, and more; anything else prints the usage and exits with 2. */
struct options options_of(int count, char **arguments);

/* Initialises the library and opens a device; completes options->remote_node. */
sci_desc_t start(struct options *options);

/* Closes both. */
void finish(sci_desc_t device);

/* Exits with 1 and a message if the call failed. */
void must(sci_error_t error, const char *call);
_Noreturn void fail(const char *message);

/* Server and client on a processor each, if there are two: those that poll would else share one for seconds. */
void use_own_processor(const struct options *options);

/* Milliseconds since some point in the past. */
double milliseconds(void);

/* To be called in a loop: whether the call should be tried again, since what it needs may not be there yet. Pauses. */
bool is_not_there_yet(sci_error_t error, double since);

/* Seconds for a round: the median over many batches, which last that long together. */
double measure(void (*rounds)(void *context, unsigned long count), void *context, double seconds);

#endif

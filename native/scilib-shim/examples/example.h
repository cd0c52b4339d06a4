/*
 * What the examples share: their options, and errors that end them. The interesting part is in the examples.
 *
 * Each example runs as two processes, of which one is the server:
 *     shmem_pingpong -server & shmem_pingpong -client -size 1024
 */
#ifndef SISCI_EXAMPLE_H
#define SISCI_EXAMPLE_H

#include <stdbool.h>
#include <stddef.h>

#include <sisci_api.h>

enum { NO_FLAGS = 0, NO_OFFSET = 0, PATIENCE = 20000 /* ms that the other process may take to start, or to answer */ };

struct options {
    bool server;
    unsigned int adapter;
    unsigned int remote_node; /* 0: the node of this process */
    unsigned int base;        /* first of the segment ids and interrupt numbers */
    size_t size;              /* bytes of a message */
    double seconds;           /* how long the client measures */
};

/* -server or -client, and more; anything else prints the usage and exits with 2. size: what -size is unless it is given. */
struct options options_of(int count, char **arguments, size_t size);

/* Initialises the library and opens a device; completes options->remote_node. */
sci_desc_t start(struct options *options);

/* Closes the device and ends the library. */
void finish(sci_desc_t device);

/* Exits with 1 and a message if the call failed. */
void must(sci_error_t error, const char *call);
_Noreturn void fail(const char *message);

/* Puts server and client on a processor each, if there are two. Otherwise two that poll could share one for seconds. */
void use_own_processor(const struct options *options);

/* Milliseconds since some point in the past. */
double milliseconds(void);

/* Called in a loop. Whether to try the call again, because what it needs may not be there yet. Pauses before that. */
bool is_not_there_yet(sci_error_t error, double since);

/* Seconds for a round: the median of many batches, which together last for "seconds". */
double measure(void (*rounds)(void *context, unsigned long count), void *context, double seconds);

#endif

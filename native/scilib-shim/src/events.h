/*
 * What has happened to a segment without a callback, kept until somebody waits for it. Callers hold the library's lock.
 *
 * The room is bounded, for nobody need ever ask. Beyond it the oldest events go, and the next wait says so.
 */
#ifndef SHIM_EVENTS_H
#define SHIM_EVENTS_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#include "sisci_api.h"

enum { EVENTS_KEPT = 64 };

struct event {
    sci_segment_cb_reason_t reason;
    unsigned int node;
    unsigned int adapter;
};

struct events {
    pthread_cond_t changed;
    struct event kept[EVENTS_KEPT]; /* a ring */
    unsigned int first;
    unsigned int count;
    unsigned int waiting; /* threads in events_take */
    bool overrun;         /* events have gone since the last wait */
    bool over;            /* none will follow */
    bool closed;          /* the segment is going */
};

void events_open(struct events *events);

void events_add(struct events *events, struct event event);

/* After this no event will follow. */
void events_finish(struct events *events);

/*
 * Takes the oldest event; waits for one until the deadline, without the lock. Errors: SCI_ERR_TIMEOUT;
 * SCI_ERR_CANCELLED by events_close; SCI_ERR_OVERFLOW once when some have gone; SCI_ERR_SEGMENT_NOT_CONNECTED when none
 * is left and none will follow.
 */
sci_error_t events_take(struct events *events, uint64_t deadline, struct event *event);

/* Sends all who wait away and returns when they have left; lets the lock go meanwhile. Nobody may come any more. */
void events_close(struct events *events);

#endif

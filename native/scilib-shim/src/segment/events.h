/*
 * The events of a segment without a callback, kept until a thread waits for them. Callers hold the library's lock.
 *
 * The queue is bounded, because a program may never wait for the events. If the queue is full the oldest event is dropped,
 * and the next wait says so.
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
    bool overrun;         /* events were dropped since the last wait */
    bool over;            /* no event will follow */
    bool closed;          /* the segment is being removed */
};

void events_open(struct events *events);

void events_add(struct events *events, struct event event);

/* Says that no event will follow. */
void events_finish(struct events *events);

/*
 * Takes the oldest event; waits for one until the deadline, without the lock. Errors: SCI_ERR_TIMEOUT;
 * SCI_ERR_CANCELLED by events_close; SCI_ERR_OVERFLOW once when events were dropped; SCI_ERR_SEGMENT_NOT_CONNECTED when no
 * event is left and none will follow.
 */
sci_error_t events_take(struct events *events, uint64_t deadline, struct event *event);

/* Ends all waits, and returns when their threads have left; releases the lock meanwhile. No new wait may begin. */
void events_close(struct events *events);

#endif

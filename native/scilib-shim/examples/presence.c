/*
 * The server's callbacks are called when a client connects or leaves, and each time that a client triggers the interrupt.
 * The client triggers it and exits without disconnecting, so the library finds out by itself.
 */
#define _POSIX_C_SOURCE 200809L
#include "example.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { RINGS = 5, PAGE = 4096 };

/* Callbacks run on a thread of the library. */
struct presence {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    int come, gone, rung;
};

static void count_one(struct presence *presence, int *counter)
{
    pthread_mutex_lock(&presence->lock);
    ++*counter;
    pthread_cond_broadcast(&presence->changed);
    pthread_mutex_unlock(&presence->lock);
}

static sci_callback_action_t segment_event(void *arg, sci_local_segment_t segment, sci_segment_cb_reason_t reason,
                                           unsigned int node, unsigned int adapter, sci_error_t error)
{
    struct presence *presence = arg;
    (void)segment, (void)adapter, (void)error;
    printf("presence: a client of node %u has %s\n", node,
           reason == SCI_CB_CONNECT ? "come" : reason == SCI_CB_LOST ? "vanished" : "left");
    count_one(presence, reason == SCI_CB_CONNECT ? &presence->come : &presence->gone);
    return SCI_CALLBACK_CONTINUE;
}

static sci_callback_action_t rung(void *arg, sci_local_interrupt_t interrupt, sci_error_t error)
{
    struct presence *presence = arg;
    (void)interrupt, (void)error;
    count_one(presence, &presence->rung);
    return SCI_CALLBACK_CONTINUE;
}

static void await(struct presence *presence, const int *counter, int value)
{
    struct timespec limit;
    clock_gettime(CLOCK_REALTIME, &limit);
    limit.tv_sec += PATIENCE / 1000;
    pthread_mutex_lock(&presence->lock);
    while (*counter < value)
        if (pthread_cond_timedwait(&presence->changed, &presence->lock, &limit) != 0)
            fail("no client has come and gone");
    pthread_mutex_unlock(&presence->lock);
}

static void serve(sci_desc_t device, const struct options *options)
{
    struct presence presence = { .lock = PTHREAD_MUTEX_INITIALIZER, .changed = PTHREAD_COND_INITIALIZER };
    sci_error_t error;
    sci_local_segment_t segment;
    sci_local_interrupt_t bell;
    unsigned int number = options->base;

    SCICreateInterrupt(device, &bell, options->adapter, &number, rung, &presence,
                       SCI_FLAG_USE_CALLBACK | SCI_FLAG_FIXED_INTNO | SCI_FLAG_COUNTING_INT, &error);
    must(error, "SCICreateInterrupt");
    SCICreateSegment(device, &segment, options->base, PAGE, segment_event, &presence, SCI_FLAG_USE_CALLBACK, &error);
    must(error, "SCICreateSegment");
    SCIPrepareSegment(segment, options->adapter, NO_FLAGS, &error);
    must(error, "SCIPrepareSegment");
    SCISetSegmentAvailable(segment, options->adapter, NO_FLAGS, &error);
    must(error, "SCISetSegmentAvailable");

    await(&presence, &presence.come, 1);
    await(&presence, &presence.gone, 1);
    await(&presence, &presence.rung, RINGS);
    SCIRemoveSegment(segment, NO_FLAGS, &error);
    must(error, "SCIRemoveSegment");
    SCIRemoveInterrupt(bell, NO_FLAGS, &error);
    must(error, "SCIRemoveInterrupt");
    /* No callback runs now or later, so presence may go out of scope. */
}

static _Noreturn void visit(sci_desc_t device, const struct options *options)
{
    sci_error_t error;
    sci_remote_segment_t segment;
    sci_remote_interrupt_t bell;
    double begun = milliseconds();
    do
        SCIConnectSegment(device, &segment, options->remote_node, options->base, options->adapter, NULL, NULL, PATIENCE,
                          NO_FLAGS, &error);
    while (is_not_there_yet(error, begun));
    must(error, "SCIConnectSegment");
    SCIConnectInterrupt(device, &bell, options->remote_node, options->adapter, options->base, PATIENCE, NO_FLAGS, &error);
    must(error, "SCIConnectInterrupt");
    for (int i = 0; i < RINGS; i++) {
        SCITriggerInterrupt(bell, NO_FLAGS, &error);
        must(error, "SCITriggerInterrupt");
    }
    exit(0);
}

int main(int count, char **arguments)
{
    struct options options = options_of(count, arguments, 8);
    sci_desc_t device = start(&options);
    if (!options.server)
        visit(device, &options);
    serve(device, &options);
    finish(device);
    return 0;
}

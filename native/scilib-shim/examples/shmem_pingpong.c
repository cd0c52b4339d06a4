/*
 * Two processes bounce a message through shared memory, both polling.
 *
 * Each process has a segment, into which the other process writes. On an interconnect a store into remote memory is cheap
 * and a load from it is not, so each process polls local memory.
 *
 *     segment   +0  number of the latest message   odd ones are the client's, even ones the server's; written last
 *               +8  its bytes                      up to 56 of them share the number's cache line
 */
#include "example.h"

#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sched.h>

#define LAST UINT64_MAX /* instead of a number: no message follows */

enum { SPINS = 10000 };

struct mailbox {
    _Atomic uint64_t number;
    unsigned char message[];
};

struct game {
    struct mailbox *local;   /* in this process's segment */
    struct mailbox *remote;  /* in the other process's segment */
    unsigned char *buffer;
    size_t size;
    uint64_t number;         /* of the latest message */
    atomic_bool gone;        /* the other process has disconnected, or ended */
};

static sci_callback_action_t notice_the_end(void *arg, sci_remote_segment_t segment, sci_segment_cb_reason_t reason,
                                            sci_error_t error)
{
    struct game *game = arg;
    (void)segment, (void)error;
    if (reason == SCI_CB_DISCONNECT || reason == SCI_CB_LOST)
        atomic_store(&game->gone, true);
    return SCI_CALLBACK_CONTINUE;
}

static void publish(struct game *game, uint64_t number)
{
    atomic_store_explicit(&game->remote->number, number, memory_order_release);
}

static void hit(struct game *game)
{
    memcpy(game->remote->message, game->buffer, game->size);
    publish(game, ++game->number);
}

/* Keeps the processor from loading the number many times in advance for nothing. */
static inline void relax(void)
{
#if defined(__x86_64__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ volatile("isb");
#endif
}

/* Called now and then while waiting. Yields the processor: if there is only one, the other process needs it. */
static void look_around(struct game *game, uint64_t wanted, double *since)
{
    /* In this order: a process that has gone has written before. */
    if (atomic_load(&game->gone) && atomic_load(&game->local->number) < wanted)
        fail("the other process has gone");
    if (*since == 0)
        *since = milliseconds();
    if (milliseconds() - *since > PATIENCE)
        fail("the other process does not answer");
    sched_yield();
}

/* Takes the next message; false if there are no more. */
static bool receive(struct game *game)
{
    uint64_t wanted = game->number + 1, number;
    unsigned int spins = 0;
    double since = 0;
    while ((number = atomic_load_explicit(&game->local->number, memory_order_acquire)) < wanted) {
        if (++spins % SPINS == 0)
            look_around(game, wanted, &since);
        relax();
    }
    if (number == LAST)
        return false;
    memcpy(game->buffer, game->local->message, game->size);
    game->number = number;
    return true;
}

static void bounce(void *context, unsigned long count)
{
    struct game *game = context;
    for (unsigned long i = 0; i < count; i++) {
        game->buffer[game->size - 1]++;
        unsigned char expected = game->buffer[game->size - 1];
        hit(game);
        if (!receive(game) || game->buffer[game->size - 1] != expected)
            fail("a message did not come back as it was");
    }
}

static void play_client(struct game *game, double seconds)
{
    double one_way = measure(bounce, game, seconds) / 2;
    publish(game, LAST);
    printf("shmem_pingpong: %zu bytes: %.4f us one way, %.1f MB/s\n", game->size, one_way * 1e6,
           (double)game->size / one_way * 1e-6);
}

static void play_server(struct game *game)
{
    while (receive(game))
        hit(game);
}

int main(int count, char **arguments)
{
    struct options options = options_of(count, arguments, 8);
    use_own_processor(&options);
    sci_desc_t device = start(&options);
    struct game game = { .size = options.size, .buffer = calloc(1, options.size) };
    size_t length = sizeof(struct mailbox) + options.size;
    unsigned int own_id = options.base + options.server, other_id = options.base + !options.server;
    sci_error_t error;
    if (game.buffer == NULL)
        fail("no memory");

    sci_local_segment_t own;
    sci_map_t own_map;
    SCICreateSegment(device, &own, own_id, length, NULL, NULL, NO_FLAGS, &error);
    must(error, "SCICreateSegment");
    SCIPrepareSegment(own, options.adapter, NO_FLAGS, &error);
    must(error, "SCIPrepareSegment");
    game.local = SCIMapLocalSegment(own, &own_map, NO_OFFSET, length, NULL, NO_FLAGS, &error);
    must(error, "SCIMapLocalSegment");
    SCISetSegmentAvailable(own, options.adapter, NO_FLAGS, &error);
    must(error, "SCISetSegmentAvailable");

    sci_remote_segment_t other;
    sci_map_t other_map;
    double begun = milliseconds();
    do
        SCIConnectSegment(device, &other, options.remote_node, other_id, options.adapter, notice_the_end, &game, PATIENCE,
                          SCI_FLAG_USE_CALLBACK, &error);
    while (is_not_there_yet(error, begun));
    must(error, "SCIConnectSegment");
    if (SCIGetRemoteSegmentSize(other) != length)
        fail("the other process has messages of another size");
    game.remote = (struct mailbox *)SCIMapRemoteSegment(other, &other_map, NO_OFFSET, length, NULL, NO_FLAGS, &error);
    must(error, "SCIMapRemoteSegment");

    if (options.server)
        play_server(&game);
    else
        play_client(&game, options.seconds);

    SCIUnmapSegment(other_map, NO_FLAGS, &error);
    must(error, "SCIUnmapSegment");
    SCIDisconnectSegment(other, NO_FLAGS, &error);
    must(error, "SCIDisconnectSegment");
    SCISetSegmentUnavailable(own, options.adapter, NO_FLAGS, &error);
    must(error, "SCISetSegmentUnavailable");
    SCIUnmapSegment(own_map, NO_FLAGS, &error);
    must(error, "SCIUnmapSegment");
    begun = milliseconds();
    do /* the other process may not have disconnected yet */
        SCIRemoveSegment(own, NO_FLAGS, &error);
    while (error == SCI_ERR_BUSY && milliseconds() - begun < PATIENCE && sched_yield() == 0);
    must(error, "SCIRemoveSegment");
    finish(device);
    free(game.buffer);
    return 0;
}

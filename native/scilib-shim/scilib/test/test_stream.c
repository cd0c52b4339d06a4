/*
 * Two processes: one sends and the other receives, with random sizes, pauses and calls. Every byte is checked. In this build
 * a waiting thread does not wake up by itself. If it isn't woken it sleeps for ever, which the test's time-out shows.
 */
#include <sched.h>
#include <string.h>
#include <time.h>

#include "queues.h"

enum { ID = 3, TOTAL = 1000000 };

static const struct shape {
    unsigned int count, size;
} SHAPES[] = { { 1, 1 }, { 1, 100 }, { 3, 5000 }, { 16, 300 }, { 2, 60000 }, { 1000, 8 } };
enum { SHAPES_COUNT = sizeof SHAPES / sizeof *SHAPES };

static unsigned int node;
static uint32_t seed;

static uint32_t random_below(uint32_t limit)
{
    seed = seed * 1664525u + 1013904223u;
    return (uint32_t)((uint64_t)seed * limit >> 32);
}

/* Often there is no pause, now and then one that is longer than a thread polls. */
static void pause_at_random(void)
{
    if (random_below(100) == 0)
        nanosleep(&(struct timespec){ .tv_nsec = (long)random_below(400000) }, NULL);
}

static uint64_t total(const struct shape *shape)
{
    return shape->size == 1 ? TOTAL / 50 : TOTAL + random_below(1000);
}

static void send_stream(sci_msq_queue_t queue, const struct shape *shape, uint64_t bytes)
{
    unsigned char *message = malloc(4 * shape->size);
    CHECK(message != NULL);
    for (uint64_t sent = 0, size; sent < bytes; sent += size) {
        bool waits = random_below(2) == 0;
        size = 1 + random_below(waits ? 4 * shape->size : shape->size);
        if (size > bytes - sent)
            size = bytes - sent;
        stream_fill(message, sent, size);
        if (waits)
            DONE(SCILSendMsgWait(queue, message, size, NULL, SCI_INFINITE_TIMEOUT, 0));
        else
            for (sci_error_t status; (status = SCILSendMsg(queue, message, (unsigned int)size, NULL, 0)) != SCI_ERR_OK;) {
                CHECK(status == SCI_ERR_EWOULD_BLOCK);
                sched_yield();
            }
        pause_at_random();
    }
    free(message);
}

static void receive_stream(sci_msq_queue_t queue, const struct shape *shape, uint64_t bytes)
{
    unsigned char *message = malloc(4 * shape->size);
    CHECK(message != NULL);
    for (uint64_t received = 0, size; received < bytes; received += size) {
        bool waits = random_below(2) == 0;
        size = 1 + random_below(waits ? 4 * shape->size : shape->size);
        if (size > bytes - received)
            size = bytes - received;
        if (waits) {
            DONE(SCILReceiveMsgWait(queue, message, size, NULL, SCI_INFINITE_TIMEOUT, 0));
        } else {
            unsigned int there;
            sci_error_t status = SCILReceiveMsg(queue, message, (unsigned int)size, &there, 0);
            CHECK(status == SCI_ERR_OK || (status == SCI_ERR_EWOULD_BLOCK && there < size));
            if (status == SCI_ERR_EWOULD_BLOCK && (size = there) > 0)
                DONE(SCILReceiveMsg(queue, message, there, NULL, 0));
            if (size == 0)
                sched_yield();
        }
        stream_check(message, received, size);
        pause_at_random();
    }
    unsigned char more;
    GIVES(SCI_ERR_NOT_CONNECTED, SCILReceiveMsgWait(queue, &more, 1, NULL, SCI_INFINITE_TIMEOUT, 0));
    free(message);
}

static void sender(int channel)
{
    seed = (uint32_t)listen_to(channel);
    int before = open_descriptors();
    DONE(SCILInit(0));
    for (int i = 0; i < SHAPES_COUNT; i++) {
        sci_msq_queue_t queue = NULL;
        const struct shape *shape = &SHAPES[i];
        uint64_t bytes = total(shape);
        tell(channel, bytes);
        DONE(SCILConnectMsgQueue(&queue, ADAPTER, node, ID, shape->count, shape->size, WHILE, 0));
        send_stream(queue, shape, bytes);
        DONE(SCILDisconnectMsgQueue(&queue, 0));
        listen_to(channel); /* the receiver's queue with that number is gone */
    }
    DONE(SCILDestroy(0));
    CHECK(open_descriptors() == before);
}

int main(int argc, char **argv)
{
    node = use_own_node();
    int before = open_descriptors();
    struct peer peer = start_peer(sender);
    uint32_t first = argc > 1 ? (uint32_t)strtoul(argv[1], NULL, 10) : (uint32_t)time(NULL);
    printf("seed %u\n", first); /* as an argument it repeats a failure */
    fflush(stdout);
    tell(peer.channel, first);
    seed = ~first;
    DONE(SCILInit(0));
    for (int i = 0; i < SHAPES_COUNT; i++) {
        sci_msq_queue_t queue = NULL;
        const struct shape *shape = &SHAPES[i];
        uint64_t bytes = listen_to(peer.channel);
        DONE(SCILCreateMsgQueue(&queue, ADAPTER, node, ID, shape->count, shape->size, 0, 0));
        receive_stream(queue, shape, bytes);
        DONE(SCILRemoveMsgQueue(&queue, 0));
        tell(peer.channel, 0);
    }
    peer_finish(&peer);
    queue_end_library(before);
    return 0;
}

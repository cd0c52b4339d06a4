/*
 * A table of what moving a block costs, for each way in which SISCI moves blocks: by the processor (PIO: loads and stores in a
 * map, SCIMemCpy, SCITransferBlock), or by a DMA queue, to the server's memory (push) or from it (pull).
 *
 * The server's segment has an id that the library picked (SCI_FLAG_AUTO_ID). The client asks for it by a data interrupt whose
 * number both know. It names its own data interrupt, by which the server answers:
 *
 *     client                                   server
 *       order HELLO, node, interrupt ------------>   connects to the interrupt of that node
 *       <---------------- answer: segment id, size
 *       SCIConnectSegment ----------------------->   a callback tells the server if the client dies
 *       order CHECK or FILL, seed, size --------->   compares its memory with the pattern of that seed, or fills it
 *       <------------------- answer: equal or not
 *       order BYE ------------------------------->   the server ends
 *
 * Each block is compared with what it has to be, after the time was taken.
 */
#include "example.h"

#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum what { HELLO, FILL, CHECK, BYE };

enum { SMALLEST = 8, FACTOR = 8, LARGEST = 2 << 20, GUARD = 64 /* bytes behind a block, which stay 0 */, SLICE = 1000 /* ms */ };

struct order {
    uint32_t what;
    uint32_t node, interrupt; /* of HELLO: where the answers go */
    uint32_t seed;
    uint64_t size;
};

struct answer {
    uint32_t segment; /* its id */
    uint32_t equal;   /* to CHECK: whether the memory is as it has to be */
    uint64_t size;    /* of the segment */
};

/* The byte at an offset of the block with that seed. Never 0, so that a byte that nobody has stored is seen. */
static unsigned char pattern(uint32_t seed, size_t i)
{
    return (unsigned char)(1 + (seed * 37 + i * 11 + i / 255) % 255);
}

static void fill(volatile unsigned char *memory, uint32_t seed, size_t size)
{
    for (size_t i = 0; i < size; i++)
        memory[i] = pattern(seed, i);
}

/* Whether the memory has the block, and zeros behind it. Clears both. */
static bool take(volatile unsigned char *memory, uint32_t seed, size_t size)
{
    bool equal = true;
    for (size_t i = 0; i < size + GUARD; i++) {
        equal &= memory[i] == (i < size ? pattern(seed, i) : 0);
        memory[i] = 0;
    }
    return equal;
}

/* A local segment whose id the library picks, prepared and mapped. */
struct block {
    sci_local_segment_t segment;
    sci_map_t map;
    volatile unsigned char *memory;
};

static struct block make_block(sci_desc_t device, const struct options *options, sci_cb_local_segment_t callback, void *arg)
{
    sci_error_t error;
    struct block block;
    size_t size = options->size + GUARD;
    SCICreateSegment(device, &block.segment, 0, size, callback, arg,
                     SCI_FLAG_AUTO_ID | (callback != NULL ? SCI_FLAG_USE_CALLBACK : 0), &error);
    must(error, "SCICreateSegment");
    SCIPrepareSegment(block.segment, options->adapter, NO_FLAGS, &error);
    must(error, "SCIPrepareSegment");
    block.memory = SCIMapLocalSegment(block.segment, &block.map, NO_OFFSET, size, NULL, NO_FLAGS, &error);
    must(error, "SCIMapLocalSegment");
    return block;
}

static void remove_block(const struct block *block)
{
    sci_error_t error;
    SCIUnmapSegment(block->map, NO_FLAGS, &error);
    must(error, "SCIUnmapSegment");
    SCIRemoveSegment(block->segment, NO_FLAGS, &error);
    must(error, "SCIRemoveSegment");
}

/* ---- The server ---- */

static sci_callback_action_t notice_death(void *arg, sci_local_segment_t segment, sci_segment_cb_reason_t reason,
                                          unsigned int node, unsigned int adapter, sci_error_t error)
{
    (void)segment, (void)node, (void)adapter, (void)error;
    if (reason == SCI_CB_LOST)
        atomic_store((atomic_bool *)arg, true);
    return SCI_CALLBACK_CONTINUE;
}

/* Connects to the client's interrupt, and is not connected to another one. */
static void meet(sci_desc_t device, const struct options *options, const struct order *order, sci_remote_data_interrupt_t *client)
{
    sci_error_t error;
    if (*client != NULL)
        fail("another client is at work");
    SCIConnectDataInterrupt(device, client, order->node, options->adapter, order->interrupt, PATIENCE, NO_FLAGS, &error);
    must(error, "SCIConnectDataInterrupt");
}

static void obey(sci_desc_t device, const struct options *options, const struct order *order, const struct block *block,
                 sci_remote_data_interrupt_t *client)
{
    sci_error_t error;
    struct answer answer = { .segment = SCIGetLocalSegmentId(block->segment), .size = options->size };
    if (order->what == HELLO)
        meet(device, options, order, client);
    else if (*client == NULL || order->size > options->size)
        fail("an order that makes no sense");
    else if (order->what == FILL)
        fill(block->memory, order->seed, order->size);
    else
        answer.equal = take(block->memory, order->seed, order->size);
    SCITriggerDataInterrupt(*client, &answer, sizeof answer, NO_FLAGS, &error);
    must(error, "SCITriggerDataInterrupt");
}

static void serve(sci_desc_t device, const struct options *options)
{
    sci_error_t error;
    atomic_bool dead = false;
    struct block block = make_block(device, options, notice_death, &dead);
    SCISetSegmentAvailable(block.segment, options->adapter, NO_FLAGS, &error);
    must(error, "SCISetSegmentAvailable");
    sci_local_data_interrupt_t orders;
    sci_remote_data_interrupt_t client = NULL;
    unsigned int number = options->base;
    SCICreateDataInterrupt(device, &orders, options->adapter, &number, NULL, NULL, SCI_FLAG_FIXED_INTNO, &error);
    must(error, "SCICreateDataInterrupt");

    double since = milliseconds();
    for (struct order order = { .what = HELLO }; order.what != BYE;) {
        unsigned int length = sizeof order;
        SCIWaitForDataInterrupt(orders, &order, &length, SLICE, NO_FLAGS, &error);
        if (dead)
            fail("the client has died");
        if (error == SCI_ERR_TIMEOUT && (client != NULL || milliseconds() - since < PATIENCE))
            continue; /* the client measures, or has not started yet */
        must(error, "SCIWaitForDataInterrupt");
        if (length != sizeof order)
            fail("an order of another size");
        if (order.what != BYE)
            obey(device, options, &order, &block, &client);
    }

    if (client != NULL) {
        SCIDisconnectDataInterrupt(client, NO_FLAGS, &error);
        must(error, "SCIDisconnectDataInterrupt");
    }
    SCIRemoveDataInterrupt(orders, NO_FLAGS, &error);
    must(error, "SCIRemoveDataInterrupt");
    remove_block(&block);
}

/* ---- The client ---- */

struct bench {
    struct block local;
    sci_remote_segment_t segment;
    sci_map_t map;
    sci_sequence_t sequence;
    volatile unsigned char *memory; /* the server's */
    sci_dma_queue_t queue;
    sci_remote_data_interrupt_t orders;
    sci_local_data_interrupt_t answers;
    size_t size; /* of the block that is being moved, bytes */
};

/* Moves a block by loads and stores of eight bytes, as far as they go. */
static void copy(volatile unsigned char *to, const volatile unsigned char *from, size_t size)
{
    size_t words = size / sizeof(uint64_t);
    for (size_t i = 0; i < words; i++)
        ((volatile uint64_t *)to)[i] = ((const volatile uint64_t *)from)[i];
    for (size_t i = words * sizeof(uint64_t); i < size; i++)
        to[i] = from[i];
}

static void write_by_stores(void *context, unsigned long count)
{
    struct bench *bench = context;
    for (unsigned long i = 0; i < count; i++) {
        copy(bench->memory, bench->local.memory, bench->size);
        SCIFlush(bench->sequence, NO_FLAGS);
    }
}

static void read_by_loads(void *context, unsigned long count)
{
    struct bench *bench = context;
    for (unsigned long i = 0; i < count; i++)
        copy(bench->local.memory, bench->memory, bench->size);
}

static void write_by_memcpy(void *context, unsigned long count)
{
    struct bench *bench = context;
    sci_error_t error;
    for (unsigned long i = 0; i < count; i++) {
        SCIMemCpy(bench->sequence, (void *)bench->local.memory, bench->map, NO_OFFSET, bench->size, SCI_FLAG_ERROR_CHECK, &error);
        must(error, "SCIMemCpy");
    }
}

static void transfer_block(void *context, unsigned long count)
{
    struct bench *bench = context;
    sci_error_t error;
    for (unsigned long i = 0; i < count; i++) {
        SCITransferBlock(bench->local.map, NO_OFFSET, bench->map, NO_OFFSET, bench->size, NO_FLAGS, &error);
        must(error, "SCITransferBlock");
    }
}

static void move_by_dma(struct bench *bench, unsigned long count, unsigned int direction)
{
    sci_error_t error;
    for (unsigned long i = 0; i < count; i++) {
        SCIStartDmaTransfer(bench->queue, bench->local.segment, bench->segment, NO_OFFSET, bench->size, NO_OFFSET, NULL, NULL,
                            direction, &error);
        must(error, "SCIStartDmaTransfer");
        SCIWaitForDMAQueue(bench->queue, SCI_INFINITE_TIMEOUT, NO_FLAGS, &error);
        must(error, "SCIWaitForDMAQueue");
    }
}

static void push_by_dma(void *context, unsigned long count)
{
    move_by_dma(context, count, NO_FLAGS);
}

static void pull_by_dma(void *context, unsigned long count)
{
    move_by_dma(context, count, SCI_FLAG_DMA_READ);
}

static const struct way {
    const char *name;
    void (*rounds)(void *bench, unsigned long count);
    bool pulls; /* from the server's memory to the client's */
} ways[] = {
    { "PIO write", write_by_stores, false },   { "PIO read", read_by_loads, true },
    { "SCIMemCpy", write_by_memcpy, false },   { "SCITransferBlock", transfer_block, false },
    { "DMA push", push_by_dma, false },        { "DMA pull", pull_by_dma, true },
};

static void give(struct bench *bench, struct order order)
{
    sci_error_t error;
    SCITriggerDataInterrupt(bench->orders, &order, sizeof order, NO_FLAGS, &error);
    must(error, "SCITriggerDataInterrupt");
}

static struct answer ask(struct bench *bench, struct order order)
{
    sci_error_t error;
    struct answer answer;
    unsigned int length = sizeof answer;
    give(bench, order);
    SCIWaitForDataInterrupt(bench->answers, &answer, &length, PATIENCE, NO_FLAGS, &error);
    must(error, "SCIWaitForDataInterrupt");
    if (length != sizeof answer)
        fail("an answer of another size");
    return answer;
}

/* Moves a block again and again, and prints a line. */
static void try_way(struct bench *bench, const struct way *way, uint32_t seed, double seconds)
{
    struct order order = { .what = way->pulls ? FILL : CHECK, .seed = seed, .size = bench->size };
    if (way->pulls)
        ask(bench, order);
    else
        fill(bench->local.memory, seed, bench->size);
    double took = measure(way->rounds, bench, seconds);
    bool equal = way->pulls ? take(bench->local.memory, seed, bench->size) : ask(bench, order).equal != 0;
    if (way->pulls) { /* the server's memory is as it was: now it is cleared */
        order.what = CHECK;
        equal &= ask(bench, order).equal != 0;
    } else {
        equal &= take(bench->local.memory, seed, bench->size);
    }
    if (!equal) {
        fprintf(stderr, "%s: %zu bytes did not arrive as they were, or others were changed\n", way->name, bench->size);
        exit(1);
    }
    printf("%-16s %12zu %12.3f %12.1f\n", way->name, bench->size, took * 1e6, (double)bench->size / took * 1e-6);
    fflush(stdout);
}

static void sweep(struct bench *bench, size_t largest, double seconds)
{
    uint32_t seed = 0;
    printf("%-16s %12s %12s %12s\n", "", "bytes", "us", "MB/s");
    for (size_t i = 0; i < sizeof ways / sizeof ways[0]; i++) {
        for (bench->size = largest < SMALLEST ? largest : SMALLEST; bench->size < largest; bench->size *= FACTOR)
            try_way(bench, &ways[i], ++seed, seconds);
        bench->size = largest;
        try_way(bench, &ways[i], ++seed, seconds);
    }
    sci_error_t error;
    if (SCICheckSequence(bench->sequence, NO_FLAGS, &error) != SCI_SEQ_OK)
        fail("the server has gone");
}

/* Asks the server for its segment, and connects to it. */
static void meet_server(struct bench *bench, sci_desc_t device, const struct options *options)
{
    sci_error_t error;
    unsigned int node, number;
    SCIGetLocalNodeId(options->adapter, &node, NO_FLAGS, &error);
    must(error, "SCIGetLocalNodeId");
    SCICreateDataInterrupt(device, &bench->answers, options->adapter, &number, NULL, NULL, NO_FLAGS, &error);
    must(error, "SCICreateDataInterrupt");
    double begun = milliseconds();
    do
        SCIConnectDataInterrupt(device, &bench->orders, options->remote_node, options->adapter, options->base, PATIENCE,
                                NO_FLAGS, &error);
    while (is_not_there_yet(error, begun));
    must(error, "SCIConnectDataInterrupt");
    struct answer server = ask(bench, (struct order){ .what = HELLO, .node = node, .interrupt = number });
    if (server.size < options->size)
        fail("the server's block is smaller: start the server with the same -size");
    SCIConnectSegment(device, &bench->segment, options->remote_node, server.segment, options->adapter, NULL, NULL, PATIENCE,
                      NO_FLAGS, &error);
    must(error, "SCIConnectSegment");
    printf("dma_bench: segment %#x of node %u, which its library has picked\n", server.segment, options->remote_node);
}

static void measure_all(sci_desc_t device, const struct options *options)
{
    sci_error_t error;
    struct bench bench;
    meet_server(&bench, device, options);
    bench.local = make_block(device, options, NULL, NULL);
    bench.memory = SCIMapRemoteSegment(bench.segment, &bench.map, NO_OFFSET, options->size + GUARD, NULL, NO_FLAGS, &error);
    must(error, "SCIMapRemoteSegment");
    SCICreateMapSequence(bench.map, &bench.sequence, NO_FLAGS, &error);
    must(error, "SCICreateMapSequence");
    if (SCIStartSequence(bench.sequence, NO_FLAGS, &error) != SCI_SEQ_OK)
        fail("the server has gone");
    SCICreateDMAQueue(device, &bench.queue, options->adapter, 1, NO_FLAGS, &error);
    must(error, "SCICreateDMAQueue");

    sweep(&bench, options->size, options->seconds);

    SCIRemoveDMAQueue(bench.queue, NO_FLAGS, &error);
    must(error, "SCIRemoveDMAQueue");
    SCIRemoveSequence(bench.sequence, NO_FLAGS, &error);
    must(error, "SCIRemoveSequence");
    SCIUnmapSegment(bench.map, NO_FLAGS, &error);
    must(error, "SCIUnmapSegment");
    give(&bench, (struct order){ .what = BYE });
    SCIDisconnectSegment(bench.segment, NO_FLAGS, &error);
    must(error, "SCIDisconnectSegment");
    remove_block(&bench.local);
    SCIDisconnectDataInterrupt(bench.orders, NO_FLAGS, &error);
    must(error, "SCIDisconnectDataInterrupt");
    SCIRemoveDataInterrupt(bench.answers, NO_FLAGS, &error);
    must(error, "SCIRemoveDataInterrupt");
}

int main(int count, char **arguments)
{
    struct options options = options_of(count, arguments, LARGEST);
    use_own_processor(&options);
    sci_desc_t device = start(&options);
    if (options.server)
        serve(device, &options);
    else
        measure_all(device, &options);
    finish(device);
    return 0;
}

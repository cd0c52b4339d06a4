/* DMA queues: arguments, states, what is copied in which order, callbacks, several queues, another process. */
#include <string.h>

#include "check.h"

enum { SIZE = 3 * PAGE + 100, LARGE = 5 << 20, QUEUES = 5, CHAIN = 100, ENTRIES = 3, FEW = 4 };

static unsigned int node;
static sci_desc_t sd;
static sci_local_segment_t source, target; /* target is what the remote segment is connected to */
static sci_remote_segment_t remote;
static sci_map_t source_map, target_map;
static unsigned char *from, *to;

static sci_dma_queue_t make(void)
{
    sci_dma_queue_t queue;
    OK(SCICreateDMAQueue(sd, &queue, ADAPTER, ENTRIES, 0, &error));
    CHECK(SCIDMAQueueState(queue) == SCI_DMAQUEUE_IDLE);
    return queue;
}

static void set_up(size_t size)
{
    OK(SCICreateSegment(sd, &source, 0, size, NULL, NULL, SCI_FLAG_AUTO_ID | SCI_FLAG_DMA_GLOBAL, &error));
    OK(SCIPrepareSegment(source, ADAPTER, SCI_FLAG_DMA_SOURCE_ONLY, &error));
    target = export_segment(sd, 1, size, NULL, NULL);
    OK(SCIConnectSegment(sd, &remote, node, 1, ADAPTER, NULL, NULL, WHILE, 0, &error));
    OK(from = SCIMapLocalSegment(source, &source_map, 0, size, NULL, 0, &error));
    OK(to = SCIMapLocalSegment(target, &target_map, 0, size, NULL, 0, &error));
    for (size_t i = 0; i < size; i++)
        from[i] = (unsigned char)(i * 31 + (i >> 8) + 1);
}

static void tear_down(void)
{
    OK(SCIUnmapSegment(source_map, 0, &error));
    OK(SCIUnmapSegment(target_map, 0, &error));
    OK(SCIDisconnectSegment(remote, 0, &error));
    OK(SCIRemoveSegment(source, 0, &error));
    OK(SCIRemoveSegment(target, 0, &error));
}

static void finish(sci_dma_queue_t queue)
{
    OK(CHECK(SCIWaitForDMAQueue(queue, WHILE, 0, &error) == SCI_DMAQUEUE_DONE));
    CHECK(SCIDMAQueueState(queue) == SCI_DMAQUEUE_DONE);
}

static void test_arguments(void)
{
    sci_dma_queue_t queue;
    sci_local_segment_t raw;
    dis_dma_vec_t vector[2] = { { .size = 1 }, { .size = 1, .flags = 1 } };
    EXPECT(SCI_ERR_NOT_SUPPORTED, SCICreateDMAQueue(sd, &queue, ADAPTER, 1, SCI_FLAG_DMA_PHDMA, &error));
    EXPECT(SCI_ERR_ILLEGAL_FLAG, SCICreateDMAQueue(sd, &queue, ADAPTER, 1, 1, &error));
    EXPECT(SCI_ERR_ILLEGAL_PARAMETER, SCICreateDMAQueue(NULL, &queue, ADAPTER, 1, 0, &error));
    EXPECT(SCI_ERR_ILLEGAL_PARAMETER, SCICreateDMAQueue(sd, NULL, ADAPTER, 1, 0, &error));
    EXPECT(SCI_ERR_NO_SUCH_ADAPTERNO, SCICreateDMAQueue(sd, &queue, 1, 1, 0, &error));
    queue = make();
    EXPECT(SCI_ERR_BUSY, SCIClose(sd, 0, &error));
    const unsigned int wait = SCI_FLAG_DMA_WAIT;
    EXPECT(SCI_ERR_ILLEGAL_FLAG, SCIStartDmaTransfer(queue, source, remote, 0, 1, 0, NULL, NULL, wait | 0x1000, &error));
    EXPECT(SCI_ERR_ILLEGAL_PARAMETER, SCIStartDmaTransfer(NULL, source, remote, 0, 1, 0, NULL, NULL, wait, &error));
    EXPECT(SCI_ERR_ILLEGAL_PARAMETER, SCIStartDmaTransfer(queue, NULL, remote, 0, 1, 0, NULL, NULL, wait, &error));
    EXPECT(SCI_ERR_ILLEGAL_PARAMETER, SCIStartDmaTransfer(queue, source, NULL, 0, 1, 0, NULL, NULL, wait, &error));
    EXPECT(SCI_ERR_ILLEGAL_PARAMETER, SCIStartDmaTransfer(queue, source, remote, 0, 0, 0, NULL, NULL, wait, &error));
    EXPECT(SCI_ERR_ILLEGAL_PARAMETER,
           SCIStartDmaTransfer(queue, source, remote, 0, 1, 0, NULL, NULL, SCI_FLAG_USE_CALLBACK, &error));
    EXPECT(SCI_ERR_OUT_OF_RANGE, SCIStartDmaTransfer(queue, source, remote, 1, SIZE, 0, NULL, NULL, wait, &error));
    EXPECT(SCI_ERR_OUT_OF_RANGE, SCIStartDmaTransfer(queue, source, remote, 0, SIZE, 1, NULL, NULL, wait, &error));
    EXPECT(SCI_ERR_OUT_OF_RANGE, SCIStartDmaTransfer(queue, source, remote, SIZE_MAX, 2, 0, NULL, NULL, wait, &error));
    EXPECT(SCI_ERR_ILLEGAL_PARAMETER, SCIStartDmaTransferVec(queue, source, remote, 1, NULL, NULL, NULL, wait, &error));
    EXPECT(SCI_ERR_ILLEGAL_PARAMETER, SCIStartDmaTransferVec(queue, source, remote, 0, vector, NULL, NULL, wait, &error));
    EXPECT(SCI_ERR_ILLEGAL_FLAG, SCIStartDmaTransferVec(queue, source, remote, 2, vector, NULL, NULL, wait, &error));
    dis_dma_vec_t most[DIS_DMA_MAX_VECLEN + 1] = { { .size = 1 } };
    EXPECT(SCI_ERR_MAX_ENTRIES,
           SCIStartDmaTransferVec(queue, source, remote, DIS_DMA_MAX_VECLEN + 1, most, NULL, NULL, wait, &error));
    OK(SCICreateSegment(sd, &raw, 0, PAGE, NULL, NULL, SCI_FLAG_PRIVATE, &error));
    EXPECT(SCI_ERR_SEGMENT_NOT_PREPARED, SCIStartDmaTransfer(queue, raw, remote, 0, 1, 0, NULL, NULL, wait, &error));
    OK(SCIRemoveSegment(raw, 0, &error));
    OK(SCICreateSegment(sd, &raw, 0, PAGE, NULL, NULL, SCI_FLAG_PRIVATE | SCI_FLAG_EMPTY, &error));
    OK(SCIPrepareSegment(raw, ADAPTER, 0, &error));
    EXPECT(SCI_ERR_ILLEGAL_OPERATION, SCIStartDmaTransfer(queue, raw, remote, 0, 1, 0, NULL, NULL, wait, &error));
    OK(SCIRemoveSegment(raw, 0, &error));
    /* None of these calls has changed anything. */
    CHECK(SCIDMAQueueState(queue) == SCI_DMAQUEUE_IDLE && to[0] == 0);
    EXPECT(SCI_ERR_ILLEGAL_OPERATION, SCIWaitForDMAQueue(queue, 0, 0, &error));
    EXPECT(SCI_ERR_ILLEGAL_FLAG, SCIWaitForDMAQueue(queue, 0, 1, &error));
    EXPECT(SCI_ERR_ILLEGAL_PARAMETER, SCIWaitForDMAQueue(NULL, 0, 0, &error));
    EXPECT(SCI_ERR_ILLEGAL_OPERATION, SCIAbortDMAQueue(queue, 0, &error));
    EXPECT(SCI_ERR_ILLEGAL_FLAG, SCIAbortDMAQueue(queue, 1, &error));
    EXPECT(SCI_ERR_ILLEGAL_PARAMETER, SCIAbortDMAQueue((sci_dma_queue_t)source, 0, &error));
    EXPECT(SCI_ERR_ILLEGAL_OPERATION, SCIPostDMAQueue(queue, NULL, NULL, 0, &error));
    EXPECT(SCI_ERR_ILLEGAL_FLAG, SCIRemoveDMAQueue(queue, 1, &error));
    OK(SCIRemoveDMAQueue(queue, 0, &error));
    EXPECT(SCI_ERR_ILLEGAL_PARAMETER, SCIRemoveDMAQueue(queue, 0, &error));
    CHECK(SCIDMAQueueState(queue) == SCI_DMAQUEUE_ERROR);
}

/* Single copies in both directions, at offsets that fit no page, and no byte beside them. */
static void test_copies(void)
{
    sci_dma_queue_t queue = make();
    memset(to, 0, SIZE);
    OK(SCIStartDmaTransfer(queue, source, remote, 7, PAGE + 9, PAGE - 3, NULL, NULL, SCI_FLAG_DMA_GLOBAL, &error));
    finish(queue);
    CHECK(to[PAGE - 4] == 0 && memcmp(to + PAGE - 3, from + 7, PAGE + 9) == 0 && to[2 * PAGE + 6] == 0);
    OK(SCIStartDmaTransfer(queue, source, remote, SIZE - 1, 1, 0, NULL, NULL, SCI_FLAG_DMA_WAIT, &error));
    CHECK(to[0] == from[SIZE - 1] && SCIDMAQueueState(queue) == SCI_DMAQUEUE_DONE);
    memset(from, 0, SIZE);
    OK(SCIStartDmaTransfer(queue, source, remote, 0, SIZE, 0, NULL, NULL, SCI_FLAG_DMA_WAIT | SCI_FLAG_DMA_READ, &error));
    CHECK(memcmp(from, to, SIZE) == 0);
    OK(SCIRemoveDMAQueue(queue, 0, &error));
}

/* A vector's copies are made in its order: each one reads what the one before has written. */
static void test_vector(void)
{
    sci_dma_queue_t queue = make();
    sci_remote_segment_t back; /* the source itself, so that a copy's target is the next one's source */
    OK(SCISetSegmentAvailable(source, ADAPTER, 0, &error));
    OK(SCIConnectSegment(sd, &back, node, SCIGetLocalSegmentId(source), ADAPTER, NULL, NULL, WHILE, 0, &error));
    dis_dma_vec_t vector[DIS_DMA_MAX_VECLEN];
    memset(from, 0, SIZE);
    from[0] = 77;
    for (unsigned int i = 0; i < DIS_DMA_MAX_VECLEN; i++)
        vector[i] = (dis_dma_vec_t){ .size = 1, .local_offset = i, .remote_offset = i + 1 };
    OK(SCIStartDmaTransferVec(queue, source, back, DIS_DMA_MAX_VECLEN, vector, NULL, NULL, SCI_FLAG_DMA_SYSDMA, &error));
    memset(vector, 0xff, sizeof vector); /* the library has its own by now */
    finish(queue);
    for (int i = 0; i <= DIS_DMA_MAX_VECLEN; i++)
        CHECK(from[i] == 77);
    CHECK(from[DIS_DMA_MAX_VECLEN + 1] == 0);
    OK(SCIDisconnectSegment(back, 0, &error));
    OK(SCIRemoveDMAQueue(queue, 0, &error));
}

/* The older calls: gather, post, reset. */
static void test_enqueue(void)
{
    sci_dma_queue_t queue = make();
    memset(to, 0, SIZE);
    for (unsigned char i = 0; i < ENTRIES; i++) {
        from[i] = (unsigned char)(i + 1);
        OK(CHECK(SCIEnqueueDMATransfer(queue, source, remote, i, 10u * i, 1, 0, &error) == SCI_DMAQUEUE_GATHER));
    }
    EXPECT(SCI_ERR_MAX_ENTRIES, SCIEnqueueDMATransfer(queue, source, remote, 0, 0, 1, 0, &error));
    EXPECT(SCI_ERR_ILLEGAL_OPERATION, SCIStartDmaTransfer(queue, source, remote, 0, 1, 0, NULL, NULL, 0, &error));
    EXPECT(SCI_ERR_ILLEGAL_FLAG, SCIPostDMAQueue(queue, NULL, NULL, SCI_FLAG_DMA_WAIT, &error));
    CHECK(SCIDMAQueueState(queue) == SCI_DMAQUEUE_GATHER && to[0] == 0);
    OK(SCIPostDMAQueue(queue, NULL, NULL, 0, &error));
    finish(queue);
    CHECK(to[0] == 1 && to[10] == 2 && to[20] == 3);
    EXPECT(SCI_ERR_ILLEGAL_OPERATION, SCIEnqueueDMATransfer(queue, source, remote, 0, 0, 1, 0, &error));
    EXPECT(SCI_ERR_ILLEGAL_OPERATION, SCIPostDMAQueue(queue, NULL, NULL, 0, &error));
    OK(SCIResetDMAQueue(queue, 0, &error));
    CHECK(SCIDMAQueueState(queue) == SCI_DMAQUEUE_IDLE);
    EXPECT(SCI_ERR_OUT_OF_RANGE, SCIEnqueueDMATransfer(queue, source, remote, 0, SIZE, 1, 0, &error));
    EXPECT(SCI_ERR_ILLEGAL_FLAG, SCIEnqueueDMATransfer(queue, source, remote, 0, 0, 1, 1, &error));
    CHECK(SCIDMAQueueState(queue) == SCI_DMAQUEUE_IDLE);
    OK(SCIEnqueueDMATransfer(queue, source, remote, 5, 0, 1, SCI_FLAG_DMA_READ, &error));
    OK(SCIPostDMAQueue(queue, NULL, NULL, 0, &error));
    finish(queue);
    CHECK(from[5] == 1);
    OK(SCIRemoveDMAQueue(queue, 0, &error));
}

static struct gauge *called;

/* Starts the next copy of a chain, from the library's thread. */
static sci_callback_action_t next_one(void *arg, sci_dma_queue_t queue, sci_error_t status)
{
    unsigned int *made = arg;
    CHECK(status == SCI_ERR_OK && SCIDMAQueueState(queue) == SCI_DMAQUEUE_DONE);
    if (++*made < CHAIN)
        OK(SCIStartDmaTransfer(queue, source, remote, *made, 1, *made, next_one, arg, SCI_FLAG_USE_CALLBACK, &error));
    gauge_add(called, 1);
    return SCI_CALLBACK_CONTINUE;
}

static sci_callback_action_t remove_it(void *arg, sci_dma_queue_t queue, sci_error_t status)
{
    CHECK(status == SCI_ERR_OK);
    OK(SCIStartDmaTransfer(queue, source, remote, 0, 1, 0, NULL, NULL, SCI_FLAG_DMA_WAIT, &error)); /* waits in a callback */
    OK(SCIRemoveDMAQueue(queue, 0, &error));
    gauge_add(arg, 1);
    return SCI_CALLBACK_CANCEL;
}

static void test_callbacks(void)
{
    called = gauge_new();
    unsigned int made = 0;
    sci_dma_queue_t queue = make();
    memset(to, 0, SIZE);
    OK(SCIStartDmaTransfer(queue, source, remote, 0, 1, 0, next_one, &made, SCI_FLAG_USE_CALLBACK, &error));
    gauge_await(called, CHAIN, WHILE);
    CHECK(memcmp(to, from, CHAIN) == 0 && to[CHAIN] == 0);
    finish(queue);
    /* Without the flag the callback is not wanted. */
    OK(SCIStartDmaTransfer(queue, source, remote, 0, 1, 0, next_one, &made, SCI_FLAG_DMA_WAIT, &error));
    OK(SCIEnqueueDMATransfer(make(), source, remote, 0, 0, 1, 0, &error)); /* left for SCITerminate */
    OK(SCIRemoveDMAQueue(queue, 0, &error));
    CHECK(gauge_read(called) == CHAIN);
    queue = make();
    OK(SCIEnqueueDMATransfer(queue, source, remote, 0, 0, 1, 0, &error));
    EXPECT(SCI_ERR_ILLEGAL_PARAMETER, SCIPostDMAQueue(queue, NULL, NULL, SCI_FLAG_USE_CALLBACK, &error));
    OK(SCIPostDMAQueue(queue, remove_it, called, SCI_FLAG_USE_CALLBACK, &error));
    gauge_await(called, CHAIN + 1, WHILE);
    free(called);
}

/* Several queues at a time, with copies of several pieces; the segments need not be mapped. */
static void test_large(void)
{
    set_up(LARGE);
    sci_dma_queue_t queues[QUEUES];
    const size_t part = LARGE / QUEUES;
    OK(SCIUnmapSegment(target_map, 0, &error));
    for (unsigned int i = 0; i < QUEUES; i++) {
        queues[i] = make();
        OK(SCIStartDmaTransfer(queues[i], source, remote, i * part, part, i * part, NULL, NULL, 0, &error));
    }
    for (int i = QUEUES - 1; i >= 0; i--)
        finish(queues[i]);
    OK(to = SCIMapLocalSegment(target, &target_map, 0, LARGE, NULL, 0, &error));
    CHECK(memcmp(from, to, QUEUES * part) == 0);
    for (int i = 0; i < QUEUES; i++)
        OK(SCIRemoveDMAQueue(queues[i], 0, &error));
    tear_down();
}

static void exporter(int channel)
{
    sd = begin();
    sci_map_t map;
    sci_local_segment_t segment = export_segment(sd, 2, LARGE, NULL, NULL);
    unsigned char *memory;
    OK(memory = SCIMapLocalSegment(segment, &map, 0, LARGE, NULL, 0, &error));
    tell(channel, 1);
    listen_to(channel); /* the copy is made */
    for (size_t i = 0; i < LARGE; i++)
        CHECK(memory[i] == (unsigned char)(i * 31 + (i >> 8) + 1));
    memset(memory, 5, LARGE);
    tell(channel, 2);
    listen_to(channel);
    OK(SCIUnmapSegment(map, 0, &error));
    OK(SCIRemoveSegment(segment, 0, &error));
    OK(SCIClose(sd, 0, &error));
    SCITerminate();
}

static void test_two_processes(void)
{
    struct peer peer = start_peer(exporter);
    sci_remote_segment_t theirs;
    listen_to(peer.channel);
    sd = begin();
    set_up(LARGE);
    OK(SCIConnectSegment(sd, &theirs, node, 2, ADAPTER, NULL, NULL, WHILE, 0, &error));
    sci_dma_queue_t queue = make();
    OK(SCIStartDmaTransfer(queue, source, theirs, 0, LARGE, 0, NULL, NULL, SCI_FLAG_DMA_WAIT, &error));
    tell(peer.channel, 1);
    listen_to(peer.channel);
    OK(SCIStartDmaTransfer(queue, source, theirs, 0, LARGE, 0, NULL, NULL, SCI_FLAG_DMA_WAIT | SCI_FLAG_DMA_READ, &error));
    CHECK(from[0] == 5 && from[LARGE / 2] == 5 && from[LARGE - 1] == 5);
    OK(SCIRemoveDMAQueue(queue, 0, &error));
    OK(SCIDisconnectSegment(theirs, 0, &error));
    tell(peer.channel, 2);
    peer_finish(&peer);
    tear_down();
    end(sd);
}

/* A queue with no room for copies that are enqueued is for the newer calls. */
static void test_no_entries(void)
{
    sci_dma_queue_t queue;
    OK(SCICreateDMAQueue(sd, &queue, ADAPTER, 0, 0, &error));
    EXPECT(SCI_ERR_MAX_ENTRIES, (void)SCIEnqueueDMATransfer(queue, source, remote, 0, 0, 1, 0, &error));
    OK(SCIStartDmaTransfer(queue, source, remote, 0, 1, 0, NULL, NULL, SCI_FLAG_DMA_WAIT, &error));
    OK(SCIRemoveDMAQueue(queue, 0, &error));
}

/* The library maps a segment once, for all copies, and unmaps it when the segment goes. */
static void test_mapped_once(void)
{
    int before = own_mappings();
    set_up(LARGE);
    sci_dma_queue_t queue = make();
    for (int i = 0; i < FEW; i++) {
        unsigned int way = i % 2 == 0 ? 0 : SCI_FLAG_DMA_READ;
        OK(SCIStartDmaTransfer(queue, source, remote, 0, LARGE, 0, NULL, NULL, SCI_FLAG_DMA_WAIT | way, &error));
        CHECK(own_mappings() == before + 4); /* two of the program, two of the library */
    }
    OK(SCIUnmapSegment(source_map, 0, &error));
    OK(SCIUnmapSegment(target_map, 0, &error));
    CHECK(own_mappings() == before + 2);
    OK(SCIDisconnectSegment(remote, 0, &error));
    CHECK(own_mappings() == before + 1);
    OK(SCIRemoveSegment(source, 0, &error));
    CHECK(own_mappings() == before); /* the queue keeps nothing */
    OK(SCIRemoveSegment(target, 0, &error));
    OK(SCIRemoveDMAQueue(queue, 0, &error));
}

int main(void)
{
    node = use_own_node();
    test_two_processes(); /* forks: no thread may run then */
    sd = begin();
    set_up(SIZE);
    test_arguments();
    test_copies();
    test_vector();
    test_enqueue();
    test_no_entries();
    tear_down();
    test_large();
    test_mapped_once();
    set_up(SIZE);
    int mappings = own_mappings();
    test_callbacks();
    CHECK(own_mappings() == mappings + 2); /* those of the library, of both segments */
    SCITerminate(); /* with a queue that is left */
    CHECK(own_mappings() == mappings);
    return 0;
}

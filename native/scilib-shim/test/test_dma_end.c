/* How the copies of a DMA queue end before they are made: abort, a segment that goes, a peer that dies, SCITerminate, fork. */
#include <pthread.h>
#include <sched.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"

/* A vector copies a segment again and again: half a second at least, so that it has not ended before what is to end it. */
enum { SIZE = 64 << 20, FEW = 4 /* copies, where all are made */ };

static unsigned int node;
static sci_desc_t sd;
static sci_local_segment_t source, target;
static sci_remote_segment_t remote;
static dis_dma_vec_t vector[DIS_DMA_MAX_VECLEN];

static void set_up(unsigned int id)
{
    sd = begin();
    OK(SCICreateSegment(sd, &source, 0, SIZE, NULL, NULL, SCI_FLAG_PRIVATE, &error));
    OK(SCIPrepareSegment(source, ADAPTER, 0, &error));
    if (id == 1)
        target = export_segment(sd, id, SIZE, NULL, NULL);
    OK(SCIConnectSegment(sd, &remote, node, id, ADAPTER, NULL, NULL, WHILE, 0, &error));
}

static sci_dma_queue_t start_some(size_t count, sci_cb_dma_t callback, void *arg)
{
    sci_dma_queue_t queue;
    OK(SCICreateDMAQueue(sd, &queue, ADAPTER, 1, 0, &error));
    OK(SCIStartDmaTransferVec(queue, source, remote, count, vector, callback, arg,
                              callback != NULL ? SCI_FLAG_USE_CALLBACK : 0, &error));
    return queue;
}

static sci_dma_queue_t start(sci_cb_dma_t callback, void *arg)
{
    return start_some(DIS_DMA_MAX_VECLEN, callback, arg);
}

static sci_callback_action_t note(void *arg, sci_dma_queue_t queue, sci_error_t status)
{
    (void)queue;
    gauge_add(arg, status == SCI_ERR_CANCELLED ? 1 : status == SCI_ERR_TRANSFER_FAILED ? 100 : 10000);
    return SCI_CALLBACK_CONTINUE;
}

static void test_abort(void)
{
    set_up(1);
    struct gauge *ends = gauge_new();
    sci_dma_queue_t queue = start(note, ends), other = start(NULL, NULL);
    EXPECT(SCI_ERR_ILLEGAL_OPERATION, SCIRemoveDMAQueue(queue, 0, &error));
    EXPECT(SCI_ERR_ILLEGAL_OPERATION, SCIResetDMAQueue(queue, 0, &error));
    EXPECT(SCI_ERR_ILLEGAL_OPERATION, SCIStartDmaTransfer(queue, source, remote, 0, 1, 0, NULL, NULL, 0, &error));
    EXPECT(SCI_ERR_ILLEGAL_OPERATION, SCIEnqueueDMATransfer(queue, source, remote, 0, 0, 1, 0, &error));
    EXPECT(SCI_ERR_TIMEOUT, CHECK(SCIWaitForDMAQueue(queue, 1, 0, &error) == SCI_DMAQUEUE_POSTED));
    OK(SCIAbortDMAQueue(queue, 0, &error));
    gauge_await(ends, 1, WHILE);
    CHECK(SCIDMAQueueState(queue) == SCI_DMAQUEUE_ABORTED);
    EXPECT(SCI_ERR_CANCELLED, CHECK(SCIWaitForDMAQueue(queue, WHILE, 0, &error) == SCI_DMAQUEUE_ABORTED));
    EXPECT(SCI_ERR_ILLEGAL_OPERATION, SCIAbortDMAQueue(queue, 0, &error));
    OK(SCIAbortDMAQueue(other, 0, &error));
    /* The queue works as before. */
    OK(SCIStartDmaTransfer(queue, source, remote, 0, 1, 0, NULL, NULL, SCI_FLAG_DMA_WAIT, &error));
    OK(SCIResetDMAQueue(other, 0, &error));
    CHECK(gauge_read(ends) == 1);
    OK(SCIRemoveDMAQueue(queue, 0, &error));
    OK(SCIRemoveDMAQueue(other, 0, &error));
    OK(SCIDisconnectSegment(remote, 0, &error));
    OK(SCIRemoveSegment(source, 0, &error));
    OK(SCIRemoveSegment(target, 0, &error));
    end(sd);
    free(ends);
}

/* A segment may be removed or disconnected while it is copied: the copies end with an error. */
static void test_removed(void)
{
    struct gauge *ends = gauge_new();
    set_up(1);
    sci_dma_queue_t queue = start(note, ends);
    OK(SCIRemoveSegment(target, 0, &error)); /* the remote is told, and the copies end */
    gauge_await(ends, 100, WHILE);
    CHECK(SCIDMAQueueState(queue) == SCI_DMAQUEUE_ERROR);
    EXPECT(SCI_ERR_SEGMENT_NOT_CONNECTED, SCIStartDmaTransfer(queue, source, remote, 0, 1, 0, NULL, NULL, 0, &error));
    OK(SCIDisconnectSegment(remote, 0, &error));
    target = export_segment(sd, 1, SIZE, NULL, NULL);
    for (int round = 0; round < 2; round++) {
        OK(SCIConnectSegment(sd, &remote, node, 1, ADAPTER, NULL, NULL, WHILE, 0, &error));
        OK(SCIStartDmaTransferVec(queue, source, remote, DIS_DMA_MAX_VECLEN, vector, NULL, NULL, 0, &error));
        if (round == 0)
            OK(SCIDisconnectSegment(remote, 0, &error));
        else
            OK(SCIRemoveSegment(source, 0, &error));
        EXPECT(SCI_ERR_TRANSFER_FAILED, CHECK(SCIWaitForDMAQueue(queue, WHILE, 0, &error) == SCI_DMAQUEUE_ERROR));
    }
    OK(SCIDisconnectSegment(remote, 0, &error));
    OK(SCIRemoveSegment(target, 0, &error));
    OK(SCIRemoveDMAQueue(queue, 0, &error));
    end(sd);
    free(ends);
}

/* A transfer that has begun goes on when the segments' descriptors are closed, and others can follow. */
static void test_last_map(void)
{
    set_up(1);
    OK(SCIRemoveSegment(source, 0, &error));
    source = export_segment(sd, 2, SIZE, NULL, NULL);
    int before = open_descriptors();
    sci_map_t source_map, target_map, remote_map;
    volatile char *from, *to;
    OK(from = SCIMapLocalSegment(source, &source_map, 0, SIZE, NULL, SCI_SHIM_FLAG_LAST_MAP, &error));
    OK(to = SCIMapLocalSegment(target, &target_map, 0, SIZE, NULL, 0, &error));
    from[0] = 1;
    sci_dma_queue_t queue = start_some(FEW, NULL, NULL);
    while (to[0] == 0)
        sched_yield(); /* until a piece is being copied */
    OK(SCISetSegmentUnavailable(source, ADAPTER, 0, &error));
    OK((void)SCIMapRemoteSegment(remote, &remote_map, 0, SIZE, NULL, SCI_SHIM_FLAG_LAST_MAP, &error));
    CHECK(open_descriptors() == before - 3); /* the id and the memory of the source, the memory of the remote segment */
    OK(CHECK(SCIWaitForDMAQueue(queue, WHILE, 0, &error) == SCI_DMAQUEUE_DONE));
    from[0] = 2;
    OK(SCIStartDmaTransfer(queue, source, remote, 0, 1, 0, NULL, NULL, SCI_FLAG_DMA_WAIT, &error));
    CHECK(to[0] == 2);
    OK(SCIUnmapSegment(source_map, 0, &error));
    OK(SCIUnmapSegment(target_map, 0, &error));
    OK(SCIUnmapSegment(remote_map, 0, &error));
    OK(SCIRemoveSegment(source, 0, &error));

    /* A segment that no transfer has used before is out of reach then. */
    OK(SCICreateSegment(sd, &source, 0, SIZE, NULL, NULL, SCI_FLAG_PRIVATE, &error));
    OK(SCIPrepareSegment(source, ADAPTER, 0, &error));
    OK(SCIMapLocalSegment(source, &source_map, 0, SIZE, NULL, SCI_SHIM_FLAG_LAST_MAP, &error));
    EXPECT(SCI_ERR_ILLEGAL_OPERATION, SCIStartDmaTransfer(queue, source, remote, 0, 1, 0, NULL, NULL, 0, &error));
    OK(SCIUnmapSegment(source_map, 0, &error));
    OK(SCIRemoveDMAQueue(queue, 0, &error));
    OK(SCIDisconnectSegment(remote, 0, &error));
    OK(SCIRemoveSegment(source, 0, &error));
    OK(SCIRemoveSegment(target, 0, &error));
    CHECK(own_mappings() == 0);
    end(sd);
}

static void doomed(int channel)
{
    sd = begin();
    export_segment(sd, 2, SIZE, NULL, NULL);
    tell(channel, 1);
    listen_to(channel); /* never comes */
}

static void test_killed(void)
{
    struct peer peer = start_peer(doomed);
    listen_to(peer.channel);
    set_up(2);
    sci_dma_queue_t queue = start(NULL, NULL);
    CHECK(SCIDMAQueueState(queue) == SCI_DMAQUEUE_POSTED);
    peer_kill(&peer);
    EXPECT(SCI_ERR_TRANSFER_FAILED, CHECK(SCIWaitForDMAQueue(queue, WHILE, 0, &error) == SCI_DMAQUEUE_ERROR));
    EXPECT(SCI_ERR_SEGMENT_NOT_CONNECTED,
           SCIStartDmaTransfer(queue, source, remote, 0, 1, 0, NULL, NULL, SCI_FLAG_DMA_WAIT, &error));
    OK(SCIRemoveDMAQueue(queue, 0, &error));
    OK(SCIDisconnectSegment(remote, 0, &error));
    OK(SCIRemoveSegment(source, 0, &error));
    end(sd);
}

static void *wait_for(void *queue)
{
    sci_error_t error;
    SCIWaitForDMAQueue(queue, SCI_INFINITE_TIMEOUT, 0, &error);
    CHECK(error == SCI_ERR_CANCELLED || error == SCI_ERR_NOT_INITIALIZED);
    return NULL;
}

/* SCITerminate ends the copies and the waits, and no callback comes afterwards. */
static void test_terminated(void)
{
    int before = open_descriptors(), threads = own_threads(), mappings = own_mappings();
    struct gauge *ends = gauge_new();
    pthread_t waiter;
    set_up(1);
    sci_dma_queue_t queue = start(note, ends);
    CHECK(pthread_create(&waiter, NULL, wait_for, queue) == 0);
    SCITerminate();
    pthread_join(waiter, NULL);
    await_threads(threads);
    CHECK(open_descriptors() == before && own_mappings() == mappings && gauge_read(ends) == 0);
    free(ends);
}

/* A child of a fork has neither the queue, nor its descriptor, nor what the library has mapped; the parent's copies go on. */
static void test_forked(void)
{
    int before = open_descriptors();
    set_up(1);
    struct gauge *ends = gauge_new();
    sci_map_t source_map, target_map;
    volatile char *from, *to;
    OK(from = SCIMapLocalSegment(source, &source_map, 0, SIZE, NULL, 0, &error));
    OK(to = SCIMapLocalSegment(target, &target_map, 0, SIZE, NULL, 0, &error));
    int mappings = own_mappings();
    from[0] = 1;
    sci_dma_queue_t queue = start_some(FEW, note, ends);
    while (to[0] == 0)
        sched_yield(); /* until a piece is being copied */
    pid_t child = fork();
    if (child == 0) {
        EXPECT(SCI_ERR_NOT_INITIALIZED, SCIRemoveDMAQueue(queue, 0, &error));
        CHECK(SCIDMAQueueState(queue) == SCI_DMAQUEUE_ERROR);
        CHECK(own_mappings() == mappings);
        CHECK(open_descriptors() == before || getenv("UNDER_VALGRIND") != NULL); /* valgrind has some of its own */
        _exit(0);
    }
    int status;
    CHECK(child > 0 && waitpid(child, &status, 0) == child && status == 0);
    gauge_await(ends, 10000, WHILE);
    OK(SCIUnmapSegment(source_map, 0, &error));
    OK(SCIUnmapSegment(target_map, 0, &error));
    SCITerminate();
    free(ends);
}

int main(void)
{
    node = use_own_node();
    for (int i = 0; i < DIS_DMA_MAX_VECLEN; i++)
        vector[i].size = SIZE;
    test_killed(); /* forks: no thread may run then */
    test_abort();
    test_removed();
    test_last_map();
    test_terminated();
    test_forked();
    return 0;
}

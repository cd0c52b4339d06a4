/* The callbacks of DMA queues: what a queue is between the end of its copies and its callback, and callbacks in SCITerminate. */
#include <pthread.h>
#include <stdatomic.h>

#include "check.h"

enum { SIZE = 64 << 20 }; /* 256 copies of it take half a second at least */

static unsigned int node;
static sci_desc_t sd;
static sci_local_segment_t source, target;
static sci_remote_segment_t remote;

static void set_up(void)
{
    sd = begin();
    OK(SCICreateSegment(sd, &source, 0, SIZE, NULL, NULL, SCI_FLAG_PRIVATE, &error));
    OK(SCIPrepareSegment(source, ADAPTER, 0, &error));
    target = export_segment(sd, 1, SIZE, NULL, NULL);
    OK(SCIConnectSegment(sd, &remote, node, 1, ADAPTER, NULL, NULL, WHILE, 0, &error));
}

static sci_dma_queue_t make(void)
{
    sci_dma_queue_t queue;
    OK(SCICreateDMAQueue(sd, &queue, ADAPTER, 1, 0, &error));
    return queue;
}

static void start(sci_dma_queue_t queue, sci_cb_dma_t callback, void *arg)
{
    OK(SCIStartDmaTransfer(queue, source, remote, 0, 1, 0, callback, arg, callback != NULL ? SCI_FLAG_USE_CALLBACK : 0, &error));
}

/* A callback that keeps the library's thread until the test lets it go. */
struct hold {
    struct gauge *begun, *released;
    sci_dma_queue_t other;      /* NULL: none */
    sci_dma_queue_state_t seen; /* the state for which a wait for it has ended */
    atomic_bool over;
};

static struct hold new_hold(void)
{
    return (struct hold){ .begun = gauge_new(), .released = gauge_new() };
}

static void free_hold(struct hold *hold)
{
    free(hold->begun);
    free(hold->released);
}

static sci_callback_action_t hold_thread(void *arg, sci_dma_queue_t queue, sci_error_t status)
{
    struct hold *hold = arg;
    (void)queue;
    CHECK(status == SCI_ERR_OK);
    gauge_add(hold->begun, 1);
    gauge_await(hold->released, 1, WHILE);
    if (hold->other != NULL)
        OK(hold->seen = SCIWaitForDMAQueue(hold->other, SCI_INFINITE_TIMEOUT, 0, &error));
    atomic_store(&hold->over, true);
    return SCI_CALLBACK_CANCEL;
}

static sci_callback_action_t count(void *arg, sci_dma_queue_t queue, sci_error_t status)
{
    CHECK(status == SCI_ERR_OK && SCIDMAQueueState(queue) == SCI_DMAQUEUE_DONE);
    gauge_add(arg, 1);
    return SCI_CALLBACK_CONTINUE;
}

/* Starts a copy with a callback, and returns when it is made: queues take turns, so a later copy is made after it. */
static sci_dma_queue_t start_and_make(sci_cb_dma_t callback, void *arg)
{
    sci_dma_queue_t queue = make(), later = make();
    start(queue, callback, arg);
    start(later, NULL, NULL);
    OK(CHECK(SCIWaitForDMAQueue(later, WHILE, 0, &error) == SCI_DMAQUEUE_DONE));
    OK(SCIRemoveDMAQueue(later, 0, &error));
    return queue;
}

static void *wait_long(void *queue)
{
    OK(CHECK(SCIWaitForDMAQueue(queue, WHILE, 0, &error) == SCI_DMAQUEUE_DONE));
    return NULL;
}

/* Until the callback begins the queue is POSTED for all threads, but for another callback: that one would wait for ever. */
static void test_posted_until_callback(void)
{
    struct hold hold = new_hold();
    struct gauge *called = gauge_new();
    pthread_t waiter;
    set_up();
    sci_dma_queue_t first = make();
    start(first, hold_thread, &hold);
    gauge_await(hold.begun, 1, WHILE);
    sci_dma_queue_t queue = hold.other = start_and_make(count, called);
    CHECK(SCIDMAQueueState(queue) == SCI_DMAQUEUE_POSTED);
    EXPECT(SCI_ERR_TIMEOUT, CHECK(SCIWaitForDMAQueue(queue, 0, 0, &error) == SCI_DMAQUEUE_POSTED));
    EXPECT(SCI_ERR_ILLEGAL_OPERATION, SCIStartDmaTransfer(queue, source, remote, 0, 1, 0, NULL, NULL, 0, &error));
    EXPECT(SCI_ERR_ILLEGAL_OPERATION, (void)SCIEnqueueDMATransfer(queue, source, remote, 0, 0, 1, 0, &error));
    EXPECT(SCI_ERR_ILLEGAL_OPERATION, SCIResetDMAQueue(queue, 0, &error));
    EXPECT(SCI_ERR_ILLEGAL_OPERATION, SCIRemoveDMAQueue(queue, 0, &error));
    EXPECT(SCI_ERR_ILLEGAL_OPERATION, SCIAbortDMAQueue(queue, 0, &error)); /* nothing is being copied any more */
    CHECK(pthread_create(&waiter, NULL, wait_long, queue) == 0);
    CHECK(gauge_read(called) == 0);
    gauge_add(hold.released, 1);
    gauge_await(called, 1, WHILE);
    pthread_join(waiter, NULL);
    CHECK(hold.seen == SCI_DMAQUEUE_DONE && SCIDMAQueueState(queue) == SCI_DMAQUEUE_DONE);
    OK(SCIRemoveDMAQueue(queue, 0, &error));
    OK(SCIRemoveDMAQueue(first, 0, &error));
    OK(SCIDisconnectSegment(remote, 0, &error));
    OK(SCIRemoveSegment(source, 0, &error));
    OK(SCIRemoveSegment(target, 0, &error));
    end(sd);
    free_hold(&hold);
    free(called);
}

static void *terminate(void *hold)
{
    SCITerminate();
    CHECK(atomic_load(&((struct hold *)hold)->over)); /* it has waited for the callback */
    return NULL;
}

/* Returns when another thread is in SCITerminate. */
static void await_terminating(void)
{
    sci_error_t error = SCI_ERR_OK;
    for (unsigned int id; error == SCI_ERR_OK;)
        SCIGetLocalNodeId(ADAPTER, &id, 0, &error);
    CHECK(error == SCI_ERR_NOT_INITIALIZED);
}

/* SCITerminate waits for a callback that is running, and no other one begins, although its copy had been made before. */
static void test_terminate_in_callback(void)
{
    int before = open_descriptors(), threads = own_threads(), mappings = own_mappings();
    struct hold hold = new_hold();
    struct gauge *called = gauge_new();
    pthread_t terminator;
    set_up();
    start(make(), hold_thread, &hold);
    gauge_await(hold.begun, 1, WHILE);
    start_and_make(count, called);
    CHECK(pthread_create(&terminator, NULL, terminate, &hold) == 0);
    await_terminating();
    gauge_add(hold.released, 1);
    pthread_join(terminator, NULL);
    await_threads(threads);
    CHECK(gauge_read(called) == 0 && open_descriptors() == before && own_mappings() == mappings);
    free_hold(&hold);
    free(called);
}

/* A callback that starts the queue's next transfer, which is long, and then keeps the library's thread. */
struct chain {
    struct gauge *called, *released;
    bool aborts; /* the next transfer */
};

static sci_callback_action_t count_any(void *arg, sci_dma_queue_t queue, sci_error_t status)
{
    (void)queue, (void)status;
    gauge_add(arg, 1);
    return SCI_CALLBACK_CONTINUE;
}

static sci_callback_action_t start_next(void *arg, sci_dma_queue_t queue, sci_error_t status)
{
    struct chain *chain = arg;
    sci_error_t error;
    CHECK(status == SCI_ERR_OK);
    OK(SCIStartDmaTransfer(queue, source, remote, 0, SIZE, 0, count_any, chain->called, SCI_FLAG_USE_CALLBACK, &error));
    if (chain->aborts)
        SCIAbortDMAQueue(queue, 0, &error); /* it may be too late */
    gauge_await(chain->released, 1, WHILE);
    return SCI_CALLBACK_CONTINUE;
}

/* A wait is over when the transfer that it is for has ended, with that one's outcome, even if the callback has started another. */
static void test_wait_for_one_of_a_chain(void)
{
    set_up();
    sci_dma_queue_t queue = make();
    for (int i = 0; i < 20; i++) {
        struct chain chain = { gauge_new(), gauge_new(), i % 2 == 0 };
        OK(SCIStartDmaTransfer(queue, source, remote, 0, 1, 0, start_next, &chain, SCI_FLAG_USE_CALLBACK | SCI_FLAG_DMA_WAIT, &error));
        gauge_add(chain.released, 1);
        gauge_await(chain.called, 1, WHILE);
        free(chain.called);
        free(chain.released);
    }
    OK(SCIRemoveDMAQueue(queue, 0, &error));
    OK(SCIDisconnectSegment(remote, 0, &error));
    OK(SCIRemoveSegment(source, 0, &error));
    OK(SCIRemoveSegment(target, 0, &error));
    end(sd);
}

static dis_dma_vec_t vector[DIS_DMA_MAX_VECLEN];

static sci_callback_action_t wait_for_long_copy(void *arg, sci_dma_queue_t queue, sci_error_t status)
{
    struct hold *hold = arg;
    sci_error_t error;
    (void)queue, (void)status;
    gauge_add(hold->begun, 1);
    SCIWaitForDMAQueue(hold->other, SCI_INFINITE_TIMEOUT, 0, &error);
    CHECK(error == SCI_ERR_CANCELLED || error == SCI_ERR_NOT_INITIALIZED);
    atomic_store(&hold->over, true);
    return SCI_CALLBACK_CANCEL;
}

/* It cancels the wait of a callback for the copies of another queue, which take far longer than all else here. */
static void test_terminate_cancels_callback(void)
{
    struct hold hold = new_hold();
    set_up();
    hold.other = make();
    for (int i = 0; i < DIS_DMA_MAX_VECLEN; i++)
        vector[i].size = SIZE;
    OK(SCIStartDmaTransferVec(hold.other, source, remote, DIS_DMA_MAX_VECLEN, vector, NULL, NULL, 0, &error));
    start(make(), wait_for_long_copy, &hold);
    gauge_await(hold.begun, 1, WHILE);
    terminate(&hold);
    free_hold(&hold);
}

int main(void)
{
    node = use_own_node();
    test_posted_until_callback();
    test_wait_for_one_of_a_chain();
    test_terminate_in_callback();
    test_terminate_cancels_callback();
    return 0;
}

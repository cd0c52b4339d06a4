/*
 * Every call to the system fails once, one in each round. Each call of the library then fails or works, and nothing is left
 * behind. Linked with a build for the address sanitizer, which also shows memory that is lost or used too late.
 */
#include "check.h"
#include "failures.h"
#include "member.h"

enum { SEGMENT = 1, EMPTY = 2, FIXED = 7, SIZE = 4 * PAGE, ROUNDS_MAX = 2000, HANDLES = 1000 };
enum { A_WHILE = 200 /* ms: for an answer that may never come */ };

static unsigned int node, other_node;

static sci_callback_action_t heard(void *arg, sci_local_segment_t segment, sci_segment_cb_reason_t reason,
                                   unsigned int from, unsigned int adapter, sci_error_t error)
{
    (void)arg, (void)segment, (void)reason, (void)from, (void)adapter, (void)error;
    return SCI_CALLBACK_CONTINUE;
}

/* Makes the exporter's end, as far as the calls work. */
static sci_local_segment_t try_export(sci_desc_t sd, sci_map_t *map)
{
    sci_error_t status;
    sci_local_segment_t segment;
    SCICreateSegment(sd, &segment, SEGMENT, SIZE, heard, NULL, SCI_FLAG_USE_CALLBACK, &status);
    if (status != SCI_ERR_OK)
        return NULL;
    OK(SCIPrepareSegment(segment, ADAPTER, 0, &error));
    char *memory = SCIMapLocalSegment(segment, map, 0, SIZE, NULL, 0, &status);
    if (status == SCI_ERR_OK)
        memory[SIZE - 1] = 1;
    else
        *map = NULL;
    SCISetSegmentAvailable(segment, ADAPTER, 0, &status);
    return segment;
}

static void try_sequence(sci_map_t map)
{
    sci_error_t status;
    sci_sequence_t sequence;
    char byte = 3;
    SCICreateMapSequence(map, &sequence, 0, &status);
    if (status != SCI_ERR_OK)
        return;
    SCIMemCpy(sequence, &byte, map, 1, 1, SCI_FLAG_ERROR_CHECK, &status);
    CHECK(status == SCI_ERR_OK || status == SCI_ERR_TRANSFER_FAILED);
    OK(SCIRemoveSequence(sequence, 0, &error));
}

static sci_callback_action_t copied(void *arg, sci_dma_queue_t queue, sci_error_t status)
{
    (void)arg, (void)queue, (void)status;
    return SCI_CALLBACK_CONTINUE;
}

static void try_copy(sci_desc_t sd, sci_remote_segment_t remote)
{
    sci_error_t status;
    sci_local_segment_t source;
    sci_dma_queue_t queue;
    SCICreateSegment(sd, &source, 0, SIZE, NULL, NULL, SCI_FLAG_AUTO_ID, &status);
    if (status != SCI_ERR_OK)
        return;
    OK(SCIPrepareSegment(source, ADAPTER, 0, &error));
    SCICreateDMAQueue(sd, &queue, ADAPTER, 1, 0, &status);
    if (status == SCI_ERR_OK) {
        const unsigned int flags = SCI_FLAG_USE_CALLBACK | SCI_FLAG_DMA_WAIT;
        SCIStartDmaTransfer(queue, source, remote, 0, SIZE, 0, copied, NULL, flags, &status);
        CHECK(status == SCI_ERR_OK || status == SCI_ERR_SYSTEM || status == SCI_ERR_TRANSFER_FAILED);
        OK(SCIRemoveDMAQueue(queue, 0, &error));
    }
    OK(SCIRemoveSegment(source, 0, &error));
}

static void try_connect(sci_desc_t sd)
{
    sci_error_t status, state = SCI_ERR_OK;
    sci_remote_segment_t remote;
    sci_map_t map;
    SCIConnectSegment(sd, &remote, node, SEGMENT, ADAPTER, NULL, NULL, A_WHILE, 0, &status);
    if (status != SCI_ERR_OK)
        return;
    volatile char *memory = SCIMapRemoteSegment(remote, &map, 0, SIZE, NULL, 0, &status);
    if (status == SCI_ERR_OK) {
        memory[0] = 2;
        try_sequence(map);
        OK(SCIUnmapSegment(map, 0, &error));
    }
    try_copy(sd, remote);
    SCIWaitForRemoteSegmentEvent(remote, &state, 0, 0, &status);
    CHECK(status == SCI_ERR_TIMEOUT || (status == SCI_ERR_OK && state == SCI_ERR_OK));
    OK(SCIDisconnectSegment(remote, 0, &error));
}

static sci_callback_action_t called(void *arg, sci_local_interrupt_t in, sci_error_t error)
{
    (void)arg, (void)in, (void)error;
    return SCI_CALLBACK_CONTINUE;
}

static void try_interrupt(sci_desc_t sd, unsigned int flags)
{
    sci_error_t status;
    sci_local_interrupt_t in;
    sci_remote_interrupt_t out;
    unsigned int number = FIXED;
    SCICreateInterrupt(sd, &in, ADAPTER, &number, called, NULL, flags, &status);
    if (status != SCI_ERR_OK)
        return;
    SCIConnectInterrupt(sd, &out, node, ADAPTER, number, 0, 0, &status);
    if (status == SCI_ERR_OK) {
        SCITriggerInterrupt(out, 0, &status);
        SCIWaitForInterrupt(in, 0, 0, &status);
        OK(SCIDisconnectInterrupt(out, 0, &error));
    }
    OK(SCIRemoveInterrupt(in, 0, &error));
}

static void be_another_node(int channel)
{
    unsigned int own = use_own_node();
    OK(SCIInitialize(0, &error));
    tell(channel, own);
    listen_to(channel); /* never comes */
}

static void try_query(sci_desc_t sd)
{
    sci_error_t status;
    sci_local_segment_t empty;
    int there = SCIProbeNode(sd, ADAPTER, other_node, 0, &status);
    CHECK(status == (there ? SCI_ERR_OK : SCI_ERR_SYSTEM));
    SCICreateSegment(sd, &empty, EMPTY, SIZE, NULL, NULL, SCI_FLAG_EMPTY, &status);
    if (status == SCI_ERR_OK)
        OK(SCIRemoveSegment(empty, 0, &error));
}

static void try_data_interrupt(sci_desc_t sd)
{
    sci_error_t status;
    sci_local_data_interrupt_t in;
    sci_remote_data_interrupt_t out;
    unsigned int number = 0, length = sizeof number;
    SCICreateDataInterrupt(sd, &in, ADAPTER, &number, NULL, NULL, 0, &status);
    if (status != SCI_ERR_OK)
        return;
    SCIConnectDataInterrupt(sd, &out, node, ADAPTER, number, 0, 0, &status);
    if (status == SCI_ERR_OK) {
        unsigned int got = 0;
        SCITriggerDataInterrupt(out, &number, sizeof number, 0, &status);
        if (status == SCI_ERR_OK) {
            SCIWaitForDataInterrupt(in, &got, &length, 0, 0, &status);
            if (status == SCI_ERR_SYSTEM) /* the failure does not lose what was sent */
                OK(SCIWaitForDataInterrupt(in, &got, &length, 0, 0, &error); status = error);
            CHECK(status != SCI_ERR_OK || got == number);
        }
        OK(SCIDisconnectDataInterrupt(out, 0, &error));
    }
    OK(SCIRemoveDataInterrupt(in, 0, &error));
}

/* Two members of one process: the second one gets the memory from the first. */
static void try_broadcast(sci_desc_t sd)
{
    sci_error_t status;
    sci_local_segment_t first, second;
    sci_remote_segment_t remote;
    SCICreateSegment(sd, &first, own_group(), SIZE, NULL, NULL, SCI_FLAG_BROADCAST, &status);
    if (status != SCI_ERR_OK)
        return;
    SCICreateSegment(sd, &second, own_group(), PAGE, NULL, NULL, SCI_FLAG_BROADCAST, &status);
    if (status == SCI_ERR_OK) {
        OK(SCIPrepareSegment(second, ADAPTER, SCI_FLAG_BROADCAST, &error));
        OK(SCISetSegmentAvailable(second, ADAPTER, 0, &error));
        SCIConnectSegment(sd, &remote, DIS_BROADCAST_NODEID_GROUP_ALL, own_group(), ADAPTER, NULL, NULL, A_WHILE,
                          SCI_FLAG_BROADCAST, &status);
        if (status == SCI_ERR_OK) {
            CHECK(SCIGetRemoteSegmentSize(remote) == SIZE); /* as the first one made it: there is no second memory */
            OK(SCIDisconnectSegment(remote, 0, &error));
        }
        OK(SCIRemoveSegment(second, 0, &error));
    }
    OK(SCIRemoveSegment(first, 0, &error));
}

static void try_everything(void)
{
    sci_error_t status;
    sci_desc_t sd;
    sci_map_t map = NULL;
    SCIInitialize(0, &status);
    if (status != SCI_ERR_OK)
        return;
    SCIOpen(&sd, 0, &status);
    if (status == SCI_ERR_OK) {
        try_query(sd);
        try_broadcast(sd);
        sci_local_segment_t segment = try_export(sd, &map);
        if (segment != NULL)
            try_connect(sd);
        try_interrupt(sd, 0);
        try_interrupt(sd, SCI_FLAG_COUNTING_INT | SCI_FLAG_FIXED_INTNO);
        try_interrupt(sd, SCI_FLAG_SHARED_INT | SCI_FLAG_USE_CALLBACK);
        try_data_interrupt(sd);
        if (map != NULL)
            OK(SCIUnmapSegment(map, 0, &error));
        if (segment != NULL)
            OK(SCIRemoveSegment(segment, SCI_FLAG_FORCE_REMOVE, &error));
        OK(SCIClose(sd, 0, &error));
    }
    SCITerminate();
}

/* The table of handles can't grow when it has to: the call fails, and works when there is memory again. */
static void test_table_of_handles(void)
{
    sci_desc_t sd = begin();
    sci_sequence_t made[HANDLES];
    sci_map_t map;
    int count = 0;
    sci_local_segment_t segment = export_segment(sd, SEGMENT, SIZE, NULL, NULL);
    OK((void)SCIMapLocalSegment(segment, &map, 0, SIZE, NULL, 0, &error));
    while (failed_call() == NULL) {
        CHECK(count < HANDLES);
        sci_error_t status;
        fail_call(2); /* the first is for the sequence itself */
        SCICreateMapSequence(map, &made[count], 0, &status);
        CHECK(status == (failed_call() == NULL ? SCI_ERR_OK : SCI_ERR_SYSTEM));
        count += status == SCI_ERR_OK;
    }
    fail_call(0);
    OK(SCICreateMapSequence(map, &made[count++], 0, &error));
    while (count > 0)
        OK(SCIRemoveSequence(made[--count], 0, &error));
    OK(SCIUnmapSegment(map, 0, &error));
    OK(SCIRemoveSegment(segment, 0, &error));
    end(sd);
}

static sci_local_segment_t withdrawn;

static void withdraw(void)
{
    OK(SCISetSegmentUnavailable(withdrawn, ADAPTER, 0, &error));
}

/* The library's thread may hear of a connector when the segment is not available any more. */
static void test_unavailable_as_a_connector_arrives(void)
{
    sci_desc_t sd = begin();
    sci_remote_segment_t remote;
    withdrawn = export_segment(sd, SEGMENT, SIZE, NULL, NULL);
    when_fetched(withdraw);
    EXPECT(SCI_ERR_NO_SUCH_SEGMENT,
           SCIConnectSegment(sd, &remote, node, SEGMENT, ADAPTER, NULL, NULL, WHILE, 0, &error));
    CHECK(wait_after_fetched() == -1); /* there is nothing to try again */
    OK(SCIRemoveSegment(withdrawn, 0, &error));
    end(sd);
}

/* A segment that could not be made available can't be connected to, and keeps its id. */
static void test_not_available(void)
{
    sci_desc_t sd = begin();
    sci_local_segment_t segment;
    sci_remote_segment_t remote;
    const char *const calls[] = { "listen", "epoll_ctl" };
    OK(SCICreateSegment(sd, &segment, SEGMENT, SIZE, NULL, NULL, 0, &error));
    OK(SCIPrepareSegment(segment, ADAPTER, 0, &error));
    for (int i = 0; i < 2; i++) {
        fail_always(calls[i]);
        EXPECT(SCI_ERR_SYSTEM, SCISetSegmentAvailable(segment, ADAPTER, 0, &error));
        fail_always(NULL);
        EXPECT(SCI_ERR_NO_SUCH_SEGMENT,
               SCIConnectSegment(sd, &remote, node, SEGMENT, ADAPTER, NULL, NULL, A_WHILE, 0, &error));
        sci_local_segment_t other;
        EXPECT(SCI_ERR_SEGMENTID_USED, SCICreateSegment(sd, &other, SEGMENT, SIZE, NULL, NULL, 0, &error));
    }
    OK(SCISetSegmentAvailable(segment, ADAPTER, 0, &error));
    OK(SCIConnectSegment(sd, &remote, node, SEGMENT, ADAPTER, NULL, NULL, WHILE, 0, &error));
    OK(SCIDisconnectSegment(remote, 0, &error));
    OK(SCIRemoveSegment(segment, 0, &error));
    end(sd);
}

static sci_local_segment_t mapped;
static int acted;

static void use_the_library(void)
{
    sci_desc_t sd;
    OK(SCIOpen(&sd, 0, &error));
    OK(SCIClose(sd, 0, &error));
    OK(SCIRemoveSegment(mapped, 0, &error)); /* it has no map any more */
    acted++;
}

/* The kernel takes a while to free many pages. Other threads can use the library meanwhile. */
static void test_others_go_on_meanwhile(void)
{
    sci_desc_t sd = begin();
    sci_map_t map;
    OK(SCICreateSegment(sd, &mapped, SEGMENT, SIZE, NULL, NULL, 0, &error));
    OK(SCIMapLocalSegment(mapped, &map, 0, SIZE, NULL, 0, &error));
    when_unmapped(use_the_library);
    OK(SCIUnmapSegment(map, 0, &error));
    CHECK(acted == 1);
    EXPECT(SCI_ERR_ILLEGAL_PARAMETER, SCIUnmapSegment(map, 0, &error));
    end(sd);
}

/* A transfer that can't be started leaves nothing in the queue: what is enqueued afterwards is all that is copied. */
static void test_copies_not_started(void)
{
    sci_desc_t sd = begin();
    sci_local_segment_t source, target = export_segment(sd, SEGMENT, SIZE, NULL, NULL);
    sci_remote_segment_t remote;
    sci_dma_queue_t queue;
    const char *const calls[] = { "realloc", "eventfd", "epoll_ctl", "pthread_create" };
    OK(SCICreateSegment(sd, &source, 0, SIZE, NULL, NULL, SCI_FLAG_PRIVATE, &error));
    OK(SCIPrepareSegment(source, ADAPTER, 0, &error));
    OK(SCIConnectSegment(sd, &remote, node, SEGMENT, ADAPTER, NULL, NULL, WHILE, 0, &error));
    OK(SCICreateDMAQueue(sd, &queue, ADAPTER, 1, 0, &error));
    for (int i = 0; i < 4; i++) {
        fail_always(calls[i]);
        EXPECT(SCI_ERR_SYSTEM, SCIStartDmaTransfer(queue, source, remote, 0, 1, 0, copied, NULL, SCI_FLAG_USE_CALLBACK, &error));
        fail_always(NULL);
        CHECK(SCIDMAQueueState(queue) == SCI_DMAQUEUE_IDLE);
        OK(SCIEnqueueDMATransfer(queue, source, remote, 0, 0, 1, 0, &error)); /* the queue has room for one copy */
        OK(SCIResetDMAQueue(queue, 0, &error));
    }
    /* The segments are mapped by the first copy, which fails then. The next transfer can be made all the same. */
    const char *const mapping[] = { "calloc", "mmap" };
    for (int i = 0; i < 2; i++) {
        fail_always(mapping[i]);
        EXPECT(SCI_ERR_TRANSFER_FAILED, SCIStartDmaTransfer(queue, source, remote, 0, 1, 0, NULL, NULL, SCI_FLAG_DMA_WAIT, &error));
        fail_always(NULL);
    }
    OK(SCIStartDmaTransfer(queue, source, remote, 0, 1, 0, NULL, NULL, SCI_FLAG_DMA_WAIT, &error));
    OK(SCIRemoveDMAQueue(queue, 0, &error));
    OK(SCIDisconnectSegment(remote, 0, &error));
    OK(SCIRemoveSegment(source, 0, &error));
    OK(SCIRemoveSegment(target, 0, &error));
    end(sd);
}

static sci_sequence_t sequence;
static sci_sequence_status_t checked;

static void check_sequence(void)
{
    OK(checked = SCICheckSequence(sequence, 0, &error));
}

/* The library takes a while to unmap what it has mapped for DMA. The sequences tell of the other side's end before that. */
static void test_sequences_tell_first(void)
{
    sci_desc_t sd = begin();
    sci_local_segment_t source, target = export_segment(sd, SEGMENT, SIZE, NULL, NULL);
    sci_remote_segment_t remote;
    sci_map_t map;
    sci_dma_queue_t queue;
    OK(SCICreateSegment(sd, &source, 0, SIZE, NULL, NULL, SCI_FLAG_PRIVATE, &error));
    OK(SCIPrepareSegment(source, ADAPTER, 0, &error));
    OK(SCIConnectSegment(sd, &remote, node, SEGMENT, ADAPTER, NULL, NULL, WHILE, 0, &error));
    OK((void)SCIMapRemoteSegment(remote, &map, 0, SIZE, NULL, 0, &error));
    OK(SCICreateMapSequence(map, &sequence, 0, &error));
    OK(SCICreateDMAQueue(sd, &queue, ADAPTER, 1, 0, &error));
    OK(SCIStartDmaTransfer(queue, source, remote, 0, 1, 0, NULL, NULL, SCI_FLAG_DMA_WAIT, &error));
    checked = SCI_SEQ_PENDING;
    when_unmapped(check_sequence);
    OK(SCIRemoveSegment(target, 0, &error));
    sci_error_t state = SCI_ERR_OK;
    OK(CHECK(SCIWaitForRemoteSegmentEvent(remote, &state, WHILE, 0, &error) == SCI_CB_DISCONNECT));
    CHECK(checked == SCI_SEQ_NOT_RETRIABLE);
    OK(SCIRemoveSequence(sequence, 0, &error));
    OK(SCIUnmapSegment(map, 0, &error));
    OK(SCIRemoveDMAQueue(queue, 0, &error));
    OK(SCIDisconnectSegment(remote, 0, &error));
    OK(SCIRemoveSegment(source, 0, &error));
    end(sd);
}

int main(void)
{
    node = own_group();
    struct peer other = start_peer(be_another_node);
    other_node = (unsigned int)listen_to(other.channel);
    int before = open_descriptors(), round = 0;
    const char *failed;
    do {
        CHECK(++round < ROUNDS_MAX);
        fail_call(round);
        try_everything();
        failed = failed_call();
        fail_call(0);
        if (open_descriptors() != before || names_in_use() + group_names() != 0)
            fprintf(stderr, "after call %d, %s, something is still there\n", round, failed);
        await_descriptors(before);
        CHECK(names_in_use() == 0 && group_names() == 0);
    } while (failed != NULL);
    printf("%d calls failed\n", round - 1);
    test_table_of_handles();
    test_unavailable_as_a_connector_arrives();
    test_not_available();
    test_others_go_on_meanwhile();
    test_copies_not_started();
    test_sequences_tell_first();
    peer_kill(&other);
    return 0;
}

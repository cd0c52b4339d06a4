/* Broadcast segments: several processes see what any of them stores. Flags, sizes, and what the other calls say of them. */
#include <string.h>
#include <unistd.h>

#include "check.h"
#include "member.h"

enum { READERS = 3, PLACES = 128 };

static sci_desc_t sd;

static sci_error_t create(sci_local_segment_t *segment, unsigned int id, size_t size, unsigned int flags)
{
    sci_error_t status;
    SCICreateSegment(sd, segment, id, size, NULL, NULL, SCI_FLAG_BROADCAST | flags, &status);
    return status;
}

static sci_error_t connect_group(sci_remote_segment_t *segment, unsigned int id)
{
    sci_error_t status;
    SCIConnectSegment(sd, segment, DIS_BROADCAST_NODEID_GROUP_ALL, id, ADAPTER, NULL, NULL, WHILE, SCI_FLAG_BROADCAST, &status);
    return status;
}

static sci_local_segment_t export_group(size_t size)
{
    sci_local_segment_t segment;
    CHECK(create(&segment, own_group(), size, 0) == SCI_ERR_OK);
    OK(SCIPrepareSegment(segment, ADAPTER, SCI_FLAG_BROADCAST, &error));
    OK(SCISetSegmentAvailable(segment, ADAPTER, 0, &error));
    return segment;
}

/* As with a card: each process has a local and a remote segment, and reads through the one what all write through the other. */
static void test_all_see_all(void)
{
    struct peer peers[READERS + 1];
    for (int i = 0; i <= READERS; i++)
        peers[i] = start_member();
    for (int i = 0; i <= READERS; i++) {
        CHECK(member_create(&peers[i], MEMBER_SIZE) == SCI_ERR_OK);
        CHECK(member_make_available(&peers[i], true) == SCI_ERR_OK);
    }
    for (int i = 0; i <= READERS; i++)
        CHECK(member_connect(&peers[i], WHILE) == SCI_ERR_OK);
    CHECK(group_names() == 2 * (READERS + 1));
    for (int writer = 0; writer <= READERS; writer++) {
        unsigned int word = (unsigned int)writer * 700;
        member_store(&peers[writer], word, word + 1);
        for (int reader = 0; reader <= READERS; reader++)
            CHECK(member_load(&peers[reader], word) == word + 1);
    }
    for (int i = 0; i <= READERS; i++)
        member_finish(&peers[i]);
    CHECK(group_names() == 0);
}

/* A writer that has no segment of its own, as sisci-perf's. It needs one reader whose segment is available. */
static void test_writer_alone(void)
{
    struct peer writer = start_member(), reader = start_member(), other = start_member();
    CHECK(member_connect(&writer, WHILE) == SCI_ERR_NO_SUCH_SEGMENT);
    CHECK(member_create(&reader, MEMBER_SIZE) == SCI_ERR_OK);
    CHECK(member_connect(&writer, WHILE) == SCI_ERR_NO_SUCH_SEGMENT); /* not available yet */
    CHECK(member_make_available(&reader, true) == SCI_ERR_OK);
    CHECK(member_connect(&writer, WHILE) == SCI_ERR_OK);
    member_store(&writer, 5, 50);
    CHECK(member_load(&reader, 5) == 50);

    /* Not available any more: connections go on, and a member that joins is no connector. */
    CHECK(member_make_available(&reader, false) == SCI_ERR_OK);
    CHECK(member_connect(&other, WHILE) == SCI_ERR_NO_SUCH_SEGMENT);
    CHECK(member_create(&other, MEMBER_SIZE) == SCI_ERR_OK);
    member_store(&writer, 6, 60);
    CHECK(member_load(&reader, 6) == 60 && member_load(&other, 6) == 60);
    CHECK(member_make_available(&reader, false) == SCI_ERR_ILLEGAL_OPERATION);
    CHECK(member_make_available(&reader, true) == SCI_ERR_OK);
    CHECK(member_connect(&other, WHILE) == SCI_ERR_OK);
    member_finish(&other);
    member_finish(&reader);
    member_finish(&writer);
}

/* The first member's size is the group's. */
static void test_sizes(void)
{
    struct peer first = start_member(), small = start_member();
    CHECK(member_create(&first, MEMBER_SIZE) == SCI_ERR_OK && member_make_available(&first, true) == SCI_ERR_OK);
    CHECK(member_create(&small, PAGE) == SCI_ERR_OK);
    CHECK(member_connect(&small, WHILE) == SCI_ERR_OK);
    member_store(&small, 7, 70);
    CHECK(member_load(&first, 7) == 70 && member_load(&small, 7) == 70);

    sd = begin();
    sci_local_segment_t segment;
    sci_remote_segment_t remote;
    sci_map_t map;
    CHECK(create(&segment, own_group(), MEMBER_SIZE + 1, 0) == SCI_ERR_OUT_OF_RANGE);
    CHECK(create(&segment, own_group(), 10, 0) == SCI_ERR_OK); /* it is not available; first is */
    CHECK(SCIGetLocalSegmentSize(segment) == 10 && SCIGetLocalSegmentId(segment) == own_group());
    EXPECT(SCI_ERR_OUT_OF_RANGE, SCIMapLocalSegment(segment, &map, 0, 11, NULL, 0, &error));
    member_finish(&first);
    member_disconnect(&small);
    CHECK(member_make_available(&small, true) == SCI_ERR_OK); /* a small member gives the group's memory away, not its part */
    CHECK(connect_group(&remote, own_group()) == SCI_ERR_OK);
    CHECK(SCIGetRemoteSegmentSize(remote) == MEMBER_SIZE && SCIGetRemoteSegmentId(remote) == own_group());
    CHECK(SCIGetRemoteSegmentNodeId(remote) == DIS_BROADCAST_NODEID_GROUP_ALL);
    OK(SCIDisconnectSegment(remote, 0, &error));
    OK(SCIRemoveSegment(segment, 0, &error));
    member_finish(&small);
    CHECK(create(&segment, own_group(), 2 * MEMBER_SIZE, 0) == SCI_ERR_OK); /* a new group */
    CHECK(create(&segment, own_group(), SIZE_MAX, 0) == SCI_ERR_OUT_OF_RANGE);
    SCITerminate();
    sd = begin();
    CHECK(create(&segment, own_group(), 10, 0) == SCI_ERR_OK);
    CHECK(create(&segment, own_group(), 11, 0) == SCI_ERR_OUT_OF_RANGE); /* although the page has room for it */
    SCITerminate();
    sd = begin();
    CHECK(create(&segment, own_group(), SIZE_MAX, 0) == SCI_ERR_NOSPC);
    CHECK(group_names() == 0);
    end(sd);
}

static void test_flags(void)
{
    sd = begin();
    sci_local_segment_t segment, ordinary;
    sci_remote_segment_t remote;
    sci_map_t map;
    const unsigned int alone[] = { SCI_FLAG_PRIVATE, SCI_FLAG_EMPTY, SCI_FLAG_AUTO_ID };
    for (int i = 0; i < 3; i++)
        CHECK(create(&segment, own_group(), PAGE, alone[i]) == SCI_ERR_ILLEGAL_FLAG);
    CHECK(create(&segment, own_group(), 0, 0) == SCI_ERR_ILLEGAL_PARAMETER);
    EXPECT(SCI_ERR_ILLEGAL_PARAMETER,
           SCICreateSegment(sd, &segment, own_group(), PAGE, NULL, NULL, SCI_FLAG_BROADCAST | SCI_FLAG_USE_CALLBACK, &error));
    CHECK(group_names() == 0);
    segment = export_group(PAGE);

    /* A segment of the same id that is not for broadcast is another one. */
    ordinary = export_segment(sd, own_group(), PAGE, NULL, NULL);
    EXPECT(SCI_ERR_ILLEGAL_FLAG, SCIPrepareSegment(ordinary, ADAPTER, SCI_FLAG_BROADCAST, &error));
    EXPECT(SCI_ERR_ILLEGAL_FLAG, SCIMapLocalSegment(ordinary, &map, 0, PAGE, NULL, SCI_FLAG_BROADCAST, &error));
    EXPECT(SCI_ERR_ILLEGAL_NODEID, SCIConnectSegment(sd, &remote, own_group(), own_group(), ADAPTER, NULL, NULL, WHILE,
                                                     SCI_FLAG_BROADCAST, &error));
    OK(SCIConnectSegment(sd, &remote, own_group(), own_group(), ADAPTER, NULL, NULL, WHILE, 0, &error));
    EXPECT(SCI_ERR_ILLEGAL_FLAG, SCIMapRemoteSegment(remote, &map, 0, PAGE, NULL, SCI_FLAG_BROADCAST, &error));
    OK(SCIDisconnectSegment(remote, 0, &error));
    OK(SCIRemoveSegment(ordinary, 0, &error));

    /* Maps: the local one with the flag, too; the one that is the last one stops neither the segment nor the others. */
    sci_map_t local_map;
    volatile int *memory, *local;
    CHECK(connect_group(&remote, own_group()) == SCI_ERR_OK);
    OK(local = SCIMapLocalSegment(segment, &local_map, 0, PAGE, NULL, SCI_FLAG_BROADCAST | SCI_SHIM_FLAG_LAST_MAP, &error));
    OK(memory = SCIMapRemoteSegment(remote, &map, 0, PAGE, NULL, SCI_SHIM_FLAG_LAST_MAP, &error));
    memory[3] = 33;
    CHECK(local[3] == 33);
    EXPECT(SCI_ERR_BUSY, SCIRemoveSegment(segment, 0, &error));
    EXPECT(SCI_ERR_BUSY, SCIDisconnectSegment(remote, 0, &error));
    sci_remote_segment_t second;
    CHECK(connect_group(&second, own_group()) == SCI_ERR_OK);
    OK(SCIDisconnectSegment(second, 0, &error));
    OK(SCIUnmapSegment(map, 0, &error));
    OK(SCIUnmapSegment(local_map, 0, &error));
    OK(SCIDisconnectSegment(remote, 0, &error));
    OK(SCIRemoveSegment(segment, 0, &error));
    CHECK(group_names() == 0);
    end(sd);
}

/* No event: a group does not know which members it has. A sequence says what it says of a local map. */
static void test_events(void)
{
    struct peer reader = start_member();
    CHECK(member_create(&reader, MEMBER_SIZE) == SCI_ERR_OK && member_make_available(&reader, true) == SCI_ERR_OK);
    sd = begin();
    sci_local_segment_t segment = export_group(MEMBER_SIZE);
    sci_remote_segment_t remote;
    sci_map_t map;
    sci_sequence_t sequence;
    sci_error_t status;
    unsigned int node, adapter;
    CHECK(connect_group(&remote, own_group()) == SCI_ERR_OK);
    OK(SCIMapRemoteSegment(remote, &map, 0, MEMBER_SIZE, NULL, SCI_FLAG_BROADCAST, &error));
    OK(SCICreateMapSequence(map, &sequence, 0, &error));
    OK(CHECK(SCIStartSequence(sequence, 0, &error) == SCI_SEQ_OK));
    EXPECT(SCI_ERR_TIMEOUT, SCIWaitForLocalSegmentEvent(segment, &node, &adapter, 0, 0, &error));
    CHECK(SCIShimConnections(segment) == 0);
    peer_kill(&reader);
    OK(CHECK(SCICheckSequence(sequence, 0, &error) == SCI_SEQ_OK));
    EXPECT(SCI_ERR_TIMEOUT, SCIWaitForRemoteSegmentEvent(remote, &status, 0, 0, &error));
    EXPECT(SCI_ERR_TIMEOUT, SCIWaitForLocalSegmentEvent(segment, &node, &adapter, 0, 0, &error));
    SCITerminate();
    CHECK(group_names() == 0);
}

/* The copying calls, and DMA queues with the flag and without. */
static void test_copies(void)
{
    struct peer reader = start_member();
    CHECK(member_create(&reader, MEMBER_SIZE) == SCI_ERR_OK && member_make_available(&reader, true) == SCI_ERR_OK);
    sd = begin();
    sci_remote_segment_t remote, ordinary_remote;
    sci_local_segment_t source, ordinary;
    sci_map_t map, source_map;
    sci_dma_queue_t queue;
    unsigned int data[4] = { 11, 12, 13, 14 };
    CHECK(connect_group(&remote, own_group()) == SCI_ERR_OK);
    OK(SCIMapRemoteSegment(remote, &map, 0, MEMBER_SIZE, NULL, 0, &error));
    OK(SCICreateSegment(sd, &source, 1, PAGE, NULL, NULL, SCI_FLAG_PRIVATE, &error));
    OK(SCIPrepareSegment(source, ADAPTER, 0, &error));
    unsigned int *words;
    OK(words = SCIMapLocalSegment(source, &source_map, 0, PAGE, NULL, 0, &error));
    words[0] = 21, words[1] = 22;

    OK(SCIMemCpy(NULL, data, map, 4, sizeof data, 0, &error));
    CHECK(member_load(&reader, 1) == 11 && member_load(&reader, 4) == 14);
    OK(SCITransferBlock(source_map, 0, map, PAGE, 8, 0, &error));
    CHECK(member_load(&reader, PAGE / 4) == 21 && member_load(&reader, PAGE / 4 + 1) == 22);

    OK(SCICreateDMAQueue(sd, &queue, ADAPTER, 1, 0, &error));
    const unsigned int wait = SCI_FLAG_DMA_WAIT | SCI_FLAG_DMA_GLOBAL;
    OK(SCIStartDmaTransfer(queue, source, remote, 0, 8, 2 * PAGE, NULL, NULL, wait | SCI_FLAG_BROADCAST, &error));
    CHECK(member_load(&reader, 2 * PAGE / 4) == 21 && member_load(&reader, 2 * PAGE / 4 + 1) == 22);
    words[0] = 31;
    OK(SCIStartDmaTransfer(queue, source, remote, 0, 4, 2 * PAGE, NULL, NULL, wait, &error));
    CHECK(member_load(&reader, 2 * PAGE / 4) == 31);
    OK(SCIResetDMAQueue(queue, 0, &error));
    OK(SCIEnqueueDMATransfer(queue, source, remote, 4, 2 * PAGE, 4, SCI_FLAG_BROADCAST, &error));
    OK(SCIPostDMAQueue(queue, NULL, NULL, 0, &error));
    OK(SCIWaitForDMAQueue(queue, WHILE, 0, &error));
    CHECK(member_load(&reader, 2 * PAGE / 4) == 22);

    ordinary = export_segment(sd, 2, PAGE, NULL, NULL);
    OK(SCIConnectSegment(sd, &ordinary_remote, own_group(), 2, ADAPTER, NULL, NULL, WHILE, 0, &error));
    EXPECT(SCI_ERR_ILLEGAL_FLAG,
           SCIStartDmaTransfer(queue, source, ordinary_remote, 0, 4, 0, NULL, NULL, SCI_FLAG_BROADCAST, &error));
    OK(SCIResetDMAQueue(queue, 0, &error));
    EXPECT(SCI_ERR_ILLEGAL_FLAG, SCIEnqueueDMATransfer(queue, source, ordinary_remote, 0, 0, 4, SCI_FLAG_BROADCAST, &error));
    SCITerminate();
    (void)ordinary;
    member_finish(&reader);
}

/* 128 members, of one process too; the next one is refused, and finds room when one has left. */
static void test_most_members(void)
{
    sd = begin();
    int before = open_descriptors();
    sci_local_segment_t made[PLACES], more;
    for (int i = 0; i < PLACES; i++)
        CHECK(create(&made[i], own_group(), PAGE, 0) == SCI_ERR_OK);
    CHECK(group_names() == PLACES);
    CHECK(create(&more, own_group(), PAGE, 0) == SCI_ERR_NOSPC);
    OK(SCIRemoveSegment(made[PLACES / 2], 0, &error));
    CHECK(create(&made[PLACES / 2], own_group(), PAGE, 0) == SCI_ERR_OK);
    for (int i = 0; i < PLACES; i++)
        OK(SCIRemoveSegment(made[i], 0, &error));
    CHECK(group_names() == 0);
    await_descriptors(before + 2); /* the library's thread */
    end(sd);
}

static sci_error_t in_callback[2];
static struct gauge *called;

static sci_callback_action_t try_to_join(void *arg, sci_local_interrupt_t interrupt, sci_error_t error)
{
    (void)arg, (void)interrupt, (void)error;
    sci_local_segment_t segment;
    sci_remote_segment_t remote;
    in_callback[0] = create(&segment, own_group(), PAGE, 0);
    in_callback[1] = connect_group(&remote, own_group());
    gauge_add(called, 1);
    return SCI_CALLBACK_CONTINUE;
}

/* The answer might have to come from the very thread that waits for it. */
static void test_callback(void)
{
    sd = begin();
    called = gauge_new();
    sci_local_interrupt_t interrupt;
    sci_remote_interrupt_t trigger;
    unsigned int number = 0;
    OK(SCICreateInterrupt(sd, &interrupt, ADAPTER, &number, try_to_join, NULL, SCI_FLAG_USE_CALLBACK, &error));
    OK(SCIConnectInterrupt(sd, &trigger, own_group(), ADAPTER, number, WHILE, 0, &error));
    OK(SCITriggerInterrupt(trigger, 0, &error));
    gauge_await(called, 1, WHILE);
    CHECK(in_callback[0] == SCI_ERR_ILLEGAL_OPERATION && in_callback[1] == SCI_ERR_ILLEGAL_OPERATION);
    SCITerminate();
    free(called);
}

int main(void)
{
    own_group();
    test_all_see_all();
    test_writer_alone();
    test_sizes();
    test_flags();
    test_events();
    test_copies();
    test_most_members();
    test_callback();
    CHECK(group_names() == 0 && own_mappings() <= 8); /* SCITerminate leaves maps */
    return 0;
}

/* Local segments and connections to them: states, errors, when a segment is busy, how many descriptors are held. */
#include <limits.h>
#include <string.h>

#include "check.h"

static unsigned int node;
static const uintptr_t INVENTED = 0x123456789abcdef0;

static sci_callback_action_t local_callback(void *arg, sci_local_segment_t segment, sci_segment_cb_reason_t reason,
                                            unsigned int from, unsigned int adapter, sci_error_t error)
{
    (void)segment;
    CHECK(from == node && adapter == ADAPTER && error == SCI_ERR_OK);
    gauge_add(arg, reason == SCI_CB_CONNECT ? 1 : 100);
    return SCI_CALLBACK_CONTINUE;
}

static void test_create(void)
{
    sci_desc_t sd = begin();
    sci_local_segment_t segment, other;
    EXPECT(SCI_ERR_ILLEGAL_FLAG, SCICreateSegment(sd, &segment, 1, PAGE, NULL, NULL, 0x100, &error));
    EXPECT(SCI_ERR_ILLEGAL_PARAMETER, SCICreateSegment(NULL, &segment, 1, PAGE, NULL, NULL, 0, &error));
    EXPECT(SCI_ERR_ILLEGAL_PARAMETER, SCICreateSegment(sd, NULL, 1, PAGE, NULL, NULL, 0, &error));
    EXPECT(SCI_ERR_ILLEGAL_PARAMETER, SCICreateSegment(sd, &segment, 1, 0, NULL, NULL, 0, &error));
    EXPECT(SCI_ERR_ILLEGAL_PARAMETER,
           SCICreateSegment(sd, &segment, 1, PAGE, NULL, NULL, SCI_FLAG_USE_CALLBACK, &error));
    EXPECT(SCI_ERR_NOSPC, SCICreateSegment(sd, &segment, 1, SIZE_MAX, NULL, NULL, 0, &error));

    OK(SCICreateSegment(sd, &segment, UINT_MAX, 1, NULL, NULL, 0, &error));
    EXPECT(SCI_ERR_SEGMENTID_USED, SCICreateSegment(sd, &other, UINT_MAX, 1, NULL, NULL, 0, &error));
    CHECK(names_in_use() == 1);

    EXPECT(SCI_ERR_SEGMENT_NOT_PREPARED, SCISetSegmentAvailable(segment, ADAPTER, 0, &error));
    EXPECT(SCI_ERR_ILLEGAL_FLAG, SCIPrepareSegment(segment, ADAPTER, 1, &error));
    EXPECT(SCI_ERR_NO_SUCH_ADAPTERNO, SCIPrepareSegment(segment, 1, 0, &error));
    EXPECT(SCI_ERR_ILLEGAL_ADAPTERNO, SCIPrepareSegment(segment, 16, 0, &error));
    EXPECT(SCI_ERR_ILLEGAL_PARAMETER, SCIPrepareSegment((sci_local_segment_t)INVENTED, ADAPTER, 0, &error));
    OK(SCIPrepareSegment(segment, ADAPTER, 0, &error));
    EXPECT(SCI_ERR_ILLEGAL_FLAG, SCISetSegmentAvailable(segment, ADAPTER, 1, &error));
    EXPECT(SCI_ERR_NO_SUCH_ADAPTERNO, SCISetSegmentAvailable(segment, 15, 0, &error));
    EXPECT(SCI_ERR_ILLEGAL_PARAMETER, SCISetSegmentAvailable(NULL, ADAPTER, 0, &error));
    EXPECT(SCI_ERR_ILLEGAL_OPERATION, SCISetSegmentUnavailable(segment, ADAPTER, 0, &error));
    OK(SCISetSegmentAvailable(segment, ADAPTER, 0, &error));
    OK(SCISetSegmentAvailable(segment, ADAPTER, 0, &error)); /* it is available already */
    EXPECT(SCI_ERR_ILLEGAL_FLAG, SCISetSegmentUnavailable(segment, ADAPTER, 0x80, &error));
    EXPECT(SCI_ERR_FLAG_NOT_IMPLEMENTED, SCISetSegmentUnavailable(segment, ADAPTER, SCI_FLAG_NOTIFY, &error));
    EXPECT(SCI_ERR_NO_SUCH_ADAPTERNO, SCISetSegmentUnavailable(segment, 1, 0, &error));
    EXPECT(SCI_ERR_ILLEGAL_PARAMETER, SCISetSegmentUnavailable(NULL, ADAPTER, 0, &error));
    OK(SCISetSegmentUnavailable(segment, ADAPTER, 0, &error));

    /* The id is free now, and another segment may have it when the first one wants it again. */
    OK(SCICreateSegment(sd, &other, UINT_MAX, 1, NULL, NULL, 0, &error));
    EXPECT(SCI_ERR_SEGMENTID_USED, SCISetSegmentAvailable(segment, ADAPTER, 0, &error));
    OK(SCIRemoveSegment(other, 0, &error));
    OK(SCISetSegmentAvailable(segment, ADAPTER, 0, &error));

    EXPECT(SCI_ERR_ILLEGAL_FLAG, SCIRemoveSegment(segment, 1, &error));
    OK(SCIRemoveSegment(segment, 0, &error));
    EXPECT(SCI_ERR_ILLEGAL_PARAMETER, SCIRemoveSegment(segment, 0, &error));

    /* Two private segments can have the same id, because it is ignored. */
    OK(SCICreateSegment(sd, &segment, 1, PAGE, NULL, NULL, SCI_FLAG_PRIVATE, &error));
    OK(SCICreateSegment(sd, &other, 1, PAGE, NULL, NULL, SCI_FLAG_PRIVATE, &error));
    CHECK(names_in_use() == 0);
    OK(SCIPrepareSegment(segment, ADAPTER, 0, &error));
    EXPECT(SCI_ERR_ILLEGAL_OPERATION, SCISetSegmentAvailable(segment, ADAPTER, 0, &error));
    EXPECT(SCI_ERR_ILLEGAL_OPERATION, SCISetSegmentUnavailable(segment, ADAPTER, 0, &error));
    /* Each has memory of its own all the same. */
    sci_map_t map, others;
    char *memory, *others_memory;
    OK(memory = SCIMapLocalSegment(segment, &map, 0, PAGE, NULL, 0, &error));
    OK(others_memory = SCIMapLocalSegment(other, &others, 0, PAGE, NULL, 0, &error));
    memory[0] = 'p';
    CHECK(others_memory[0] == 0);
    EXPECT(SCI_ERR_BUSY, SCIRemoveSegment(segment, 0, &error));
    OK(SCIUnmapSegment(map, 0, &error));
    OK(SCIUnmapSegment(others, 0, &error));
    OK(SCIRemoveSegment(segment, 0, &error));
    OK(SCIRemoveSegment(other, 0, &error));
    end(sd);
}

/* A segment without memory has an id, and can't be mapped or made available. */
static void test_empty(void)
{
    sci_desc_t sd = begin();
    int before = open_descriptors();
    sci_local_segment_t segment, other;
    sci_remote_segment_t remote;
    sci_map_t map;
    EXPECT(SCI_ERR_ILLEGAL_PARAMETER, SCICreateSegment(sd, &segment, 1, 0, NULL, NULL, SCI_FLAG_EMPTY, &error));
    /* Its size does not depend on this host's memory. */
    OK(SCICreateSegment(sd, &segment, 1, SIZE_MAX, NULL, NULL, SCI_FLAG_EMPTY, &error));
    CHECK(names_in_use() == 1 && open_descriptors() == before + 1);
    EXPECT(SCI_ERR_SEGMENTID_USED, SCICreateSegment(sd, &other, 1, PAGE, NULL, NULL, SCI_FLAG_EMPTY, &error));
    OK(SCIPrepareSegment(segment, ADAPTER, 0, &error));
    EXPECT(SCI_ERR_ILLEGAL_OPERATION, SCISetSegmentAvailable(segment, ADAPTER, 0, &error));
    EXPECT(SCI_ERR_ILLEGAL_OPERATION, SCIMapLocalSegment(segment, &map, 0, PAGE, NULL, 0, &error));
    EXPECT(SCI_ERR_NO_SUCH_SEGMENT, SCIConnectSegment(sd, &remote, node, 1, ADAPTER, NULL, NULL, WHILE, 0, &error));
    OK(SCIRemoveSegment(segment, 0, &error));
    OK(SCICreateSegment(sd, &segment, 1, PAGE, NULL, NULL, SCI_FLAG_EMPTY | SCI_FLAG_PRIVATE, &error));
    CHECK(names_in_use() == 0 && open_descriptors() == before);
    EXPECT(SCI_ERR_ILLEGAL_OPERATION, SCIMapLocalSegment(segment, &map, 0, PAGE, NULL, 0, &error));
    OK(SCIRemoveSegment(segment, 0, &error));
    end(sd);
}

static void test_connect_errors(void)
{
    sci_desc_t sd = begin();
    sci_remote_segment_t remote;
    EXPECT(SCI_ERR_ILLEGAL_FLAG, SCIConnectSegment(sd, &remote, node, 1, ADAPTER, NULL, NULL, 0, 0x10, &error));
    EXPECT(SCI_ERR_ILLEGAL_PARAMETER, SCIConnectSegment(NULL, &remote, node, 1, ADAPTER, NULL, NULL, 0, 0, &error));
    EXPECT(SCI_ERR_ILLEGAL_PARAMETER, SCIConnectSegment(sd, NULL, node, 1, ADAPTER, NULL, NULL, 0, 0, &error));
    EXPECT(SCI_ERR_ILLEGAL_PARAMETER,
           SCIConnectSegment(sd, &remote, node, 1, ADAPTER, NULL, NULL, 0, SCI_FLAG_USE_CALLBACK, &error));
    EXPECT(SCI_ERR_NO_SUCH_ADAPTERNO, SCIConnectSegment(sd, &remote, node, 1, 1, NULL, NULL, 0, 0, &error));
    EXPECT(SCI_ERR_ILLEGAL_ADAPTERNO, SCIConnectSegment(sd, &remote, node, 1, 99, NULL, NULL, 0, 0, &error));
    EXPECT(SCI_ERR_ILLEGAL_NODEID, SCIConnectSegment(sd, &remote, 0, 1, ADAPTER, NULL, NULL, 0, 0, &error));
    EXPECT(SCI_ERR_ILLEGAL_NODEID, SCIConnectSegment(sd, &remote, 65536, 1, ADAPTER, NULL, NULL, 0, 0, &error));
    /* An infinite time-out is for the answer, not for the segment to appear. */
    EXPECT(SCI_ERR_NO_SUCH_SEGMENT,
           SCIConnectSegment(sd, &remote, node, 1, ADAPTER, NULL, NULL, SCI_INFINITE_TIMEOUT, 0, &error));
    sci_local_segment_t segment;
    OK(SCICreateSegment(sd, &segment, 1, PAGE, NULL, NULL, 0, &error));
    OK(SCIPrepareSegment(segment, ADAPTER, 0, &error));
    EXPECT(SCI_ERR_NO_SUCH_SEGMENT, SCIConnectSegment(sd, &remote, node, 1, ADAPTER, NULL, NULL, WHILE, 0, &error));
    OK(SCISetSegmentAvailable(segment, ADAPTER, 0, &error));
    EXPECT(SCI_ERR_NO_SUCH_SEGMENT,
           SCIConnectSegment(sd, &remote, nobodys_node(), 1, ADAPTER, NULL, NULL, WHILE, 0, &error));
    OK(SCISetSegmentUnavailable(segment, ADAPTER, 0, &error));
    EXPECT(SCI_ERR_NO_SUCH_SEGMENT, SCIConnectSegment(sd, &remote, node, 1, ADAPTER, NULL, NULL, WHILE, 0, &error));
    OK(SCIRemoveSegment(segment, 0, &error));
    EXPECT(SCI_ERR_ILLEGAL_FLAG, SCIDisconnectSegment(NULL, 1, &error));
    EXPECT(SCI_ERR_ILLEGAL_PARAMETER, SCIDisconnectSegment(NULL, 0, &error));
    EXPECT(SCI_ERR_ILLEGAL_PARAMETER, SCIDisconnectSegment((sci_remote_segment_t)INVENTED, 0, &error));
    CHECK(SCIGetRemoteSegmentSize((sci_remote_segment_t)INVENTED) == 0);
    end(sd);
}

/* The connector: two connections to two segments of the parent. */
static void connector(int channel)
{
    sci_desc_t sd = begin();
    sci_remote_segment_t remote, second;
    sci_map_t map;
    volatile char *memory;
    listen_to(channel);
    OK(SCIConnectSegment(sd, &remote, node, 5, ADAPTER, NULL, NULL, WHILE, 0, &error));
    CHECK(SCIGetRemoteSegmentSize(remote) == 3 * PAGE + 1);
    OK(memory = SCIMapRemoteSegment(remote, &map, 0, 3 * PAGE + 1, NULL, 0, &error));
    CHECK(memory[3 * PAGE] == 'x');
    memory[0] = 'y';
    EXPECT(SCI_ERR_BUSY, SCIDisconnectSegment(remote, 0, &error));
    tell(channel, 1);

    /* The exporter makes it unavailable: this connection goes on, a second one is not possible. */
    listen_to(channel);
    EXPECT(SCI_ERR_NO_SUCH_SEGMENT, SCIConnectSegment(sd, &second, node, 5, ADAPTER, NULL, NULL, WHILE, 0, &error));
    CHECK(memory[1] == 'z');
    OK(SCIUnmapSegment(map, 0, &error));
    OK(SCIDisconnectSegment(remote, 0, &error));
    EXPECT(SCI_ERR_ILLEGAL_PARAMETER, SCIDisconnectSegment(remote, 0, &error));
    CHECK(SCIGetRemoteSegmentSize(remote) == 0);
    tell(channel, 2);

    listen_to(channel);
    OK(SCIConnectSegment(sd, &remote, node, 6, ADAPTER, NULL, NULL, WHILE, 0, &error));
    OK(memory = SCIMapRemoteSegment(remote, &map, 0, PAGE, NULL, 0, &error));
    tell(channel, 3);
    /* The exporter removes it by force: what is mapped stays mapped, and it can't be mapped again. */
    listen_to(channel);
    memory[0] = 'a';
    sci_map_t again;
    sci_error_t error;
    do
        SCIMapRemoteSegment(remote, &again, 0, PAGE, NULL, 0, &error);
    while (error == SCI_ERR_OK && (SCIUnmapSegment(again, 0, &error), true));
    CHECK(error == SCI_ERR_SEGMENT_NOT_CONNECTED);
    CHECK(SCIGetRemoteSegmentSize(remote) == PAGE);
    EXPECT(SCI_ERR_BUSY, SCIDisconnectSegment(remote, 0, &error));
    OK(SCIUnmapSegment(map, 0, &error));
    OK(SCIDisconnectSegment(remote, 0, &error));
    OK(SCIClose(sd, 0, &error));
    SCITerminate();
}

static void test_two_processes(void)
{
    struct peer peer = start_peer(connector);
    sci_desc_t sd = begin();
    struct gauge *events = gauge_new();
    sci_local_segment_t segment = export_segment(sd, 5, 3 * PAGE + 1, local_callback, events);
    sci_map_t map;
    char *memory;
    OK(memory = SCIMapLocalSegment(segment, &map, 0, 3 * PAGE + 1, NULL, 0, &error));
    CHECK(memory[0] == 0 && memory[3 * PAGE] == 0);
    memory[3 * PAGE] = 'x';
    tell(peer.channel, 1);
    listen_to(peer.channel);
    CHECK(memory[0] == 'y');
    gauge_await(events, 1, WHILE);
    EXPECT(SCI_ERR_BUSY, SCIRemoveSegment(segment, 0, &error)); /* mapped here */
    OK(SCISetSegmentUnavailable(segment, ADAPTER, 0, &error));
    memory[1] = 'z';
    EXPECT(SCI_ERR_BUSY, SCIRemoveSegment(segment, 0, &error)); /* mapped; the remote stays connected */
    OK(SCIUnmapSegment(map, 0, &error));
    EXPECT(SCI_ERR_ILLEGAL_PARAMETER, SCIUnmapSegment(map, 0, &error));
    tell(peer.channel, 2);
    listen_to(peer.channel);
    gauge_await(events, 101, WHILE); /* it has disconnected by itself */
    OK(SCIRemoveSegment(segment, 0, &error));

    segment = export_segment(sd, 6, PAGE, NULL, NULL);
    OK(memory = SCIMapLocalSegment(segment, &map, 0, PAGE, NULL, 0, &error));
    tell(peer.channel, 3);
    listen_to(peer.channel);
    OK(SCISetSegmentUnavailable(segment, ADAPTER, 0, &error));
    EXPECT(SCI_ERR_BUSY, SCIRemoveSegment(segment, SCI_FLAG_FORCE_REMOVE, &error)); /* mapped here */
    tell(peer.channel, 4);
    OK(SCIUnmapSegment(map, 0, &error));
    OK(SCIRemoveSegment(segment, SCI_FLAG_FORCE_REMOVE, &error));
    peer_finish(&peer);
    free(events);
    end(sd);
}

/* Has a segment mapped when the exporter removes it, and when another segment gets its id. */
static void remote_user(int channel)
{
    sci_desc_t sd = begin();
    sci_remote_segment_t remote, next;
    sci_map_t map, other;
    sci_sequence_t sequence;
    sci_error_t status;
    volatile char *memory, *others;
    listen_to(channel);
    OK(SCIConnectSegment(sd, &remote, node, 9, ADAPTER, NULL, NULL, WHILE, 0, &error));
    OK(memory = SCIMapRemoteSegment(remote, &map, 0, PAGE, NULL, 0, &error));
    OK(SCICreateMapSequence(map, &sequence, 0, &error));
    tell(channel, 1);
    OK(CHECK(SCIWaitForRemoteSegmentEvent(remote, &status, WHILE, 0, &error) == SCI_CB_DISCONNECT));
    listen_to(channel);
    CHECK(memory[0] == 'o'); /* the memory stays, with its contents */
    memory[1] = 'r';
    CHECK(memory[1] == 'r');
    OK(CHECK(SCICheckSequence(sequence, 0, &error) == SCI_SEQ_NOT_RETRIABLE));
    EXPECT(SCI_ERR_SEGMENT_NOT_CONNECTED, (void)SCIMapRemoteSegment(remote, &other, 0, PAGE, NULL, 0, &error));
    /* The id has another segment now, with memory of its own. */
    OK(SCIConnectSegment(sd, &next, node, 9, ADAPTER, NULL, NULL, WHILE, 0, &error));
    OK(others = SCIMapRemoteSegment(next, &other, 0, PAGE, NULL, 0, &error));
    CHECK(others[0] == 0 && others[1] == 0);
    OK(SCIUnmapSegment(other, 0, &error));
    OK(SCIDisconnectSegment(next, 0, &error));
    OK(SCIUnmapSegment(map, 0, &error));
    OK(SCIRemoveSequence(sequence, 0, &error));
    OK(SCIDisconnectSegment(remote, 0, &error));
    OK(SCIClose(sd, 0, &error));
    SCITerminate();
}

/* As with a card, a segment can be removed while a remote uses it. */
static void test_removed_while_used(void)
{
    struct peer peer = start_peer(remote_user);
    sci_desc_t sd = begin();
    sci_local_segment_t segment = export_segment(sd, 9, PAGE, NULL, NULL);
    sci_map_t map;
    char *memory;
    OK(memory = SCIMapLocalSegment(segment, &map, 0, PAGE, NULL, 0, &error));
    memory[0] = 'o';
    OK(SCIUnmapSegment(map, 0, &error));
    tell(peer.channel, 1);
    listen_to(peer.channel);
    OK(SCIRemoveSegment(segment, 0, &error));
    segment = export_segment(sd, 9, PAGE, NULL, NULL);
    tell(peer.channel, 2);
    peer_finish(&peer);
    OK(SCIRemoveSegment(segment, 0, &error));
    end(sd);
}

/* A second connection is refused, even when the first has ended. */
static void second_connector(int channel)
{
    sci_desc_t sd = begin();
    sci_remote_segment_t remote, second;
    listen_to(channel);
    OK(SCIConnectSegment(sd, &remote, node, 8, ADAPTER, NULL, NULL, WHILE, 0, &error));
    EXPECT(SCI_ERR_CONNECTION_REFUSED, SCIConnectSegment(sd, &second, node, 8, ADAPTER, NULL, NULL, WHILE, 0, &error));
    OK(SCIDisconnectSegment(remote, 0, &error));
    EXPECT(SCI_ERR_CONNECTION_REFUSED, SCIConnectSegment(sd, &remote, node, 8, ADAPTER, NULL, NULL, WHILE, 0, &error));
    OK(SCIClose(sd, 0, &error));
    SCITerminate();
}

static void test_admits_one(void)
{
    struct peer peer = start_peer(second_connector);
    sci_desc_t sd = begin();
    SCIShimAdmitOne(NULL);
    SCIShimAdmitOne((sci_local_segment_t)INVENTED);
    sci_local_segment_t segment = export_segment(sd, 8, PAGE, NULL, NULL);
    SCIShimAdmitOne(segment);
    tell(peer.channel, 1);
    peer_finish(&peer);
    CHECK(SCIShimConnections(segment) == 1);
    OK(SCIRemoveSegment(segment, 0, &error));
    end(sd);
}

/* A connected segment with LAST_MAP takes one descriptor at each end. */
static void frugal_connector(int channel)
{
    sci_desc_t sd = begin();
    sci_remote_segment_t remote;
    sci_map_t map, again;
    listen_to(channel);
    /* The first connection also starts the library's thread: two descriptors for the process. */
    OK(SCIConnectSegment(sd, &remote, node, 7, ADAPTER, NULL, NULL, WHILE, 0, &error));
    int before = open_descriptors() - 2;
    OK((void)SCIMapRemoteSegment(remote, &map, 0, PAGE, NULL, 0, &error));
    CHECK(open_descriptors() == before + 2);
    OK((void)SCIMapRemoteSegment(remote, &again, 0, PAGE, NULL, SCI_SHIM_FLAG_LAST_MAP, &error));
    CHECK(open_descriptors() == before + 1);
    OK(SCIUnmapSegment(again, 0, &error));
    EXPECT(SCI_ERR_ILLEGAL_OPERATION, (void)SCIMapRemoteSegment(remote, &again, 0, PAGE, NULL, 0, &error));
    tell(channel, 1);
    listen_to(channel);
    OK(SCIUnmapSegment(map, 0, &error));
    OK(SCIDisconnectSegment(remote, 0, &error));
    CHECK(open_descriptors() == before);
    OK(SCIClose(sd, 0, &error));
    SCITerminate();
}

static void test_descriptors(void)
{
    struct peer peer = start_peer(frugal_connector);
    sci_desc_t sd = begin();
    struct gauge *events = gauge_new();
    sci_local_segment_t starter = export_segment(sd, 1, PAGE, NULL, NULL); /* starts the library's thread */
    OK(SCIRemoveSegment(starter, 0, &error));
    int before = open_descriptors();
    sci_local_segment_t segment = export_segment(sd, 7, PAGE, local_callback, events);
    sci_map_t map;
    CHECK(open_descriptors() == before + 2); /* name, memory */
    OK(SCIMapLocalSegment(segment, &map, 0, PAGE, NULL, SCI_SHIM_FLAG_LAST_MAP, &error));
    CHECK(open_descriptors() == before + 2); /* remotes may still ask for the memory */
    tell(peer.channel, 1);
    listen_to(peer.channel);
    gauge_await(events, 1, WHILE);
    CHECK(open_descriptors() == before + 3); /* and the link */
    OK(SCISetSegmentUnavailable(segment, ADAPTER, 0, &error));
    CHECK(open_descriptors() == before + 1);
    EXPECT(SCI_ERR_ILLEGAL_OPERATION, SCISetSegmentAvailable(segment, ADAPTER, 0, &error));
    tell(peer.channel, 2);
    gauge_await(events, 101, WHILE); /* DISCONNECT */
    CHECK(open_descriptors() == before);
    OK(SCIUnmapSegment(map, 0, &error));
    OK(SCIRemoveSegment(segment, 0, &error));

    OK(SCICreateSegment(sd, &segment, 0, PAGE, NULL, NULL, SCI_FLAG_PRIVATE, &error));
    CHECK(open_descriptors() == before + 1);
    OK(SCIMapLocalSegment(segment, &map, 0, PAGE, NULL, SCI_SHIM_FLAG_LAST_MAP, &error));
    CHECK(open_descriptors() == before);
    OK(SCIUnmapSegment(map, 0, &error));
    OK(SCIRemoveSegment(segment, 0, &error));
    peer_finish(&peer);
    free(events);
    end(sd);
}

int main(void)
{
    node = use_own_node();
    test_two_processes(); /* the tests that fork come first: no thread may run then */
    test_removed_while_used();
    test_admits_one();
    test_descriptors();
    test_create();
    test_empty();
    test_connect_errors();
    return 0;
}

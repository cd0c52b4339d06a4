/* Ids that the library picks, and the calls that tell what a segment is. */
#include "check.h"

enum { SEGMENTS = 200, SIZE = PAGE + 7 };

static unsigned int node;
static sci_desc_t sd;

static sci_local_segment_t make(unsigned int flags)
{
    sci_local_segment_t segment;
    OK(SCICreateSegment(sd, &segment, 5, SIZE, NULL, NULL, flags, &error));
    return segment;
}

/* Each gets an id of its own, which is reserved for it, and which other processes find. */
static void test_auto_id(void)
{
    sci_local_segment_t made[SEGMENTS], other;
    for (int i = 0; i < SEGMENTS; i++) {
        made[i] = make(SCI_FLAG_AUTO_ID);
        unsigned int id = SCIGetLocalSegmentId(made[i]);
        CHECK(id != 0 && id >> 28 != 1); /* not one of a message queue */
        for (int k = 0; k < i; k++)
            CHECK(SCIGetLocalSegmentId(made[k]) != id);
        EXPECT(SCI_ERR_SEGMENTID_USED, SCICreateSegment(sd, &other, id, SIZE, NULL, NULL, 0, &error));
    }
    CHECK(names_in_use() == SEGMENTS);
    for (int i = 0; i < SEGMENTS; i++)
        OK(SCIRemoveSegment(made[i], 0, &error));
    CHECK(names_in_use() == 0);

    /* An empty one has an id, too; a private one has one that is not reserved. */
    sci_local_segment_t empty = make(SCI_FLAG_AUTO_ID | SCI_FLAG_EMPTY), alone = make(SCI_FLAG_AUTO_ID | SCI_FLAG_PRIVATE);
    CHECK(names_in_use() == 1 && SCIGetLocalSegmentId(empty) != 0);
    OK(SCICreateSegment(sd, &other, SCIGetLocalSegmentId(alone), SIZE, NULL, NULL, 0, &error));
    OK(SCIRemoveSegment(other, 0, &error));
    OK(SCIRemoveSegment(alone, 0, &error));
    OK(SCIRemoveSegment(empty, 0, &error));
}

static void connector(int channel)
{
    unsigned int id = (unsigned int)listen_to(channel);
    sd = begin();
    sci_remote_segment_t remote;
    OK(SCIConnectSegment(sd, &remote, node, id, ADAPTER, NULL, NULL, WHILE, 0, &error));
    CHECK(SCIGetRemoteSegmentId(remote) == id && SCIGetRemoteSegmentNodeId(remote) == node);
    CHECK(SCIGetRemoteSegmentSize(remote) == SIZE);
    tell(channel, 1);
    /* The exporter removes it: the getters still answer. */
    sci_error_t status;
    OK(CHECK(SCIWaitForRemoteSegmentEvent(remote, &status, WHILE, 0, &error) == SCI_CB_DISCONNECT));
    CHECK(SCIGetRemoteSegmentId(remote) == id && SCIGetRemoteSegmentNodeId(remote) == node);
    OK(SCIDisconnectSegment(remote, 0, &error));
    CHECK(SCIGetRemoteSegmentId(remote) == 0 && SCIGetRemoteSegmentNodeId(remote) == 0);
    OK(SCIClose(sd, 0, &error));
    SCITerminate();
}

static void test_getters(void)
{
    struct peer peer = start_peer(connector);
    sd = begin();
    sci_local_segment_t own = make(0), segment = make(SCI_FLAG_AUTO_ID);
    CHECK(SCIGetLocalSegmentId(own) == 5 && SCIGetLocalSegmentSize(own) == SIZE);
    CHECK(SCIGetLocalSegmentId(NULL) == 0 && SCIGetLocalSegmentSize(NULL) == 0);
    CHECK(SCIGetLocalSegmentId((sci_local_segment_t)sd) == 0); /* a handle of another kind */
    CHECK(SCIGetRemoteSegmentId(NULL) == 0 && SCIGetRemoteSegmentNodeId((sci_remote_segment_t)own) == 0);
    OK(SCIPrepareSegment(segment, ADAPTER, 0, &error));
    OK(SCISetSegmentAvailable(segment, ADAPTER, 0, &error));
    tell(peer.channel, SCIGetLocalSegmentId(segment));
    listen_to(peer.channel);
    OK(SCIRemoveSegment(segment, 0, &error));
    CHECK(SCIGetLocalSegmentId(segment) == 0);
    peer_finish(&peer);
    OK(SCIRemoveSegment(own, 0, &error));
}

int main(void)
{
    node = use_own_node();
    test_getters(); /* forks: no thread may run then */
    test_auto_id();
    end(sd);
    return 0;
}

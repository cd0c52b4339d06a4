/*
 * Ten thousand connections are set up and torn down between two processes. Both processes then have the same descriptors,
 * threads and mappings as before.
 */
#include "check.h"

enum { ROUNDS = 10000, WATCHED_ROUNDS = 500 /* where a round takes long */ };

static unsigned int node;

static bool is_watched(void)
{
#if defined __SANITIZE_ADDRESS__ || defined __SANITIZE_THREAD__
    return true;
#else
    return getenv("UNDER_VALGRIND") != NULL;
#endif
}

/*
 * Each side has a segment and an interrupt, and connects to the other side's: what one fast connection needs. Each side also
 * has a data interrupt, which has a connection of its own.
 */
struct half {
    sci_local_segment_t own;
    sci_map_t own_map;
    sci_remote_segment_t other;
    sci_map_t other_map;
    sci_local_interrupt_t in;
    sci_remote_interrupt_t out;
    sci_local_data_interrupt_t data_in;
    sci_remote_data_interrupt_t data_out;
};

/* Returns when both sides have come this far. */
static void meet(int channel)
{
    tell(channel, 0);
    listen_to(channel);
}

static void set_up(sci_desc_t sd, struct half *half, int channel, unsigned int own_id, unsigned int other_id)
{
    unsigned int number = 0;
    half->own = export_segment(sd, own_id, 16 * PAGE, NULL, NULL);
    OK(SCIMapLocalSegment(half->own, &half->own_map, 0, 16 * PAGE, NULL, SCI_SHIM_FLAG_LAST_MAP, &error));
    OK(SCICreateInterrupt(sd, &half->in, ADAPTER, &number, NULL, NULL, 0, &error));
    tell(channel, number);
    number = (unsigned int)listen_to(channel);
    OK(SCIConnectSegment(sd, &half->other, node, other_id, ADAPTER, NULL, NULL, WHILE, 0, &error));
    OK((void)SCIMapRemoteSegment(half->other, &half->other_map, 0, 16 * PAGE, NULL, SCI_SHIM_FLAG_LAST_MAP, &error));
    OK(SCIConnectInterrupt(sd, &half->out, node, ADAPTER, number, WHILE, 0, &error));
    meet(channel);
    OK(SCISetSegmentUnavailable(half->own, ADAPTER, 0, &error));
    OK(SCITriggerInterrupt(half->out, 0, &error));
    OK(SCIWaitForInterrupt(half->in, WHILE, 0, &error));
}

static void set_up_data(sci_desc_t sd, struct half *half, int channel)
{
    unsigned int number = 0, length = sizeof number;
    OK(SCICreateDataInterrupt(sd, &half->data_in, ADAPTER, &number, NULL, NULL, 0, &error));
    tell(channel, number);
    OK(SCIConnectDataInterrupt(sd, &half->data_out, node, ADAPTER, (unsigned int)listen_to(channel), WHILE, 0, &error));
    OK(SCITriggerDataInterrupt(half->data_out, &number, sizeof number, 0, &error));
    OK(SCIWaitForDataInterrupt(half->data_in, &number, &length, WHILE, 0, &error));
}

/* One side removes its interrupt while the other is connected to it, the other side after that has disconnected. */
static void tear_down_data(struct half *half, int channel, bool first)
{
    if (first)
        OK(SCIRemoveDataInterrupt(half->data_in, 0, &error));
    OK(SCIDisconnectDataInterrupt(half->data_out, 0, &error));
    meet(channel);
    if (!first)
        OK(SCIRemoveDataInterrupt(half->data_in, 0, &error));
}

static void tear_down(struct half *half, int channel)
{
    OK(SCIUnmapSegment(half->other_map, 0, &error));
    OK(SCIDisconnectSegment(half->other, 0, &error));
    meet(channel);
    OK(SCIDisconnectInterrupt(half->out, 0, &error));
    OK(SCIRemoveInterrupt(half->in, 0, &error));
    OK(SCIUnmapSegment(half->own_map, 0, &error));
    OK(SCIRemoveSegment(half->own, 0, &error));
    meet(channel);
}

static void churn(int channel, unsigned int own_id, unsigned int other_id)
{
    sci_desc_t sd = begin();
    int before = 0, threads = 0, rounds = is_watched() ? WATCHED_ROUNDS : ROUNDS;
    for (int i = 0; i <= rounds; i++) {
        struct half half;
        set_up(sd, &half, channel, own_id, other_id);
        meet(channel);
        int held = open_descriptors();
        CHECK(i > 0 || own_mappings() == 2);
        meet(channel);
        tear_down(&half, channel);
        set_up_data(sd, &half, channel);
        meet(channel);
        tear_down_data(&half, channel, i % 2 == (own_id == 1));
        int left = open_descriptors();
        if (i == 0) {
            before = left; /* with the library's thread and the socket for triggers */
            threads = own_threads();
        }
        CHECK(left == before);
        CHECK(held == left + 3); /* a link for each direction, an interrupt */
    }
    CHECK(own_threads() == threads && own_mappings() == 0);
    OK(SCIClose(sd, 0, &error));
    SCITerminate();
    CHECK(own_threads() == threads - 1);
}

static void other_side(int channel)
{
    churn(channel, 2, 1);
}

int main(void)
{
    node = use_own_node();
    int before = open_descriptors();
    struct peer peer = start_peer(other_side);
    churn(peer.channel, 1, 2);
    peer_finish(&peer);
    CHECK(open_descriptors() == before);
    CHECK(names_in_use() == 0);
    return 0;
}

/* kill -9 of either side: the other side gets LOST within a second, and nothing is left behind. */
#include <stdatomic.h>

#include "check.h"

enum { SOON = 1000 };

static unsigned int node;
static atomic_int last_reason;

static sci_callback_action_t on_local(void *arg, sci_local_segment_t segment, sci_segment_cb_reason_t reason,
                                      unsigned int from, unsigned int adapter, sci_error_t error)
{
    (void)segment, (void)from, (void)adapter, (void)error;
    last_reason = reason;
    gauge_add(arg, 1);
    return SCI_CALLBACK_CONTINUE;
}

static sci_callback_action_t on_remote(void *arg, sci_remote_segment_t segment, sci_segment_cb_reason_t reason,
                                       sci_error_t error)
{
    (void)segment, (void)error;
    last_reason = reason;
    gauge_add(arg, 1);
    return SCI_CALLBACK_CONTINUE;
}

static void doomed_exporter(int channel)
{
    sci_desc_t sd = begin();
    unsigned int number = 0;
    sci_local_interrupt_t in;
    sci_map_t map;
    sci_local_segment_t segment = export_segment(sd, 1, PAGE, NULL, NULL);
    OK(SCIMapLocalSegment(segment, &map, 0, PAGE, NULL, 0, &error));
    OK(SCICreateInterrupt(sd, &in, ADAPTER, &number, NULL, NULL, 0, &error));
    tell(channel, number);
    listen_to(channel); /* never comes */
}

static void test_exporter_killed(void)
{
    struct peer peer = start_peer(doomed_exporter);
    sci_desc_t sd = begin();
    unsigned int number = (unsigned int)listen_to(peer.channel);
    struct gauge *events = gauge_new();
    sci_remote_segment_t remote;
    sci_remote_interrupt_t out;
    sci_map_t map;
    volatile char *memory;
    OK(SCIConnectSegment(sd, &remote, node, 1, ADAPTER, on_remote, events, WHILE, SCI_FLAG_USE_CALLBACK, &error));
    OK(SCIConnectInterrupt(sd, &out, node, ADAPTER, number, 0, 0, &error));
    OK(memory = SCIMapRemoteSegment(remote, &map, 0, PAGE, NULL, 0, &error));
    OK(SCITriggerInterrupt(out, 0, &error));
    CHECK(names_in_use() > 0);
    peer_kill(&peer);
    gauge_await(events, 1, SOON);
    CHECK(last_reason == SCI_CB_LOST);
    CHECK(names_in_use() == 0);
    memory[0] = memory[PAGE - 1]; /* still there */
    sci_map_t again;
    EXPECT(SCI_ERR_SEGMENT_NOT_CONNECTED, (void)SCIMapRemoteSegment(remote, &again, 0, PAGE, NULL, 0, &error));
    EXPECT(SCI_ERR_NOT_CONNECTED, SCITriggerInterrupt(out, 0, &error));
    OK(SCIUnmapSegment(map, 0, &error));
    OK(SCIDisconnectSegment(remote, 0, &error));
    OK(SCIDisconnectInterrupt(out, 0, &error));
    free(events);
    end(sd);
}

static void doomed_connector(int channel)
{
    sci_desc_t sd = begin();
    sci_remote_segment_t remote;
    sci_map_t map;
    listen_to(channel);
    OK(SCIConnectSegment(sd, &remote, node, 2, ADAPTER, NULL, NULL, WHILE, 0, &error));
    OK((void)SCIMapRemoteSegment(remote, &map, 0, PAGE, NULL, 0, &error));
    tell(channel, 1);
    listen_to(channel);
}

static void test_connector_killed(void)
{
    struct peer peer = start_peer(doomed_connector);
    sci_desc_t sd = begin();
    struct gauge *events = gauge_new();
    int before = open_descriptors();
    sci_local_segment_t segment = export_segment(sd, 2, PAGE, on_local, events);
    tell(peer.channel, 1);
    listen_to(peer.channel);
    gauge_await(events, 1, WHILE);
    CHECK(last_reason == SCI_CB_CONNECT);
    peer_kill(&peer);
    gauge_await(events, 2, SOON);
    CHECK(last_reason == SCI_CB_LOST);
    OK(SCIRemoveSegment(segment, 0, &error));
    CHECK(open_descriptors() == before - 1 + 2); /* minus the channel; the library's thread has two */
    free(events);
    end(sd);
}

int main(void)
{
    node = use_own_node();
    test_exporter_killed();
    test_connector_killed();
    return 0;
}

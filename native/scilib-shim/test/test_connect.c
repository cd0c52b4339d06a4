/* Connecting to an exporter that is slow, or that comes and goes, and from processes that are killed while they connect. */
#include <signal.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"
#include "raw.h"

enum { SEGMENT = 1, SILENT = 2, A_WHILE = 100 /* ms: for an answer that can't come */, CONNECTIONS = 50, CONNECTORS = 2 };

enum { VICTIMS = 15, LIVES = 20 /* connections of each, with fewer events than the library keeps */ };

static unsigned int node;

static sci_segment_cb_reason_t next_event(sci_local_segment_t segment, unsigned int timeout)
{
    sci_error_t status;
    unsigned int from, adapter;
    sci_segment_cb_reason_t reason = SCIWaitForLocalSegmentEvent(segment, &from, &adapter, timeout, 0, &status);
    CHECK(status == SCI_ERR_OK || status == SCI_ERR_TIMEOUT);
    return reason;
}

static void finish(sci_desc_t sd)
{
    OK(SCIClose(sd, 0, &error));
    SCITerminate();
}

static void sleepy_exporter(int channel)
{
    sci_desc_t sd = begin();
    sci_local_segment_t segment = export_segment(sd, SEGMENT, PAGE, NULL, NULL);
    tell(channel, 1);
    listen_to(channel);
    /* A connector that gave up was never connected. */
    CHECK(next_event(segment, WHILE) == SCI_CB_CONNECT);
    CHECK(next_event(segment, WHILE) == SCI_CB_DISCONNECT);
    CHECK(next_event(segment, 0) == 0);
    OK(SCIRemoveSegment(segment, 0, &error));
    finish(sd);
}

/* SCI_ERR_TIMEOUT leaves no descriptor, and the same call works once the exporter runs again. */
static void test_timeout(void)
{
    struct peer peer = start_peer(sleepy_exporter);
    sci_desc_t sd = begin();
    sci_remote_segment_t remote = NULL;
    listen_to(peer.channel);
    int before = open_descriptors(), status;
    CHECK(kill(peer.pid, SIGSTOP) == 0 && waitpid(peer.pid, &status, WUNTRACED) == peer.pid && WIFSTOPPED(status));
    EXPECT(SCI_ERR_TIMEOUT, SCIConnectSegment(sd, &remote, node, SEGMENT, ADAPTER, NULL, NULL, 0, 0, &error));
    EXPECT(SCI_ERR_TIMEOUT, SCIConnectSegment(sd, &remote, node, SEGMENT, ADAPTER, NULL, NULL, A_WHILE, 0, &error));
    CHECK(remote == NULL);
    await_descriptors(before);
    CHECK(kill(peer.pid, SIGCONT) == 0);
    OK(SCIConnectSegment(sd, &remote, node, SEGMENT, ADAPTER, NULL, NULL, WHILE, 0, &error));
    OK(SCIDisconnectSegment(remote, 0, &error));
    tell(peer.channel, 1);
    peer_finish(&peer);
    finish(sd);
}

static void exporter(int channel)
{
    sci_desc_t sd = begin();
    sci_local_segment_t segment = export_segment(sd, SEGMENT, PAGE, NULL, NULL);
    tell(channel, 1);
    listen_to(channel);
    OK(SCIRemoveSegment(segment, 0, &error));
    finish(sd);
}

/* Public programs connect with the time-out 0 again and again until it works, so one attempt has to be enough for an answer. */
static void test_no_timeout(void)
{
    struct peer peer = start_peer(exporter);
    sci_desc_t sd = begin();
    listen_to(peer.channel);
    for (int i = 0; i < CONNECTIONS; i++) {
        sci_remote_segment_t remote;
        sci_error_t error;
        int attempts = 0;
        do
            SCIConnectSegment(sd, &remote, node, SEGMENT, ADAPTER, NULL, NULL, 0, 0, &error);
        while (error == SCI_ERR_TIMEOUT && ++attempts < CONNECTIONS);
        CHECK(error == SCI_ERR_OK);
        OK(SCIDisconnectSegment(remote, 0, &error));
    }
    tell(peer.channel, 1);
    peer_finish(&peer);
    finish(sd);
}

/* A connector that gives up says bye: the answer may be on its way, and the end must not look like a death. */
static void test_farewell(void)
{
    struct sockaddr_un address;
    socklen_t length;
    int listener = raw_socket(&address, &length, node, SILENT);
    CHECK(bind(listener, (struct sockaddr *)&address, length) == 0 && listen(listener, 1) == 0);
    sci_desc_t sd = begin();
    sci_remote_segment_t remote;
    EXPECT(SCI_ERR_TIMEOUT, SCIConnectSegment(sd, &remote, node, SILENT, ADAPTER, NULL, NULL, A_WHILE, 0, &error));
    union wire_packet packet;
    int link = accept(listener, NULL, NULL);
    CHECK(recv(link, &packet, sizeof packet, 0) == sizeof packet.request && packet.head.kind == WIRE_REQUEST);
    CHECK(recv(link, &packet, sizeof packet, 0) == sizeof packet.head && packet.head.kind == WIRE_BYE);
    CHECK(recv(link, &packet, sizeof packet, 0) == 0);
    close(link);
    close(listener);
    finish(sd);
}

/* Tries again, as the reference tells callers to. */
static sci_remote_segment_t connect_until_there(sci_desc_t sd)
{
    sci_error_t error;
    sci_remote_segment_t remote;
    do
        SCIConnectSegment(sd, &remote, node, SEGMENT, ADAPTER, NULL, NULL, WHILE, 0, &error);
    while (error == SCI_ERR_NO_SUCH_SEGMENT || error == SCI_ERR_TIMEOUT);
    CHECK(error == SCI_ERR_OK);
    return remote;
}

static void connector(int channel)
{
    sci_desc_t sd = begin();
    int before = -1;
    listen_to(channel);
    for (int i = 0; i < CONNECTIONS; i++) {
        sci_error_t status;
        sci_map_t map;
        sci_remote_segment_t remote = connect_until_there(sd);
        volatile char *memory = SCIMapRemoteSegment(remote, &map, 0, PAGE, NULL, 0, &status);
        if (status == SCI_ERR_OK) {
            memory[i] = 'x';
            OK(SCIUnmapSegment(map, 0, &error));
        } else {
            CHECK(status == SCI_ERR_SEGMENT_NOT_CONNECTED);
        }
        /* A connector that got through is told of the removal, by a bye, since the exporter lives. */
        OK(CHECK(SCIWaitForRemoteSegmentEvent(remote, &status, WHILE, 0, &error) == SCI_CB_DISCONNECT));
        OK(SCIDisconnectSegment(remote, 0, &error));
        if (before < 0)
            before = open_descriptors();
        await_descriptors(before);
    }
    finish(sd);
    tell(channel, 1);
}

static bool is_done(int channel)
{
    uint64_t message;
    return recv(channel, &message, sizeof message, MSG_DONTWAIT) == sizeof message;
}

static void test_races(void)
{
    struct peer connectors[CONNECTORS];
    for (int i = 0; i < CONNECTORS; i++)
        connectors[i] = start_peer(connector);
    sci_desc_t sd = begin();
    for (int i = 0; i < CONNECTORS; i++)
        tell(connectors[i].channel, 1);
    int done = 0, before = -1;
    for (unsigned int round = 0; done < CONNECTORS; round++) {
        sci_local_segment_t segment = export_segment(sd, SEGMENT, PAGE, NULL, NULL);
        next_event(segment, round % 4);
        if (round % 2 == 0)
            OK(SCISetSegmentUnavailable(segment, ADAPTER, 0, &error));
        OK(SCIRemoveSegment(segment, SCI_FLAG_FORCE_REMOVE, &error));
        if (before < 0)
            before = open_descriptors();
        await_descriptors(before);
        for (int i = 0; i < CONNECTORS; i++)
            done += is_done(connectors[i].channel);
    }
    for (int i = 0; i < CONNECTORS; i++)
        peer_finish(&connectors[i]);
    finish(sd);
}

static void victim(int channel)
{
    sci_desc_t sd = begin();
    listen_to(channel);
    for (int i = 0; i < LIVES; i++)
        OK(SCIDisconnectSegment(connect_until_there(sd), 0, &error));
    listen_to(channel); /* never comes */
}

/* A connector dies at any point: each CONNECT is followed by one DISCONNECT or LOST, and the segment does not stay busy. */
static void test_killed_connectors(void)
{
    struct peer victims[VICTIMS];
    for (int i = 0; i < VICTIMS; i++)
        victims[i] = start_peer(victim);
    sci_desc_t sd = begin();
    sci_local_segment_t segment = export_segment(sd, SEGMENT, PAGE, NULL, NULL);
    int before = open_descriptors();
    for (int i = 0; i < VICTIMS; i++) {
        tell(victims[i].channel, 1);
        CHECK(next_event(segment, WHILE) == SCI_CB_CONNECT);
        peer_kill(&victims[i]);
        await_descriptors(--before); /* minus the channel: each connection's end has been noticed */
        int connected = 1;
        for (sci_segment_cb_reason_t reason; (reason = next_event(segment, 0)) != 0;)
            connected += reason == SCI_CB_CONNECT ? 1 : -1;
        CHECK(connected == 0);
    }
    OK(SCIRemoveSegment(segment, 0, &error));
    finish(sd);
}

int main(void)
{
    node = use_own_node();
    test_timeout();
    test_no_timeout();
    test_farewell();
    test_races();
    test_killed_connectors();
    CHECK(names_in_use() == 0);
    return 0;
}

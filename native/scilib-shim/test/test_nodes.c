/* Several nodes on one host: which are there, connections between them, and queries. */
#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "check.h"
#include "raw.h"

enum { NAMES = 256 /* of a node */ };

static unsigned int node;

/* The calling process becomes a node of its own. No other process gets its id before it is waited for. */
static sci_desc_t begin_as_other(int channel)
{
    unsigned int own = use_own_node();
    sci_desc_t sd = begin();
    tell(channel, own);
    return sd;
}

static void finish(sci_desc_t sd)
{
    OK(SCIClose(sd, 0, &error));
    SCITerminate();
}

static void expect_there(sci_desc_t sd, unsigned int which)
{
    OK(CHECK(SCIProbeNode(sd, ADAPTER, which, 0, &error) == 1));
}

static void expect_absent(sci_desc_t sd, unsigned int which)
{
    EXPECT(SCI_ERR_NO_SUCH_NODEID, CHECK(SCIProbeNode(sd, ADAPTER, which, 0, &error) == 0));
}

/* Initialises and ends the library when it is told to. */
static void comes_and_goes(int channel)
{
    tell(channel, use_own_node());
    listen_to(channel);
    finish(begin_as_other(channel));
    tell(channel, 1);
    listen_to(channel);
    begin_as_other(channel);
    listen_to(channel); /* never comes */
}

static void test_presence(void)
{
    struct peer peer = start_peer(comes_and_goes);
    sci_desc_t sd = begin();
    unsigned int other = (unsigned int)listen_to(peer.channel);
    CHECK(other != node);
    expect_there(sd, node);
    expect_absent(sd, other);
    tell(peer.channel, 1);
    CHECK(listen_to(peer.channel) == other);
    CHECK(listen_to(peer.channel) == 1); /* the node was there, and is gone again */
    expect_absent(sd, other);
    tell(peer.channel, 1);
    listen_to(peer.channel);
    expect_there(sd, other);
    peer_kill(&peer);
    expect_absent(sd, other);
    finish(sd);
}

static unsigned int shared_node;

static void one_of_two(int channel)
{
    char text[16];
    snprintf(text, sizeof text, "%u", shared_node);
    CHECK(setenv("SISCI_SHIM_NODE", text, 1) == 0);
    sci_desc_t sd = begin();
    tell(channel, 1);
    listen_to(channel);
    finish(sd);
}

/* A node is there as long as any of its processes is. */
static void test_processes_of_a_node(void)
{
    struct peer absent = start_peer(comes_and_goes); /* the two processes use its node id */
    shared_node = (unsigned int)listen_to(absent.channel);
    struct peer first = start_peer(one_of_two), second = start_peer(one_of_two);
    sci_desc_t sd = begin();
    listen_to(first.channel);
    listen_to(second.channel);
    expect_there(sd, shared_node);
    tell(first.channel, 1);
    peer_finish(&first);
    expect_there(sd, shared_node);
    tell(second.channel, 1);
    peer_finish(&second);
    expect_absent(sd, shared_node);
    peer_kill(&absent);
    finish(sd);
}

/* Makes a socket that holds a place of a node, as a process does. */
static int take_place(unsigned int of, unsigned int place)
{
    struct sockaddr_un address;
    socklen_t length;
    int fd = raw_node(&address, &length, of, place);
    CHECK(bind(fd, (struct sockaddr *)&address, length) == 0);
    return fd;
}

/* Other sockets hold all places of this node: a process can still join it, without a place. */
static void test_taken_places(void)
{
    int fds[NAMES];
    for (unsigned int i = 0; i < NAMES; i++)
        fds[i] = take_place(node, i);
    int before = open_descriptors();
    sci_desc_t sd = begin();
    CHECK(open_descriptors() == before);
    expect_there(sd, node);
    finish(sd);
    for (unsigned int i = 0; i < NAMES; i++)
        close(fds[i]);
}

/* A socket that holds a name but takes no connection is no process of the library. It hides none of them either. */
static void test_stranger(void)
{
    struct peer peer = start_peer(comes_and_goes);
    unsigned int other = (unsigned int)listen_to(peer.channel);
    struct sockaddr_un address;
    socklen_t length;
    int elsewhere = take_place(node, NAMES), fd = take_place(other, 0);
    close(raw_node(&address, &length, node, NAMES));
    CHECK(connect(fd, (struct sockaddr *)&address, length) == 0);
    sci_desc_t sd = begin();
    expect_absent(sd, other);
    tell(peer.channel, 1);
    listen_to(peer.channel);
    listen_to(peer.channel);
    tell(peer.channel, 1);
    listen_to(peer.channel);
    expect_there(sd, other);
    peer_kill(&peer);
    close(fd);
    close(elsewhere);
    finish(sd);
}

/* Others can find the name but send nothing to it, so nothing piles up. */
static void test_silence(void)
{
    sci_desc_t sd = begin();
    struct sockaddr_un address;
    socklen_t length;
    char byte = 0;
    int fd = raw_node(&address, &length, node, 0);
    CHECK(connect(fd, (struct sockaddr *)&address, length) == 0);
    CHECK(send(fd, &byte, sizeof byte, MSG_NOSIGNAL | MSG_DONTWAIT) == -1 && errno == EPIPE);
    close(fd);
    finish(sd);
}

static void exporter(int channel)
{
    sci_desc_t sd = begin_as_other(channel);
    sci_local_segment_t segment = export_segment(sd, 7, PAGE, NULL, NULL);
    unsigned int from, adapter;
    tell(channel, 1);
    OK(CHECK(SCIWaitForLocalSegmentEvent(segment, &from, &adapter, WHILE, 0, &error) == SCI_CB_CONNECT));
    CHECK(from == node && adapter == ADAPTER);
    OK(CHECK(SCIWaitForLocalSegmentEvent(segment, &from, &adapter, WHILE, 0, &error) == SCI_CB_DISCONNECT));
    CHECK(from == node && adapter == ADAPTER);
    OK(SCIRemoveSegment(segment, 0, &error));
    finish(sd);
}

/* The same segment id on two nodes means two segments. */
static void test_segments_of_nodes(void)
{
    struct peer peer = start_peer(exporter);
    sci_desc_t sd = begin();
    unsigned int other = (unsigned int)listen_to(peer.channel);
    listen_to(peer.channel);
    sci_local_segment_t own = export_segment(sd, 7, 2 * PAGE, NULL, NULL);
    sci_remote_segment_t theirs, ours;
    OK(SCIConnectSegment(sd, &theirs, other, 7, ADAPTER, NULL, NULL, WHILE, 0, &error));
    OK(SCIConnectSegment(sd, &ours, node, 7, ADAPTER, NULL, NULL, WHILE, 0, &error));
    CHECK(SCIGetRemoteSegmentSize(theirs) == PAGE && SCIGetRemoteSegmentSize(ours) == 2 * PAGE);
    OK(SCIDisconnectSegment(theirs, 0, &error));
    OK(SCIDisconnectSegment(ours, 0, &error));
    OK(SCIRemoveSegment(own, 0, &error));
    peer_finish(&peer);
    finish(sd);
}

static void test_probe_errors(void)
{
    EXPECT(SCI_ERR_NOT_INITIALIZED, CHECK(SCIProbeNode(NULL, ADAPTER, node, 0, &error) == 0));
    sci_desc_t sd = begin();
    EXPECT(SCI_ERR_ILLEGAL_NODEID, CHECK(SCIProbeNode(sd, ADAPTER, 0, 0, &error) == 0));
    EXPECT(SCI_ERR_ILLEGAL_NODEID, CHECK(SCIProbeNode(sd, ADAPTER, 65536, 0, &error) == 0));
    EXPECT(SCI_ERR_NO_SUCH_ADAPTERNO, CHECK(SCIProbeNode(sd, 1, node, 0, &error) == 0));
    EXPECT(SCI_ERR_ILLEGAL_ADAPTERNO, CHECK(SCIProbeNode(sd, 16, node, 0, &error) == 0));
    EXPECT(SCI_ERR_ILLEGAL_FLAG, CHECK(SCIProbeNode(sd, ADAPTER, node, 1, &error) == 0));
    EXPECT(SCI_ERR_ILLEGAL_PARAMETER, CHECK(SCIProbeNode(NULL, ADAPTER, node, 0, &error) == 0));
    finish(sd);
}

static void test_query(void)
{
    unsigned int answer = 77;
    sci_query_adapter_t adapter = { .localAdapterNo = ADAPTER, .subcommand = SCI_Q_ADAPTER_NODEID, .data = &answer };
    EXPECT(SCI_ERR_NOT_INITIALIZED, SCIQuery(SCI_Q_ADAPTER, &adapter, 0, &error));
    sci_desc_t sd = begin();
    EXPECT(SCI_ERR_ILLEGAL_FLAG, SCIQuery(SCI_Q_ADAPTER, &adapter, 1, &error));
    EXPECT(SCI_ERR_ILLEGAL_PARAMETER, SCIQuery(SCI_Q_ADAPTER, NULL, 0, &error));
    EXPECT(SCI_ERR_ILLEGAL_QUERY, SCIQuery(0, &adapter, 0, &error));
    OK(SCIQuery(SCI_Q_ADAPTER, &adapter, 0, &error));
    CHECK(answer == node);
    adapter.subcommand = SCI_Q_ADAPTER_CONFIGURED;
    OK(SCIQuery(SCI_Q_ADAPTER, &adapter, 0, &error));
    CHECK(answer == 1);
    answer = 77;
    adapter.subcommand = SCI_Q_ADAPTER_LINK_OPERATIONAL;
    OK(SCIQuery(SCI_Q_ADAPTER, &adapter, 0, &error));
    CHECK(answer == 1);
    answer = 77;
    adapter.subcommand = SCI_Q_ADAPTER_SERIAL_NUMBER;
    EXPECT(SCI_ERR_NOT_IMPLEMENTED, SCIQuery(SCI_Q_ADAPTER, &adapter, 0, &error));
    adapter.subcommand = SCI_Q_ADAPTER_CARD_TYPE;
    EXPECT(SCI_ERR_NOT_IMPLEMENTED, SCIQuery(SCI_Q_ADAPTER, &adapter, 0, &error));
    adapter.subcommand = 0;
    EXPECT(SCI_ERR_ILLEGAL_QUERY, SCIQuery(SCI_Q_ADAPTER, &adapter, 0, &error));
    adapter.localAdapterNo = 1;
    EXPECT(SCI_ERR_NO_SUCH_ADAPTERNO, SCIQuery(SCI_Q_ADAPTER, &adapter, 0, &error));
    adapter.localAdapterNo = 16;
    EXPECT(SCI_ERR_ILLEGAL_ADAPTERNO, SCIQuery(SCI_Q_ADAPTER, &adapter, 0, &error));
    CHECK(answer == 77);
    adapter.data = NULL;
    EXPECT(SCI_ERR_ILLEGAL_PARAMETER, SCIQuery(SCI_Q_ADAPTER, &adapter, 0, &error));

    char text[64] = "";
    sci_query_string_t string = { .str = text, .length = sizeof text };
    OK(SCIQuery(SCI_Q_VENDORID, &string, 0, &error));
    CHECK(strcmp(text, "Java Fast Sockets") == 0);
    string.length = 6;
    OK(SCIQuery(SCI_Q_API, &string, 0, &error));
    CHECK(strcmp(text, "SISCI") == 0);
    string.length = 0;
    EXPECT(SCI_ERR_ILLEGAL_PARAMETER, SCIQuery(SCI_Q_API, &string, 0, &error));
    string = (sci_query_string_t){ .length = sizeof text };
    EXPECT(SCI_ERR_ILLEGAL_PARAMETER, SCIQuery(SCI_Q_VENDORID, &string, 0, &error));
    finish(sd);
}

int main(void)
{
    node = use_own_node();
    int before = open_descriptors();
    test_presence(); /* the tests that fork come first: no thread may run then */
    test_processes_of_a_node();
    test_segments_of_nodes();
    test_stranger();
    test_taken_places();
    test_silence();
    test_probe_errors();
    test_query();
    CHECK(open_descriptors() == before);
    return 0;
}

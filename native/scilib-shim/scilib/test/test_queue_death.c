/* The other process is killed: what it sent is received, and soon the queue says that it is gone. No name or descriptor is left. */
#include "queues.h"

enum { ID = 4, COUNT = 2, SIZE = 500, SENT = 700 };

static unsigned int node;
static unsigned char bytes[64 * COUNT * SIZE];

static void sender(int channel)
{
    sci_msq_queue_t queue = NULL;
    stream_fill(bytes, 0, SENT);
    DONE(SCILInit(0));
    DONE(SCILConnectMsgQueue(&queue, ADAPTER, node, ID, COUNT, SIZE, WHILE, 0));
    DONE(SCILSendMsgWait(queue, bytes, SENT, NULL, SCI_INFINITE_TIMEOUT, 0));
    tell(channel, 0);
    listen_to(channel);
}

static void receiver(int channel)
{
    sci_msq_queue_t queue = NULL;
    DONE(SCILInit(0));
    DONE(SCILCreateMsgQueue(&queue, ADAPTER, node, ID, COUNT, SIZE, 0, 0));
    tell(channel, 0);
    DONE(SCILReceiveMsgWait(queue, bytes, 1, NULL, SCI_INFINITE_TIMEOUT, 0));
    tell(channel, 0);
    listen_to(channel);
}

static void kill_sender(struct peer *peer, bool found)
{
    sci_msq_queue_t queue = NULL;
    size_t done;
    DONE(SCILCreateMsgQueue(&queue, ADAPTER, node, ID, COUNT, SIZE, 0, 0));
    listen_to(peer->channel);
    if (found)
        DONE(SCILReceiveMsg(queue, bytes, 0, NULL, 0));
    peer_kill(peer);
    GIVES(SCI_ERR_NOT_CONNECTED, SCILReceiveMsgWait(queue, bytes, sizeof bytes, &done, SCI_INFINITE_TIMEOUT, 0));
    CHECK(done == SENT);
    stream_check(bytes, 0, SENT);
    GIVES(SCI_ERR_NOT_CONNECTED, SCILReceiveMsg(queue, bytes, 1, NULL, 0));
    DONE(SCILRemoveMsgQueue(&queue, 0));
}

static void kill_receiver(struct peer *peer, bool found)
{
    sci_msq_queue_t queue = NULL;
    listen_to(peer->channel);
    DONE(SCILConnectMsgQueue(&queue, ADAPTER, node, ID, COUNT, SIZE, WHILE, 0));
    if (found) {
        DONE(SCILSendMsg(queue, bytes, 1, NULL, 0));
        listen_to(peer->channel);
    }
    peer_kill(peer);
    GIVES(SCI_ERR_NOT_CONNECTED, SCILSendMsgWait(queue, bytes, sizeof bytes, NULL, SCI_INFINITE_TIMEOUT, 0));
    GIVES(SCI_ERR_NOT_CONNECTED, SCILSendMsg(queue, bytes, 1, NULL, 0));
    DONE(SCILDisconnectMsgQueue(&queue, 0));
}

int main(void)
{
    node = use_own_node();
    int before = open_descriptors();
    for (int found = 0; found <= 1; found++) { /* whether the receiver has connected to the sender before */
        struct peer peer = start_peer(sender);
        DONE(SCILInit(0));
        kill_sender(&peer, found);
        DONE(SCILDestroy(0));
        peer = start_peer(receiver);
        DONE(SCILInit(0));
        kill_receiver(&peer, found);
        queue_end_library(before);
    }
    return 0;
}

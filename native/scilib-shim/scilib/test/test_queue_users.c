/* Another user's process can't connect to this process's queues, nor this process to its queues. Needs root to change users. */
#include <unistd.h>

#include "queues.h"

enum { STRANGER = 12345, OURS = 1, THEIRS = 2, COUNT = 1, SIZE = 8 };

static unsigned int node;

static void stranger(int channel)
{
    CHECK(setresuid(STRANGER, STRANGER, STRANGER) == 0);
    sci_msq_queue_t own = NULL, other = NULL;
    DONE(SCILInit(0));
    DONE(SCILCreateMsgQueue(&own, ADAPTER, node, THEIRS, COUNT, SIZE, 0, 0));
    tell(channel, 0);
    listen_to(channel);
    GIVES(SCI_ERR_CONNECTION_REFUSED, SCILConnectMsgQueue(&other, ADAPTER, node, OURS, COUNT, SIZE, WHILE, 0));
    DONE(SCILRemoveMsgQueue(&own, 0));
    DONE(SCILDestroy(0));
}

int main(void)
{
    if (geteuid() != 0) {
        puts("only root can become other users");
        return SKIPPED;
    }
    node = use_own_node();
    int before = open_descriptors();
    struct peer peer = start_peer(stranger);
    sci_msq_queue_t own = NULL, other = NULL;
    DONE(SCILInit(0));
    DONE(SCILCreateMsgQueue(&own, ADAPTER, node, OURS, COUNT, SIZE, 0, 0));
    listen_to(peer.channel);
    GIVES(SCI_ERR_CONNECTION_REFUSED, SCILConnectMsgQueue(&other, ADAPTER, node, THEIRS, COUNT, SIZE, WHILE, 0));
    tell(peer.channel, 0);
    peer_finish(&peer);
    DONE(SCILRemoveMsgQueue(&own, 0));
    queue_end_library(before);
    return 0;
}

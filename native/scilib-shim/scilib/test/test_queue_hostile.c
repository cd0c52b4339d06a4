/*
 * A program of the same user maps a queue's segments with plain SISCI, and writes there: an error, and no crash or hang.
 */
#include "inbox.h"
#include "queues.h"

enum { ID = 5, COUNT = 2, SIZE = 100, WINDOW = 8192, FORGED = 77 };

static unsigned int node;
static sci_desc_t sd;

/* A queue's segment, mapped by a program that is no end of the queue. */
struct grip {
    sci_remote_segment_t segment;
    sci_map_t map;
    struct inbox *inbox;
};

static struct grip seize(unsigned int id)
{
    struct grip grip;
    OK(SCIConnectSegment(sd, &grip.segment, node, id, ADAPTER, NULL, NULL, WHILE, 0, &error));
    OK(grip.inbox = (struct inbox *)SCIMapRemoteSegment(grip.segment, &grip.map, 0,
                                                        SCIGetRemoteSegmentSize(grip.segment), NULL, 0, &error));
    return grip;
}

static void let_go(struct grip *grip)
{
    OK(SCIUnmapSegment(grip->map, 0, &error));
    OK(SCIDisconnectSegment(grip->segment, 0, &error));
}

static sci_msq_queue_t new_receiver(void)
{
    sci_msq_queue_t queue = NULL;
    DONE(SCILCreateMsgQueue(&queue, ADAPTER, node, ID, COUNT, SIZE, 0, 0));
    return queue;
}

static sci_msq_queue_t new_sender(void)
{
    sci_msq_queue_t queue = NULL;
    DONE(SCILConnectMsgQueue(&queue, ADAPTER, node, ID, COUNT, SIZE, WHILE, 0));
    return queue;
}

/* First what honest ends write when they leave: the other end need not wait for SISCI's callback. */
static void test_farewells(void)
{
    char byte;
    sci_msq_queue_t receiver = new_receiver(), sender = new_sender();
    struct grip queue = seize(INBOX_QUEUE_ID | ID);
    CHECK(queue.inbox->ended == 0);
    DONE(SCILDisconnectMsgQueue(&sender, 0));
    CHECK(queue.inbox->ended == INBOX_FIN);
    let_go(&queue);
    DONE(SCILRemoveMsgQueue(&receiver, 0));

    receiver = new_receiver();
    sender = new_sender();
    queue = seize(INBOX_QUEUE_ID | ID);
    struct grip back = seize(queue.inbox->sender);
    let_go(&queue);
    UNTIL(back.inbox->head != 0, SCILSendMsg(sender, "x", 1, NULL, 0); /* until the receiver knows its sender */
          SCILReceiveMsg(receiver, &byte, 1, NULL, 0));
    CHECK(back.inbox->receiver == 0);
    DONE(SCILRemoveMsgQueue(&receiver, 0));
    CHECK(back.inbox->receiver == INBOX_CLOSED);
    GIVES(SCI_ERR_NOT_CONNECTED, SCILSendMsg(sender, &byte, 0, NULL, 0));
    let_go(&back);
    DONE(SCILDisconnectMsgQueue(&sender, 0));
}

/* A record that no sender writes. */
static void test_header(int64_t header)
{
    char byte;
    size_t done;
    unsigned int left;
    sci_msq_queue_t receiver = new_receiver();
    struct grip grip = seize(INBOX_QUEUE_ID | ID);
    *(_Atomic int64_t *)(void *)grip.inbox->ring = header;
    GIVES(SCI_ERR_TRANSFER_FAILED, SCILReceiveMsg(receiver, &byte, 1, &left, 0));
    *(_Atomic int64_t *)(void *)grip.inbox->ring = 1; /* too late */
    GIVES(SCI_ERR_TRANSFER_FAILED, SCILReceiveMsgWait(receiver, &byte, 1, &done, SCI_INFINITE_TIMEOUT, 0));
    CHECK(done == 0);
    let_go(&grip);
    DONE(SCILRemoveMsgQueue(&receiver, 0));
}

/* A head that no receiver writes. */
static void test_head(int64_t head)
{
    char byte = 0;
    sci_msq_queue_t receiver = new_receiver(), sender = new_sender();
    struct grip queue = seize(INBOX_QUEUE_ID | ID), back = seize(queue.inbox->sender);
    back.inbox->head = head;
    await_send_status(sender, SCI_ERR_TRANSFER_FAILED); /* when the sender needs the head */
    GIVES(SCI_ERR_TRANSFER_FAILED, SCILSendMsgWait(sender, &byte, 1, NULL, SCI_INFINITE_TIMEOUT, 0));
    let_go(&queue);
    let_go(&back);
    DONE(SCILDisconnectMsgQueue(&sender, 0));
    DONE(SCILRemoveMsgQueue(&receiver, 0));
}

/* The word "sender" names a segment that is no sender's. What is in the queue is received all the same. */
static void test_sender_word(unsigned int word)
{
    char byte;
    sci_msq_queue_t receiver = new_receiver();
    struct grip grip = seize(INBOX_QUEUE_ID | ID);
    *(_Atomic int64_t *)(void *)grip.inbox->ring = 1;
    grip.inbox->sender = word;
    DONE(SCILReceiveMsgWait(receiver, &byte, 1, NULL, SCI_INFINITE_TIMEOUT, 0));
    GIVES(SCI_ERR_NOT_CONNECTED, SCILReceiveMsgWait(receiver, &byte, 1, NULL, SCI_INFINITE_TIMEOUT, 0));
    let_go(&grip);
    DONE(SCILRemoveMsgQueue(&receiver, 0));
}

static void test_forged_segment(size_t size, uint64_t magic, bool same_nonce, unsigned int bell)
{
    sci_local_segment_t forged = export_segment(sd, INBOX_SENDER_ID | FORGED, size, NULL, NULL);
    char byte;
    sci_msq_queue_t receiver = new_receiver();
    struct grip grip = seize(INBOX_QUEUE_ID | ID), own = seize(INBOX_SENDER_ID | FORGED);
    own.inbox->version = INBOX_QUEUE_VERSION;
    own.inbox->nonce = same_nonce ? grip.inbox->nonce : ~grip.inbox->nonce;
    own.inbox->doorbell = bell;
    own.inbox->magic = magic;
    grip.inbox->sender = INBOX_SENDER_ID | FORGED;
    GIVES(SCI_ERR_NOT_CONNECTED, SCILReceiveMsgWait(receiver, &byte, 1, NULL, SCI_INFINITE_TIMEOUT, 0));
    let_go(&grip);
    let_go(&own);
    DONE(SCILRemoveMsgQueue(&receiver, 0));
    OK(SCIRemoveSegment(forged, SCI_FLAG_FORCE_REMOVE, &error));
}

/* A segment with a queue's id that is no queue. */
static void test_forged_queue(size_t size, uint64_t magic, int version, int window, sci_error_t expected)
{
    sci_local_segment_t forged = export_segment(sd, INBOX_QUEUE_ID | ID, size, NULL, NULL);
    struct grip grip = seize(INBOX_QUEUE_ID | ID);
    grip.inbox->version = version;
    grip.inbox->window = window;
    grip.inbox->magic = magic;
    sci_msq_queue_t queue = NULL;
    GIVES(expected, SCILConnectMsgQueue(&queue, ADAPTER, node, ID, COUNT, SIZE, WHILE, 0));
    CHECK(queue == NULL);
    let_go(&grip);
    OK(SCIRemoveSegment(forged, SCI_FLAG_FORCE_REMOVE, &error));
}

int main(void)
{
    node = use_own_node();
    int before = open_descriptors();
    sd = begin();
    DONE(SCILInit(0));
    test_farewells();
    test_header(-1);
    test_header(INT64_MIN);
    test_header(WINDOW);
    test_header(INT64_MAX);
    test_head(-1);
    test_head(INT64_MAX);
    test_sender_word(1);
    test_sender_word(INBOX_QUEUE_ID | ID);
    test_sender_word(INBOX_SENDER_ID | FORGED);
    test_sender_word(UINT32_MAX);
    unsigned int bell = 0;
    sci_local_interrupt_t interrupt;
    OK(SCICreateInterrupt(sd, &interrupt, ADAPTER, &bell, NULL, NULL, 0, &error));
    test_forged_segment(2 * INBOX_PAGE, INBOX_MAGIC, true, bell);
    test_forged_segment(INBOX_PAGE, INBOX_MAGIC, false, bell);
    test_forged_segment(INBOX_PAGE, INBOX_MAGIC, true, bell + 1);
    test_forged_segment(INBOX_PAGE, 0, true, bell);
    OK(SCIRemoveInterrupt(interrupt, 0, &error));
    size_t size = INBOX_PAGE + WINDOW;
    test_forged_queue(size, 0, INBOX_QUEUE_VERSION, WINDOW, SCI_ERR_INCONSISTENT_VERSIONS);
    test_forged_queue(size, INBOX_MAGIC, INBOX_QUEUE_VERSION + 1, WINDOW, SCI_ERR_INCONSISTENT_VERSIONS);
    test_forged_queue(size, INBOX_MAGIC, INBOX_QUEUE_VERSION, WINDOW / 2, SCI_ERR_ILLEGAL_PARAMETER);
    test_forged_queue(size - 1, INBOX_MAGIC, INBOX_QUEUE_VERSION, WINDOW, SCI_ERR_ILLEGAL_PARAMETER);
    test_forged_queue(size, INBOX_MAGIC, INBOX_QUEUE_VERSION, WINDOW, SCI_ERR_NO_SUCH_SEGMENT); /* no bell */
    DONE(SCILDestroy(0));
    end(sd);
    await_descriptors(before);
    return 0;
}

/* Each call with each of its errors, and how much a queue holds. Both ends are in this process. */
#include <string.h>

#include "queues.h"

enum { ID = 7, COUNT = 4, SIZE = 1000, TOO_LARGE = 70000000, SHORT = 20 /* ms */ };

static unsigned int node;

static sci_error_t create(sci_msq_queue_t *queue)
{
    return SCILCreateMsgQueue(queue, ADAPTER, node, ID, COUNT, SIZE, 0, 0);
}

static sci_error_t connect(sci_msq_queue_t *queue)
{
    return SCILConnectMsgQueue(queue, ADAPTER, node, ID, COUNT, SIZE, WHILE, 0);
}

static void test_life_of_the_library(void)
{
    sci_msq_queue_t queue = NULL;
    GIVES(SCI_ERR_NOT_INITIALIZED, SCILDestroy(0));
    GIVES(SCI_ERR_NOT_INITIALIZED, create(&queue));
    GIVES(SCI_ERR_NOT_INITIALIZED, connect(&queue));
    GIVES(SCI_ERR_ILLEGAL_FLAG, SCILInit(1));
    DONE(SCILInit(0));
    DONE(SCILInit(0));
    GIVES(SCI_ERR_ILLEGAL_FLAG, SCILDestroy(1));
    DONE(SCILDestroy(0));
    DONE(create(&queue));
    GIVES(SCI_ERR_BUSY, SCILDestroy(0));
    DONE(SCILRemoveMsgQueue(&queue, 0));
    DONE(SCILDestroy(0));
    GIVES(SCI_ERR_NOT_INITIALIZED, SCILDestroy(0));
}

/* make: one of the two calls that make an end. */
static void test_wrong_arguments(__typeof__(SCILCreateMsgQueue) *make, int descriptors)
{
    sci_msq_queue_t queue = NULL, other = (sci_msq_queue_t)&queue;
    GIVES(SCI_ERR_ILLEGAL_FLAG, make(&queue, ADAPTER, node, ID, COUNT, SIZE, 0, 1));
    GIVES(SCI_ERR_ILLEGAL_PARAMETER, make(NULL, ADAPTER, node, ID, COUNT, SIZE, 0, 0));
    GIVES(SCI_ERR_ILLEGAL_PARAMETER, make(&other, ADAPTER, node, ID, COUNT, SIZE, 0, 0));
    GIVES(SCI_ERR_NO_SUCH_ADAPTERNO, make(&queue, 1, node, ID, COUNT, SIZE, 0, 0));
    GIVES(SCI_ERR_ILLEGAL_ADAPTERNO, make(&queue, 16, node, ID, COUNT, SIZE, 0, 0));
    GIVES(SCI_ERR_OUT_OF_RANGE, make(&queue, ADAPTER, node, SCIL_MSQ_ID_MAX + 1, COUNT, SIZE, 0, 0));
    GIVES(SCI_ERR_OUT_OF_RANGE, make(&queue, ADAPTER, node, ID, 0, SIZE, 0, 0));
    GIVES(SCI_ERR_OUT_OF_RANGE, make(&queue, ADAPTER, node, ID, COUNT, 0, 0, 0));
    GIVES(SCI_ERR_OUT_OF_RANGE, make(&queue, ADAPTER, node, ID, TOO_LARGE, 1, 0, 0));
    GIVES(SCI_ERR_OUT_OF_RANGE, make(&queue, ADAPTER, node, ID, 1, TOO_LARGE, 0, 0));
    GIVES(SCI_ERR_OUT_OF_RANGE, make(&queue, ADAPTER, node, ID, UINT32_MAX, UINT32_MAX, 0, 0));
    GIVES(SCI_ERR_OUT_OF_RANGE, make(&queue, ADAPTER, node, ID, 64, 1 << 20, 0, 0));
    CHECK(queue == NULL);
    CHECK(open_descriptors() == descriptors);
}

static void test_connecting(int descriptors)
{
    sci_msq_queue_t receiver = NULL, second = NULL, sender = NULL;
    GIVES(SCI_ERR_NO_SUCH_SEGMENT, SCILConnectMsgQueue(&sender, ADAPTER, node, ID, COUNT, SIZE, 0, 0));
    GIVES(SCI_ERR_NO_SUCH_SEGMENT, SCILConnectMsgQueue(&sender, ADAPTER, node, ID, COUNT, SIZE, SHORT, 0));
    GIVES(SCI_ERR_ILLEGAL_NODEID, SCILConnectMsgQueue(&sender, ADAPTER, 0, ID, COUNT, SIZE, SHORT, 0));
    DONE(create(&receiver));
    GIVES(SCI_ERR_SEGMENTID_USED, create(&second));
    GIVES(SCI_ERR_ILLEGAL_PARAMETER, SCILConnectMsgQueue(&sender, ADAPTER, node, ID, COUNT, 9 * SIZE, WHILE, 0));
    CHECK(second == NULL && sender == NULL);
    DONE(connect(&sender));
    GIVES(SCI_ERR_BUSY, connect(&second));
    CHECK(second == NULL);

    GIVES(SCI_ERR_ILLEGAL_PARAMETER, SCILRemoveMsgQueue(&sender, 0));
    GIVES(SCI_ERR_ILLEGAL_PARAMETER, SCILDisconnectMsgQueue(&receiver, 0));
    GIVES(SCI_ERR_ILLEGAL_FLAG, SCILRemoveMsgQueue(&receiver, 1));
    GIVES(SCI_ERR_ILLEGAL_FLAG, SCILDisconnectMsgQueue(&sender, 1));
    GIVES(SCI_ERR_ILLEGAL_PARAMETER, SCILRemoveMsgQueue(NULL, 0));
    GIVES(SCI_ERR_ILLEGAL_PARAMETER, SCILDisconnectMsgQueue(NULL, 0));
    DONE(SCILDisconnectMsgQueue(&sender, 0));
    CHECK(sender == NULL);
    GIVES(SCI_ERR_BUSY, connect(&sender)); /* a queue has one sender in its life */
    DONE(SCILRemoveMsgQueue(&receiver, 0));
    CHECK(receiver == NULL);
    GIVES(SCI_ERR_ILLEGAL_PARAMETER, SCILRemoveMsgQueue(&receiver, 0));
    await_descriptors(descriptors);
}

static void open_both(sci_msq_queue_t *receiver, sci_msq_queue_t *sender)
{
    *receiver = *sender = NULL;
    DONE(create(receiver));
    DONE(connect(sender));
}

static void close_both(sci_msq_queue_t *receiver, sci_msq_queue_t *sender)
{
    DONE(SCILDisconnectMsgQueue(sender, 0));
    DONE(SCILRemoveMsgQueue(receiver, 0));
}

static void test_wrong_use(void)
{
    sci_msq_queue_t receiver, sender;
    open_both(&receiver, &sender);
    unsigned char bytes[COUNT * SIZE + 1] = { 0 };
    GIVES(SCI_ERR_ILLEGAL_PARAMETER, SCILSendMsg(NULL, bytes, 1, NULL, 0));
    GIVES(SCI_ERR_ILLEGAL_PARAMETER, SCILSendMsg(receiver, bytes, 1, NULL, 0));
    GIVES(SCI_ERR_ILLEGAL_PARAMETER, SCILSendMsg(sender, NULL, 1, NULL, 0));
    GIVES(SCI_ERR_ILLEGAL_FLAG, SCILSendMsg(sender, bytes, 1, NULL, 4));
    GIVES(SCI_ERR_OUT_OF_RANGE, SCILSendMsg(sender, bytes, SIZE + 1, NULL, 0));
    GIVES(SCI_ERR_ILLEGAL_PARAMETER, SCILReceiveMsg(NULL, bytes, 1, NULL, 0));
    GIVES(SCI_ERR_ILLEGAL_PARAMETER, SCILReceiveMsg(sender, bytes, 1, NULL, 0));
    GIVES(SCI_ERR_ILLEGAL_PARAMETER, SCILReceiveMsg(receiver, NULL, 1, NULL, 0));
    GIVES(SCI_ERR_ILLEGAL_FLAG, SCILReceiveMsg(receiver, bytes, 1, NULL, 4));
    GIVES(SCI_ERR_OUT_OF_RANGE, SCILReceiveMsg(receiver, bytes, COUNT * SIZE + 1, NULL, 0));
    size_t done = 9;
    GIVES(SCI_ERR_ILLEGAL_PARAMETER, SCILSendMsgWait(receiver, bytes, 1, &done, 0, 0));
    CHECK(done == 0);
    done = 9;
    GIVES(SCI_ERR_ILLEGAL_PARAMETER, SCILReceiveMsgWait(sender, bytes, 1, &done, 0, 0));
    CHECK(done == 0);
    /* No byte went through. */
    unsigned int left = 9;
    GIVES(SCI_ERR_EWOULD_BLOCK, SCILReceiveMsg(receiver, bytes, 1, &left, 0));
    CHECK(left == 0);
    close_both(&receiver, &sender);
}

/* Sends messages of this size until there is no room. Returns how many. */
static unsigned int fill(sci_msq_queue_t sender, unsigned int size, uint64_t *sent)
{
    unsigned char message[SIZE];
    unsigned int count = 0, room;
    for (;; count++) {
        stream_fill(message, *sent, size);
        sci_error_t status = SCILSendMsg(sender, message, size, &room, SCIL_FLAG_FULL_ERROR_CHECK);
        if (status == SCI_ERR_EWOULD_BLOCK)
            break;
        CHECK(status == SCI_ERR_OK);
        *sent += size;
    }
    CHECK(room < size);
    return count;
}

static void receive(sci_msq_queue_t receiver, unsigned int size, uint64_t *received)
{
    unsigned char message[COUNT * SIZE];
    DONE(SCILReceiveMsg(receiver, message, size, NULL, SCIL_FLAG_ERROR_CHECK_DATA));
    stream_check(message, *received, size);
    *received += size;
}

static void test_room(void)
{
    sci_msq_queue_t receiver, sender;
    open_both(&receiver, &sender);
    uint64_t sent = 0, received = 0;
    unsigned int left;
    /* Many times, so that the ring wraps around. */
    for (unsigned int round = 0; round < 50; round++) {
        unsigned int size = round % 3 == 0 ? SIZE : 1 + round * 19;
        await_room(sender, receiver, COUNT * SIZE);
        CHECK(fill(sender, size, &sent) >= COUNT);
        DONE(SCILReceiveMsg(receiver, NULL, 0, &left, 0));
        CHECK(left == sent - received);
        if (round % 2 == 0) { /* message by message: then there is room for as many again */
            while (received < sent)
                receive(receiver, size, &received);
        } else { /* as a stream */
            while (sent - received > 333)
                receive(receiver, 333, &received);
            receive(receiver, (unsigned int)(sent - received), &received);
        }
        unsigned char byte;
        GIVES(SCI_ERR_EWOULD_BLOCK, SCILReceiveMsg(receiver, &byte, 1, &left, 0));
        CHECK(left == 0);
    }
    close_both(&receiver, &sender);
}

/* A receiver that always finds more to read gives room back while it reads. */
static void test_room_while_reading(void)
{
    sci_msq_queue_t receiver, sender;
    open_both(&receiver, &sender);
    await_room(sender, receiver, COUNT * SIZE);
    uint64_t sent = 0, received = 0;
    fill(sender, 8, &sent);
    while (sent - received > 8)
        receive(receiver, 8, &received);
    CHECK(fill(sender, 8, &sent) >= COUNT);
    receive(receiver, (unsigned int)(sent - received), &received);
    close_both(&receiver, &sender);
}

/* There is room for the longest message, however many lines the receiver has read without publishing its head. */
static void test_longest(void)
{
    enum { LONGEST = 20000 };
    static unsigned char message[LONGEST];
    sci_msq_queue_t receiver = NULL, sender = NULL;
    DONE(SCILCreateMsgQueue(&receiver, ADAPTER, node, ID, 1, LONGEST, 0, 0));
    DONE(SCILConnectMsgQueue(&sender, ADAPTER, node, ID, 1, LONGEST, WHILE, 0));
    for (int before = 0; before < 70; before++) {
        for (int i = 0; i < before; i++) {
            DONE(SCILSendMsg(sender, message, 1, NULL, 0));
            DONE(SCILReceiveMsg(receiver, message, 1, NULL, 0));
        }
        await_room(sender, receiver, LONGEST);
        DONE(SCILSendMsg(sender, message, LONGEST, NULL, 0));
        DONE(SCILReceiveMsg(receiver, message, LONGEST, NULL, 0));
    }
    close_both(&receiver, &sender);
}

/* A receive takes all bytes that it asks for, or none, and the rest stays. */
static void test_not_enough(void)
{
    sci_msq_queue_t receiver, sender;
    open_both(&receiver, &sender);
    unsigned char bytes[10];
    unsigned int left;
    uint64_t received = 0;
    stream_fill(bytes, 0, 10);
    DONE(SCILSendMsg(sender, bytes, 6, NULL, 0));
    DONE(SCILSendMsg(sender, bytes + 6, 3, NULL, 0));
    memset(bytes, 0xee, sizeof bytes);
    GIVES(SCI_ERR_EWOULD_BLOCK, SCILReceiveMsg(receiver, bytes, 10, &left, 0));
    CHECK(left == 9 && bytes[0] == 0xee);
    receive(receiver, 2, &received);
    receive(receiver, 7, &received);
    close_both(&receiver, &sender);
}

static void test_waiting(void)
{
    sci_msq_queue_t receiver, sender;
    open_both(&receiver, &sender);
    static unsigned char bytes[20 * COUNT * SIZE];
    size_t sent, received;
    stream_fill(bytes, 0, sizeof bytes);
    GIVES(SCI_ERR_TIMEOUT, SCILReceiveMsgWait(receiver, bytes, 1, &received, SHORT, 0));
    CHECK(received == 0);
    GIVES(SCI_ERR_TIMEOUT, SCILSendMsgWait(sender, bytes, sizeof bytes, &sent, SHORT, 0));
    CHECK(sent >= COUNT * SIZE && sent < sizeof bytes);
    GIVES(SCI_ERR_TIMEOUT, SCILReceiveMsgWait(receiver, bytes, sizeof bytes, &received, SHORT, 0));
    CHECK(received == sent);
    stream_check(bytes, 0, received);
    DONE(SCILSendMsgWait(sender, bytes, 5, NULL, 0, 0));
    DONE(SCILReceiveMsgWait(receiver, bytes, 5, NULL, 0, 0));
    stream_check(bytes, 0, 5);
    close_both(&receiver, &sender);
}

static void test_end_of_the_sender(bool found)
{
    sci_msq_queue_t receiver, sender;
    open_both(&receiver, &sender);
    unsigned char bytes[10];
    unsigned int left;
    size_t done;
    uint64_t received = 0;
    stream_fill(bytes, 0, 10);
    if (found) /* the receiver has connected to the sender before that disconnects */
        GIVES(SCI_ERR_EWOULD_BLOCK, SCILReceiveMsg(receiver, bytes, 1, NULL, 0));
    DONE(SCILSendMsg(sender, bytes, 10, NULL, 0));
    DONE(SCILDisconnectMsgQueue(&sender, 0));
    CHECK(sender == NULL);
    receive(receiver, 4, &received);
    GIVES(SCI_ERR_NOT_CONNECTED, SCILReceiveMsg(receiver, bytes, 7, &left, 0));
    CHECK(left == 6);
    GIVES(SCI_ERR_NOT_CONNECTED, SCILReceiveMsgWait(receiver, bytes, 7, &done, SCI_INFINITE_TIMEOUT, 0));
    CHECK(done == 6);
    stream_check(bytes, received, 6);
    GIVES(SCI_ERR_NOT_CONNECTED, SCILReceiveMsg(receiver, bytes, 1, NULL, 0));
    DONE(SCILRemoveMsgQueue(&receiver, 0));
}

static void test_end_of_the_receiver(bool found)
{
    sci_msq_queue_t receiver, sender;
    open_both(&receiver, &sender);
    char byte = 0;
    size_t done;
    if (found)
        GIVES(SCI_ERR_EWOULD_BLOCK, SCILReceiveMsg(receiver, &byte, 1, NULL, 0));
    DONE(SCILSendMsg(sender, &byte, 1, NULL, 0));
    DONE(SCILRemoveMsgQueue(&receiver, 0));
    CHECK(receiver == NULL);
    await_send_status(sender, SCI_ERR_NOT_CONNECTED);
    GIVES(SCI_ERR_NOT_CONNECTED, SCILSendMsgWait(sender, &byte, 1, &done, SCI_INFINITE_TIMEOUT, 0));
    CHECK(done == 0);
    DONE(create(&receiver)); /* the number is free again */
    DONE(SCILRemoveMsgQueue(&receiver, 0));
    DONE(SCILDisconnectMsgQueue(&sender, 0));
}

int main(void)
{
    node = use_own_node();
    int before = open_descriptors();
    test_life_of_the_library();
    await_descriptors(before);
    DONE(SCILInit(0));
    sci_msq_queue_t warm_receiver, warm_sender; /* from now on the SISCI library has the descriptors that it keeps */
    open_both(&warm_receiver, &warm_sender);
    close_both(&warm_receiver, &warm_sender);
    int descriptors = open_descriptors();
    test_wrong_arguments(SCILCreateMsgQueue, descriptors);
    test_wrong_arguments(SCILConnectMsgQueue, descriptors);
    test_connecting(descriptors);
    test_wrong_use();
    test_room();
    test_room_while_reading();
    test_longest();
    test_not_enough();
    test_waiting();
    test_end_of_the_sender(true);
    test_end_of_the_sender(false);
    test_end_of_the_receiver(true);
    test_end_of_the_receiver(false);
    await_descriptors(descriptors);
    queue_end_library(before);
    return 0;
}

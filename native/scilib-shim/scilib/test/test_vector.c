/* Messages in several parts: the same bytes as with the plain calls, all or none. Both ends are in this process. */
#include <string.h>
#include <sys/mman.h>

#include "queues.h"

enum { ID = 9, COUNT = 4, SIZE = 5000, ROUNDS = 200 };

static unsigned int node;
static sci_msq_queue_t receiver, sender;

/* Divides memory into parts, of which some are empty; other ones for each seed. Returns how many. */
static size_t divide(struct iovec *parts, size_t most, unsigned char *memory, size_t size, unsigned int seed)
{
    size_t count = 0, done = 0;
    while (count < most - 1 && done < size) {
        size_t part = (seed = seed * 1103515245 + 12345) / 65536 % 5 == 0 ? 0 : 1 + seed / 65536 % (size - done);
        parts[count++] = (struct iovec){ .iov_base = part > 0 ? memory + done : NULL, .iov_len = part };
        done += part;
    }
    parts[count++] = (struct iovec){ .iov_base = memory + done, .iov_len = size - done };
    return count;
}

static void test_streams(void)
{
    static unsigned char out[SIZE], in[SIZE];
    struct iovec parts[8];
    uint64_t at = 0;
    for (unsigned int round = 0; round < ROUNDS; round++) {
        unsigned int size = round % 4 == 0 ? SIZE : 1 + round * 37 % SIZE, left = 99;
        stream_fill(out, at, size);
        await_room(sender, receiver, SIZE);
        sci_msg_t msg = { .iov = parts, .iovlen = divide(parts, 8, out, size, round) };
        if (round % 3 == 0)
            DONE(SCILSendMsg(sender, out, size, NULL, 0));
        else
            DONE(SCILSendVMsg(sender, &msg, size, &left, SCIL_FLAG_MSG_FLUSH | SCIL_FLAG_FULL_ERROR_CHECK));
        memset(in, 0, sizeof in);
        msg = (sci_msg_t){ .iov = parts, .iovlen = divide(parts, 8, in, sizeof in, round + 1000) };
        if (round % 3 == 1)
            DONE(SCILReceiveMsg(receiver, in, size, &left, 0));
        else
            DONE(SCILReceiveVMsg(receiver, &msg, &size, &left, SCIL_FLAG_SEND_RECEIVE_PAIRS_ONLY));
        CHECK(left == 0);
        stream_check(in, at, size);
        for (size_t i = size; i < sizeof in; i++)
            CHECK(in[i] == 0); /* nothing behind the message */
        at += size;
    }
}

/* The queue is full. A message that does not fit is not copied: its parts can't be read here. */
static void test_no_copy_without_room(void)
{
    enum { PAGES = 8192 };
    unsigned char *closed = mmap(NULL, PAGES, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    CHECK(closed != MAP_FAILED);
    struct iovec parts[2] = { { .iov_base = closed, .iov_len = 3000 }, { .iov_base = closed + 3000, .iov_len = 2000 } };
    sci_msg_t msg = { .iov = parts, .iovlen = 2 };
    unsigned int room = SIZE;
    GIVES(SCI_ERR_EWOULD_BLOCK, SCILSendVMsg(sender, &msg, SIZE, &room, 0));
    CHECK(room < SIZE);
    GIVES(SCI_ERR_EWOULD_BLOCK, SCILSendVMsg(sender, &msg, SIZE, NULL, 0));
    munmap(closed, PAGES);
}

/* A message that does not fit, or is not there in full, leaves queue and parts as they are. */
static void test_all_or_none(void)
{
    static unsigned char out[SIZE], in[SIZE];
    struct iovec parts[2] = { { .iov_base = out, .iov_len = 3000 }, { .iov_base = out + 3000, .iov_len = 2000 } };
    sci_msg_t msg = { .iov = parts, .iovlen = 2 };
    unsigned int size = SIZE, room = 0, left = 99, count = 0;
    uint64_t sent = 0, received = 0;
    await_room(sender, receiver, SIZE);
    for (;; sent += SIZE, count++) {
        stream_fill(out, sent, SIZE);
        sci_error_t status = SCILSendVMsg(sender, &msg, SIZE, &room, 0);
        if (status == SCI_ERR_EWOULD_BLOCK)
            break;
        CHECK(status == SCI_ERR_OK);
    }
    CHECK(count >= COUNT && room < SIZE);
    test_no_copy_without_room();
    parts[0].iov_base = in, parts[1].iov_base = in + 3000;
    for (; count > 0; count--, received += SIZE) {
        DONE(SCILReceiveVMsg(receiver, &msg, &size, &left, 0));
        stream_check(in, received, SIZE);
    }
    DONE(SCILSendMsg(sender, out, SIZE - 1, NULL, 0));
    memset(in, 7, sizeof in);
    GIVES(SCI_ERR_EWOULD_BLOCK, SCILReceiveVMsg(receiver, &msg, &size, &left, 0));
    CHECK(left == SIZE - 1 && size == SIZE && in[0] == 7 && in[SIZE - 1] == 7);
    size = SIZE - 1;
    DONE(SCILReceiveVMsg(receiver, &msg, &size, NULL, 0));
    CHECK(in[SIZE - 1] == 7);
}

static void test_wrong_use(void)
{
    static unsigned char bytes[COUNT * SIZE + 1];
    struct iovec parts[2] = { { .iov_base = bytes, .iov_len = 5 }, { .iov_base = bytes, .iov_len = 5 } };
    sci_msg_t msg = { .iov = parts, .iovlen = 2 }, nothing = { .iovlen = 0 }, missing = { .iovlen = 1 };
    unsigned int size = 11, one = 1, none = 0, large = COUNT * SIZE + 1;
    GIVES(SCI_ERR_ILLEGAL_PARAMETER, SCILSendVMsg(sender, &msg, size, NULL, 0));
    GIVES(SCI_ERR_ILLEGAL_PARAMETER, SCILReceiveVMsg(receiver, &msg, &size, NULL, 0));
    GIVES(SCI_ERR_ILLEGAL_PARAMETER, SCILSendVMsg(receiver, &msg, 1, NULL, 0));
    GIVES(SCI_ERR_ILLEGAL_PARAMETER, SCILReceiveVMsg(sender, &msg, &one, NULL, 0));
    GIVES(SCI_ERR_ILLEGAL_PARAMETER, SCILSendVMsg(NULL, &msg, 1, NULL, 0));
    GIVES(SCI_ERR_ILLEGAL_PARAMETER, SCILSendVMsg(sender, NULL, 1, NULL, 0));
    GIVES(SCI_ERR_ILLEGAL_PARAMETER, SCILSendVMsg(sender, &missing, 1, NULL, 0));
    GIVES(SCI_ERR_ILLEGAL_PARAMETER, SCILReceiveVMsg(receiver, &msg, NULL, NULL, 0));
    GIVES(SCI_ERR_ILLEGAL_FLAG, SCILSendVMsg(sender, &msg, 1, NULL, 4));
    GIVES(SCI_ERR_ILLEGAL_FLAG, SCILReceiveVMsg(receiver, &msg, &one, NULL, 4));
    GIVES(SCI_ERR_ILLEGAL_FLAG, SCILSendMsg(sender, bytes, 1, NULL, SCIL_FLAG_MSG_FLUSH)); /* of the calls above only */
    parts[1].iov_base = NULL;
    GIVES(SCI_ERR_ILLEGAL_PARAMETER, SCILSendVMsg(sender, &msg, 6, NULL, 0));
    parts[0].iov_len = SIZE + 1;
    GIVES(SCI_ERR_OUT_OF_RANGE, SCILSendVMsg(sender, &msg, SIZE + 1, NULL, 0));
    parts[0].iov_len = large;
    GIVES(SCI_ERR_OUT_OF_RANGE, SCILReceiveVMsg(receiver, &msg, &large, NULL, 0));
    DONE(SCILSendVMsg(sender, &nothing, 0, NULL, 0));
    DONE(SCILReceiveVMsg(receiver, &nothing, &none, NULL, 0));
    GIVES(SCI_ERR_EWOULD_BLOCK, SCILReceiveVMsg(receiver, &msg, &one, NULL, 0)); /* no byte went through */
}

int main(void)
{
    node = use_own_node();
    int descriptors = open_descriptors();
    DONE(SCILInit(0));
    DONE(SCILCreateMsgQueue(&receiver, ADAPTER, node, ID, COUNT, SIZE, 0, 0));
    DONE(SCILConnectMsgQueue(&sender, ADAPTER, node, ID, COUNT, SIZE, WHILE, 0));
    test_wrong_use();
    test_streams();
    test_all_or_none();
    DONE(SCILDisconnectMsgQueue(&sender, 0));
    unsigned int size = 1;
    unsigned char byte;
    struct iovec part = { .iov_base = &byte, .iov_len = 1 };
    sci_msg_t msg = { .iov = &part, .iovlen = 1 };
    UNTIL(SCILReceiveVMsg(receiver, &msg, &size, NULL, 0) == SCI_ERR_NOT_CONNECTED, sched_yield());
    DONE(SCILRemoveMsgQueue(&receiver, 0));
    queue_end_library(descriptors);
    return 0;
}

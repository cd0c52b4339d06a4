/* Data interrupts: lengths, order, waiting, a full queue, callbacks, removal, another process. */
#include <pthread.h>
#include <string.h>

#include "check.h"

enum { MOST = 8192, FEW = 3, ROUNDS = 2000, MANY = 20000 };

static unsigned int node;
static sci_desc_t sd;

static sci_local_data_interrupt_t make(unsigned int *number, sci_cb_data_interrupt_t callback, void *arg)
{
    sci_local_data_interrupt_t in;
    OK(SCICreateDataInterrupt(sd, &in, ADAPTER, number, callback, arg, callback != NULL ? SCI_FLAG_USE_CALLBACK : 0,
                              &error));
    return in;
}

static sci_remote_data_interrupt_t find(unsigned int number)
{
    sci_remote_data_interrupt_t out;
    OK(SCIConnectDataInterrupt(sd, &out, node, ADAPTER, number, SCI_INFINITE_TIMEOUT, 0, &error));
    return out;
}

static sci_error_t receive(sci_local_data_interrupt_t in, void *data, unsigned int *length, unsigned int timeout)
{
    sci_error_t error;
    SCIWaitForDataInterrupt(in, data, length, timeout, 0, &error);
    return error;
}

static void test_arguments(void)
{
    sci_local_data_interrupt_t in, other;
    sci_local_interrupt_t plain;
    sci_remote_data_interrupt_t out;
    sci_remote_interrupt_t plain_out;
    unsigned int number = 9, length = 1;
    char byte = 0;
    EXPECT(SCI_ERR_ILLEGAL_FLAG,
           SCICreateDataInterrupt(sd, &in, ADAPTER, &number, NULL, NULL, SCI_FLAG_COUNTING_INT, &error));
    EXPECT(SCI_ERR_ILLEGAL_PARAMETER, SCICreateDataInterrupt(NULL, &in, ADAPTER, &number, NULL, NULL, 0, &error));
    EXPECT(SCI_ERR_ILLEGAL_PARAMETER, SCICreateDataInterrupt(sd, NULL, ADAPTER, &number, NULL, NULL, 0, &error));
    EXPECT(SCI_ERR_ILLEGAL_PARAMETER, SCICreateDataInterrupt(sd, &in, ADAPTER, NULL, NULL, NULL, 0, &error));
    EXPECT(SCI_ERR_ILLEGAL_PARAMETER,
           SCICreateDataInterrupt(sd, &in, ADAPTER, &number, NULL, NULL, SCI_FLAG_USE_CALLBACK, &error));
    EXPECT(SCI_ERR_NO_SUCH_ADAPTERNO, SCICreateDataInterrupt(sd, &in, 1, &number, NULL, NULL, 0, &error));
    OK(SCICreateDataInterrupt(sd, &in, ADAPTER, &number, NULL, NULL, SCI_FLAG_FIXED_INTNO, &error));
    EXPECT(SCI_ERR_INTNO_USED,
           SCICreateDataInterrupt(sd, &other, ADAPTER, &number, NULL, NULL, SCI_FLAG_FIXED_INTNO, &error));

    /* Data interrupts have numbers of their own. */
    EXPECT(SCI_ERR_NO_SUCH_INTNO, SCIConnectInterrupt(sd, &plain_out, node, ADAPTER, 9, 0, 0, &error));
    OK(SCICreateInterrupt(sd, &plain, ADAPTER, &number, NULL, NULL, SCI_FLAG_FIXED_INTNO, &error));
    EXPECT(SCI_ERR_ILLEGAL_PARAMETER, SCIRemoveDataInterrupt((sci_local_data_interrupt_t)plain, 0, &error));
    EXPECT(SCI_ERR_ILLEGAL_PARAMETER, SCIRemoveInterrupt((sci_local_interrupt_t)in, 0, &error));
    OK(SCIRemoveInterrupt(plain, 0, &error));

    EXPECT(SCI_ERR_ILLEGAL_FLAG, SCIConnectDataInterrupt(sd, &out, node, ADAPTER, 9, 0, 1, &error));
    EXPECT(SCI_ERR_ILLEGAL_PARAMETER, SCIConnectDataInterrupt(NULL, &out, node, ADAPTER, 9, 0, 0, &error));
    EXPECT(SCI_ERR_ILLEGAL_PARAMETER, SCIConnectDataInterrupt(sd, NULL, node, ADAPTER, 9, 0, 0, &error));
    EXPECT(SCI_ERR_ILLEGAL_NODEID, SCIConnectDataInterrupt(sd, &out, 0, ADAPTER, 9, 0, 0, &error));
    EXPECT(SCI_ERR_NO_SUCH_ADAPTERNO, SCIConnectDataInterrupt(sd, &out, node, 1, 9, 0, 0, &error));
    EXPECT(SCI_ERR_NO_SUCH_INTNO, SCIConnectDataInterrupt(sd, &out, node, ADAPTER, 10, 0, 0, &error));
    out = find(9);
    EXPECT(SCI_ERR_ILLEGAL_FLAG, SCITriggerDataInterrupt(out, &byte, 1, 1, &error));
    EXPECT(SCI_ERR_ILLEGAL_PARAMETER, SCITriggerDataInterrupt(NULL, &byte, 1, 0, &error));
    EXPECT(SCI_ERR_ILLEGAL_PARAMETER, SCITriggerDataInterrupt(out, NULL, 1, 0, &error));
    EXPECT(SCI_ERR_ILLEGAL_PARAMETER, SCITriggerDataInterrupt(out, &byte, 0, 0, &error));
    EXPECT(SCI_ERR_OUT_OF_RANGE, SCITriggerDataInterrupt(out, &byte, MOST + 1, 0, &error));
    EXPECT(SCI_ERR_ILLEGAL_FLAG, SCIWaitForDataInterrupt(in, &byte, &length, 0, 1, &error));
    EXPECT(SCI_ERR_ILLEGAL_PARAMETER, SCIWaitForDataInterrupt(NULL, &byte, &length, 0, 0, &error));
    EXPECT(SCI_ERR_ILLEGAL_PARAMETER, SCIWaitForDataInterrupt(in, &byte, NULL, 0, 0, &error));
    EXPECT(SCI_ERR_ILLEGAL_PARAMETER, SCIWaitForDataInterrupt(in, NULL, &length, 0, 0, &error));
    EXPECT(SCI_ERR_TIMEOUT, SCIWaitForDataInterrupt(in, &byte, &length, 0, 0, &error));
    EXPECT(SCI_ERR_TIMEOUT, SCIWaitForDataInterrupt(in, &byte, &length, 20, 0, &error));
    EXPECT(SCI_ERR_ILLEGAL_FLAG, SCIDisconnectDataInterrupt(out, 1, &error));
    EXPECT(SCI_ERR_ILLEGAL_FLAG, SCIRemoveDataInterrupt(in, 1, &error));
    OK(SCIRemoveDataInterrupt(in, 0, &error));
    EXPECT(SCI_ERR_ILLEGAL_PARAMETER, SCIRemoveDataInterrupt(in, 0, &error));
    EXPECT(SCI_ERR_NOT_CONNECTED, SCITriggerDataInterrupt(out, &byte, 1, 0, &error));

    /* A new interrupt with the same number is found again. */
    OK(SCICreateDataInterrupt(sd, &in, ADAPTER, &number, NULL, NULL, SCI_FLAG_FIXED_INTNO, &error));
    OK(SCITriggerDataInterrupt(out, &byte, 1, 0, &error));
    CHECK(receive(in, &byte, &length, 0) == SCI_ERR_OK);
    OK(SCIRemoveDataInterrupt(in, 0, &error));
    OK(SCIDisconnectDataInterrupt(out, 0, &error));
    EXPECT(SCI_ERR_ILLEGAL_PARAMETER, SCIDisconnectDataInterrupt(out, 0, &error));
}

static void test_lengths(void)
{
    static char sent[MOST], got[MOST];
    unsigned int number = 0, length, lengths[] = { 1, 2, 100, 4096, MOST };
    sci_local_data_interrupt_t in = make(&number, NULL, NULL);
    sci_remote_data_interrupt_t out = find(number);
    for (unsigned int i = 0; i < MOST; i++)
        sent[i] = (char)(i * 7 + 1);
    for (size_t i = 0; i < sizeof lengths / sizeof lengths[0]; i++)
        OK(SCITriggerDataInterrupt(out, sent, lengths[i], 0, &error));
    for (size_t i = 0; i < sizeof lengths / sizeof lengths[0]; i++) {
        /* With too small a buffer the call returns the length, and nothing is lost. */
        memset(got, 0, sizeof got);
        length = lengths[i] - 1;
        CHECK(receive(in, got, &length, 0) == SCI_ERR_NOSPC && length == lengths[i] && got[0] == 0);
        length = i % 2 == 0 ? lengths[i] : MOST;
        CHECK(receive(in, got, &length, 0) == SCI_ERR_OK && length == lengths[i]);
        CHECK(memcmp(got, sent, length) == 0 && (length == MOST || got[length] == 0));
    }
    length = MOST;
    CHECK(receive(in, got, &length, 0) == SCI_ERR_TIMEOUT && length == MOST);
    OK(SCIDisconnectDataInterrupt(out, 0, &error));
    OK(SCIRemoveDataInterrupt(in, 0, &error));
}

/* As with a card, any number of triggers succeeds if nobody waits. The oldest are pending, in their order; the rest is counted. */
static void test_full(void)
{
    unsigned int number = 0, sent = 0, value, length = sizeof value;
    sci_local_data_interrupt_t in = make(&number, NULL, NULL);
    sci_remote_data_interrupt_t out = find(number), other = find(number);
    CHECK(SCIShimDroppedTriggers(NULL) == 0);
    for (int lap = 0; lap < FEW; lap++) {
        unsigned int first = sent;
        unsigned long before = SCIShimDroppedTriggers(out);
        for (; sent < first + MANY; sent++)
            OK(SCITriggerDataInterrupt(out, &sent, sizeof sent, 0, &error));
        unsigned int kept = MANY - (unsigned int)(SCIShimDroppedTriggers(out) - before);
        CHECK(kept >= 200 && kept < MANY);
        OK(SCITriggerDataInterrupt(other, &(unsigned int){ ~0u }, sizeof sent, 0, &error)); /* another remote has room of its own */
        CHECK(SCIShimDroppedTriggers(other) == 0);
        bool others = false;
        for (unsigned int expected = first; expected < first + kept || !others;) {
            CHECK(receive(in, &value, &length, 0) == SCI_ERR_OK && length == sizeof value);
            if (value == ~0u)
                others = true;
            else
                CHECK(value == expected++);
        }
        CHECK(receive(in, &value, &length, 0) == SCI_ERR_TIMEOUT);
    }
    /* A trigger that was sent stays pending. */
    OK(SCITriggerDataInterrupt(out, &sent, sizeof sent, 0, &error));
    OK(SCIDisconnectDataInterrupt(out, 0, &error));
    OK(SCIDisconnectDataInterrupt(other, 0, &error));
    CHECK(receive(in, &value, &length, 0) == SCI_ERR_OK && value == sent);
    OK(SCIRemoveDataInterrupt(in, 0, &error));
}

static void *take_all(void *in)
{
    for (unsigned int expected = 0; expected < MANY; expected++) {
        unsigned int value, length = sizeof value;
        CHECK(receive(in, &value, &length, WHILE) == SCI_ERR_OK && value == expected);
    }
    return NULL;
}

/* An owner that takes its triggers gets all of them, from a sender that is faster: the sender waits for it. */
static void test_slow_owner(void)
{
    unsigned int number = 0;
    pthread_t owner;
    sci_local_data_interrupt_t in = make(&number, NULL, NULL);
    sci_remote_data_interrupt_t out = find(number);
    CHECK(pthread_create(&owner, NULL, take_all, in) == 0);
    for (unsigned int i = 0; i < MANY; i++)
        OK(SCITriggerDataInterrupt(out, &i, sizeof i, 0, &error));
    CHECK(SCIShimDroppedTriggers(out) == 0);
    pthread_join(owner, NULL);
    OK(SCIDisconnectDataInterrupt(out, 0, &error));
    OK(SCIRemoveDataInterrupt(in, 0, &error));
}

/* A shared number: the one that is full drops the trigger at once, and the other one gets it once. */
static void test_shared_full(void)
{
    unsigned int number = 0;
    sci_local_data_interrupt_t reads, full;
    OK(SCICreateDataInterrupt(sd, &reads, ADAPTER, &number, NULL, NULL, SCI_FLAG_SHARED_INT, &error));
    OK(SCICreateDataInterrupt(sd, &full, ADAPTER, &number, NULL, NULL, SCI_FLAG_SHARED_INT | SCI_FLAG_FIXED_INTNO, &error));
    sci_remote_data_interrupt_t out = find(number);
    unsigned int sent = 0, value, length = sizeof value;
    while (SCIShimDroppedTriggers(out) < FEW) {
        OK(SCITriggerDataInterrupt(out, &sent, sizeof sent, 0, &error));
        CHECK(receive(reads, &value, &length, 0) == SCI_ERR_OK && value == sent++);
        CHECK(receive(reads, &value, &length, 0) == SCI_ERR_TIMEOUT);
    }
    CHECK(receive(full, &value, &length, 0) == SCI_ERR_OK && value == 0);
    OK(SCIDisconnectDataInterrupt(out, 0, &error));
    OK(SCIRemoveDataInterrupt(reads, 0, &error));
    OK(SCIRemoveDataInterrupt(full, 0, &error));
}

/* Removing an interrupt drops what is left in its queue. */
static void test_removed_full(void)
{
    int before = open_descriptors();
    unsigned int number = 0;
    sci_local_data_interrupt_t in = make(&number, NULL, NULL);
    sci_remote_data_interrupt_t out = find(number);
    for (unsigned int i = 0; i < 10; i++)
        OK(SCITriggerDataInterrupt(out, &i, sizeof i, 0, &error));
    OK(SCIRemoveDataInterrupt(in, 0, &error));
    EXPECT(SCI_ERR_NOT_CONNECTED, SCITriggerDataInterrupt(out, &number, sizeof number, 0, &error));
    OK(SCIDisconnectDataInterrupt(out, 0, &error));
    CHECK(open_descriptors() == before);
}

static struct gauge *called;
static unsigned int next_value;

enum { REMOVES = 100, CANCELS = 101 }; /* the values at which the callback does so */

static sci_callback_action_t on_data(void *arg, sci_local_data_interrupt_t in, void *data, unsigned int length,
                                     sci_error_t status)
{
    unsigned int value;
    CHECK(arg == &next_value && status == SCI_ERR_OK && length == sizeof value);
    memcpy(&value, data, sizeof value);
    CHECK(value == next_value++);
    if (value == REMOVES)
        OK(SCIRemoveDataInterrupt(in, 0, &error));
    gauge_add(called, 1);
    return value == CANCELS ? SCI_CALLBACK_CANCEL : SCI_CALLBACK_CONTINUE;
}

static void test_callback(void)
{
    called = gauge_new();
    unsigned int number = 0, length = 0;
    sci_local_data_interrupt_t in = make(&number, on_data, &next_value);
    sci_remote_data_interrupt_t out = find(number);
    CHECK(receive(in, NULL, &length, 0) == SCI_ERR_ILLEGAL_OPERATION);
    for (unsigned int i = 0; i <= REMOVES; i++)
        OK(SCITriggerDataInterrupt(out, &i, sizeof i, 0, &error));
    gauge_await(called, REMOVES + 1, WHILE);
    EXPECT(SCI_ERR_ILLEGAL_PARAMETER, SCIRemoveDataInterrupt(in, 0, &error));
    OK(SCIDisconnectDataInterrupt(out, 0, &error));

    in = make(&number, on_data, &next_value);
    out = find(number);
    OK(SCITriggerDataInterrupt(out, &(unsigned int){ CANCELS }, sizeof number, 0, &error));
    OK(SCITriggerDataInterrupt(out, &(unsigned int){ CANCELS + 1 }, sizeof number, 0, &error)); /* the callback has cancelled */
    gauge_await(called, CANCELS + 1, WHILE);
    /* Another interrupt's callback shows that the library's thread has gone on. */
    sci_local_data_interrupt_t second = make(&number, on_data, &next_value);
    sci_remote_data_interrupt_t second_out = find(number);
    for (unsigned int i = CANCELS + 1; i < CANCELS + 3; i++) {
        OK(SCITriggerDataInterrupt(second_out, &i, sizeof i, 0, &error));
        gauge_await(called, (int)i + 1, WHILE);
    }
    OK(SCIRemoveDataInterrupt(in, 0, &error));
    OK(SCIRemoveDataInterrupt(second, 0, &error));
    CHECK(gauge_read(called) == CANCELS + 3);
    OK(SCIDisconnectDataInterrupt(out, 0, &error));
    OK(SCIDisconnectDataInterrupt(second_out, 0, &error));
    free(called);
}

/* Between processes, in both directions, with all lengths. */
static void echo(int channel)
{
    static char data[MOST];
    sd = begin();
    unsigned int number = 0;
    sci_local_data_interrupt_t in = make(&number, NULL, NULL);
    tell(channel, number);
    sci_remote_data_interrupt_t out = find((unsigned int)listen_to(channel));
    for (int i = 0; i < ROUNDS; i++) {
        unsigned int length = sizeof data;
        CHECK(receive(in, data, &length, WHILE) == SCI_ERR_OK);
        OK(SCITriggerDataInterrupt(out, data, length, 0, &error));
    }
    OK(SCIRemoveDataInterrupt(in, 0, &error));
    OK(SCIDisconnectDataInterrupt(out, 0, &error));
    OK(SCIClose(sd, 0, &error));
    SCITerminate();
}

static void test_two_processes(void)
{
    static char sent[MOST], got[MOST];
    struct peer peer = start_peer(echo);
    sd = begin();
    unsigned int number = 0;
    sci_local_data_interrupt_t in = make(&number, NULL, NULL);
    tell(peer.channel, number);
    sci_remote_data_interrupt_t out = find((unsigned int)listen_to(peer.channel));
    for (unsigned int i = 0; i < ROUNDS; i++) {
        unsigned int length = i * 37 % MOST + 1, got_length = sizeof got;
        memset(sent, (int)i, length);
        OK(SCITriggerDataInterrupt(out, sent, length, 0, &error));
        CHECK(receive(in, got, &got_length, WHILE) == SCI_ERR_OK && got_length == length);
        CHECK(memcmp(sent, got, length) == 0);
    }
    peer_finish(&peer);
    EXPECT(SCI_ERR_NOT_CONNECTED, SCITriggerDataInterrupt(out, sent, 1, 0, &error));
    OK(SCIRemoveDataInterrupt(in, 0, &error));
    OK(SCIDisconnectDataInterrupt(out, 0, &error));
    end(sd);
}

int main(void)
{
    node = use_own_node();
    test_two_processes();
    sd = begin();
    test_arguments();
    int before = open_descriptors(); /* includes the socket by which test_arguments looked for a doorbell, which the library keeps */
    test_lengths();
    test_full();
    test_slow_owner();
    test_shared_full();
    CHECK(open_descriptors() == before);
    test_removed_full();
    test_callback();
    end(sd);
    return 0;
}

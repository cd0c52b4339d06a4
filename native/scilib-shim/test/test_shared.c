/* Counting and shared interrupts: no trigger is lost, each one reaches all sharers, and which interrupts may share a number. */
#include <poll.h>
#include <sched.h>

#include "check.h"

enum { SHARERS = 8, NUMBER = 77, OTHER = 78 };

static unsigned int node;
static sci_desc_t sd;

static sci_error_t try_make(sci_local_interrupt_t *in, unsigned int number, unsigned int flags)
{
    sci_error_t error;
    SCICreateInterrupt(sd, in, ADAPTER, &number, NULL, NULL, flags | SCI_FLAG_FIXED_INTNO, &error);
    return error;
}

static sci_local_interrupt_t make(unsigned int number, unsigned int flags)
{
    sci_local_interrupt_t in;
    CHECK(try_make(&in, number, flags) == SCI_ERR_OK);
    return in;
}

static sci_remote_interrupt_t find(unsigned int number)
{
    sci_remote_interrupt_t out;
    OK(SCIConnectInterrupt(sd, &out, node, ADAPTER, number, 0, 0, &error));
    return out;
}

static sci_error_t hear(sci_local_interrupt_t in)
{
    sci_error_t error;
    SCIWaitForInterrupt(in, 0, 0, &error);
    return error;
}

static void drop(sci_local_interrupt_t in)
{
    OK(SCIRemoveInterrupt(in, 0, &error));
}

static bool readable(sci_local_interrupt_t in)
{
    struct pollfd state = { .fd = SCIShimInterruptDescriptor(in), .events = POLLIN };
    CHECK(state.fd >= 0);
    return poll(&state, 1, 0) == 1;
}

/* As many triggers arrive as were sent, however many there is room for; a trigger without room gives an error. */
static void test_counting(void)
{
    sci_local_interrupt_t in = make(NUMBER, SCI_FLAG_COUNTING_INT);
    sci_remote_interrupt_t out = find(NUMBER), other = find(NUMBER);
    sci_error_t error;
    int sent = 0;
    CHECK(hear(in) == SCI_ERR_TIMEOUT && !readable(in));
    while (SCITriggerInterrupt(out, 0, &error), error == SCI_ERR_OK)
        sent++;
    CHECK(error == SCI_ERR_OVERFLOW && sent >= 200);
    OK(SCITriggerInterrupt(other, 0, &error));
    for (int i = 0; i < sent + 1; i++) {
        CHECK(readable(in));
        CHECK(hear(in) == SCI_ERR_OK);
    }
    CHECK(hear(in) == SCI_ERR_TIMEOUT && !readable(in));
    for (int i = 0; i < 20; i++)
        OK(SCITriggerInterrupt(i % 2 == 0 ? out : other, 0, &error));
    SCIShimAcknowledgeInterrupt(in); /* takes them all */
    CHECK(!readable(in));
    OK(SCITriggerInterrupt(out, 0, &error));
    OK(SCIDisconnectInterrupt(out, 0, &error)); /* a trigger that was sent stays pending */
    CHECK(hear(in) == SCI_ERR_OK && hear(in) == SCI_ERR_TIMEOUT);
    drop(in);
    EXPECT(SCI_ERR_NOT_CONNECTED, SCITriggerInterrupt(other, 0, &error));
    OK(SCIDisconnectInterrupt(other, 0, &error));
}

/* A sender is faster than the receiver: each of its triggers arrives, or is refused and sent again. */
enum { TRIGGERS = 20000, CALLBACK_NUMBER = NUMBER + 100 };

static void sender(int channel)
{
    sd = begin();
    listen_to(channel);
    unsigned int numbers[] = { NUMBER, CALLBACK_NUMBER };
    for (int k = 0; k < 2; k++) {
        sci_remote_interrupt_t out = find(numbers[k]);
        for (int i = 0; i < TRIGGERS;) {
            sci_error_t error;
            SCITriggerInterrupt(out, 0, &error);
            CHECK(error == SCI_ERR_OK || error == SCI_ERR_OVERFLOW);
            if (error == SCI_ERR_OK)
                i++;
            else
                sched_yield();
        }
        OK(SCIDisconnectInterrupt(out, 0, &error));
    }
    tell(channel, 0);
    OK(SCIClose(sd, 0, &error));
    SCITerminate();
}

static sci_callback_action_t count(void *arg, sci_local_interrupt_t in, sci_error_t error)
{
    (void)in, (void)error;
    gauge_add(arg, 1);
    return SCI_CALLBACK_CONTINUE;
}

static void test_slow_receiver(void)
{
    struct peer peer = start_peer(sender);
    sd = begin();
    struct gauge *calls = gauge_new();
    unsigned int number = CALLBACK_NUMBER;
    sci_local_interrupt_t in = make(NUMBER, SCI_FLAG_COUNTING_INT), called;
    OK(SCICreateInterrupt(sd, &called, ADAPTER, &number, count, calls,
                          SCI_FLAG_COUNTING_INT | SCI_FLAG_FIXED_INTNO | SCI_FLAG_USE_CALLBACK, &error));
    tell(peer.channel, 0);
    for (int i = 0; i < TRIGGERS; i++)
        OK(SCIWaitForInterrupt(in, WHILE, 0, &error));
    listen_to(peer.channel);
    gauge_await(calls, TRIGGERS, WHILE);
    peer_finish(&peer);
    CHECK(hear(in) == SCI_ERR_TIMEOUT);
    drop(in);
    drop(called);
    CHECK(gauge_read(calls) == TRIGGERS);
    free(calls);
    end(sd);
}

/* Sharers in one process: each trigger reaches all, also those that join later; a sharer that leaves causes no error. */
static void test_sharers(unsigned int flags)
{
    int before = open_descriptors();
    sci_local_interrupt_t in[SHARERS], another;
    in[0] = make(NUMBER, flags);
    sci_remote_interrupt_t out = find(NUMBER);
    for (int i = 1; i < SHARERS; i++)
        in[i] = make(NUMBER, flags);
    CHECK(try_make(&another, NUMBER, flags) == SCI_ERR_NOSPC);
    for (int round = 0; round < 3; round++)
        OK(SCITriggerInterrupt(out, 0, &error));
    for (int i = 0; i < SHARERS; i++) {
        CHECK(readable(in[i]) && hear(in[i]) == SCI_ERR_OK);
        bool counting = (flags & SCI_FLAG_COUNTING_INT) != 0;
        CHECK(hear(in[i]) == (counting ? SCI_ERR_OK : SCI_ERR_TIMEOUT));
        CHECK(hear(in[i]) == (counting ? SCI_ERR_OK : SCI_ERR_TIMEOUT));
        CHECK(hear(in[i]) == SCI_ERR_TIMEOUT && !readable(in[i]));
    }
    drop(in[0]);
    drop(in[5]);
    OK(SCITriggerInterrupt(out, 0, &error));
    in[5] = make(NUMBER, flags); /* in a place of a removed one, which the remote is still connected to */
    in[0] = make(NUMBER, flags);
    CHECK(hear(in[0]) == SCI_ERR_TIMEOUT && hear(in[5]) == SCI_ERR_TIMEOUT && hear(in[1]) == SCI_ERR_OK);
    drop(in[3]);
    in[3] = make(NUMBER, flags);
    OK(SCITriggerInterrupt(out, 0, &error));
    for (int i = 0; i < SHARERS; i++) {
        CHECK(hear(in[i]) == SCI_ERR_OK || i == 1);
        drop(in[i]);
    }
    EXPECT(SCI_ERR_NOT_CONNECTED, SCITriggerInterrupt(out, 0, &error));
    OK(SCIDisconnectInterrupt(out, 0, &error));
    CHECK(open_descriptors() == before);
}

/* A sharer that doesn't read: if it doesn't count, no trigger is refused; if it counts, the others still get the trigger. */
static void test_full_sharer(void)
{
    sci_local_interrupt_t reads = make(NUMBER, SCI_FLAG_SHARED_INT), doesnt = make(NUMBER, SCI_FLAG_SHARED_INT);
    sci_remote_interrupt_t out = find(NUMBER);
    for (int i = 0; i < 3000; i++) {
        OK(SCITriggerInterrupt(out, 0, &error));
        CHECK(hear(reads) == SCI_ERR_OK);
    }
    CHECK(hear(doesnt) == SCI_ERR_OK && hear(doesnt) == SCI_ERR_TIMEOUT);
    drop(reads);
    drop(doesnt);
    OK(SCIDisconnectInterrupt(out, 0, &error));

    reads = make(NUMBER, SCI_FLAG_SHARED_INT | SCI_FLAG_COUNTING_INT);
    doesnt = make(NUMBER, SCI_FLAG_SHARED_INT | SCI_FLAG_COUNTING_INT);
    out = find(NUMBER);
    sci_error_t error;
    do {
        SCITriggerInterrupt(out, 0, &error);
        CHECK(hear(reads) == SCI_ERR_OK);
    } while (error == SCI_ERR_OK);
    CHECK(error == SCI_ERR_OVERFLOW);
    drop(reads);
    drop(doesnt);
    OK(SCIDisconnectInterrupt(out, 0, &error));
}

/* A number that is in use can only be shared, by interrupts with the same flags. */
static void test_numbers(void)
{
    const unsigned int ways[] = { 0, SCI_FLAG_COUNTING_INT, SCI_FLAG_SHARED_INT,
                                  SCI_FLAG_SHARED_INT | SCI_FLAG_COUNTING_INT };
    sci_local_interrupt_t first, second;
    sci_local_data_interrupt_t data, more;
    for (int i = 0; i < 4; i++)
        for (int k = 0; k < 4; k++) {
            first = make(NUMBER, ways[i]);
            bool shared = (ways[i] & SCI_FLAG_SHARED_INT) != 0;
            CHECK(try_make(&second, NUMBER, ways[k]) == (i == k && shared ? SCI_ERR_OK : SCI_ERR_INTNO_USED));
            drop(first);
            if (i == k && shared) { /* in a place that is not the first */
                CHECK(try_make(&first, NUMBER, 0) == SCI_ERR_INTNO_USED);
                CHECK(try_make(&first, NUMBER, SCI_FLAG_COUNTING_INT) == SCI_ERR_INTNO_USED);
                sci_remote_interrupt_t out = find(NUMBER);
                OK(SCITriggerInterrupt(out, 0, &error));
                CHECK(hear(second) == SCI_ERR_OK);
                OK(SCIDisconnectInterrupt(out, 0, &error));
                drop(second);
            }
        }
    unsigned int number = NUMBER, chosen = 0;
    OK(SCICreateDataInterrupt(sd, &data, ADAPTER, &number, NULL, NULL, SCI_FLAG_FIXED_INTNO, &error));
    EXPECT(SCI_ERR_INTNO_USED, SCICreateDataInterrupt(sd, &more, ADAPTER, &number, NULL, NULL,
                                                      SCI_FLAG_FIXED_INTNO | SCI_FLAG_SHARED_INT, &error));
    OK(SCIRemoveDataInterrupt(data, 0, &error));

    /* Other interrupts can share a number that the library has chosen. */
    OK(SCICreateDataInterrupt(sd, &data, ADAPTER, &chosen, NULL, NULL, SCI_FLAG_SHARED_INT, &error));
    OK(SCICreateDataInterrupt(sd, &more, ADAPTER, &chosen, NULL, NULL, SCI_FLAG_SHARED_INT | SCI_FLAG_FIXED_INTNO,
                              &error));
    sci_remote_data_interrupt_t out;
    OK(SCIConnectDataInterrupt(sd, &out, node, ADAPTER, chosen, 0, 0, &error));
    OK(SCITriggerDataInterrupt(out, &number, sizeof number, 0, &error));
    sci_local_data_interrupt_t both[] = { data, more };
    for (int i = 0; i < 2; i++) {
        unsigned int got = 0, length = sizeof got;
        OK(SCIWaitForDataInterrupt(both[i], &got, &length, 0, 0, &error));
        CHECK(got == NUMBER && length == sizeof got);
        OK(SCIRemoveDataInterrupt(both[i], 0, &error));
    }
    OK(SCIDisconnectDataInterrupt(out, 0, &error));
}

/* Sharers in several processes: one is killed, its place is free again, and the others get the triggers. */
static void sharer(int channel)
{
    sd = begin();
    sci_local_interrupt_t in = make(NUMBER, SCI_FLAG_SHARED_INT);
    tell(channel, 0);
    for (;;) {
        OK(SCIWaitForInterrupt(in, 3 * WHILE, 0, &error));
        tell(channel, 0);
    }
}

static void test_sharing_processes(void)
{
    struct peer peers[SHARERS];
    for (int i = 0; i < SHARERS; i++)
        peers[i] = start_peer(sharer);
    sd = begin();
    for (int i = 0; i < SHARERS; i++)
        listen_to(peers[i].channel);
    sci_remote_interrupt_t out = find(NUMBER);
    for (int round = 0; round < 100; round++) {
        OK(SCITriggerInterrupt(out, 0, &error));
        for (int i = 0; i < SHARERS; i++)
            listen_to(peers[i].channel);
    }
    sci_local_interrupt_t in;
    CHECK(try_make(&in, NUMBER, SCI_FLAG_SHARED_INT) == SCI_ERR_NOSPC);
    peer_kill(&peers[2]);
    in = make(NUMBER, SCI_FLAG_SHARED_INT);
    OK(SCITriggerInterrupt(out, 0, &error));
    CHECK(hear(in) == SCI_ERR_OK);
    for (int i = 0; i < SHARERS; i++)
        if (i != 2) {
            listen_to(peers[i].channel);
            peer_kill(&peers[i]);
        }
    OK(SCITriggerInterrupt(out, 0, &error));
    drop(in);
    EXPECT(SCI_ERR_NOT_CONNECTED, SCITriggerInterrupt(out, 0, &error));
    OK(SCIDisconnectInterrupt(out, 0, &error));
    end(sd);
}

int main(void)
{
    node = use_own_node();
    test_sharing_processes();
    test_slow_receiver();
    sd = begin();
    test_counting();
    test_sharers(SCI_FLAG_SHARED_INT);
    test_sharers(SCI_FLAG_SHARED_INT | SCI_FLAG_COUNTING_INT);
    test_full_sharer();
    test_numbers();
    end(sd);
    return 0;
}

/* Interrupts: numbers, triggers, waiting, time-outs, cancelling, counting, the descriptor. */
#include <poll.h>
#include <pthread.h>
#include <time.h>

#include "check.h"

static unsigned int node;

static uint64_t milliseconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}

static bool readable(int fd)
{
    struct pollfd state = { .fd = fd, .events = POLLIN };
    return poll(&state, 1, 0) == 1;
}

static sci_local_interrupt_t make(sci_desc_t sd, unsigned int *number, unsigned int flags)
{
    sci_local_interrupt_t in;
    OK(SCICreateInterrupt(sd, &in, ADAPTER, number, NULL, NULL, flags, &error));
    return in;
}

static sci_remote_interrupt_t find(sci_desc_t sd, unsigned int number)
{
    sci_remote_interrupt_t out;
    OK(SCIConnectInterrupt(sd, &out, node, ADAPTER, number, SCI_INFINITE_TIMEOUT, 0, &error));
    return out;
}

static void test_arguments(sci_desc_t sd)
{
    sci_local_interrupt_t in, other;
    sci_remote_interrupt_t out;
    unsigned int number = 9;
    EXPECT(SCI_ERR_ILLEGAL_FLAG, SCICreateInterrupt(sd, &in, ADAPTER, &number, NULL, NULL, 0x100, &error));
    EXPECT(SCI_ERR_ILLEGAL_PARAMETER, SCICreateInterrupt(NULL, &in, ADAPTER, &number, NULL, NULL, 0, &error));
    EXPECT(SCI_ERR_ILLEGAL_PARAMETER, SCICreateInterrupt(sd, NULL, ADAPTER, &number, NULL, NULL, 0, &error));
    EXPECT(SCI_ERR_ILLEGAL_PARAMETER, SCICreateInterrupt(sd, &in, ADAPTER, NULL, NULL, NULL, 0, &error));
    EXPECT(SCI_ERR_ILLEGAL_PARAMETER,
           SCICreateInterrupt(sd, &in, ADAPTER, &number, NULL, NULL, SCI_FLAG_USE_CALLBACK, &error));
    EXPECT(SCI_ERR_NO_SUCH_ADAPTERNO, SCICreateInterrupt(sd, &in, 1, &number, NULL, NULL, 0, &error));
    EXPECT(SCI_ERR_ILLEGAL_ADAPTERNO, SCICreateInterrupt(sd, &in, 16, &number, NULL, NULL, 0, &error));

    in = make(sd, &number, SCI_FLAG_FIXED_INTNO);
    CHECK(number == 9);
    EXPECT(SCI_ERR_INTNO_USED,
           SCICreateInterrupt(sd, &other, ADAPTER, &number, NULL, NULL, SCI_FLAG_FIXED_INTNO, &error));
    unsigned int chosen = 9, another = 9;
    other = make(sd, &chosen, 0);
    CHECK(chosen != 9);
    sci_local_interrupt_t third = make(sd, &another, 0);
    CHECK(another != chosen);
    OK(SCIRemoveInterrupt(third, 0, &error));
    OK(SCIRemoveInterrupt(other, 0, &error));

    EXPECT(SCI_ERR_ILLEGAL_FLAG, SCIConnectInterrupt(sd, &out, node, ADAPTER, 9, 0, 1, &error));
    EXPECT(SCI_ERR_ILLEGAL_PARAMETER, SCIConnectInterrupt(NULL, &out, node, ADAPTER, 9, 0, 0, &error));
    EXPECT(SCI_ERR_ILLEGAL_PARAMETER, SCIConnectInterrupt(sd, NULL, node, ADAPTER, 9, 0, 0, &error));
    EXPECT(SCI_ERR_NO_SUCH_ADAPTERNO, SCIConnectInterrupt(sd, &out, node, 1, 9, 0, 0, &error));
    EXPECT(SCI_ERR_ILLEGAL_NODEID, SCIConnectInterrupt(sd, &out, 0, ADAPTER, 9, 0, 0, &error));
    EXPECT(SCI_ERR_NO_SUCH_INTNO,
           SCIConnectInterrupt(sd, &out, node, ADAPTER, 10, SCI_INFINITE_TIMEOUT, 0, &error));
    EXPECT(SCI_ERR_NO_SUCH_INTNO, SCIConnectInterrupt(sd, &out, nobodys_node(), ADAPTER, 9, 0, 0, &error));

    EXPECT(SCI_ERR_ILLEGAL_FLAG, SCIWaitForInterrupt(in, 0, 1, &error));
    EXPECT(SCI_ERR_ILLEGAL_PARAMETER, SCIWaitForInterrupt(NULL, 0, 0, &error));
    EXPECT(SCI_ERR_ILLEGAL_FLAG, SCITriggerInterrupt(NULL, 1, &error));
    EXPECT(SCI_ERR_ILLEGAL_PARAMETER, SCITriggerInterrupt(NULL, 0, &error));
    EXPECT(SCI_ERR_ILLEGAL_PARAMETER, SCITriggerInterrupt((sci_remote_interrupt_t)in, 0, &error));
    EXPECT(SCI_ERR_ILLEGAL_FLAG, SCIDisconnectInterrupt(NULL, 1, &error));
    EXPECT(SCI_ERR_ILLEGAL_PARAMETER, SCIDisconnectInterrupt(NULL, 0, &error));
    EXPECT(SCI_ERR_ILLEGAL_FLAG, SCIRemoveInterrupt(in, 1, &error));
    CHECK(SCIShimInterruptDescriptor(NULL) == -1);
    SCIShimAcknowledgeInterrupt(NULL);

    out = find(sd, 9);
    OK(SCIRemoveInterrupt(in, 0, &error));
    EXPECT(SCI_ERR_ILLEGAL_PARAMETER, SCIRemoveInterrupt(in, 0, &error));
    EXPECT(SCI_ERR_NOT_CONNECTED, SCITriggerInterrupt(out, 0, &error));
    OK(SCIDisconnectInterrupt(out, 0, &error));
    EXPECT(SCI_ERR_ILLEGAL_PARAMETER, SCIDisconnectInterrupt(out, 0, &error));
}

static void test_self_trigger(sci_desc_t sd)
{
    unsigned int number = 0;
    sci_local_interrupt_t in = make(sd, &number, 0);
    int before = open_descriptors();
    sci_remote_interrupt_t out = find(sd, number);
    CHECK(open_descriptors() == before);
    EXPECT(SCI_ERR_TIMEOUT, SCIWaitForInterrupt(in, 0, 0, &error));
    uint64_t start = milliseconds();
    EXPECT(SCI_ERR_TIMEOUT, SCIWaitForInterrupt(in, 50, 0, &error));
    CHECK(milliseconds() - start >= 49 && milliseconds() - start < WHILE);

    /* A wait takes all pending triggers. Far more triggers than the queue holds are no error. */
    for (int i = 0; i < 100; i++)
        OK(SCITriggerInterrupt(out, 0, &error));
    OK(SCIWaitForInterrupt(in, SCI_INFINITE_TIMEOUT, 0, &error));
    EXPECT(SCI_ERR_TIMEOUT, SCIWaitForInterrupt(in, 0, 0, &error));
    OK(SCIDisconnectInterrupt(out, 0, &error));
    OK(SCIRemoveInterrupt(in, 0, &error));
}

static void test_descriptor(sci_desc_t sd)
{
    unsigned int number = 0;
    sci_local_interrupt_t in = make(sd, &number, 0);
    sci_remote_interrupt_t out = find(sd, number);
    int fd = SCIShimInterruptDescriptor(in);
    CHECK(fd >= 0 && fd == SCIShimInterruptDescriptor(in) && !readable(fd));
    SCIShimAcknowledgeInterrupt(in); /* nothing pending: returns */
    for (int i = 0; i < 3; i++)
        OK(SCITriggerInterrupt(out, 0, &error));
    CHECK(readable(fd));
    SCIShimAcknowledgeInterrupt(in);
    CHECK(!readable(fd));
    OK(SCITriggerInterrupt(out, 0, &error));
    CHECK(readable(fd));
    OK(SCIWaitForInterrupt(in, 0, 0, &error));
    CHECK(!readable(fd));
    OK(SCIDisconnectInterrupt(out, 0, &error));
    OK(SCIRemoveInterrupt(in, 0, &error));
    CHECK(SCIShimInterruptDescriptor(in) == -1);
}

static void test_counting(sci_desc_t sd)
{
    unsigned int number = 0;
    sci_local_interrupt_t in = make(sd, &number, SCI_FLAG_COUNTING_INT);
    sci_remote_interrupt_t out = find(sd, number);
    for (int i = 0; i < 5; i++)
        OK(SCITriggerInterrupt(out, 0, &error));
    for (int i = 0; i < 5; i++)
        OK(SCIWaitForInterrupt(in, 0, 0, &error));
    EXPECT(SCI_ERR_TIMEOUT, SCIWaitForInterrupt(in, 0, 0, &error));
    OK(SCIDisconnectInterrupt(out, 0, &error));
    OK(SCIRemoveInterrupt(in, 0, &error));
}

/* Receivers that don't read fill the sender's buffer; a trigger for another receiver must arrive all the same. */
static void test_idle_receivers(sci_desc_t sd)
{
    enum { RECEIVERS = 100, TRIGGERS = 20 };
    sci_local_interrupt_t in[RECEIVERS];
    sci_remote_interrupt_t out[RECEIVERS];
    for (int i = 0; i < RECEIVERS; i++) {
        unsigned int number = 0;
        in[i] = make(sd, &number, 0);
        out[i] = find(sd, number);
        for (int k = 0; k < TRIGGERS; k++)
            OK(SCITriggerInterrupt(out[i], 0, &error));
    }
    for (int i = 0; i < RECEIVERS; i++) {
        OK(SCIWaitForInterrupt(in[i], 0, 0, &error));
        OK(SCIDisconnectInterrupt(out[i], 0, &error));
        OK(SCIRemoveInterrupt(in[i], 0, &error));
    }
}

static struct gauge *arrived;

static void *wait_to_be_cancelled(void *interrupt)
{
    gauge_add(arrived, 1);
    sci_error_t error;
    SCIWaitForInterrupt(interrupt, SCI_INFINITE_TIMEOUT, 0, &error);
    /* A thread that comes only after the removal finds no such interrupt. */
    CHECK(error == SCI_ERR_CANCELLED || error == SCI_ERR_ILLEGAL_PARAMETER);
    return NULL;
}

static void test_cancel(sci_desc_t sd)
{
    enum { WAITERS = 4, ROUNDS = 200 };
    for (int round = 0; round < ROUNDS; round++) {
        unsigned int number = 0;
        sci_local_interrupt_t in = make(sd, &number, 0);
        pthread_t threads[WAITERS];
        arrived = gauge_new();
        for (int i = 0; i < WAITERS; i++)
            CHECK(pthread_create(&threads[i], NULL, wait_to_be_cancelled, in) == 0);
        gauge_await(arrived, WAITERS, WHILE);
        OK(SCIRemoveInterrupt(in, 0, &error));
        for (int i = 0; i < WAITERS; i++)
            pthread_join(threads[i], NULL);
        free(arrived);
    }
}

/* Waits for a trigger that goes to another interrupt. */
static void *wait_in_vain(void *interrupt)
{
    EXPECT(SCI_ERR_TIMEOUT, SCIWaitForInterrupt(interrupt, 100, 0, &error));
    return NULL;
}

static void test_not_woken_by_others(sci_desc_t sd)
{
    unsigned int number = 0, other_number = 0;
    sci_local_interrupt_t in = make(sd, &number, 0), other = make(sd, &other_number, 0);
    sci_remote_interrupt_t out = find(sd, other_number);
    pthread_t thread;
    CHECK(pthread_create(&thread, NULL, wait_in_vain, in) == 0);
    OK(SCITriggerInterrupt(out, 0, &error));
    pthread_join(thread, NULL);
    OK(SCIDisconnectInterrupt(out, 0, &error));
    OK(SCIRemoveInterrupt(in, 0, &error));
    OK(SCIRemoveInterrupt(other, 0, &error));
}

/* Ping-pong between processes: no trigger is lost, and each sleeping thread is woken. */
enum { ROUNDS = 5000 };

static void ponger(int channel)
{
    sci_desc_t sd = begin();
    unsigned int number = 0;
    sci_local_interrupt_t in = make(sd, &number, 0);
    tell(channel, number);
    sci_remote_interrupt_t out = find(sd, (unsigned int)listen_to(channel));
    for (int i = 0; i < ROUNDS; i++) {
        OK(SCIWaitForInterrupt(in, WHILE, 0, &error));
        OK(SCITriggerInterrupt(out, 0, &error));
    }
    OK(SCIRemoveInterrupt(in, 0, &error));
    OK(SCIDisconnectInterrupt(out, 0, &error));
    OK(SCIClose(sd, 0, &error));
    SCITerminate();
}

static void test_two_processes(void)
{
    struct peer peer = start_peer(ponger);
    sci_desc_t sd = begin();
    unsigned int number = 0;
    sci_local_interrupt_t in = make(sd, &number, 0);
    tell(peer.channel, number);
    sci_remote_interrupt_t out = find(sd, (unsigned int)listen_to(peer.channel));
    for (int i = 0; i < ROUNDS; i++) {
        OK(SCITriggerInterrupt(out, 0, &error));
        OK(SCIWaitForInterrupt(in, WHILE, 0, &error));
    }
    peer_finish(&peer);
    EXPECT(SCI_ERR_NOT_CONNECTED, SCITriggerInterrupt(out, 0, &error));
    OK(SCIRemoveInterrupt(in, 0, &error));
    OK(SCIDisconnectInterrupt(out, 0, &error));
    end(sd);
}

int main(void)
{
    node = use_own_node();
    test_two_processes();
    sci_desc_t sd = begin();
    /* One descriptor for each local interrupt, and two for all remotes of the process: to find, and to trigger. */
    int before = open_descriptors();
    unsigned int number = 0;
    sci_local_interrupt_t in = make(sd, &number, 0);
    CHECK(open_descriptors() == before + 1);
    sci_remote_interrupt_t out = find(sd, number);
    OK(SCITriggerInterrupt(out, 0, &error));
    CHECK(open_descriptors() == before + 3);
    OK(SCIRemoveInterrupt(in, 0, &error));
    OK(SCIDisconnectInterrupt(out, 0, &error));
    CHECK(open_descriptors() == before + 2);

    test_arguments(sd);
    test_self_trigger(sd);
    test_descriptor(sd);
    test_counting(sd);
    test_idle_receivers(sd);
    test_cancel(sd);
    test_not_woken_by_others(sd);
    end(sd);
    return 0;
}

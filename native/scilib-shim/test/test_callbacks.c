/* Callbacks: which are made, where they run, what they may do, and that none is made after a removal. */
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>

#include "check.h"

static unsigned int node;
static sci_desc_t sd;

/* What a callback was called with, and what it has to do. */
struct witness {
    struct gauge *calls;
    sci_segment_cb_reason_t reasons[8];
    sci_callback_action_t action;
    bool remove_self;
};

static struct witness *witness_new(void)
{
    static struct witness witnesses[32]; /* never freed: a callback that comes too late must find them */
    static size_t used;
    CHECK(used < sizeof witnesses / sizeof witnesses[0]);
    struct witness *witness = &witnesses[used++];
    witness->calls = gauge_new();
    witness->action = SCI_CALLBACK_CONTINUE;
    return witness;
}

static sci_callback_action_t note(struct witness *witness, sci_segment_cb_reason_t reason)
{
    int call = gauge_read(witness->calls);
    if (call < 8)
        witness->reasons[call] = reason;
    gauge_add(witness->calls, 1);
    return witness->action;
}

static sci_callback_action_t on_local(void *arg, sci_local_segment_t segment, sci_segment_cb_reason_t reason,
                                      unsigned int from, unsigned int adapter, sci_error_t error)
{
    struct witness *witness = arg;
    CHECK(from == node && adapter == ADAPTER && error == SCI_ERR_OK);
    if (witness->remove_self)
        OK(SCIRemoveSegment(segment, SCI_FLAG_FORCE_REMOVE, &error));
    return note(witness, reason);
}

static sci_callback_action_t on_remote(void *arg, sci_remote_segment_t segment, sci_segment_cb_reason_t reason,
                                       sci_error_t error)
{
    struct witness *witness = arg;
    CHECK(error == SCI_ERR_OK && segment != NULL);
    if (witness->remove_self)
        OK(SCIDisconnectSegment(segment, 0, &error));
    return note(witness, reason);
}

static sci_callback_action_t on_interrupt(void *arg, sci_local_interrupt_t interrupt, sci_error_t error)
{
    struct witness *witness = arg;
    CHECK(error == SCI_ERR_OK);
    if (witness->remove_self)
        OK(SCIRemoveInterrupt(interrupt, 0, &error));
    return note(witness, 0);
}

static sci_remote_segment_t connect_to(unsigned int id, struct witness *witness)
{
    sci_remote_segment_t remote;
    OK(SCIConnectSegment(sd, &remote, node, id, ADAPTER, witness != NULL ? on_remote : NULL, witness, WHILE,
                         witness != NULL ? SCI_FLAG_USE_CALLBACK : 0, &error));
    return remote;
}

static sci_local_interrupt_t make(sci_remote_interrupt_t *out, struct witness *witness, unsigned int flags)
{
    sci_local_interrupt_t in;
    unsigned int number = 0;
    OK(SCICreateInterrupt(sd, &in, ADAPTER, &number, on_interrupt, witness, flags | SCI_FLAG_USE_CALLBACK, &error));
    OK(SCIConnectInterrupt(sd, out, node, ADAPTER, number, 0, 0, &error));
    return in;
}

static void test_segment_events(void)
{
    struct witness *here = witness_new(), *there = witness_new();
    sci_local_segment_t local = export_segment(sd, 1, PAGE, on_local, here);
    sci_remote_segment_t first = connect_to(1, there);
    gauge_await(here->calls, 1, WHILE);
    sci_remote_segment_t second = connect_to(1, NULL);
    gauge_await(here->calls, 2, WHILE);
    OK(SCIDisconnectSegment(second, 0, &error));
    gauge_await(here->calls, 3, WHILE);
    CHECK(here->reasons[0] == SCI_CB_CONNECT && here->reasons[1] == SCI_CB_CONNECT);
    CHECK(here->reasons[2] == SCI_CB_DISCONNECT);
    OK(SCIRemoveSegment(local, 0, &error)); /* its remote is told */
    gauge_await(there->calls, 1, WHILE);
    CHECK(there->reasons[0] == SCI_CB_DISCONNECT && gauge_read(here->calls) == 3);
    OK(SCIDisconnectSegment(first, 0, &error));
}

static void test_interrupt_events(void)
{
    struct witness *each = witness_new(), *some = witness_new();
    sci_remote_interrupt_t out;
    sci_local_interrupt_t in = make(&out, each, SCI_FLAG_COUNTING_INT);
    EXPECT(SCI_ERR_ILLEGAL_OPERATION, SCIWaitForInterrupt(in, 0, 0, &error));
    CHECK(SCIShimInterruptDescriptor(in) == -1);
    SCIShimAcknowledgeInterrupt(in); /* takes no trigger away from the callback */
    for (int i = 0; i < 5; i++)
        OK(SCITriggerInterrupt(out, 0, &error));
    gauge_await(each->calls, 5, WHILE);
    OK(SCIRemoveInterrupt(in, 0, &error));
    CHECK(gauge_read(each->calls) == 5);
    OK(SCIDisconnectInterrupt(out, 0, &error));

    in = make(&out, some, 0);
    for (int i = 1; i <= 5; i++) {
        OK(SCITriggerInterrupt(out, 0, &error));
        gauge_await(some->calls, i, WHILE);
    }
    OK(SCIRemoveInterrupt(in, 0, &error));
    OK(SCIDisconnectInterrupt(out, 0, &error));
}

/* Waits until the library's thread has handled all earlier events: one of two rounds of its loop has begun after them. */
static void flush(void)
{
    struct witness *witness = witness_new();
    sci_remote_interrupt_t out;
    sci_local_interrupt_t in = make(&out, witness, 0);
    for (int i = 1; i <= 2; i++) {
        OK(SCITriggerInterrupt(out, 0, &error));
        gauge_await(witness->calls, i, WHILE);
    }
    OK(SCIRemoveInterrupt(in, 0, &error));
    OK(SCIDisconnectInterrupt(out, 0, &error));
}

static void test_cancel_action(void)
{
    struct witness *witness = witness_new();
    witness->action = SCI_CALLBACK_CANCEL;
    sci_remote_interrupt_t out;
    sci_local_interrupt_t in = make(&out, witness, 0);
    OK(SCITriggerInterrupt(out, 0, &error));
    gauge_await(witness->calls, 1, WHILE);
    flush();
    OK(SCITriggerInterrupt(out, 0, &error));
    flush();
    CHECK(gauge_read(witness->calls) == 1);
    OK(SCIRemoveInterrupt(in, 0, &error));
    OK(SCIDisconnectInterrupt(out, 0, &error));

    witness = witness_new();
    witness->action = SCI_CALLBACK_CANCEL;
    sci_local_segment_t local = export_segment(sd, 1, PAGE, on_local, witness);
    sci_remote_segment_t remote = connect_to(1, NULL);
    gauge_await(witness->calls, 1, WHILE);
    OK(SCIDisconnectSegment(remote, 0, &error));
    flush();
    CHECK(gauge_read(witness->calls) == 1);
    OK(SCIRemoveSegment(local, 0, &error));
}

static void test_removal_from_inside(void)
{
    struct witness *witness = witness_new();
    witness->remove_self = true;
    sci_remote_interrupt_t out;
    sci_local_interrupt_t in = make(&out, witness, 0);
    OK(SCITriggerInterrupt(out, 0, &error));
    gauge_await(witness->calls, 1, WHILE);
    EXPECT(SCI_ERR_ILLEGAL_PARAMETER, SCIRemoveInterrupt(in, 0, &error));
    OK(SCIDisconnectInterrupt(out, 0, &error));

    struct witness *there = witness_new();
    there->remove_self = true;
    witness = witness_new();
    witness->remove_self = true;
    sci_local_segment_t local = export_segment(sd, 1, PAGE, on_local, witness);
    sci_remote_segment_t remote = connect_to(1, there);
    gauge_await(witness->calls, 1, WHILE); /* the callback removes it in CONNECT, which disconnects ... */
    gauge_await(there->calls, 1, WHILE);   /* ... the remote, which its callback disconnects in DISCONNECT */
    EXPECT(SCI_ERR_ILLEGAL_PARAMETER, SCIRemoveSegment(local, 0, &error));
    EXPECT(SCI_ERR_ILLEGAL_PARAMETER, SCIDisconnectSegment(remote, 0, &error));
}

static sci_callback_action_t on_thread(void *arg, sci_local_interrupt_t interrupt, sci_error_t status)
{
    (void)interrupt, (void)status;
    char name[16];
    sigset_t mask;
    CHECK(pthread_getname_np(pthread_self(), name, sizeof name) == 0 && strcmp(name, "sisci-shim") == 0);
    CHECK(pthread_sigmask(SIG_BLOCK, NULL, &mask) == 0);
    CHECK(sigismember(&mask, SIGTERM) == 1 && sigismember(&mask, SIGUSR1) == 1 && sigismember(&mask, SIGCHLD) == 1);
    sci_remote_segment_t remote;
    EXPECT(SCI_ERR_ILLEGAL_OPERATION,
           SCIConnectSegment(sd, &remote, node, 1, ADAPTER, NULL, NULL, SCI_INFINITE_TIMEOUT, 0, &error));
    SCITerminate(); /* ignored */
    unsigned int own;
    OK(SCIGetLocalNodeId(ADAPTER, &own, 0, &error)); /* the library is still initialised */
    gauge_add(arg, 1);
    return SCI_CALLBACK_CONTINUE;
}

static void test_thread(void)
{
    struct gauge *calls = witness_new()->calls;
    sci_local_interrupt_t in;
    sci_remote_interrupt_t out;
    unsigned int number = 0;
    OK(SCICreateInterrupt(sd, &in, ADAPTER, &number, on_thread, calls, SCI_FLAG_USE_CALLBACK, &error));
    OK(SCIConnectInterrupt(sd, &out, node, ADAPTER, number, 0, 0, &error));
    OK(SCITriggerInterrupt(out, 0, &error));
    gauge_await(calls, 1, WHILE);
    OK(SCIRemoveInterrupt(in, 0, &error));
    OK(SCIDisconnectInterrupt(out, 0, &error));
}

/* A removal that comes while the callback runs in another thread waits for its end. */
static struct gauge *entered;
static atomic_int left;

static sci_callback_action_t linger(void)
{
    gauge_add(entered, 1);
    for (int i = 0; i < 1000; i++)
        sched_yield();
    left++;
    return SCI_CALLBACK_CONTINUE;
}

static sci_callback_action_t linger_interrupt(void *arg, sci_local_interrupt_t interrupt, sci_error_t error)
{
    (void)arg, (void)interrupt, (void)error;
    return linger();
}

static sci_callback_action_t linger_local(void *arg, sci_local_segment_t segment, sci_segment_cb_reason_t reason,
                                          unsigned int from, unsigned int adapter, sci_error_t error)
{
    (void)arg, (void)segment, (void)reason, (void)from, (void)adapter, (void)error;
    return linger();
}

static sci_callback_action_t linger_remote(void *arg, sci_remote_segment_t segment, sci_segment_cb_reason_t reason,
                                           sci_error_t error)
{
    (void)arg, (void)segment, (void)reason, (void)error;
    return linger();
}

static void test_removal_waits(void)
{
    entered = witness_new()->calls;
    sci_local_interrupt_t in;
    sci_remote_interrupt_t out;
    unsigned int number = 0;
    OK(SCICreateInterrupt(sd, &in, ADAPTER, &number, linger_interrupt, NULL, SCI_FLAG_USE_CALLBACK, &error));
    OK(SCIConnectInterrupt(sd, &out, node, ADAPTER, number, 0, 0, &error));
    OK(SCITriggerInterrupt(out, 0, &error));
    gauge_await(entered, 1, WHILE);
    OK(SCIRemoveInterrupt(in, 0, &error));
    CHECK(left == 1);
    OK(SCIDisconnectInterrupt(out, 0, &error));

    sci_local_segment_t local = export_segment(sd, 1, PAGE, linger_local, NULL);
    sci_remote_segment_t remote;
    OK(SCIConnectSegment(sd, &remote, node, 1, ADAPTER, linger_remote, NULL, WHILE, SCI_FLAG_USE_CALLBACK, &error));
    gauge_await(entered, 2, WHILE);
    OK(SCIRemoveSegment(local, SCI_FLAG_FORCE_REMOVE, &error));
    CHECK(left >= 2);
    gauge_await(entered, 3, WHILE); /* the remote's DISCONNECT */
    OK(SCIDisconnectSegment(remote, 0, &error));
    CHECK(left == 3);
}

/*
 * The guarantee: once a removal has returned, the callback is not running and will not run. Right after it each round marks
 * the callback's argument as dead; a callback that comes late, or still runs, sees that.
 */
struct mortal {
    atomic_bool dead;
    atomic_int calls;
};

static void live(struct mortal *mortal)
{
    for (int i = 0; i < 200; i++)
        CHECK(!mortal->dead);
    mortal->calls++;
    CHECK(!mortal->dead);
}

static sci_callback_action_t mortal_interrupt(void *arg, sci_local_interrupt_t interrupt, sci_error_t error)
{
    (void)interrupt, (void)error;
    live(arg);
    return SCI_CALLBACK_CONTINUE;
}

static sci_callback_action_t mortal_local(void *arg, sci_local_segment_t segment, sci_segment_cb_reason_t reason,
                                          unsigned int from, unsigned int adapter, sci_error_t error)
{
    (void)segment, (void)reason, (void)from, (void)adapter, (void)error;
    live(arg);
    return SCI_CALLBACK_CONTINUE;
}

static sci_callback_action_t mortal_remote(void *arg, sci_remote_segment_t segment, sci_segment_cb_reason_t reason,
                                           sci_error_t error)
{
    (void)segment, (void)reason, (void)error;
    live(arg);
    return SCI_CALLBACK_CONTINUE;
}

enum { RACES = 3000, RACE_ID = 99 };
static atomic_bool race_over;

/* Connects, triggers and disconnects, while the main thread makes and removes the segment and the interrupt. */
static void *race_partner(void *unused)
{
    (void)unused;
    while (!race_over) {
        struct mortal there = { 0 };
        sci_error_t error;
        sci_remote_segment_t remote;
        sci_remote_interrupt_t out;
        SCIConnectInterrupt(sd, &out, node, ADAPTER, RACE_ID, 0, 0, &error);
        if (error == SCI_ERR_OK) {
            SCITriggerInterrupt(out, 0, &error);
            CHECK(error == SCI_ERR_OK || error == SCI_ERR_NOT_CONNECTED);
            OK(SCIDisconnectInterrupt(out, 0, &error));
        }
        SCIConnectSegment(sd, &remote, node, RACE_ID, ADAPTER, mortal_remote, &there, WHILE, SCI_FLAG_USE_CALLBACK,
                          &error);
        CHECK(error == SCI_ERR_OK || error == SCI_ERR_NO_SUCH_SEGMENT);
        if (error == SCI_ERR_OK)
            OK(SCIDisconnectSegment(remote, 0, &error));
        there.dead = true;
    }
    return NULL;
}

static void test_guarantee(void)
{
    pthread_t partner;
    int calls = 0;
    CHECK(pthread_create(&partner, NULL, race_partner, NULL) == 0);
    for (int i = 0; i < RACES || calls < 100; i++) {
        struct mortal interrupt = { 0 }, segment = { 0 };
        unsigned int number = RACE_ID;
        sci_local_interrupt_t in;
        OK(SCICreateInterrupt(sd, &in, ADAPTER, &number, mortal_interrupt, &interrupt,
                              SCI_FLAG_USE_CALLBACK | SCI_FLAG_FIXED_INTNO, &error));
        sci_local_segment_t local = export_segment(sd, RACE_ID, PAGE, mortal_local, &segment);
        if (i % 2 == 0)
            sched_yield(); /* let some connections get through */
        OK(SCIRemoveInterrupt(in, 0, &error));
        interrupt.dead = true;
        OK(SCIRemoveSegment(local, SCI_FLAG_FORCE_REMOVE, &error));
        segment.dead = true;
        calls += interrupt.calls + segment.calls;
    }
    race_over = true;
    pthread_join(partner, NULL);
}

static sci_local_interrupt_t never_triggered;

static sci_callback_action_t wait_for_end(void *arg, sci_local_interrupt_t interrupt, sci_error_t error)
{
    (void)interrupt, (void)error;
    gauge_add(arg, 1);
    sci_error_t ended;
    SCIWaitForInterrupt(never_triggered, SCI_INFINITE_TIMEOUT, 0, &ended);
    CHECK(ended == SCI_ERR_CANCELLED || ended == SCI_ERR_NOT_INITIALIZED /* if SCITerminate came first */);
    EXPECT(SCI_ERR_ILLEGAL_OPERATION, SCIInitialize(0, &error));
    EXPECT(SCI_ERR_NOT_INITIALIZED, SCIRemoveInterrupt(never_triggered, 0, &error));
    gauge_add(arg, 1);
    return SCI_CALLBACK_CONTINUE;
}

/* SCITerminate waits for a callback; if the callback itself waits for an interrupt, SCITerminate ends that wait. */
static void test_end_while_one_waits(void)
{
    struct gauge *steps = witness_new()->calls;
    sci_local_interrupt_t in;
    sci_remote_interrupt_t out;
    unsigned int number = 0;
    OK(SCICreateInterrupt(sd, &never_triggered, ADAPTER, &number, NULL, NULL, 0, &error));
    OK(SCICreateInterrupt(sd, &in, ADAPTER, &number, wait_for_end, steps, SCI_FLAG_USE_CALLBACK, &error));
    OK(SCIConnectInterrupt(sd, &out, node, ADAPTER, number, 0, 0, &error));
    OK(SCITriggerInterrupt(out, 0, &error));
    gauge_await(steps, 1, WHILE);
    SCITerminate();
    CHECK(gauge_read(steps) == 2 && names_in_use() == 0);
}

int main(void)
{
    node = use_own_node();
    sd = begin();
    test_segment_events();
    test_interrupt_events();
    test_cancel_action();
    test_removal_from_inside();
    test_thread();
    test_removal_waits();
    test_guarantee();
    test_end_while_one_waits();
    return 0;
}

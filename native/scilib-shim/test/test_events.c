/* Waiting for the events of a segment: which events come, in which order, and what ends a wait. */
#include <pthread.h>
#include <sched.h>

#include "check.h"

enum { MANY = 70 /* more events than are kept */, KEPT = 64, WAITERS = 3, CANCELLATIONS = 20 };

static unsigned int node;
static sci_desc_t sd;

static sci_remote_segment_t join(unsigned int id)
{
    sci_remote_segment_t remote;
    OK(SCIConnectSegment(sd, &remote, node, id, ADAPTER, NULL, NULL, WHILE, 0, &error));
    return remote;
}

static void expect_local(sci_local_segment_t segment, sci_segment_cb_reason_t expected)
{
    unsigned int from = 0, adapter = 99;
    OK(CHECK(SCIWaitForLocalSegmentEvent(segment, &from, &adapter, WHILE, 0, &error) == expected));
    CHECK(from == node && adapter == ADAPTER);
}

static void expect_no_local(sci_local_segment_t segment)
{
    unsigned int from, adapter;
    EXPECT(SCI_ERR_TIMEOUT, CHECK(SCIWaitForLocalSegmentEvent(segment, &from, &adapter, 0, 0, &error) == 0));
}

static void expect_remote(sci_remote_segment_t remote, sci_segment_cb_reason_t expected)
{
    sci_error_t status = (sci_error_t)-1;
    OK(CHECK(SCIWaitForRemoteSegmentEvent(remote, &status, WHILE, 0, &error) == expected));
    CHECK(status == SCI_ERR_OK);
}

static struct gauge *asked;

static sci_callback_action_t on_local(void *arg, sci_local_segment_t segment, sci_segment_cb_reason_t reason,
                                      unsigned int from, unsigned int adapter, sci_error_t status)
{
    (void)reason, (void)status;
    /* The events of other segments come from this thread, too. */
    EXPECT(SCI_ERR_ILLEGAL_OPERATION, SCIWaitForLocalSegmentEvent(segment, &from, &adapter, 0, 0, &error));
    EXPECT(SCI_ERR_ILLEGAL_OPERATION, SCIWaitForLocalSegmentEvent(*(sci_local_segment_t *)arg, &from, &adapter,
                                                                  SCI_INFINITE_TIMEOUT, 0, &error));
    gauge_add(asked, 1);
    return SCI_CALLBACK_CANCEL;
}

static sci_callback_action_t on_remote(void *arg, sci_remote_segment_t remote, sci_segment_cb_reason_t reason,
                                       sci_error_t status)
{
    (void)remote, (void)reason;
    EXPECT(SCI_ERR_ILLEGAL_OPERATION,
           SCIWaitForRemoteSegmentEvent(*(sci_remote_segment_t *)arg, &status, SCI_INFINITE_TIMEOUT, 0, &error));
    return SCI_CALLBACK_CANCEL;
}

static void test_errors(void)
{
    unsigned int from, adapter;
    sci_error_t status;
    sci_local_segment_t local = export_segment(sd, 1, PAGE, NULL, NULL);
    sci_remote_segment_t remote = join(1), listening;
    EXPECT(SCI_ERR_ILLEGAL_FLAG, SCIWaitForLocalSegmentEvent(local, &from, &adapter, 0, 1, &error));
    EXPECT(SCI_ERR_ILLEGAL_PARAMETER, SCIWaitForLocalSegmentEvent(local, NULL, &adapter, 0, 0, &error));
    EXPECT(SCI_ERR_ILLEGAL_PARAMETER, SCIWaitForLocalSegmentEvent(local, &from, NULL, 0, 0, &error));
    EXPECT(SCI_ERR_ILLEGAL_PARAMETER, SCIWaitForLocalSegmentEvent(NULL, &from, &adapter, 0, 0, &error));
    EXPECT(SCI_ERR_ILLEGAL_PARAMETER,
           SCIWaitForLocalSegmentEvent((sci_local_segment_t)remote, &from, &adapter, 0, 0, &error));
    EXPECT(SCI_ERR_ILLEGAL_FLAG, SCIWaitForRemoteSegmentEvent(remote, &status, 0, 1, &error));
    EXPECT(SCI_ERR_ILLEGAL_PARAMETER, SCIWaitForRemoteSegmentEvent(remote, NULL, 0, 0, &error));
    EXPECT(SCI_ERR_ILLEGAL_PARAMETER, SCIWaitForRemoteSegmentEvent(NULL, &status, 0, 0, &error));
    EXPECT(SCI_ERR_TIMEOUT, CHECK(SCIWaitForRemoteSegmentEvent(remote, &status, 1, 0, &error) == 0));

    /* A segment with a callback can't be waited for, even when the callback was cancelled. */
    asked = gauge_new();
    sci_local_segment_t called = export_segment(sd, 2, PAGE, on_local, &local);
    OK(SCIConnectSegment(sd, &listening, node, 2, ADAPTER, on_remote, &remote, WHILE, SCI_FLAG_USE_CALLBACK, &error));
    EXPECT(SCI_ERR_ILLEGAL_OPERATION, SCIWaitForLocalSegmentEvent(called, &from, &adapter, 0, 0, &error));
    EXPECT(SCI_ERR_ILLEGAL_OPERATION, SCIWaitForRemoteSegmentEvent(listening, &status, 0, 0, &error));
    gauge_await(asked, 1, WHILE); /* once the removal has begun its handle isn't valid any more */
    OK(SCIRemoveSegment(called, SCI_FLAG_FORCE_REMOVE, &error));
    free(asked);
    OK(SCIDisconnectSegment(listening, 0, &error));

    OK(SCIDisconnectSegment(remote, 0, &error));
    EXPECT(SCI_ERR_ILLEGAL_PARAMETER, SCIWaitForRemoteSegmentEvent(remote, &status, 0, 0, &error));
    OK(SCIRemoveSegment(local, 0, &error));
    EXPECT(SCI_ERR_ILLEGAL_PARAMETER, SCIWaitForLocalSegmentEvent(local, &from, &adapter, 0, 0, &error));
}

static void test_order(void)
{
    sci_local_segment_t local = export_segment(sd, 1, PAGE, NULL, NULL);
    expect_no_local(local);
    sci_remote_segment_t first = join(1);
    OK(SCIDisconnectSegment(first, 0, &error));
    expect_local(local, SCI_CB_CONNECT);
    expect_local(local, SCI_CB_DISCONNECT);
    first = join(1);
    sci_remote_segment_t second = join(1);
    expect_local(local, SCI_CB_CONNECT);
    expect_local(local, SCI_CB_CONNECT);
    expect_no_local(local);

    /* The connected remotes get an event of the end. The exporter gets none, because it has ended the connections itself. */
    OK(SCISetSegmentUnavailable(local, ADAPTER, SCI_FLAG_FORCE_DISCONNECT | SCI_FLAG_NOTIFY, &error));
    expect_remote(first, SCI_CB_DISCONNECT);
    expect_remote(second, SCI_CB_DISCONNECT);
    expect_no_local(local);
    sci_error_t status;
    EXPECT(SCI_ERR_SEGMENT_NOT_CONNECTED,
           SCIWaitForRemoteSegmentEvent(first, &status, SCI_INFINITE_TIMEOUT, 0, &error));
    OK(SCIDisconnectSegment(first, 0, &error));
    OK(SCIDisconnectSegment(second, 0, &error));
    OK(SCIRemoveSegment(local, 0, &error));
}

static void test_overflow(void)
{
    sci_local_segment_t local = export_segment(sd, 1, PAGE, NULL, NULL);
    sci_remote_segment_t remotes[MANY];
    for (int i = 0; i < MANY; i++)
        remotes[i] = join(1);
    unsigned int from, adapter;
    EXPECT(SCI_ERR_OVERFLOW, CHECK(SCIWaitForLocalSegmentEvent(local, &from, &adapter, WHILE, 0, &error) == 0));
    for (int i = 0; i < KEPT; i++)
        expect_local(local, SCI_CB_CONNECT);
    expect_no_local(local);
    for (int i = 0; i < MANY; i++) {
        OK(SCIDisconnectSegment(remotes[i], 0, &error));
        expect_local(local, SCI_CB_DISCONNECT);
    }
    OK(SCIRemoveSegment(local, 0, &error));
}

/* A thread that waits, and what it got. */
struct waiter {
    pthread_t thread;
    struct gauge *started;
    sci_local_segment_t local; /* or remote */
    sci_remote_segment_t remote;
    sci_segment_cb_reason_t reason;
    sci_error_t error;
};

static void *wait_for_event(void *arg)
{
    struct waiter *waiter = arg;
    unsigned int from, adapter;
    sci_error_t status;
    gauge_add(waiter->started, 1);
    waiter->reason =
        waiter->local != NULL
            ? SCIWaitForLocalSegmentEvent(waiter->local, &from, &adapter, SCI_INFINITE_TIMEOUT, 0, &waiter->error)
            : SCIWaitForRemoteSegmentEvent(waiter->remote, &status, SCI_INFINITE_TIMEOUT, 0, &waiter->error);
    return NULL;
}

static void start(struct waiter *waiter)
{
    waiter->started = gauge_new();
    CHECK(pthread_create(&waiter->thread, NULL, wait_for_event, waiter) == 0);
    gauge_await(waiter->started, 1, WHILE);
    sched_yield(); /* let the thread begin to wait */
}

static void finish(struct waiter *waiter)
{
    CHECK(pthread_join(waiter->thread, NULL) == 0);
    free(waiter->started);
}

/* The event goes to one thread; the others are told that no further event will come. */
static void test_waiters(void)
{
    sci_local_segment_t local = export_segment(sd, 1, PAGE, NULL, NULL);
    sci_remote_segment_t remote = join(1);
    struct waiter waiters[WAITERS];
    for (int i = 0; i < WAITERS; i++) {
        waiters[i] = (struct waiter){ .remote = remote };
        start(&waiters[i]);
    }
    OK(SCIRemoveSegment(local, SCI_FLAG_FORCE_REMOVE, &error));
    int told = 0;
    for (int i = 0; i < WAITERS; i++) {
        finish(&waiters[i]);
        told += waiters[i].error == SCI_ERR_OK && waiters[i].reason == SCI_CB_DISCONNECT;
        CHECK(waiters[i].error == SCI_ERR_OK || waiters[i].error == SCI_ERR_SEGMENT_NOT_CONNECTED);
    }
    CHECK(told == 1);
    OK(SCIDisconnectSegment(remote, 0, &error));
}

/* True if the waiter was in the call; otherwise it came too late, and the handle wasn't valid any more. */
static bool was_cancelled(const struct waiter *waiter)
{
    CHECK(waiter->error == SCI_ERR_CANCELLED || waiter->error == SCI_ERR_ILLEGAL_PARAMETER ||
          waiter->error == SCI_ERR_NOT_INITIALIZED);
    CHECK(waiter->reason == 0);
    return waiter->error == SCI_ERR_CANCELLED;
}

static void test_cancel(void)
{
    for (int cancelled = 0; cancelled < CANCELLATIONS;) {
        sci_local_segment_t local = export_segment(sd, 1, PAGE, NULL, NULL);
        struct waiter here = { .remote = join(1) }, there = { .local = local };
        expect_local(local, SCI_CB_CONNECT);
        start(&here);
        OK(SCIDisconnectSegment(here.remote, 0, &error));
        finish(&here);
        expect_local(local, SCI_CB_DISCONNECT);
        start(&there);
        OK(SCIRemoveSegment(local, 0, &error));
        finish(&there);
        cancelled += was_cancelled(&here) && was_cancelled(&there);
    }
}

static void test_terminate(void)
{
    for (bool cancelled = false; !cancelled;) {
        struct waiter waiter = { .local = export_segment(sd, 1, PAGE, NULL, NULL) };
        start(&waiter);
        SCITerminate();
        finish(&waiter);
        cancelled = was_cancelled(&waiter);
        sd = begin();
    }
}

static void doomed_exporter(int channel)
{
    sd = begin();
    export_segment(sd, 1, PAGE, NULL, NULL);
    tell(channel, 1);
    listen_to(channel); /* never comes */
}

static void doomed_connector(int channel)
{
    listen_to(channel);
    sd = begin();
    join(2);
    tell(channel, 1);
    listen_to(channel);
}

static void test_killed_peers(void)
{
    struct peer exporter = start_peer(doomed_exporter), connector = start_peer(doomed_connector);
    sd = begin();
    listen_to(exporter.channel);
    sci_remote_segment_t remote = join(1);
    sci_local_segment_t local = export_segment(sd, 2, PAGE, NULL, NULL);
    tell(connector.channel, 1);
    listen_to(connector.channel);
    expect_local(local, SCI_CB_CONNECT);
    peer_kill(&exporter);
    peer_kill(&connector);
    expect_remote(remote, SCI_CB_LOST);
    expect_local(local, SCI_CB_LOST);
    OK(SCIDisconnectSegment(remote, 0, &error));
    OK(SCIRemoveSegment(local, 0, &error));
    end(sd);
}

int main(void)
{
    node = use_own_node();
    int before = open_descriptors();
    test_killed_peers(); /* forks: no thread may run then */
    sd = begin();
    test_errors();
    test_order();
    test_overflow();
    test_waiters();
    test_cancel();
    test_terminate();
    end(sd);
    CHECK(open_descriptors() == before);
    return 0;
}

/*
 * Calls of threads and other processes while an interrupt is removed: connects, triggers, waits and acknowledgements. They
 * fail only with documented errors, and none hangs. An interrupt that is not removed gets every trigger.
 */
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>

#include "check.h"

enum { WAYS = 5, DATA = 4 /* the way that is no flag of SCICreateInterrupt */, FIXED = 50, WAITERS = 6, TRIGGERERS = 2,
       ACKNOWLEDGERS = 3, NEXT = 60 /* a number that no other thread or process uses */, TRIGGERS = 5 };

static unsigned int node;
static sci_desc_t sd;
static int rounds = 300;

static unsigned int flags_of(int way)
{
    const unsigned int flags[DATA] = { 0, SCI_FLAG_COUNTING_INT, SCI_FLAG_SHARED_INT,
                                       SCI_FLAG_SHARED_INT | SCI_FLAG_COUNTING_INT };
    return flags[way];
}

/* Either kind of interrupt by one name. */
union in {
    sci_local_interrupt_t plain;
    sci_local_data_interrupt_t data;
};

union out {
    sci_remote_interrupt_t plain;
    sci_remote_data_interrupt_t data;
};

static union in make(int way, unsigned int number)
{
    union in in;
    if (way == DATA)
        OK(SCICreateDataInterrupt(sd, &in.data, ADAPTER, &number, NULL, NULL, SCI_FLAG_FIXED_INTNO, &error));
    else
        OK(SCICreateInterrupt(sd, &in.plain, ADAPTER, &number, NULL, NULL, flags_of(way) | SCI_FLAG_FIXED_INTNO, &error));
    return in;
}

static void drop(int way, union in in)
{
    if (way == DATA)
        OK(SCIRemoveDataInterrupt(in.data, 0, &error));
    else
        OK(SCIRemoveInterrupt(in.plain, 0, &error));
}

static sci_error_t hear(int way, union in in, unsigned int timeout)
{
    sci_error_t error;
    char byte;
    unsigned int length = sizeof byte;
    if (way == DATA)
        SCIWaitForDataInterrupt(in.data, &byte, &length, timeout, 0, &error);
    else
        SCIWaitForInterrupt(in.plain, timeout, 0, &error);
    return error;
}

static sci_error_t find(int way, union out *out, unsigned int number)
{
    sci_error_t error;
    if (way == DATA)
        SCIConnectDataInterrupt(sd, &out->data, node, ADAPTER, number, 0, 0, &error);
    else
        SCIConnectInterrupt(sd, &out->plain, node, ADAPTER, number, 0, 0, &error);
    return error;
}

static sci_error_t trigger(int way, union out out)
{
    sci_error_t error;
    char byte = 1;
    if (way == DATA)
        SCITriggerDataInterrupt(out.data, &byte, sizeof byte, 0, &error);
    else
        SCITriggerInterrupt(out.plain, 0, &error);
    return error;
}

static void forget(int way, union out out)
{
    if (way == DATA)
        OK(SCIDisconnectDataInterrupt(out.data, 0, &error));
    else
        OK(SCIDisconnectInterrupt(out.plain, 0, &error));
}

static atomic_bool over;
static atomic_int reached[WAYS];

/* Connects to an interrupt that may be removed at any time, triggers it and disconnects. */
static void bother(int way)
{
    union out out;
    sci_error_t error = find(way, &out, FIXED + (unsigned int)way);
    if (error == SCI_ERR_NO_SUCH_INTNO) {
        sched_yield();
        return;
    }
    CHECK(error == SCI_ERR_OK);
    for (int i = 0; i < 3; i++) {
        error = trigger(way, out);
        CHECK(error == SCI_ERR_OK || error == SCI_ERR_NOT_CONNECTED || error == SCI_ERR_OVERFLOW);
        if (error == SCI_ERR_OK)
            reached[way]++;
    }
    forget(way, out);
}

static void *bother_all(void *unused)
{
    (void)unused;
    while (!over)
        for (int way = 0; way < WAYS; way++)
            bother(way);
    return NULL;
}

static void bothering_process(int channel)
{
    (void)channel;
    sd = begin();
    bother_all(NULL);
}

struct waiter {
    pthread_t thread;
    int way;
    union in in;
};

static atomic_int heard[WAYS];

static void *wait_until_removed(void *argument)
{
    struct waiter *waiter = argument;
    sci_error_t error;
    while ((error = hear(waiter->way, waiter->in, SCI_INFINITE_TIMEOUT)) == SCI_ERR_OK)
        heard[waiter->way]++;
    /* A thread that comes back only after the removal finds no such interrupt. */
    CHECK(error == SCI_ERR_CANCELLED || error == SCI_ERR_ILLEGAL_PARAMETER);
    return NULL;
}

/* In each round an interrupt is made, many threads wait for it, threads and a process trigger it, and it is removed. */
static void test_removal(void)
{
    struct peer peer = start_peer(bothering_process);
    sd = begin();
    pthread_t triggerers[TRIGGERERS];
    for (int i = 0; i < TRIGGERERS; i++)
        CHECK(pthread_create(&triggerers[i], NULL, bother_all, NULL) == 0);
    for (int i = 0; i < rounds; i++) {
        struct waiter waiters[WAITERS];
        int way = i % WAYS, before = heard[way];
        for (int k = 0; k < WAITERS; k++)
            waiters[k] = (struct waiter){ .way = way };
        waiters[0].in = make(way, FIXED + (unsigned int)way);
        for (int k = 0; k < WAITERS; k++) {
            waiters[k].in = waiters[0].in;
            CHECK(pthread_create(&waiters[k].thread, NULL, wait_until_removed, &waiters[k]) == 0);
        }
        if (i % 3 == 0) /* otherwise the waiters may not wait yet when it is removed */
            while (heard[way] == before)
                sched_yield();
        drop(way, waiters[0].in);
        for (int k = 0; k < WAITERS; k++)
            pthread_join(waiters[k].thread, NULL);
    }
    over = true;
    for (int i = 0; i < TRIGGERERS; i++)
        pthread_join(triggerers[i], NULL);
    for (int way = 0; way < WAYS; way++)
        CHECK(reached[way] > 0);
    peer_kill(&peer);
    end(sd);
}

static atomic_int acknowledged;

static void *acknowledge_until_over(void *argument)
{
    struct waiter *acknowledger = argument;
    while (!over) {
        SCIShimAcknowledgeInterrupt(acknowledger->in.plain);
        acknowledged++;
    }
    return NULL;
}

/* An interrupt that may have got the descriptors of a removed one gets each of its triggers. */
static void expect_its_triggers(int way)
{
    union in in = make(way, NEXT);
    union out out;
    CHECK(find(way, &out, NEXT) == SCI_ERR_OK);
    for (int i = 0; i < TRIGGERS; i++) {
        CHECK(trigger(way, out) == SCI_ERR_OK);
        CHECK(hear(way, in, 0) == SCI_ERR_OK);
    }
    forget(way, out);
    drop(way, in);
}

/* In each round an interrupt that a process triggers is removed, or the library ended, while threads go on acknowledging. */
static void test_acknowledging(bool terminates)
{
    over = false; /* in the child process, too */
    struct peer peer = start_peer(bothering_process);
    sd = begin();
    for (int i = 0; i < rounds; i++) {
        struct waiter acknowledgers[ACKNOWLEDGERS];
        int way = i % DATA;
        union in in = make(way, FIXED + (unsigned int)way);
        over = false;
        acknowledged = 0;
        for (int k = 0; k < ACKNOWLEDGERS; k++) {
            acknowledgers[k] = (struct waiter){ .way = way, .in = in };
            CHECK(pthread_create(&acknowledgers[k].thread, NULL, acknowledge_until_over, &acknowledgers[k]) == 0);
        }
        if (i % 3 != 0) /* otherwise the threads may not have begun yet */
            while (acknowledged < ACKNOWLEDGERS)
                sched_yield();
        if (terminates) {
            SCITerminate();
            sd = begin();
        } else {
            drop(way, in);
        }
        expect_its_triggers(way);
        over = true;
        for (int k = 0; k < ACKNOWLEDGERS; k++)
            pthread_join(acknowledgers[k].thread, NULL);
    }
    peer_kill(&peer);
    end(sd);
}

/* Sharers come and go; one stays, and gets every trigger that was accepted. */
static void *come_and_go(void *argument)
{
    int way = *(int *)argument;
    while (!over) {
        union in in = make(way, FIXED);
        sched_yield();
        drop(way, in);
    }
    return NULL;
}

static void test_sharers_come_and_go(int way)
{
    pthread_t others[3];
    sd = begin();
    union in stays = make(way, FIXED);
    union out out;
    CHECK(find(way, &out, FIXED) == SCI_ERR_OK);
    over = false;
    for (int i = 0; i < 3; i++)
        CHECK(pthread_create(&others[i], NULL, come_and_go, &way) == 0);
    for (int i = 0; i < rounds; i++) {
        sci_error_t error = trigger(way, out);
        /* A sharer may be found just when it is removed; that is no error while another one gets the trigger. */
        CHECK(error == SCI_ERR_OK);
        CHECK(hear(way, stays, 0) == SCI_ERR_OK);
    }
    over = true;
    for (int i = 0; i < 3; i++)
        pthread_join(others[i], NULL);
    CHECK(hear(way, stays, 0) == SCI_ERR_TIMEOUT);
    forget(way, out);
    drop(way, stays);
    end(sd);
}

/* Of many threads that want a number at the same time at most one gets it, unless they share it. */
static atomic_int holders, winners;

static void *want_number(void *argument)
{
    unsigned int flags = *(unsigned int *)argument | SCI_FLAG_FIXED_INTNO;
    for (int i = 0; i < rounds; i++) {
        sci_local_interrupt_t in;
        sci_error_t error;
        unsigned int number = FIXED;
        SCICreateInterrupt(sd, &in, ADAPTER, &number, NULL, NULL, flags, &error);
        CHECK(error == SCI_ERR_OK || error == SCI_ERR_INTNO_USED);
        if (error == SCI_ERR_OK) {
            CHECK(holders++ == 0);
            winners++;
            sched_yield();
            holders--;
            OK(SCIRemoveInterrupt(in, 0, &error));
        }
    }
    return NULL;
}

static void test_number(void)
{
    unsigned int flags[] = { 0, SCI_FLAG_COUNTING_INT, 0, SCI_FLAG_COUNTING_INT };
    pthread_t threads[4];
    sd = begin();
    for (int i = 0; i < 4; i++)
        CHECK(pthread_create(&threads[i], NULL, want_number, &flags[i]) == 0);
    for (int i = 0; i < 4; i++)
        pthread_join(threads[i], NULL);
    CHECK(winners > 0);
    end(sd);
}

int main(void)
{
    node = use_own_node();
    if (getenv("UNDER_VALGRIND") != NULL)
        rounds = 30;
    test_removal();
    test_acknowledging(false);
    test_acknowledging(true);
    test_sharers_come_and_go(2);
    test_sharers_come_and_go(3);
    test_number();
    return 0;
}

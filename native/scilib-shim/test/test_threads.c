/* The library's threads: there is none until there is work for one, and none after SCITerminate, which also ends waits. */
#include <pthread.h>

#include "check.h"

enum { CYCLES = 10000, FULL_CYCLES = 300, KINDS = 4, WAITERS = 3 };

static unsigned int node;
static const unsigned int flags_of[KINDS] = { 0, 0x04 /* SHARED_INT */, 0x20 /* COUNTING_INT */, 0x24 };

static sci_callback_action_t called(void *arg, sci_local_interrupt_t in, sci_error_t error)
{
    (void)in, (void)error;
    gauge_add(arg, 1);
    return SCI_CALLBACK_CONTINUE;
}

static sci_callback_action_t called_with_data(void *arg, sci_local_data_interrupt_t in, void *data, unsigned int length,
                                              sci_error_t error)
{
    (void)in, (void)data, (void)length, (void)error;
    gauge_add(arg, 1);
    return SCI_CALLBACK_CONTINUE;
}

/* Uses everything except callbacks and available segments. */
static void use_without_thread(sci_desc_t sd)
{
    sci_local_segment_t segment;
    OK(SCICreateSegment(sd, &segment, 1, PAGE, NULL, NULL, 0, &error));
    OK(SCIPrepareSegment(segment, ADAPTER, 0, &error));
    for (int k = 0; k < KINDS; k++) {
        sci_local_interrupt_t in;
        sci_remote_interrupt_t out;
        unsigned int number = 0;
        OK(SCICreateInterrupt(sd, &in, ADAPTER, &number, NULL, NULL, flags_of[k], &error));
        OK(SCIConnectInterrupt(sd, &out, node, ADAPTER, number, 0, 0, &error));
        OK(SCITriggerInterrupt(out, 0, &error));
        OK(SCIWaitForInterrupt(in, WHILE, 0, &error));
    }
    sci_local_data_interrupt_t in;
    sci_remote_data_interrupt_t out;
    unsigned int number = 0, length = sizeof number;
    OK(SCICreateDataInterrupt(sd, &in, ADAPTER, &number, NULL, NULL, 0, &error));
    OK(SCIConnectDataInterrupt(sd, &out, node, ADAPTER, number, 0, 0, &error));
    OK(SCITriggerDataInterrupt(out, &number, sizeof number, 0, &error));
    OK(SCIWaitForDataInterrupt(in, &number, &length, WHILE, 0, &error));
}

static void test_none_until_needed(void)
{
    int before = own_threads();
    for (int way = 0; way < 3; way++) {
        struct gauge *calls = gauge_new();
        sci_desc_t sd = begin();
        use_without_thread(sd);
        await_threads(before);
        unsigned int number = 0;
        sci_local_interrupt_t in;
        sci_local_data_interrupt_t data;
        if (way == 0)
            export_segment(sd, 2, PAGE, NULL, NULL);
        else if (way == 1)
            OK(SCICreateInterrupt(sd, &in, ADAPTER, &number, called, calls, SCI_FLAG_USE_CALLBACK, &error));
        else
            OK(SCICreateDataInterrupt(sd, &data, ADAPTER, &number, called_with_data, calls, SCI_FLAG_USE_CALLBACK, &error));
        CHECK(own_threads() == before + 1);
        SCITerminate();
        await_threads(before);
        free(calls);
    }
}

static void test_cycles(void)
{
    int descriptors = open_descriptors(), threads = own_threads();
    for (int i = 0; i < CYCLES; i++) {
        sci_desc_t sd = begin();
        OK(SCIClose(sd, 0, &error));
        SCITerminate();
    }
    struct gauge *calls = gauge_new();
    for (int i = 0; i < FULL_CYCLES; i++) {
        sci_desc_t sd = begin();
        use_without_thread(sd);
        export_segment(sd, 2, PAGE, NULL, NULL);
        unsigned int number = 0;
        sci_local_interrupt_t in;
        sci_remote_interrupt_t out;
        OK(SCICreateInterrupt(sd, &in, ADAPTER, &number, called, calls, SCI_FLAG_USE_CALLBACK | SCI_FLAG_COUNTING_INT,
                              &error));
        OK(SCIConnectInterrupt(sd, &out, node, ADAPTER, number, 0, 0, &error));
        OK(SCITriggerInterrupt(out, 0, &error));
        gauge_await(calls, i + 1, WHILE);
        SCITerminate(); /* removes everything */
        await_threads(threads);
        CHECK(open_descriptors() == descriptors);
    }
    CHECK(names_in_use() == 0);
    free(calls);
}

struct waiter {
    pthread_t thread;
    sci_local_interrupt_t plain;
    sci_local_data_interrupt_t data;
};

static struct gauge *waiting;

static void *wait_for_end(void *argument)
{
    struct waiter *waiter = argument;
    sci_error_t error;
    char byte;
    unsigned int length = sizeof byte;
    gauge_add(waiting, 1);
    if (waiter->data != NULL)
        SCIWaitForDataInterrupt(waiter->data, &byte, &length, SCI_INFINITE_TIMEOUT, 0, &error);
    else
        SCIWaitForInterrupt(waiter->plain, SCI_INFINITE_TIMEOUT, 0, &error);
    CHECK(error == SCI_ERR_CANCELLED || error == SCI_ERR_NOT_INITIALIZED);
    return NULL;
}

/* SCITerminate cancels waits for every kind of interrupt. */
static void test_terminate_cancels(void)
{
    for (int round = 0; round < 50; round++) {
        struct waiter waiters[KINDS + 1][WAITERS] = { 0 };
        sci_desc_t sd = begin();
        waiting = gauge_new();
        for (int k = 0; k <= KINDS; k++) {
            unsigned int number = 0;
            if (k == KINDS)
                OK(SCICreateDataInterrupt(sd, &waiters[k][0].data, ADAPTER, &number, NULL, NULL, 0, &error));
            else
                OK(SCICreateInterrupt(sd, &waiters[k][0].plain, ADAPTER, &number, NULL, NULL, flags_of[k], &error));
            for (int i = 0; i < WAITERS; i++) {
                waiters[k][i] = waiters[k][0];
                CHECK(pthread_create(&waiters[k][i].thread, NULL, wait_for_end, &waiters[k][i]) == 0);
            }
        }
        gauge_await(waiting, (KINDS + 1) * WAITERS, WHILE);
        SCITerminate();
        for (int k = 0; k <= KINDS; k++)
            for (int i = 0; i < WAITERS; i++)
                pthread_join(waiters[k][i].thread, NULL);
        free(waiting);
    }
}

static void *do_nothing(void *unused)
{
    return unused;
}

int main(void)
{
    pthread_t first;
    CHECK(pthread_create(&first, NULL, do_nothing, NULL) == 0); /* from now on sanitizers have a thread of their own */
    pthread_join(first, NULL);
    node = use_own_node();
    test_none_until_needed();
    test_cycles();
    test_terminate_cancels();
    return 0;
}

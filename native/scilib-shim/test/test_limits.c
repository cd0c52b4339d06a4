/* Results of calls when the system has no more descriptors, or allows no file of that length. */
#include <poll.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "check.h"

enum { INTERRUPTS = 60, TRIGGERS = 10 /* fewer than fit a receiver's queue; together they don't fit the sender's buffer */ };

static void limit(int resource, rlim_t most)
{
    struct rlimit it;
    CHECK(getrlimit(resource, &it) == 0);
    it.rlim_cur = most;
    CHECK(setrlimit(resource, &it) == 0);
}

/* From now on no descriptor is left. Returns the former limit. */
static rlim_t use_up_descriptors(void)
{
    struct rlimit before;
    CHECK(getrlimit(RLIMIT_NOFILE, &before) == 0);
    int next = dup(0);
    CHECK(next >= 0);
    close(next);
    limit(RLIMIT_NOFILE, (rlim_t)next);
    CHECK(dup(0) < 0);
    return before.rlim_cur;
}

static sci_callback_action_t count(void *arg, sci_local_interrupt_t in, sci_error_t error)
{
    (void)in, (void)error;
    gauge_add(arg, 1);
    return SCI_CALLBACK_CONTINUE;
}

/* A remote that can't be admitted because there is no descriptor is admitted later, and no trigger of it is lost. */
static void test_remotes_without_descriptors(sci_desc_t sd, unsigned int node)
{
    sci_local_interrupt_t in;
    sci_remote_interrupt_t out;
    unsigned int number = 0;
    OK(SCICreateInterrupt(sd, &in, ADAPTER, &number, NULL, NULL, SCI_FLAG_COUNTING_INT, &error));
    OK(SCIConnectInterrupt(sd, &out, node, ADAPTER, number, 0, 0, &error));
    rlim_t before = use_up_descriptors();
    for (int i = 0; i < TRIGGERS; i++)
        OK(SCITriggerInterrupt(out, 0, &error));
    EXPECT(SCI_ERR_SYSTEM, SCIWaitForInterrupt(in, SCI_INFINITE_TIMEOUT, 0, &error));
    CHECK(strcmp(SCIShimFailure(), "accept4: Too many open files") == 0);
    limit(RLIMIT_NOFILE, before);
    for (int i = 0; i < TRIGGERS; i++)
        OK(SCIWaitForInterrupt(in, 0, 0, &error));
    EXPECT(SCI_ERR_TIMEOUT, SCIWaitForInterrupt(in, 0, 0, &error));
    OK(SCIDisconnectInterrupt(out, 0, &error));
    OK(SCIRemoveInterrupt(in, 0, &error));

    struct gauge *calls = gauge_new(), *rounds = gauge_new();
    sci_local_interrupt_t round;
    sci_remote_interrupt_t next_round;
    unsigned int other = 0;
    OK(SCICreateInterrupt(sd, &round, ADAPTER, &other, count, rounds, SCI_FLAG_USE_CALLBACK, &error));
    OK(SCIConnectInterrupt(sd, &next_round, node, ADAPTER, other, 0, 0, &error));
    OK(SCICreateInterrupt(sd, &in, ADAPTER, &number, count, calls, SCI_FLAG_COUNTING_INT | SCI_FLAG_USE_CALLBACK, &error));
    before = use_up_descriptors();
    struct rlimit used_up;
    CHECK(getrlimit(RLIMIT_NOFILE, &used_up) == 0);
    limit(RLIMIT_NOFILE, used_up.rlim_cur + 1); /* the last one is for the remote */
    sci_error_t status;
    do
        SCIConnectInterrupt(sd, &out, node, ADAPTER, number, 0, 0, &status);
    while (status == SCI_ERR_SYSTEM); /* the library's thread had it, for the connection by which the number was looked for */
    CHECK(status == SCI_ERR_OK && dup(0) < 0);
    for (int i = 0; i < TRIGGERS; i++)
        OK(SCITriggerInterrupt(out, 0, &error));
    for (int i = 1; i <= 2; i++) { /* by the end of the second the library's thread has seen the remote */
        OK(SCITriggerInterrupt(next_round, 0, &error));
        gauge_await(rounds, i, WHILE);
    }
    CHECK(gauge_read(calls) == 0);
    limit(RLIMIT_NOFILE, before);
    gauge_await(calls, TRIGGERS, WHILE);
    OK(SCIDisconnectInterrupt(out, 0, &error));
    OK(SCIRemoveInterrupt(in, 0, &error));
    CHECK(gauge_read(calls) == TRIGGERS);
    OK(SCIDisconnectInterrupt(next_round, 0, &error));
    OK(SCIRemoveInterrupt(round, 0, &error));
    free(calls);
    free(rounds);
}

static bool readable(int fd)
{
    struct pollfd state = { .fd = fd, .events = POLLIN };
    return poll(&state, 1, 0) == 1;
}

/* Triggers work without a free descriptor, also the first one, and none is lost when the sender's buffer is full. */
static void test_triggers_without_descriptors(sci_desc_t sd, unsigned int node)
{
    sci_local_interrupt_t in[INTERRUPTS];
    sci_remote_interrupt_t out[INTERRUPTS];
    for (int i = 0; i < INTERRUPTS; i++) {
        unsigned int number = 0;
        OK(SCICreateInterrupt(sd, &in[i], ADAPTER, &number, NULL, NULL, 0, &error));
        OK(SCIConnectInterrupt(sd, &out[i], node, ADAPTER, number, SCI_INFINITE_TIMEOUT, 0, &error));
    }
    rlim_t before = use_up_descriptors();
    for (int i = 0; i < INTERRUPTS; i++)
        for (int j = 0; j < TRIGGERS; j++)
            OK(SCITriggerInterrupt(out[i], 0, &error));
    for (int i = 0; i < INTERRUPTS; i++)
        CHECK(readable(SCIShimInterruptDescriptor(in[i])));
    limit(RLIMIT_NOFILE, before);
    for (int i = 0; i < INTERRUPTS; i++) {
        OK(SCIDisconnectInterrupt(out[i], 0, &error));
        OK(SCIRemoveInterrupt(in[i], 0, &error));
    }
}

static void test_failures_name_the_call(sci_desc_t sd)
{
    sci_local_segment_t segment;
    int descriptors = open_descriptors();
    rlim_t before = use_up_descriptors();
    EXPECT(SCI_ERR_SYSTEM, SCICreateSegment(sd, &segment, 1, PAGE, NULL, NULL, 0, &error));
    CHECK(strcmp(SCIShimFailure(), "socket: Too many open files") == 0);
    EXPECT(SCI_ERR_SYSTEM, SCICreateSegment(sd, &segment, 1, PAGE, NULL, NULL, SCI_FLAG_PRIVATE, &error));
    CHECK(strcmp(SCIShimFailure(), "memfd_create: Too many open files") == 0);
    limit(RLIMIT_NOFILE, before);

    /* The kernel itself would refuse with a signal, which would end this program. */
    struct rlimit length;
    CHECK(getrlimit(RLIMIT_FSIZE, &length) == 0);
    limit(RLIMIT_FSIZE, PAGE);
    EXPECT(SCI_ERR_NOSPC, SCICreateSegment(sd, &segment, 1, 2 * PAGE, NULL, NULL, 0, &error));
    CHECK(strcmp(SCIShimFailure(), "ftruncate: File too large") == 0);
    OK(SCICreateSegment(sd, &segment, 1, PAGE, NULL, NULL, 0, &error));
    limit(RLIMIT_FSIZE, length.rlim_cur);
    OK(SCIRemoveSegment(segment, 0, &error));
    CHECK(open_descriptors() == descriptors);
}

int main(void)
{
    unsigned int node = use_own_node();
    sci_desc_t sd = begin();
    test_triggers_without_descriptors(sd, node);
    test_remotes_without_descriptors(sd, node);
    test_failures_name_the_call(sd);
    end(sd);
    return 0;
}

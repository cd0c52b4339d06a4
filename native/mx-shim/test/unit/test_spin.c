/* When a thread that looks in vain lets other threads have its core: the algorithm, and the calls that do so. */
#include <sched.h>

#include "core/clock.h"
#include "core/spin.h"
#include "conversation.h"
#include "mx_shim.h"

static unsigned int yields;
static void (*during_yield)(void);

/* The library's yield, in place of that of libc. */
int sched_yield(void)
{
    yields++;
    void (*call)(void) = during_yield;
    during_yield = NULL;
    if (call != NULL)
        call();
    return 0;
}

static void after_looks_in_vain(void)
{
    struct spin spin = { 0 };
    uint64_t now = 1000;
    CHECK(!spin_in_vain(&spin, now) && !spin_in_vain(&spin, now + SPIN_US - 1));
    CHECK(spin_in_vain(&spin, now + SPIN_US));
    spin_yielded(&spin, now + SPIN_US, now + SPIN_US + 1);
    now += SPIN_US + 1;
    CHECK(!spin_in_vain(&spin, now + SPIN_US - 1) && spin_in_vain(&spin, now + SPIN_US));
    spin_news(&spin);
    now += SPIN_US + 1;
    CHECK(!spin_in_vain(&spin, now) && spin_in_vain(&spin, now + SPIN_US));
}

/* A program that computes between its looks keeps its core. */
static void not_between_other_work(void)
{
    struct spin spin = { 0 };
    for (uint64_t now = 1000; now < 100000; now += SPIN_GAP_US + 1)
        CHECK(!spin_in_vain(&spin, now));
}

static void rest_after_a_loss(void)
{
    struct spin spin = { 0 };
    spin_yielded(&spin, 1000, 1000 + SPIN_LOSS_US - 1);
    CHECK(!spin_rests(&spin, 1000 + SPIN_LOSS_US));
    spin_yielded(&spin, 1000, 1000 + SPIN_PAUSE_US); /* the process was stopped */
    CHECK(!spin_rests(&spin, 1000 + SPIN_PAUSE_US));
    spin = (struct spin){ 0 };
    spin_yielded(&spin, 2000, 5000);
    uint64_t end = 5000 + SPIN_REST * 3000;
    for (uint64_t now = 5000; now < end; now += SPIN_US)
        CHECK(spin_rests(&spin, now) && !spin_in_vain(&spin, now));
    CHECK(!spin_rests(&spin, end) && spin_in_vain(&spin, end));
}

static struct wire_label label;

static void message_comes(void)
{
    data(label, 0, 7, PAYLOAD_PASSING, "in the yield");
}

static char text[16];

static mx_request_t start(void)
{
    mx_request_t request;
    struct link *link;
    begin();
    label = connected(&link);
    OK(mx_irecv(ep, &(mx_segment_t){ text, sizeof text }, 1, 7, MX_MATCH_MASK_NONE, NULL, &request));
    yields = 0;
    during_yield = message_comes;
    return request;
}

static void check_message(const mx_status_t *status)
{
    CHECK(yields == 1 && status->code == MX_STATUS_SUCCESS && strcmp(text, "in the yield") == 0);
    end();
}

enum { FOR_MS = 1000 };

/* Calls of the program that do not wait; each finds the message in the very call that has yielded. */
static void tests_yield(void)
{
    mx_request_t request = start(), peeked;
    mx_status_t status;
    uint32_t result = 0;
    for (uint64_t end = clock_ms() + FOR_MS; yields == 0 && clock_ms() < end;)
        OK(mx_test(ep, &request, &status, &result));
    CHECK(result == 1);
    check_message(&status);

    start();
    for (uint64_t end = clock_ms() + FOR_MS; yields == 0 && clock_ms() < end;)
        OK(mx_test_any(ep, 0, 0, &status, &result));
    CHECK(result == 1);
    check_message(&status);

    request = start();
    for (uint64_t end = clock_ms() + FOR_MS; yields == 0 && clock_ms() < end;)
        OK(mx_ipeek(ep, &peeked, &result));
    CHECK(result == 1 && peeked == request);
    OK(mx_test(ep, &request, &status, &result));
    check_message(&status);

    request = start();
    OK(mx_cancel(ep, &request, &result));
    for (uint64_t end = clock_ms() + FOR_MS; yields == 0 && clock_ms() < end;)
        OK(mx_iprobe(ep, 0, 0, &status, &result));
    CHECK(result == 1 && status.match_info == 7);
    strcpy(text, "in the yield");
    check_message(&status);
}

static void wait_yields(void)
{
    mx_request_t request = start();
    mx_status_t status;
    uint32_t result = 0;
    for (uint64_t end = clock_ms() + FOR_MS; yields == 0 && clock_ms() < end;) /* a wait polls only for a moment, which may be lost */
        OK(mx_wait(ep, &request, 1, &status, &result));
    CHECK(result == 1);
    check_message(&status);
}

static void look_for_a_while(void)
{
    mx_status_t status;
    uint32_t result;
    for (uint64_t end = clock_us() + 200 * SPIN_US; clock_us() < end;)
        OK(mx_test_any(ep, 1, MX_MATCH_MASK_NONE, &status, &result));
}

static mx_unexp_handler_action_t looks(void *context, mx_endpoint_addr_t source, uint64_t match, uint32_t length, void *bytes)
{
    (void)context, (void)source, (void)match, (void)length, (void)bytes;
    look_for_a_while();
    return MX_RECV_FINISHED;
}

/* The thread holds the lock while a handler runs, so it must not give up its core. */
static void handler_does_not_yield(void)
{
    start();
    during_yield = NULL;
    OK(mx_register_unexp_handler(ep, looks, NULL));
    data(label, 0, 8, PAYLOAD_PASSING, "");
    CHECK(yields == 0);
    end();
}

/* A program that waits by mx_shim_arm or mx_shim_wait decides itself what its looks may cost. */
static void waiting_outside_does_not_yield(void)
{
    start();
    during_yield = NULL;
    mx_shim_arm(ep);
    look_for_a_while();
    CHECK(yields == 0);
    end();
}

int main(void)
{
    after_looks_in_vain();
    not_between_other_work();
    rest_after_a_loss();
    tests_yield();
    wait_yields();
    handler_does_not_yield();
    waiting_outside_does_not_yield();
    return 0;
}

/* Time-outs, and threads that sleep until something happens. */
#include <pthread.h>

#include "core/clock.h"
#include "conversation.h"

/* After a time-out has been removed, there is no deadline to wake up for. */
static void no_deadline_left(void)
{
    begin();
    mx_request_t request;
    uint32_t result;
    CHECK(ep->next_deadline == NEVER);
    OK(mx_irecv(ep, NULL, 0, 0, 0, NULL, &request));
    OK(mx_set_request_timeout(ep, request, 1000000));
    CHECK(ep->next_deadline != NEVER);
    OK(mx_cancel(ep, &request, &result));
    CHECK(result == 1 && ep->next_deadline == NEVER);
    end();
}

static void pass(uint64_t milliseconds)
{
    for (uint64_t since = clock_ms(); clock_ms() - since < milliseconds;)
        OK(mx_progress(ep));
}

/* A receive that has got its message doesn't time out any more, because its memory is being written. */
static void fetched_late(void)
{
    begin();
    struct link *link;
    struct wire_label label = connected(&link);
    char bytes[8] = "";
    mx_request_t request;
    mx_status_t status;
    uint32_t result;
    OK(mx_irecv(ep, &(mx_segment_t){ bytes, sizeof bytes }, 1, 0, 0, NULL, &request));
    played_takes_long = true;
    data(label, 0, 0, PAYLOAD_REMOTE, "long");
    played_takes_long = false;
    OK(mx_set_request_timeout(ep, request, 1));
    pass(3);
    OK(mx_test(ep, &request, &status, &result));
    CHECK(result == 0);
    played_fetched();
    OK(mx_test(ep, &request, &status, &result));
    CHECK(result == 1 && status.code == MX_STATUS_SUCCESS && strcmp(bytes, "long") == 0);
    end();
}

/*
 * When the last connect ends, its link ends, and so do the operations of requests that are complete but still under way. Other
 * requests keep their time-outs.
 */
static void connects_expire(void)
{
    begin();
    mx_request_t first, second, third;
    mx_status_t status;
    uint32_t result;
    played_takes_long = true;
    OK(mx_iconnect(ep, PEER, PEER_EID, KEY, 0, NULL, &first));
    OK(mx_iconnect(ep, PEER, PEER_EID, KEY, 0, NULL, &second));
    played_takes_long = false;
    OK(mx_set_request_timeout(ep, second, 1));
    pass(3);
    OK(mx_test(ep, &second, &status, &result));
    CHECK(result == 1 && status.code == MX_STATUS_TIMEOUT && played_links == 1);
    OK(mx_irecv(ep, NULL, 0, 0, 0, NULL, &third));
    OK(mx_set_request_timeout(ep, third, 20));
    OK(mx_set_request_timeout(ep, first, 1));
    pass(3);
    OK(mx_test(ep, &first, &status, &result));
    CHECK(result == 1 && status.code == MX_STATUS_TIMEOUT && played_links == 0);
    pass(25);
    OK(mx_test(ep, &third, &status, &result));
    CHECK(result == 1 && status.code == MX_STATUS_TIMEOUT);
    end();
}

/* The time-out of mx_connect also works while no messages move. */
static void connect_without_progression(void)
{
    begin();
    mx_endpoint_addr_t address;
    OK(mx_disable_progression(ep));
    CHECK(mx_connect(ep, PEER, PEER_EID, KEY, 20, &address) == MX_TIMEOUT);
    CHECK(played_links == 0);
    OK(mx_reenable_progression(ep));
    end();
}

static bool over;

static void *receive_in_time(void *unused)
{
    pass(20); /* the other thread falls asleep */
    OK(mx_set_request_timeout(ep, NULL, 40));
    mx_request_t request;
    mx_status_t status;
    uint32_t result;
    OK(mx_irecv(ep, NULL, 0, 10, UINT64_MAX, NULL, &request));
    uint64_t since = clock_ms();
    OK(mx_wait(ep, &request, 20000, &status, &result));
    CHECK(result == 1 && status.code == MX_STATUS_TIMEOUT && clock_ms() - since < 10000);
    while (!__atomic_load_n(&over, __ATOMIC_ACQUIRE))
        OK(mx_wakeup(ep));
    return unused;
}

/* A thread's request times out even if another thread, which didn't know of it, sleeps for both. */
static void time_out_beside_a_sleeper(void)
{
    begin();
    pthread_t thread;
    mx_request_t request;
    mx_status_t status;
    uint32_t result;
    OK(mx_irecv(ep, NULL, 0, 11, UINT64_MAX, NULL, &request));
    CHECK(pthread_create(&thread, NULL, receive_in_time, NULL) == 0);
    OK(mx_wait(ep, &request, MX_INFINITE, &status, &result));
    CHECK(result == 0);
    __atomic_store_n(&over, true, __ATOMIC_RELEASE);
    CHECK(pthread_join(thread, NULL) == 0);
    end();
}

static void *sleep_until_over(void *unused)
{
    mx_request_t request;
    uint32_t result;
    while (!__atomic_load_n(&over, __ATOMIC_ACQUIRE))
        OK(mx_peek(ep, MX_INFINITE, &request, &result));
    return unused;
}

/*
 * Progress of one thread may leave something to do that the transport only tells after it has been armed again. So the sleeping
 * thread has to arm it again.
 */
static void sleeper_arms_again(void)
{
    begin();
    pthread_t thread;
    unsigned int arms = played_arms;
    over = false;
    CHECK(pthread_create(&thread, NULL, sleep_until_over, NULL) == 0);
    uint64_t since = clock_ms();
    while (__atomic_load_n(&played_arms, __ATOMIC_ACQUIRE) == arms)
        CHECK(clock_ms() - since < 30000);
    OK(mx_progress(ep)); /* takes the lock after the other thread, which sleeps now */
    arms = __atomic_load_n(&played_arms, __ATOMIC_ACQUIRE);
    __atomic_store_n(&played_happens, true, __ATOMIC_RELEASE);
    OK(mx_progress(ep));
    __atomic_store_n(&played_happens, false, __ATOMIC_RELEASE);
    for (since = clock_ms(); __atomic_load_n(&played_arms, __ATOMIC_ACQUIRE) == arms;)
        CHECK(clock_ms() - since < 30000);
    __atomic_store_n(&over, true, __ATOMIC_RELEASE);
    OK(mx_wakeup(ep));
    CHECK(pthread_join(thread, NULL) == 0);
    end();
}

int main(void)
{
    no_deadline_left();
    fetched_late();
    connects_expire();
    connect_without_progression();
    time_out_beside_a_sleeper();
    sleeper_arms_again();
    return 0;
}

/* Waits that end by their time-out, by mx_wakeup, or by a message; time-outs of requests; disabled progression. */
#include "check.h"

#include <pthread.h>
#include <sched.h>

static mx_endpoint_t endpoint;
static mx_endpoint_addr_t self;

static void check_duration(double since, double least)
{
    double took = milliseconds() - since;
    CHECK(took >= least - 1 && took < WHILE);
}

static void waits_end(void)
{
    mx_request_t receive = start_receive(endpoint, 1, MX_MATCH_MASK_NONE, NULL, 0), found;
    mx_status_t status;
    uint32_t result = 2;
    for (uint32_t timeout = 1; timeout <= 100; timeout += 33) {
        double since = milliseconds();
        OK(mx_wait(endpoint, &receive, timeout, &status, &result));
        CHECK(result == 0 && receive != NULL);
        check_duration(since, timeout);
        since = milliseconds();
        OK(mx_wait_any(endpoint, timeout, 0, 0, &status, &result));
        CHECK(result == 0);
        check_duration(since, timeout);
        since = milliseconds();
        OK(mx_peek(endpoint, timeout, &found, &result));
        CHECK(result == 0);
        check_duration(since, timeout);
        since = milliseconds();
        OK(mx_probe(endpoint, timeout, 0, 0, &status, &result));
        CHECK(result == 0);
        check_duration(since, timeout);
    }
    OK(mx_cancel(endpoint, &receive, &result));
    CHECK(result == 1);
}

/* Sends after 50 ms, which is longer than a wait polls. */
static void late_sender(int channel)
{
    begin();
    mx_endpoint_t own = open_any();
    mx_endpoint_addr_t peer = meet(channel, own);
    for (;;) {
        uint64_t match = attend_to(channel, own);
        if (match == 0)
            break;
        double since = milliseconds();
        while (milliseconds() - since < 50)
            OK(mx_progress(own));
        send_message(own, peer, match, NULL, 0);
    }
    end(own);
}

/* Each wait is woken by what it waits for, with MX_INFINITE and with more time than it needs. */
static void waits_are_woken(int channel)
{
    mx_request_t receive, found;
    mx_status_t status;
    uint32_t result;
    for (int i = 0; i < 2; i++) {
        uint32_t timeout = i == 0 ? MX_INFINITE : WHILE;
        receive = start_receive(endpoint, 5, MX_MATCH_MASK_NONE, NULL, 0);
        tell(channel, 5);
        OK(mx_wait(endpoint, &receive, timeout, &status, &result));
        CHECK(result == 1 && receive == NULL);

        receive = start_receive(endpoint, 6, MX_MATCH_MASK_NONE, NULL, 0);
        tell(channel, 6);
        OK(mx_wait_any(endpoint, timeout, 6, MX_MATCH_MASK_NONE, &status, &result));
        CHECK(result == 1);

        receive = start_receive(endpoint, 7, MX_MATCH_MASK_NONE, NULL, 0);
        tell(channel, 7);
        OK(mx_peek(endpoint, timeout, &found, &result));
        CHECK(result == 1 && found == receive);
        CHECK_STATUS(MX_STATUS_SUCCESS, await(endpoint, &found));

        tell(channel, 8);
        OK(mx_probe(endpoint, timeout, 8, MX_MATCH_MASK_NONE, &status, &result));
        CHECK(result == 1 && status.match_info == 8);
        CHECK_STATUS(MX_STATUS_SUCCESS, receive_message(endpoint, 8, MX_MATCH_MASK_NONE, NULL, 0));
    }
}

static int over;

static void *wake(void *unused)
{
    while (!__atomic_load_n(&over, __ATOMIC_ACQUIRE)) {
        OK(mx_wakeup(endpoint));
        sched_yield();
    }
    return unused;
}

static void wakeup(void)
{
    pthread_t thread;
    mx_request_t receive = start_receive(endpoint, 2, MX_MATCH_MASK_NONE, NULL, 0), found;
    mx_status_t status;
    uint32_t result = 2;
    OK(mx_wakeup(endpoint)); /* no thread waits: nothing happens */
    double since = milliseconds();
    OK(mx_wait(endpoint, &receive, 30, &status, &result));
    CHECK(result == 0);
    check_duration(since, 30);

    CHECK(pthread_create(&thread, NULL, wake, NULL) == 0);
    for (int i = 0; i < 20; i++) {
        result = 2;
        OK(mx_wait(endpoint, &receive, MX_INFINITE, &status, &result));
        CHECK(result == 0 && receive != NULL);
        OK(mx_wait_any(endpoint, MX_INFINITE, 0, 0, &status, &result));
        CHECK(result == 0);
        OK(mx_peek(endpoint, MX_INFINITE, &found, &result));
        CHECK(result == 0);
        OK(mx_probe(endpoint, MX_INFINITE, 0, 0, &status, &result));
        CHECK(result == 0);
    }
    __atomic_store_n(&over, 1, __ATOMIC_RELEASE);
    CHECK(pthread_join(thread, NULL) == 0);
    OK(mx_cancel(endpoint, &receive, &result));
}

static void requests_time_out(void)
{
    mx_request_t receive = start_receive(endpoint, 3, MX_MATCH_MASK_NONE, NULL, 0);
    double since = milliseconds();
    OK(mx_set_request_timeout(endpoint, receive, 60));
    mx_status_t status = await(endpoint, &receive);
    CHECK_STATUS(MX_STATUS_TIMEOUT, status);
    check_duration(since, 60);

    /* The time-out of a send that no receive matches. Its message may still be received. */
    mx_request_t send = start_synchronous_send(endpoint, self, 3, NULL, 0);
    OK(mx_set_request_timeout(endpoint, send, 60));
    CHECK_STATUS(MX_STATUS_TIMEOUT, await(endpoint, &send));

    /* A time-out that is removed again; and one for the requests that are made later. */
    uint32_t result = 2;
    mx_request_t other = start_receive(endpoint, 4, MX_MATCH_MASK_NONE, NULL, 0);
    OK(mx_set_request_timeout(endpoint, other, 20));
    OK(mx_set_request_timeout(endpoint, other, 0));
    OK(mx_set_request_timeout(endpoint, NULL, 40));
    receive = start_receive(endpoint, 4, MX_MATCH_MASK_NONE, NULL, 0);
    since = milliseconds();
    status = await(endpoint, &receive);
    CHECK_STATUS(MX_STATUS_TIMEOUT, status);
    check_duration(since, 40);
    OK(mx_set_request_timeout(endpoint, NULL, 0));
    OK(mx_test(endpoint, &other, &status, &result));
    CHECK(result == 0);
    send_message(endpoint, self, 4, NULL, 0);
    CHECK_STATUS(MX_STATUS_SUCCESS, await(endpoint, &other));

    /* A request that is complete in time keeps its status. */
    receive = start_receive(endpoint, 4, MX_MATCH_MASK_NONE, NULL, 0);
    OK(mx_set_request_timeout(endpoint, receive, 20));
    send_message(endpoint, self, 4, NULL, 0);
    mx_request_t found;
    OK(mx_peek(endpoint, WHILE, &found, &result));
    CHECK(found == receive);
    since = milliseconds();
    while (milliseconds() - since < 30)
        OK(mx_progress(endpoint));
    CHECK_STATUS(MX_STATUS_SUCCESS, await(endpoint, &receive));
}

static void progression(void)
{
    mx_status_t status;
    uint32_t result = 2;
    mx_endpoint_t other = open_any();
    mx_request_t connect;
    OK(mx_iconnect(other, nic_of(endpoint), id_of(endpoint), KEY, 1, NULL, &connect));
    mx_endpoint_addr_t to = await_both(other, &connect, endpoint).source;

    mx_request_t receive = start_receive(endpoint, 9, MX_MATCH_MASK_NONE, NULL, 0);
    OK(mx_disable_progression(endpoint));
    mx_request_t send = start_send(other, to, 9, NULL, 0);
    double since = milliseconds();
    while (milliseconds() - since < 30) {
        OK(mx_progress(other));
        OK(mx_progress(endpoint));
        OK(mx_test(endpoint, &receive, &status, &result));
        CHECK(result == 0);
    }
    OK(mx_wait(endpoint, &receive, 10, &status, &result));
    CHECK(result == 0);
    OK(mx_reenable_progression(endpoint));
    CHECK_STATUS(MX_STATUS_SUCCESS, await_both(endpoint, &receive, other));
    CHECK_STATUS(MX_STATUS_SUCCESS, await(other, &send));
    OK(mx_close_endpoint(other));
}

int main(void)
{
    need_mx();
    struct peer peer = start_peer(late_sender);
    begin();
    endpoint = open_any();
    meet(peer.channel, endpoint);
    self = connect_to(endpoint, id_of(endpoint));
    waits_end();
    waits_are_woken(peer.channel);
    tell(peer.channel, 0);
    peer_finish(&peer);
    wakeup();
    requests_time_out();
    progression();
    end(endpoint);
    return 0;
}

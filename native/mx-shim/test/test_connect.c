/* Connecting, with and without waiting, to endpoints that exist and that don't; and disconnecting. */
#include "check.h"

#include <pthread.h>
#include <unistd.h>

/* An id that no endpoint has: the library gives out the lowest free ids first. */
static uint32_t nobodys_id(void)
{
    uint32_t most;
    OK(mx_get_info(NULL, MX_MAX_NATIVE_ENDPOINTS, NULL, 0, &most, sizeof most));
    return most - 1 - (uint32_t)getpid() % 1000;
}

static mx_status_t connect_later(mx_endpoint_t endpoint, uint64_t nic, uint32_t id, uint32_t key)
{
    mx_request_t request = NULL;
    OK(mx_iconnect(endpoint, nic, id, key, 11, &request, &request));
    CHECK(request != NULL);
    mx_status_t status = await(endpoint, &request);
    CHECK(status.match_info == 11 && status.context == &request);
    return status;
}

static void fail_to_connect(mx_endpoint_t endpoint, uint32_t peers_id)
{
    uint64_t nic = nic_of(endpoint);
    mx_endpoint_addr_t address;
    uint32_t most, nobody = nobodys_id();
    OK(mx_get_info(NULL, MX_MAX_NATIVE_ENDPOINTS, NULL, 0, &most, sizeof most));
    EXPECT(MX_CONNECTION_FAILED, mx_connect(endpoint, nic, nobody, KEY, WHILE, &address));
    CHECK_STATUS(MX_STATUS_ENDPOINT_CLOSED, connect_later(endpoint, nic, nobody, KEY));
    EXPECT(MX_BAD_CONNECTION_KEY, mx_connect(endpoint, nic, peers_id, KEY + 1, WHILE, &address));
    CHECK_STATUS(MX_STATUS_BAD_KEY, connect_later(endpoint, nic, peers_id, KEY + 1));
    EXPECT(MX_BAD_ENDPOINT_ID, mx_connect(endpoint, nic, most, KEY, WHILE, &address));
}

/* No messages move on the other endpoint, so the answer does not come. */
static void time_out(mx_endpoint_t endpoint)
{
    mx_endpoint_t silent = open_any();
    mx_endpoint_addr_t address;
    OK(mx_disable_progression(silent));
    double since = milliseconds();
    EXPECT(MX_TIMEOUT, mx_connect(endpoint, nic_of(endpoint), id_of(silent), KEY, 200, &address));
    CHECK(milliseconds() - since >= 199);
    mx_request_t request;
    OK(mx_iconnect(endpoint, nic_of(endpoint), id_of(silent), KEY, 1, NULL, &request));
    OK(mx_set_request_timeout(endpoint, request, 100));
    mx_status_t status = await(endpoint, &request);
    CHECK_STATUS(MX_STATUS_TIMEOUT, status);
    CHECK(request == NULL);

    /* When messages move there again, the endpoint can still be connected to. */
    OK(mx_reenable_progression(silent));
    OK(mx_iconnect(endpoint, nic_of(endpoint), id_of(silent), KEY, 1, NULL, &request));
    status = await_both(endpoint, &request, silent);
    CHECK_STATUS(MX_STATUS_SUCCESS, status);
    OK(mx_close_endpoint(silent));
}

struct waiter {
    mx_endpoint_t endpoint;
    uint32_t id, timeout;
    struct gauge *returned;
};

static void *wait_for_connection(void *argument)
{
    struct waiter *waiter = argument;
    mx_endpoint_addr_t address;
    EXPECT(MX_TIMEOUT, mx_connect(waiter->endpoint, nic_of(waiter->endpoint), waiter->id, KEY, waiter->timeout, &address));
    gauge_add(waiter->returned, 1);
    return NULL;
}

/* mx_wakeup ends a connect that another thread waits for, as if its time were over. The endpoint can connect afterwards. */
static void wake_up(void)
{
    mx_endpoint_t endpoint = open_any(), silent = open_any();
    OK(mx_disable_progression(silent));
    for (int forever = 0; forever < 2; forever++) {
        struct waiter waiter = { endpoint, id_of(silent), forever ? MX_INFINITE : WHILE, gauge_new() };
        pthread_t thread;
        CHECK(pthread_create(&thread, NULL, wait_for_connection, &waiter) == 0);
        double since = milliseconds();
        while (gauge_read(waiter.returned) == 0) { /* the thread may not wait yet */
            OK(mx_wakeup(endpoint));
            CHECK(milliseconds() - since < WHILE / 2);
        }
        CHECK(pthread_join(thread, NULL) == 0);
        free(waiter.returned);
    }
    mx_request_t request;
    OK(mx_reenable_progression(silent));
    OK(mx_iconnect(endpoint, nic_of(endpoint), id_of(silent), KEY, 1, NULL, &request));
    CHECK_STATUS(MX_STATUS_SUCCESS, await_both(endpoint, &request, silent));
    OK(mx_close_endpoint(silent));
    OK(mx_close_endpoint(endpoint));
}

struct waker {
    mx_endpoint_t endpoint;
    struct gauge *enough;
};

static void *wake_again_and_again(void *argument)
{
    struct waker *waker = argument;
    while (gauge_read(waker->enough) == 0) {
        OK(mx_wakeup(waker->endpoint));
        usleep(100); /* a connect takes far longer */
    }
    return NULL;
}

/* mx_wakeup ends the call, not the attempt: a program that tries again until it succeeds does succeed, however often it is woken. */
static void connect_among_wake_ups(mx_endpoint_t endpoint, uint32_t id)
{
    struct waker waker = { endpoint, gauge_new() };
    mx_endpoint_addr_t address;
    mx_return_t result;
    pthread_t thread;
    CHECK(pthread_create(&thread, NULL, wake_again_and_again, &waker) == 0);
    double since = milliseconds();
    do {
        result = mx_connect(endpoint, nic_of(endpoint), id, KEY, WHILE, &address);
        CHECK(result == MX_SUCCESS || result == MX_TIMEOUT);
        CHECK(milliseconds() - since < WHILE / 2);
    } while (result != MX_SUCCESS);
    gauge_add(waker.enough, 1);
    CHECK(pthread_join(thread, NULL) == 0);
    free(waker.enough);
}

/* A second connect costs nothing, and the address is the same. */
static void connect_again(mx_endpoint_t endpoint, uint32_t id)
{
    mx_endpoint_addr_t first = connect_to(endpoint, id), second = connect_to(endpoint, id);
    CHECK(first.stuff[0] == second.stuff[0] && first.stuff[1] == second.stuff[1]);
    mx_status_t status = connect_later(endpoint, nic_of(endpoint), id, KEY);
    CHECK_STATUS(MX_STATUS_SUCCESS, status);
    CHECK(first.stuff[0] == status.source.stuff[0] && first.stuff[1] == status.source.stuff[1]);
}

/* Answers every message at its source, without connecting back. */
static void echo(int channel)
{
    begin();
    mx_endpoint_t endpoint = open_any();
    tell(channel, id_of(endpoint));
    for (;;) {
        uint64_t number = 0;
        mx_status_t status = receive_message(endpoint, 1, MX_MATCH_MASK_NONE, &number, sizeof number);
        CHECK_STATUS(MX_STATUS_SUCCESS, status);
        number++;
        send_message(endpoint, status.source, 2, &number, sizeof number);
        if (number == 100)
            break;
    }
    tell(channel, 0);
    attend_to(channel, endpoint);
    end(endpoint);
}

static void ask(mx_endpoint_t endpoint, mx_endpoint_addr_t peer, uint64_t number)
{
    uint64_t answer = 0;
    mx_request_t receive = start_receive(endpoint, 2, MX_MATCH_MASK_NONE, &answer, sizeof answer);
    send_message(endpoint, peer, 1, &number, sizeof number);
    mx_status_t status = await(endpoint, &receive);
    CHECK_STATUS(MX_STATUS_SUCCESS, status);
    CHECK(answer == number + 1);
    CHECK(status.source.stuff[0] == peer.stuff[0] && status.source.stuff[1] == peer.stuff[1]);
}

static void disconnect(mx_endpoint_t endpoint, uint32_t id)
{
    mx_endpoint_addr_t peer = connect_to(endpoint, id);
    ask(endpoint, peer, 1);
    OK(mx_disconnect(endpoint, peer));
    mx_request_t request = start_send(endpoint, peer, 1, &id, sizeof id);
    CHECK_STATUS(MX_STATUS_BAD_SESSION, await(endpoint, &request));
    peer = connect_to(endpoint, id);
    ask(endpoint, peer, 2);

    /* Sends that are under way at mx_disconnect complete. */
    mx_request_t sends[2] = { start_synchronous_send(endpoint, peer, 77, &id, sizeof id), NULL };
    unsigned char *large = filled(MB, 1);
    sends[1] = start_synchronous_send(endpoint, peer, 77, large, MB);
    check_pending(endpoint, &sends[0]);
    OK(mx_disconnect(endpoint, peer));
    for (int i = 0; i < 2; i++)
        CHECK_STATUS(MX_STATUS_ENDPOINT_UNREACHABLE, await(endpoint, &sends[i]));
    free(large);
    peer = connect_to(endpoint, id);
    ask(endpoint, peer, 3);
}

static void send_without_connection(mx_endpoint_t endpoint)
{
    mx_endpoint_addr_t nowhere = { { 0, 0 } };
    mx_request_t request = start_send(endpoint, nowhere, 1, &nowhere, 4);
    CHECK_STATUS(MX_STATUS_BAD_SESSION, await(endpoint, &request));
    nowhere.stuff[0] = UINT64_MAX;
    request = start_synchronous_send(endpoint, nowhere, 1, &nowhere, 4);
    CHECK_STATUS(MX_STATUS_BAD_SESSION, await(endpoint, &request));
}

/* The endpoint's own address takes messages, with or without a connect before. */
static void send_to_itself(bool connect_too)
{
    static const size_t lengths[] = { 4, 0, 1000, 100 * KB };
    enum { COUNT = 8 };
    mx_endpoint_t endpoint = open_any();
    mx_endpoint_addr_t own;
    mx_request_t sends[COUNT];
    unsigned char *out = filled(100 * KB, 1), *in = filled(100 * KB, 2);
    void *context = NULL;
    OK(mx_get_endpoint_addr(endpoint, &own));
    OK(mx_set_endpoint_addr_context(own, &sends));
    for (unsigned int i = 0; i < COUNT; i++)
        sends[i] = (i % 2 == 0 ? start_send : start_synchronous_send)(endpoint, own, i, out, lengths[i / 2]);
    if (connect_too)
        connect_to(endpoint, id_of(endpoint));
    for (unsigned int i = 0; i < COUNT; i++) {
        mx_status_t status = receive_message(endpoint, 0, 0, in, lengths[i / 2]);
        CHECK_STATUS(MX_STATUS_SUCCESS, status);
        CHECK(status.match_info == i && status.msg_length == lengths[i / 2] && is_filled(in, lengths[i / 2], 1));
        CHECK_STATUS(MX_STATUS_SUCCESS, await(endpoint, &sends[i]));
        OK(mx_get_endpoint_addr_context(status.source, &context));
        CHECK(context == &sends);
    }
    send_message(endpoint, connect_to(endpoint, id_of(endpoint)), 5, out, 10);
    CHECK(receive_message(endpoint, 5, MX_MATCH_MASK_NONE, in, 10).msg_length == 10);
    OK(mx_disconnect(endpoint, own)); /* the own address stays valid, all the same */
    send_message(endpoint, own, 6, out, 10);
    CHECK(receive_message(endpoint, 6, MX_MATCH_MASK_NONE, in, 10).msg_length == 10);
    free(out);
    free(in);
    OK(mx_close_endpoint(endpoint));
}

/* A connect with a wrong key to the own endpoint fails alone: sends to the own address beside it go on. */
static void send_to_itself_beside_a_wrong_key(void)
{
    mx_endpoint_t endpoint = open_any();
    mx_endpoint_addr_t own;
    mx_request_t connects[2], send;
    int in = 0, out = 5;
    OK(mx_get_endpoint_addr(endpoint, &own));
    OK(mx_iconnect(endpoint, nic_of(endpoint), id_of(endpoint), KEY + 1, 1, NULL, &connects[0]));
    send = start_send(endpoint, own, 2, &out, sizeof out);
    OK(mx_iconnect(endpoint, nic_of(endpoint), id_of(endpoint), KEY + 1, 1, NULL, &connects[1]));
    CHECK_STATUS(MX_STATUS_BAD_KEY, await(endpoint, &connects[0]));
    CHECK_STATUS(MX_STATUS_SUCCESS, receive_message(endpoint, 2, MX_MATCH_MASK_NONE, &in, sizeof in));
    CHECK_STATUS(MX_STATUS_SUCCESS, await(endpoint, &send));
    await(endpoint, &connects[1]); /* the endpoint may be connected with itself by then: no key is asked for */
    CHECK(in == out);
    OK(mx_close_endpoint(endpoint));
}

/* Closing an endpoint ends its sends to itself that have not begun. */
static void close_at_once(void)
{
    mx_endpoint_t endpoint = open_any();
    mx_endpoint_addr_t own;
    OK(mx_get_endpoint_addr(endpoint, &own));
    mx_request_t given_away = start_send(endpoint, own, 1, &own, sizeof own);
    OK(mx_forget(endpoint, &given_away));
    start_send(endpoint, own, 1, &own, sizeof own);
    OK(mx_close_endpoint(endpoint));
}

int main(void)
{
    need_mx();
    struct peer peer = start_peer(echo);
    begin();
    mx_endpoint_t endpoint = open_any();
    uint32_t id = (uint32_t)listen_to(peer.channel);
    fail_to_connect(endpoint, id);
    connect_among_wake_ups(endpoint, id);
    connect_again(endpoint, id);
    time_out(endpoint);
    wake_up();
    send_to_itself(false);
    send_to_itself(true);
    send_to_itself_beside_a_wrong_key();
    close_at_once();
    disconnect(endpoint, id);
    send_without_connection(endpoint);
    ask(endpoint, connect_to(endpoint, id), 99);
    attend_to(peer.channel, endpoint);
    tell(peer.channel, 0);
    peer_finish(&peer);
    end(endpoint);
    return 0;
}

/* The descriptor that is polled beside others: whatever happens makes it readable, nothing gets lost between look and wait. */
#include "check.h"

#include <poll.h>
#include <pthread.h>

enum { ROUNDS = 2000 };

static mx_endpoint_t endpoint;
static mx_endpoint_addr_t peer_address;

/* As a program that serves something else too. */
static void sleep_at_descriptor(void)
{
    int descriptor = mx_shim_descriptor(endpoint);
    CHECK(descriptor >= 0);
    if (mx_shim_arm(endpoint) == MX_SHIM_ARMED)
        CHECK(poll(&(struct pollfd){ .fd = descriptor, .events = POLLIN }, 1, WHILE) == 1);
}

static mx_status_t await_at_descriptor(mx_request_t *request)
{
    for (;;) {
        mx_status_t status;
        uint32_t result;
        OK(mx_test(endpoint, request, &status, &result));
        if (result)
            return status;
        sleep_at_descriptor();
    }
}

static void echo(int channel)
{
    begin();
    endpoint = open_any();
    peer_address = meet(channel, endpoint);
    for (;;) {
        unsigned char data[1000];
        mx_request_t receive = start_receive(endpoint, 1, MX_MATCH_MASK_NONE, data, sizeof data);
        mx_status_t status = await_at_descriptor(&receive);
        if (status.msg_length == 0)
            break;
        mx_request_t send = start_send(endpoint, status.source, 1, data, status.msg_length);
        CHECK_STATUS(MX_STATUS_SUCCESS, await_at_descriptor(&send));
    }
    tell(channel, 0);
    attend_to(channel, endpoint);
    end(endpoint);
}

static bool is_readable(void)
{
    return poll(&(struct pollfd){ .fd = mx_shim_descriptor(endpoint), .events = POLLIN }, 1, 0) == 1;
}

/* Where nothing happens it can be armed, and is not readable. */
static void quiet(void)
{
    double since = milliseconds();
    while (mx_shim_arm(endpoint) != MX_SHIM_ARMED || is_readable())
        CHECK(milliseconds() - since < WHILE);
    CHECK(mx_shim_arm(endpoint) == MX_SHIM_ARMED);
    CHECK(mx_shim_arm(endpoint) == MX_SHIM_ARMED);
    CHECK(!is_readable());
}

/* What happens before it is armed is not slept through. */
static void look_again(void)
{
    quiet();
    mx_request_t receive = start_receive(endpoint, 2, MX_MATCH_MASK_NONE, NULL, 0), found;
    mx_endpoint_addr_t self = connect_to(endpoint, id_of(endpoint));
    send_message(endpoint, self, 2, NULL, 0);
    uint32_t result;
    OK(mx_peek(endpoint, WHILE, &found, &result)); /* has come to light in a call of ours */
    CHECK(result == 1);
    CHECK(mx_shim_arm(endpoint) == MX_SHIM_LOOK_AGAIN);
    CHECK_STATUS(MX_STATUS_SUCCESS, await(endpoint, &receive));

    /* An unexpected message is something too. */
    quiet();
    mx_request_t send = start_send(endpoint, self, 3, NULL, 0);
    mx_status_t status;
    for (result = 0; !result;) {
        sleep_at_descriptor();
        OK(mx_iprobe(endpoint, 3, MX_MATCH_MASK_NONE, &status, &result));
    }
    CHECK_STATUS(MX_STATUS_SUCCESS, receive_message(endpoint, 3, MX_MATCH_MASK_NONE, NULL, 0));
    CHECK_STATUS(MX_STATUS_SUCCESS, await(endpoint, &send));
}

static void *wake(void *unused)
{
    OK(mx_wakeup(endpoint));
    return unused;
}

/* A thread that sleeps there is woken by mx_wakeup, and by what another thread finds. */
static void woken(void)
{
    pthread_t thread;
    quiet();
    CHECK(pthread_create(&thread, NULL, wake, NULL) == 0);
    CHECK(poll(&(struct pollfd){ .fd = mx_shim_descriptor(endpoint), .events = POLLIN }, 1, WHILE) == 1);
    CHECK(pthread_join(thread, NULL) == 0);
}

static mx_request_t theirs;

static void *find(void *unused)
{
    while (!__atomic_load_n(&theirs, __ATOMIC_ACQUIRE))
        ;
    CHECK_STATUS(MX_STATUS_SUCCESS, await(endpoint, &theirs));
    return unused;
}

/* Another thread takes in what we are waiting for, again and again. */
static void found_by_others(void)
{
    for (int i = 0; i < 200; i++) {
        pthread_t thread;
        unsigned char in[8], in2[8];
        uint64_t out = 1;
        __atomic_store_n(&theirs, NULL, __ATOMIC_RELEASE);
        CHECK(pthread_create(&thread, NULL, find, NULL) == 0);
        mx_request_t mine = start_receive(endpoint, 1, MX_MATCH_MASK_NONE, in, sizeof in);
        __atomic_store_n(&theirs, start_receive(endpoint, 1, MX_MATCH_MASK_NONE, in2, sizeof in2), __ATOMIC_RELEASE);
        for (int j = 0; j < 2; j++) {
            mx_request_t send = start_send(endpoint, peer_address, 1, &out, sizeof out);
            OK(mx_forget(endpoint, &send));
        }
        CHECK_STATUS(MX_STATUS_SUCCESS, await_at_descriptor(&mine));
        CHECK(pthread_join(thread, NULL) == 0);
    }
}

int main(void)
{
    need_mx();
    CHECK(mx_shim_transports() != 0);
    struct peer peer = start_peer(echo);
    begin();
    endpoint = open_any();
    peer_address = meet(peer.channel, endpoint);
    for (size_t i = 1; i <= ROUNDS; i++) {
        size_t length = 1 + i % 900;
        unsigned char *out = filled(length, i), in[1000];
        mx_request_t receive = start_receive(endpoint, 1, MX_MATCH_MASK_NONE, in, sizeof in);
        mx_request_t send = start_send(endpoint, peer_address, 1, out, length);
        CHECK_STATUS(MX_STATUS_SUCCESS, await_at_descriptor(&send));
        CHECK_STATUS(MX_STATUS_SUCCESS, await_at_descriptor(&receive));
        CHECK(is_filled(in, length, i));
        free(out);
    }
    found_by_others();
    send_message(endpoint, peer_address, 1, NULL, 0);
    attend_to(peer.channel, endpoint);
    tell(peer.channel, 0);
    peer_finish(&peer);
    look_again();
    woken();
    end(endpoint);
    return 0;
}

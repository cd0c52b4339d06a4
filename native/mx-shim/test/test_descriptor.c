/*
 * The descriptor that a program polls beside others: every event makes it readable, and no event gets lost between look and
 * wait.
 */
#include "check.h"

#include <poll.h>
#include <pthread.h>
#include <unistd.h>

enum { ROUNDS = 2000 };

static mx_endpoint_t endpoint;
static mx_endpoint_addr_t peer_address;

/*
 * Whether a wait takes one call (mx_shim_wait) or two steps (mx_shim_arm and poll), as in a program that serves something else
 * too.
 */
static bool in_one;

static void sleep_at_descriptor(void)
{
    if (in_one) {
        struct pollfd nothing = { .fd = -1, .events = POLLIN };
        CHECK(mx_shim_wait(endpoint, &nothing, 1, WHILE) <= 0);
        return;
    }
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

/* While nothing happens the descriptor can be armed, and is not readable. */
static void quiet(void)
{
    double since = milliseconds();
    while (mx_shim_arm(endpoint) != MX_SHIM_ARMED || is_readable())
        CHECK(milliseconds() - since < WHILE);
    CHECK(mx_shim_arm(endpoint) == MX_SHIM_ARMED);
    CHECK(mx_shim_arm(endpoint) == MX_SHIM_ARMED);
    CHECK(!is_readable());
}

/* An event before the descriptor is armed is not missed. */
static void look_again(void)
{
    quiet();
    mx_request_t receive = start_receive(endpoint, 2, MX_MATCH_MASK_NONE, NULL, 0), found;
    mx_endpoint_addr_t self = connect_to(endpoint, id_of(endpoint));
    send_message(endpoint, self, 2, NULL, 0);
    uint32_t result;
    OK(mx_peek(endpoint, WHILE, &found, &result)); /* a call of this thread has found it */
    CHECK(result == 1);
    CHECK(mx_shim_arm(endpoint) == MX_SHIM_LOOK_AGAIN);
    CHECK_STATUS(MX_STATUS_SUCCESS, await(endpoint, &receive));

    /* An unexpected message is an event too. */
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

/* A thread that sleeps at the descriptor is woken by mx_wakeup. */
static void woken(void)
{
    pthread_t thread;
    quiet();
    OK(mx_wakeup(endpoint)); /* before the descriptor is armed */
    CHECK(mx_shim_arm(endpoint) == MX_SHIM_LOOK_AGAIN);
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

static void wait_until_quiet(struct pollfd *others, unsigned int count)
{
    double since = milliseconds();
    while (mx_shim_wait(endpoint, others, count, 0) == MX_SHIM_LOOK_FIRST)
        CHECK(milliseconds() - since < WHILE);
}

/* mx_shim_wait: what ends it, and the state that it leaves behind. */
static void waits(void)
{
    int ends[2];
    pthread_t thread;
    CHECK(pipe(ends) == 0);
    struct pollfd both[] = { { .fd = -1, .events = POLLIN }, { .fd = ends[0], .events = POLLIN } };
    wait_until_quiet(both, 2);
    double since = milliseconds();
    CHECK(mx_shim_wait(endpoint, both, 2, 20) == 0);
    CHECK(milliseconds() - since >= 19);
    CHECK(write(ends[1], "a byte", 6) == 6);
    CHECK(mx_shim_wait(endpoint, both, 2, -1) == 1 && both[0].revents == 0 && both[1].revents == POLLIN);
    CHECK(pthread_create(&thread, NULL, wake, NULL) == 0);
    int result = mx_shim_wait(endpoint, NULL, 0, WHILE); /* it waits, or begins after the wake-up */
    CHECK(result == 0 || result == MX_SHIM_LOOK_FIRST);
    CHECK(pthread_join(thread, NULL) == 0);
    wait_until_quiet(NULL, 0);
    OK(mx_wakeup(endpoint));
    CHECK(mx_shim_wait(endpoint, both, 2, -1) == MX_SHIM_LOOK_FIRST && both[1].revents == POLLIN); /* unchanged */

    /* A completion that this thread has taken in the meantime is not reported to it again. */
    wait_until_quiet(NULL, 0);
    mx_endpoint_addr_t self = connect_to(endpoint, id_of(endpoint));
    mx_request_t receive = start_receive(endpoint, 4, MX_MATCH_MASK_NONE, NULL, 0);
    send_message(endpoint, self, 4, NULL, 0);
    CHECK_STATUS(MX_STATUS_SUCCESS, await(endpoint, &receive));
    wait_until_quiet(NULL, 0);
    CHECK(!is_readable()); /* the bell has not been rung */
    struct pollfd many[MX_SHIM_OTHERS_MAX + 1];
    CHECK(mx_shim_wait(endpoint, many, MX_SHIM_OTHERS_MAX + 1, -1) == MX_SHIM_LOOK_FIRST);
    CHECK(mx_shim_wait(NULL, both, 2, -1) == MX_SHIM_LOOK_FIRST);
    close(ends[0]);
    close(ends[1]);
}

/* Another thread finds what this thread is waiting for, again and again. */
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
        in_one = i > ROUNDS / 2;
        size_t length = 1 + i % 900;
        unsigned char *out = filled(length, i), in[1000];
        mx_request_t receive = start_receive(endpoint, 1, MX_MATCH_MASK_NONE, in, sizeof in);
        mx_request_t send = start_send(endpoint, peer_address, 1, out, length);
        CHECK_STATUS(MX_STATUS_SUCCESS, await_at_descriptor(&send));
        CHECK_STATUS(MX_STATUS_SUCCESS, await_at_descriptor(&receive));
        CHECK(is_filled(in, length, i));
        free(out);
    }
    in_one = false;
    found_by_others();
    in_one = true;
    found_by_others();
    send_message(endpoint, peer_address, 1, NULL, 0);
    attend_to(peer.channel, endpoint);
    tell(peer.channel, 0);
    peer_finish(&peer);
    look_again();
    woken();
    in_one = false;
    look_again();
    waits();
    end(endpoint);
    return 0;
}

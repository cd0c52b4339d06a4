/* Several threads on one endpoint: each has messages of its own, and waits, polls, or takes any message. */
#include "check.h"

#include <pthread.h>

enum { THREADS = 6, ROUNDS = 500, LONG = 50 * KB };

static mx_endpoint_t endpoint;
static mx_endpoint_addr_t peer_address;

/* Sends messages with the thread's number in the upper half of match_info, and gets the same messages back. */
static void *talk(void *argument)
{
    uint64_t number = (uint64_t)(uintptr_t)argument;
    unsigned char *in = malloc(LONG);
    CHECK(in != NULL);
    for (uint64_t i = 0; i < ROUNDS; i++) {
        uint64_t match = number << 32 | i;
        size_t length = i % 50 == 0 ? LONG : 1 + i % 300;
        unsigned char *out = filled(length, match);
        mx_request_t receive = start_receive(endpoint, match, MX_MATCH_MASK_NONE, in, LONG);
        mx_request_t send = start_send(endpoint, peer_address, match, out, length);
        mx_status_t status;
        if (number % 2 == 0) {
            status = await(endpoint, &receive);
        } else {
            uint32_t result = 0;
            for (double since = milliseconds(); !result;) {
                OK(mx_test(endpoint, &receive, &status, &result));
                CHECK(result || milliseconds() - since < WHILE);
            }
        }
        CHECK_STATUS(MX_STATUS_SUCCESS, status);
        CHECK(status.msg_length == length && is_filled(in, length, match));
        CHECK_STATUS(MX_STATUS_SUCCESS, await(endpoint, &send));
        free(out);
    }
    free(in);
    return NULL;
}

/* Takes any message and sends it back; several threads do so on the same endpoint. */
static void *echo(void *unused)
{
    for (;;) {
        unsigned char *data = malloc(LONG);
        CHECK(data != NULL);
        mx_status_t status = receive_message(endpoint, 0, 0, data, LONG);
        CHECK_STATUS(MX_STATUS_SUCCESS, status);
        if (status.match_info == UINT64_MAX) {
            free(data);
            return unused;
        }
        send_message(endpoint, status.source, status.match_info, data, status.msg_length);
        free(data);
    }
}

static void run(void *(*body)(void *), int count)
{
    pthread_t threads[THREADS];
    for (int i = 0; i < count; i++)
        CHECK(pthread_create(&threads[i], NULL, body, (void *)(uintptr_t)(i + 1)) == 0);
    for (int i = 0; i < count; i++)
        CHECK(pthread_join(threads[i], NULL) == 0);
}

static void other_process(int channel)
{
    begin();
    endpoint = open_any();
    meet(channel, endpoint);
    run(echo, 3);
    tell(channel, 0);
    attend_to(channel, endpoint);
    end(endpoint);
}

int main(void)
{
    need_mx();
    struct peer peer = start_peer(other_process);
    begin();
    endpoint = open_any();
    peer_address = meet(peer.channel, endpoint);
    run(talk, THREADS);
    for (int i = 0; i < 3; i++)
        send_message(endpoint, peer_address, UINT64_MAX, NULL, 0);
    attend_to(peer.channel, endpoint);
    tell(peer.channel, 0);
    peer_finish(&peer);
    end(endpoint);
    return 0;
}

/*
 * Messages that are longer than MX_COPY_SEND_MAX, between two processes that share memory: up to 256 KB they leave their sender
 * while the receiver makes no call. Longer ones wait for a receive.
 */
#include "check.h"

#include <stdlib.h>
#include <string.h>

enum { WHOLE_MAX = 256 * KB, SOME = 40 }; /* the limit that docs/mx/messages.md names; more messages than UCX's queue has room for */

/* Sends one message, uses its memory again as soon as it may, and tells the receiver. */
static void send_and_overwrite(int channel, mx_endpoint_t endpoint, mx_endpoint_addr_t to, size_t length)
{
    unsigned char *bytes = filled(length, length);
    mx_request_t request = start_send(endpoint, to, length, bytes, length);
    double since = milliseconds();
    for (uint32_t buffered = 0; buffered == 0;) {
        CHECK(milliseconds() - since < WHILE);
        OK(mx_ibuffered(endpoint, &request, &buffered));
    }
    memset(bytes, 0x55, length);
    tell(channel, length);
    CHECK_STATUS(MX_STATUS_SUCCESS, await(endpoint, &request));
    attend_to(channel, endpoint); /* the receiver makes no call before this */
    free(bytes);
}

static const size_t lengths[] = { 32 * KB + 1, 64 * KB, WHOLE_MAX - 1, WHOLE_MAX };

static void sender(int channel)
{
    begin();
    mx_endpoint_t endpoint = open_any();
    mx_endpoint_addr_t to = meet(channel, endpoint);
    for (unsigned int i = 0; i < sizeof lengths / sizeof *lengths; i++)
        send_and_overwrite(channel, endpoint, to, lengths[i]);

    unsigned char *beyond = filled(WHOLE_MAX + 1, 1);
    mx_request_t request = start_send(endpoint, to, 1, beyond, WHOLE_MAX + 1);
    uint32_t buffered;
    for (int i = 0; i < 1000; i++) {
        OK(mx_ibuffered(endpoint, &request, &buffered));
        CHECK(buffered == 0);
    }
    tell(channel, 1);
    CHECK_STATUS(MX_STATUS_SUCCESS, await(endpoint, &request));
    free(beyond);

    unsigned char *bytes[SOME]; /* of all lengths at once */
    mx_request_t requests[SOME];
    for (unsigned int i = 0; i < SOME; i++) {
        size_t length = 10 * KB * (i + 1);
        bytes[i] = filled(length, i);
        requests[i] = start_send(endpoint, to, i, bytes[i], length);
    }
    for (unsigned int i = 0; i < SOME; i++)
        CHECK_STATUS(MX_STATUS_SUCCESS, await(endpoint, &requests[i]));
    attend_to(channel, endpoint);
    for (unsigned int i = 0; i < SOME; i++)
        free(bytes[i]);
    end(endpoint);
}

static void take(mx_endpoint_t endpoint, uint64_t match, uint64_t mask, size_t length, uint64_t seed)
{
    unsigned char *bytes = malloc(length + 1);
    CHECK(bytes != NULL);
    mx_status_t status = receive_message(endpoint, match, mask, bytes, length + 1);
    CHECK_STATUS(MX_STATUS_SUCCESS, status);
    CHECK(status.msg_length == length && status.xfer_length == length && is_filled(bytes, length, seed));
    free(bytes);
}

int main(void)
{
    need_mx();
    if (getenv("UCX_TLS") != NULL) {
        printf("UCX_TLS may leave out shared memory\n");
        return 77;
    }
    struct peer peer = start_peer(sender);
    begin();
    mx_endpoint_t endpoint = open_any();
    meet(peer.channel, endpoint);
    for (unsigned int i = 0; i < sizeof lengths / sizeof *lengths; i++) {
        CHECK(listen_to(peer.channel) == lengths[i]);
        take(endpoint, lengths[i], MX_MATCH_MASK_NONE, lengths[i], lengths[i]);
        tell(peer.channel, 0);
    }
    listen_to(peer.channel);
    take(endpoint, 1, MX_MATCH_MASK_NONE, WHOLE_MAX + 1, 1);
    for (unsigned int i = 0; i < SOME; i++) /* in order, although the longest ones come later than shorter ones behind them */
        take(endpoint, 0, 0, 10 * KB * (i + 1), i);
    tell(peer.channel, 0);
    end(endpoint);
    peer_finish(&peer);
    return 0;
}

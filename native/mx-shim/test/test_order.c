/*
 * Thousands of messages of one byte to 4 MB, short and long ones mixed, both ways at once between two processes. Each message
 * arrives whole. Messages that match the same receives arrive in the order in which they were sent.
 */
#include "check.h"

enum { MESSAGES = 3000, LARGE = 4 * MB, UNDER_WAY = 8 };

/* Both processes have the same series of lengths. */
static size_t length_of(uint64_t i)
{
    static const size_t usual[] = { 1, 8, 32, 33, 128, 129, 1000, 4096, 4097, 8 * KB, 32 * KB, 32 * KB + 1, 64 * KB };
    if (i % 500 == 499)
        return LARGE - i % 3;
    return i % 16 < 13 ? usual[(i * 7) % 13] : i % 16 == 13 ? i * 37 % (200 * KB) : 1 + i % 64;
}

/* Two ways of receiving: every tenth message has a receive of its own, all others match the same receives. */
static uint64_t match_of(uint64_t i)
{
    return i % 10 == 9 ? (uint64_t)2 << 32 | i : (uint64_t)1 << 32;
}

struct flow {
    mx_request_t requests[UNDER_WAY];
    unsigned char *data[UNDER_WAY];
    uint64_t started, finished;
};

static void exchange(int channel)
{
    begin();
    mx_endpoint_t endpoint = open_any();
    mx_endpoint_addr_t peer = meet(channel, endpoint);
    struct flow out = { .started = 0 }, in = { .started = 0 };
    for (int i = 0; i < UNDER_WAY; i++)
        CHECK((in.data[i] = malloc(LARGE)) != NULL);

    while (in.finished < MESSAGES || out.finished < MESSAGES) {
        mx_status_t status;
        uint32_t result;
        while (in.started < MESSAGES && in.started - in.finished < UNDER_WAY) {
            uint64_t i = in.started++;
            in.requests[i % UNDER_WAY] =
                start_receive(endpoint, match_of(i), MX_MATCH_MASK_NONE, in.data[i % UNDER_WAY], LARGE);
        }
        while (out.started < MESSAGES && out.started - out.finished < UNDER_WAY) {
            uint64_t i = out.started++;
            out.data[i % UNDER_WAY] = filled(length_of(i), i);
            out.requests[i % UNDER_WAY] = start_send(endpoint, peer, match_of(i), out.data[i % UNDER_WAY], length_of(i));
        }
        if (in.finished < MESSAGES) {
            uint64_t i = in.finished;
            OK(mx_test(endpoint, &in.requests[i % UNDER_WAY], &status, &result));
            if (result) {
                CHECK_STATUS(MX_STATUS_SUCCESS, status);
                CHECK(status.match_info == match_of(i));
                CHECK(status.msg_length == length_of(i));
                CHECK(is_filled(in.data[i % UNDER_WAY], length_of(i), i));
                in.finished++;
            }
        }
        if (out.finished < MESSAGES) {
            uint64_t i = out.finished;
            OK(mx_test(endpoint, &out.requests[i % UNDER_WAY], &status, &result));
            if (result) {
                CHECK_STATUS(MX_STATUS_SUCCESS, status);
                CHECK(status.xfer_length == length_of(i));
                free(out.data[i % UNDER_WAY]);
                out.finished++;
            }
        }
    }
    for (int i = 0; i < UNDER_WAY; i++)
        free(in.data[i]);
    tell(channel, 1);
    attend_to(channel, endpoint);
    end(endpoint);
}

int main(void)
{
    need_mx();
    struct peer peer = start_peer(exchange);
    exchange(peer.channel);
    peer_finish(&peer);
    return 0;
}

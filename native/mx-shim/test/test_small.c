/*
 * Short messages (up to MX_PIO_SEND_MAX bytes) are copied by mx_isend and mx_issend: the program uses their memory again at once,
 * while the receiver is elsewhere, and however many are under way.
 */
#include "check.h"

#include <string.h>

enum {
    SMALL = 128,
    BURST = 5000,
    BEYOND = 70000, /* more than a receiver keeps of one sender (docs/mx/messages.md) */
    SENDERS = 3
};

static uint32_t length_of(uint64_t number)
{
    return (uint32_t)(number % (SMALL + 1));
}

/*
 * Sends from memory of its stack, which it overwrites at once: in one piece or in two, synchronously or not. Every second
 * request is given away, as programs do that see that the message is buffered.
 */
static mx_request_t send_and_overwrite(mx_endpoint_t endpoint, mx_endpoint_addr_t to, uint64_t number)
{
    unsigned char memory[SMALL];
    unsigned char *bytes = filled(SMALL, number);
    uint32_t length = length_of(number), first = length / 3, buffered = 0;
    memcpy(memory, bytes, SMALL);
    free(bytes);
    mx_segment_t segments[] = { { memory, number % 2 == 0 ? length : first }, { memory + first, length - first } };
    mx_request_t request = NULL;
    OK((number % 5 == 0 ? mx_issend : mx_isend)(endpoint, segments, 1 + number % 2, to, number, NULL, &request));
    memset(segments, 0x55, sizeof segments);
    memset(memory, 0x55, sizeof memory);
    OK(mx_ibuffered(endpoint, &request, &buffered));
    CHECK(buffered == 1);
    if (number % 2 == 0)
        OK(mx_forget(endpoint, &request));
    return request;
}

static void send_burst(int channel, uint64_t count)
{
    begin();
    mx_endpoint_t endpoint = open_any();
    mx_endpoint_addr_t to = meet(channel, endpoint);
    mx_request_t *requests = calloc(count, sizeof *requests);
    CHECK(requests != NULL);
    for (uint64_t i = 0; i < count; i++)
        requests[i] = send_and_overwrite(endpoint, to, i);
    tell(channel, count);
    for (uint64_t i = 0; i < count; i++)
        if (requests[i] != NULL)
            CHECK_STATUS(MX_STATUS_SUCCESS, await(endpoint, &requests[i]));
    free(requests);
    attend_to(channel, endpoint);
    end(endpoint);
}

static void burst(int channel)
{
    send_burst(channel, BURST);
}

static void burst_beyond_the_bound(int channel)
{
    send_burst(channel, BEYOND);
}

static void receive_and_check(mx_endpoint_t endpoint, uint64_t number, mx_endpoint_addr_t source)
{
    unsigned char in[SMALL];
    mx_status_t status = receive_message(endpoint, number, MX_MATCH_MASK_NONE, in, sizeof in);
    CHECK_STATUS(MX_STATUS_SUCCESS, status);
    CHECK(status.msg_length == length_of(number) && is_filled(in, status.msg_length, number));
    CHECK(memcmp(&status.source, &source, sizeof source) == 0);
}

/* The receiver makes no call while the messages are sent. */
static void receiver_is_elsewhere(void (*body)(int channel), uint64_t count)
{
    struct peer peer = start_peer(body);
    begin();
    mx_endpoint_t endpoint = open_any();
    mx_endpoint_addr_t from = meet(peer.channel, endpoint);
    CHECK(listen_to(peer.channel) == count);
    for (uint64_t i = 0; i < count; i++)
        receive_and_check(endpoint, i, from);
    tell(peer.channel, 0);
    end(endpoint);
    peer_finish(&peer);
}

/* The messages of several processes come in any order, but each process's in its own. */
static void several_senders(void)
{
    struct peer peers[SENDERS];
    mx_endpoint_addr_t from[SENDERS];
    uint64_t next[SENDERS] = { 0 };
    for (int i = 0; i < SENDERS; i++)
        peers[i] = start_peer(burst);
    begin();
    mx_endpoint_t endpoint = open_any();
    for (int i = 0; i < SENDERS; i++)
        from[i] = meet(peers[i].channel, endpoint);
    for (int i = 0; i < SENDERS; i++)
        CHECK(listen_to(peers[i].channel) == BURST);
    for (int taken = 0; taken < SENDERS * BURST; taken++) {
        unsigned char in[SMALL];
        mx_status_t status = receive_message(endpoint, 0, 0, in, sizeof in);
        CHECK_STATUS(MX_STATUS_SUCCESS, status);
        int sender = 0;
        while (sender < SENDERS && memcmp(&status.source, &from[sender], sizeof from[sender]) != 0)
            sender++;
        CHECK(sender < SENDERS && status.match_info == next[sender]);
        CHECK(status.msg_length == length_of(next[sender]) && is_filled(in, status.msg_length, next[sender]));
        next[sender]++;
    }
    for (int i = 0; i < SENDERS; i++)
        tell(peers[i].channel, 0);
    end(endpoint);
    for (int i = 0; i < SENDERS; i++)
        peer_finish(&peers[i]);
}

int main(void)
{
    need_mx();
    receiver_is_elsewhere(burst, BURST);
    receiver_is_elsewhere(burst_beyond_the_bound, BEYOND);
    several_senders();
    return 0;
}

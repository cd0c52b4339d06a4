/*
 * A sender whose receiver takes nothing is held up before the receiver's memory is full. When the messages are received after
 * all, all of them arrive, in order.
 */
#include "check.h"

#include <string.h>

enum {
    SHORT = 8,
    SHORTS = 100000,
    MEDIUM = 8 * KB,
    MEDIUMS = 64 * MB / MEDIUM,
    MESSAGES_MAX = 65536, /* the limits that docs/mx/messages.md names */
    BYTES_MAX = 16 * MB,
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
    MEMORY_FACTOR = 8 /* the memory of the sanitizers */
#else
    MEMORY_FACTOR = 1
#endif
};

static mx_request_t requests[SHORTS];
static uint64_t numbers[SHORTS];

/* Resident memory of this process, in KB. */
static long memory(void)
{
    FILE *file = fopen("/proc/self/status", "re");
    char line[256];
    long result = -1;
    CHECK(file != NULL);
    while (result < 0 && fgets(line, sizeof line, file) != NULL)
        sscanf(line, "VmRSS: %ld kB", &result);
    fclose(file);
    CHECK(result > 0);
    return result;
}

/* Message i has its number, then bytes that are the same in all messages. It is matched by its number. */
static void start_sends(mx_endpoint_t endpoint, mx_endpoint_addr_t to, uint64_t count, size_t length)
{
    static unsigned char rest[MEDIUM];
    for (uint64_t i = 0; i < count; i++) {
        numbers[i] = i;
        mx_segment_t segments[] = { { &numbers[i], SHORT }, { rest, (uint32_t)(length - SHORT) } };
        requests[i] = NULL;
        OK(mx_isend(endpoint, segments, length > SHORT ? 2 : 1, to, i, NULL, &requests[i]));
    }
}

/* How many of the sends are complete. Takes their completions. */
static uint64_t completed(mx_endpoint_t endpoint, uint64_t count, mx_status_code_t expected)
{
    uint64_t complete = 0;
    for (uint64_t i = 0; i < count; i++) {
        uint32_t result = 1;
        mx_status_t status;
        if (requests[i] == NULL) {
            complete++;
            continue;
        }
        OK(mx_test(endpoint, &requests[i], &status, &result));
        if (result == 0)
            continue;
        CHECK_STATUS(expected, status);
        complete++;
    }
    return complete;
}

/* Waits for the sends before that number. */
static void await_first(mx_endpoint_t endpoint, uint64_t end, mx_status_code_t expected)
{
    for (uint64_t i = 0; i < end; i++)
        if (requests[i] != NULL)
            CHECK_STATUS(expected, await(endpoint, &requests[i]));
}

static bool is_there(mx_endpoint_t endpoint, uint64_t match, uint64_t mask, size_t length)
{
    mx_status_t status;
    uint32_t result;
    OK(mx_iprobe(endpoint, match, mask, &status, &result));
    CHECK(result == 0 || (status.msg_length == length && (status.match_info & mask) == match));
    return result == 1;
}

/*
 * Receives the messages from one number to another, without the latter: by their numbers, or, with mask 0, the next ones
 * whatever their numbers.
 */
static void take(mx_endpoint_t endpoint, uint64_t from, uint64_t to, uint64_t mask, size_t length)
{
    enum { AT_A_TIME = 256 };
    static unsigned char bytes[AT_A_TIME][MEDIUM];
    static mx_request_t receives[AT_A_TIME];
    for (uint64_t first = from; first < to; first += AT_A_TIME) {
        uint64_t end = to - first < AT_A_TIME ? to : first + AT_A_TIME, number;
        for (uint64_t i = first; i < end; i++)
            receives[i - first] = start_receive(endpoint, i & mask, mask, bytes[i - first], sizeof bytes[0]);
        for (uint64_t i = first; i < end; i++) {
            mx_status_t status = await(endpoint, &receives[i - first]);
            CHECK_STATUS(MX_STATUS_SUCCESS, status);
            memcpy(&number, bytes[i - first], sizeof number);
            CHECK(number == i && status.match_info == i && status.msg_length == length && status.xfer_length == length);
        }
    }
}

/*
 * Sends as many messages of a length as it is told, and waits for those that can complete. Tells how many sends are complete,
 * then waits for all.
 */
static void sender(int channel)
{
    begin();
    mx_endpoint_t endpoint = open_any();
    mx_endpoint_addr_t peer = meet(channel, endpoint);
    uint64_t count = attend_to(channel, endpoint), length = attend_to(channel, endpoint), whole = attend_to(channel, endpoint);
    start_sends(endpoint, peer, count, (size_t)length);
    await_first(endpoint, whole, MX_STATUS_SUCCESS);
    attend_to(channel, endpoint);
    tell(channel, completed(endpoint, count, MX_STATUS_SUCCESS));
    await_first(endpoint, count, MX_STATUS_SUCCESS);
    tell(channel, 0);
    attend_to(channel, endpoint);
    end(endpoint);
}

/* whole: how many messages come with their bytes; there: how many come at all; most: how much memory they may take, in KB. */
static void hold_up(uint64_t count, size_t length, uint64_t whole, uint64_t there, long most)
{
    struct peer peer = start_peer(sender);
    begin();
    mx_endpoint_t endpoint = open_any();
    meet(peer.channel, endpoint);
    long before = memory();
    tell(peer.channel, count);
    tell(peer.channel, length);
    tell(peer.channel, whole);
    await_unexpected(endpoint, there - 1, MX_MATCH_MASK_NONE);
    for (int i = 0; i < 1000; i++)
        CHECK(!is_there(endpoint, there, MX_MATCH_MASK_NONE, length));
    CHECK(is_there(endpoint, there - 1, MX_MATCH_MASK_NONE, length) && is_there(endpoint, 0, 0, length));
    long kept = memory() - before;
    tell(peer.channel, 0);
    uint64_t complete = attend_to(peer.channel, endpoint);
    printf("of %lu messages of %zu bytes %lu are there, %lu of them whole: %ld KB\n", (unsigned long)count, length,
           (unsigned long)there, (unsigned long)complete, kept);
    fflush(stdout); /* printed once, even if this process forks */
    CHECK(complete == whole);
    CHECK(kept < most * MEMORY_FACTOR);
    take(endpoint, there - 1, there, MX_MATCH_MASK_NONE, length); /* it is there, with or without its bytes */
    take(endpoint, 0, there - 1, 0, length);
    take(endpoint, there, count, 0, length);
    CHECK(!is_there(endpoint, 0, 0, length));
    attend_to(peer.channel, endpoint);
    tell(peer.channel, 0);
    end(endpoint);
    peer_finish(&peer);
}

static void receiver(int channel)
{
    begin();
    mx_endpoint_t endpoint = open_any();
    meet(channel, endpoint);
    attend_to(channel, endpoint);
}

/* Sends that wait end with the peer, or with the connection. */
static void lose(bool killed)
{
    enum { COUNT = MESSAGES_MAX + 1000 };
    struct peer peer = start_peer(receiver);
    begin();
    mx_endpoint_t endpoint = open_any();
    mx_endpoint_addr_t to = meet(peer.channel, endpoint);
    start_sends(endpoint, to, COUNT, SHORT);
    await_first(endpoint, MESSAGES_MAX, MX_STATUS_SUCCESS);
    CHECK(completed(endpoint, COUNT, MX_STATUS_SUCCESS) == MESSAGES_MAX);
    if (killed)
        peer_kill(&peer);
    else
        OK(mx_disconnect(endpoint, to));
    await_first(endpoint, COUNT, MX_STATUS_ENDPOINT_UNREACHABLE);
    if (!killed)
        peer_kill(&peer);
    end(endpoint);
}

/* One thread sends to the same endpoint, or to another endpoint of the process. */
static void within(bool same)
{
    begin();
    mx_endpoint_t from = open_any(), to = same ? from : open_any();
    mx_request_t request;
    OK(mx_iconnect(from, nic_of(to), id_of(to), KEY, 1, NULL, &request));
    mx_status_t status = await_both(from, &request, to);
    CHECK_STATUS(MX_STATUS_SUCCESS, status);
    start_sends(from, status.source, SHORTS, SHORT);
    for (uint64_t i = 0; i < SHORTS; i++) {
        uint64_t number;
        mx_request_t receive = start_receive(to, 0, 0, &number, sizeof number);
        CHECK_STATUS(MX_STATUS_SUCCESS, await_both(to, &receive, from));
        CHECK(number == i);
    }
    for (double since = milliseconds(); completed(from, SHORTS, MX_STATUS_SUCCESS) < SHORTS;) {
        OK(mx_progress(to));
        CHECK(milliseconds() - since < WHILE);
    }
    if (!same)
        OK(mx_close_endpoint(to));
    end(from);
}

static uint32_t seen;

static mx_unexp_handler_action_t see(void *context, mx_endpoint_addr_t source, uint64_t match_value, uint32_t length,
                                     void *data_if_available)
{
    (void)context, (void)source, (void)match_value;
    CHECK(data_if_available == NULL);
    seen = length;
    return MX_RECV_CONTINUE;
}

/*
 * When the receiver has enough bytes, further bytes stay with the sender until a receive matches their message, whatever its
 * length, and in pieces or not.
 */
static void stay(void)
{
    static const uint32_t lengths[] = { 1, 2, 8, 33, 129, 1000, 4096, 10000, 32 * KB };
    enum { LENGTHS = sizeof lengths / sizeof *lengths };
    static unsigned char in[32 * KB];
    unsigned char *out = filled(sizeof in, 7);
    mx_request_t sends[LENGTHS];
    begin();
    mx_endpoint_t from = open_any(), to = open_any();
    mx_request_t request;
    OK(mx_iconnect(from, nic_of(to), id_of(to), KEY, 1, NULL, &request));
    mx_status_t status = await_both(from, &request, to);
    CHECK_STATUS(MX_STATUS_SUCCESS, status);
    mx_endpoint_addr_t address = status.source;
    start_sends(from, address, BYTES_MAX / MEDIUM, MEDIUM);
    for (double since = milliseconds(); !is_there(to, BYTES_MAX / MEDIUM - 1, MX_MATCH_MASK_NONE, MEDIUM);) {
        OK(mx_progress(from));
        CHECK(milliseconds() - since < WHILE);
    }
    OK(mx_register_unexp_handler(to, see, NULL));
    for (uint32_t i = 0; i < LENGTHS; i++) {
        uint32_t first = i % 2 == 0 ? lengths[i] : lengths[i] / 2;
        mx_segment_t pieces[] = { { out, first }, { out + first, lengths[i] - first } };
        OK(mx_isend(from, pieces, 1 + i % 2, address, 1000000 + i, NULL, &sends[i]));
    }
    for (double since = milliseconds(); seen != lengths[LENGTHS - 1];) {
        OK(mx_progress(from));
        OK(mx_progress(to));
        CHECK(milliseconds() - since < WHILE);
    }
    for (uint32_t i = LENGTHS; i-- > 0;) {
        CHECK(is_there(to, 1000000 + i, MX_MATCH_MASK_NONE, lengths[i]));
        check_pending(from, &sends[i]);
        memset(in, 0, sizeof in);
        mx_request_t receive = start_receive(to, 1000000 + i, MX_MATCH_MASK_NONE, in, sizeof in);
        CHECK_STATUS(MX_STATUS_SUCCESS, await_both(to, &receive, from));
        CHECK(is_filled(in, lengths[i], 7));
        CHECK_STATUS(MX_STATUS_SUCCESS, await_both(from, &sends[i], to));
    }
    OK(mx_close_endpoint(to));
    end(from);
    free(out);
}

int main(void)
{
    need_mx();
    CHECK(setenv("UCX_TLS", "tcp,self", 0) == 0); /* shared memory takes only a little at a time, and both ends have to take turns */
    hold_up(MEDIUMS, MEDIUM, BYTES_MAX / MEDIUM, MEDIUMS, 40 * KB);
    hold_up(SHORTS, SHORT, MESSAGES_MAX, MESSAGES_MAX, 24 * KB);
    lose(true);
    lose(false);
    within(true);
    within(false);
    stay();
    return 0;
}

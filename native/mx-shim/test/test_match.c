/* Which receive takes which message: match_info and mask, in any order of arrival, with long and short messages. */
#include "check.h"

static const size_t lengths[] = { 0, 1, 32, 128, 5000, 32 * KB, 33 * KB, 300 * KB };
enum { LENGTHS = sizeof lengths / sizeof lengths[0] };

static void expect(mx_endpoint_t endpoint, mx_request_t *request, uint64_t match, const void *data, size_t length)
{
    mx_status_t status = await(endpoint, request);
    CHECK_STATUS(MX_STATUS_SUCCESS, status);
    CHECK(status.match_info == match);
    CHECK(status.msg_length == length);
    CHECK(status.xfer_length == length);
    CHECK(is_filled(data, length, match));
}

/* The endpoint sends to itself, so that it is certain which messages have arrived and which receives are posted. */
static void match(mx_endpoint_t endpoint, mx_endpoint_addr_t self, size_t length)
{
    unsigned char *first = filled(length, 0x100000001), *second = filled(length, 0x200000001), *in = filled(length, 0);
    mx_request_t receive, other, send;
    unsigned char *in2 = filled(length, 0);

    /*
     * Unexpected messages: a receive picks the second one by its upper half, then a receive of any message takes the first one.
     */
    mx_request_t sends[2] = { start_send(endpoint, self, 0x100000001, first, length),
                              start_send(endpoint, self, 0x200000001, second, length) };
    mx_status_t status = await_unexpected(endpoint, 0x200000000, 0xffffffff00000000);
    CHECK(status.match_info == 0x200000001 && status.msg_length == length);
    receive = start_receive(endpoint, 0x200000000, 0xffffffff00000000, in, length);
    expect(endpoint, &receive, 0x200000001, in, length);
    receive = start_receive(endpoint, 0, 0, in, length);
    expect(endpoint, &receive, 0x100000001, in, length);
    for (int i = 0; i < 2; i++)
        CHECK_STATUS(MX_STATUS_SUCCESS, await(endpoint, &sends[i]));

    /* Expected messages: a receive that does not match is passed over. Of those that match, the oldest takes the message. */
    other = start_receive(endpoint, 7, MX_MATCH_MASK_NONE, in2, length);
    receive = start_receive(endpoint, 1, 0xffffffff, in, length);
    mx_request_t younger = start_receive(endpoint, 0, 0, in, length);
    send = start_send(endpoint, self, 0x100000001, first, length);
    CHECK_STATUS(MX_STATUS_SUCCESS, await(endpoint, &send));
    expect(endpoint, &receive, 0x100000001, in, length);
    check_pending(endpoint, &other);
    check_pending(endpoint, &younger);
    send = start_send(endpoint, self, 0x200000001, second, length);
    CHECK_STATUS(MX_STATUS_SUCCESS, await(endpoint, &send));
    expect(endpoint, &younger, 0x200000001, in, length);

    /* Whether a receive asks for one number or for many makes no difference to its turn. */
    for (int exact_first = 0; exact_first < 2; exact_first++) {
        uint64_t masks[2] = { exact_first ? MX_MATCH_MASK_NONE : 0xffffffff, exact_first ? 0xffffffff : MX_MATCH_MASK_NONE };
        mx_request_t turns[2];
        for (int i = 0; i < 2; i++)
            turns[i] = start_receive(endpoint, 0x200000001 & masks[i], masks[i], in, length);
        for (int i = 0; i < 2; i++) {
            send = start_send(endpoint, self, 0x200000001, second, length);
            expect(endpoint, &turns[i], 0x200000001, in, length);
            CHECK_STATUS(MX_STATUS_SUCCESS, await(endpoint, &send));
            if (i == 0)
                check_pending(endpoint, &turns[1]);
        }
    }

    /* All 64 bits are compared. */
    unsigned char *third = filled(length, 7);
    for (unsigned int bit = 3; bit < 64; bit += 20) {
        mx_request_t wrong = start_send(endpoint, self, 7 | (uint64_t)1 << bit, third, length);
        check_pending(endpoint, &other);
        status = receive_message(endpoint, 7 | (uint64_t)1 << bit, MX_MATCH_MASK_NONE, in, length);
        CHECK_STATUS(MX_STATUS_SUCCESS, status);
        CHECK_STATUS(MX_STATUS_SUCCESS, await(endpoint, &wrong));
    }
    send = start_send(endpoint, self, 7, third, length);
    CHECK_STATUS(MX_STATUS_SUCCESS, await(endpoint, &send));
    expect(endpoint, &other, 7, in2, length);

    free(first);
    free(second);
    free(third);
    free(in);
    free(in2);
}

static void refuse_wrong_masks(mx_endpoint_t endpoint)
{
    mx_request_t request = NULL;
    mx_status_t status;
    uint32_t result;
    mx_segment_t segment = { .segment_ptr = &result, .segment_length = sizeof result };
    EXPECT(MX_BAD_MATCH_MASK, mx_irecv(endpoint, &segment, 1, 3, 1, NULL, &request));
    EXPECT(MX_BAD_MATCH_MASK, mx_irecv(endpoint, &segment, 1, 1, 0, NULL, &request));
    EXPECT(MX_BAD_MATCH_MASK, mx_irecv(endpoint, &segment, 1, MX_MATCH_MASK_NONE, MX_MATCH_MASK_NONE >> 1, NULL, &request));
    CHECK(request == NULL);
    EXPECT(MX_BAD_MATCH_MASK, mx_iprobe(endpoint, 1, 0, &status, &result));
    EXPECT(MX_BAD_MATCH_MASK, mx_probe(endpoint, 1, 1, 0, &status, &result));
    EXPECT(MX_BAD_MATCH_MASK, mx_test_any(endpoint, 1, 0, &status, &result));
    EXPECT(MX_BAD_MATCH_MASK, mx_wait_any(endpoint, 1, 1, 0, &status, &result));
}

int main(void)
{
    need_mx();
    begin();
    mx_endpoint_t endpoint = open_any();
    mx_endpoint_addr_t self = connect_to(endpoint, id_of(endpoint));
    refuse_wrong_masks(endpoint);
    for (int i = 0; i < LENGTHS; i++)
        match(endpoint, self, lengths[i]);
    end(endpoint);
    return 0;
}

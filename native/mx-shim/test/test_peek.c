/* Finding what is complete or has arrived, without naming a request: peek, probe, test_any and wait_any. */
#include "check.h"

static mx_endpoint_t endpoint;
static mx_endpoint_addr_t self;

static void nothing_there(void)
{
    mx_request_t request = NULL;
    mx_status_t status;
    uint32_t result = 2;
    OK(mx_ipeek(endpoint, &request, &result));
    CHECK(result == 0 && request == NULL);
    OK(mx_peek(endpoint, 5, &request, &result));
    CHECK(result == 0 && request == NULL);
    OK(mx_test_any(endpoint, 0, 0, &status, &result));
    CHECK(result == 0);
    OK(mx_wait_any(endpoint, 5, 0, 0, &status, &result));
    CHECK(result == 0);
    OK(mx_iprobe(endpoint, 0, 0, &status, &result));
    CHECK(result == 0);
    OK(mx_probe(endpoint, 5, 0, 0, &status, &result));
    CHECK(result == 0);
}

static void peek(void)
{
    int contexts[3];
    mx_request_t receives[3], seen = NULL;
    mx_status_t status;
    uint32_t result = 0;
    for (int i = 0; i < 3; i++)
        OK(mx_irecv(endpoint, NULL, 0, (uint64_t)i, MX_MATCH_MASK_NONE, &contexts[i], &receives[i]));
    static const int order[] = { 2, 0, 1 };
    for (int i = 0; i < 3; i++) {
        mx_request_t send = start_synchronous_send(endpoint, self, (uint64_t)order[i], NULL, 0);
        OK(mx_forget(endpoint, &send));
    }
    /* Peeks give requests in the order in which they completed. A request stays until it is tested. */
    for (int i = 0; i < 3; i++) {
        for (int again = 0; again < 3; again++) {
            OK(mx_peek(endpoint, WHILE, &seen, &result));
            CHECK(result == 1 && seen == receives[order[i]]);
            OK(mx_ipeek(endpoint, &seen, &result));
            CHECK(result == 1 && seen == receives[order[i]]);
        }
        void *context;
        OK(mx_context(&seen, &context));
        CHECK(context == &contexts[order[i]]);
        OK(mx_test(endpoint, &seen, &status, &result));
        CHECK(result == 1 && seen == NULL && status.context == context);
    }
    nothing_there();
}

static void probe(size_t length)
{
    unsigned char *out = filled(length, 2), *in = filled(length, 3);
    mx_request_t sends[2] = { start_send(endpoint, self, 0x100, out, length), start_send(endpoint, self, 0x201, out, length) };
    mx_status_t status;
    uint32_t result = 2;
    for (int again = 0; again < 3; again++) {
        status = await_unexpected(endpoint, 0x200, 0xf00);
        CHECK(status.match_info == 0x201 && status.msg_length == length && status.xfer_length == length);
        uint32_t id;
        OK(mx_decompose_endpoint_addr(status.source, NULL, &id));
        CHECK(id == id_of(endpoint));
        OK(mx_iprobe(endpoint, 0, 0, &status, &result));
        CHECK(result == 1 && status.match_info == 0x100); /* the first one */
        CHECK(status.msg_length == length && status.xfer_length == length);
    }
    OK(mx_iprobe(endpoint, 0x300, 0xf00, &status, &result));
    CHECK(result == 0);
    CHECK_STATUS(MX_STATUS_SUCCESS, receive_message(endpoint, 0x100, MX_MATCH_MASK_NONE, in, length));
    CHECK(is_filled(in, length, 2));
    OK(mx_iprobe(endpoint, 0x100, MX_MATCH_MASK_NONE, &status, &result));
    CHECK(result == 0);
    CHECK_STATUS(MX_STATUS_SUCCESS, receive_message(endpoint, 0x201, MX_MATCH_MASK_NONE, in, length));
    for (int i = 0; i < 2; i++)
        CHECK_STATUS(MX_STATUS_SUCCESS, await(endpoint, &sends[i]));
    free(out);
    free(in);
}

static void any(void)
{
    int contexts[4];
    mx_request_t request, sends[4];
    mx_status_t status;
    uint32_t result = 2;
    for (int i = 0; i < 4; i++) /* two kinds of receives, each of which takes any message of its kind */
        OK(mx_irecv(endpoint, NULL, 0, (uint64_t)(i % 2) << 32, (uint64_t)1 << 32, &contexts[i], &request));
    for (int i = 0; i < 4; i++)
        OK(mx_isend(endpoint, NULL, 0, self, (uint64_t)(i % 2) << 32 | (uint64_t)i, NULL, &sends[i]));
    for (int i = 0; i < 4; i++)
        OK(mx_forget(endpoint, &sends[i]));
    /* The match_info of a completion is the message's, not the receive's. */
    OK(mx_wait_any(endpoint, WHILE, 3, 0xffffffff, &status, &result));
    CHECK(result == 1 && status.context == &contexts[3] && status.match_info == ((uint64_t)1 << 32 | 3));
    OK(mx_test_any(endpoint, 3, 0xffffffff, &status, &result));
    CHECK(result == 0);
    OK(mx_test_any(endpoint, (uint64_t)1 << 32, (uint64_t)1 << 32, &status, &result));
    CHECK(result == 1 && status.context == &contexts[1]);
    OK(mx_wait_any(endpoint, 5, (uint64_t)1 << 32, (uint64_t)1 << 32, &status, &result));
    CHECK(result == 0);
    OK(mx_wait_any(endpoint, WHILE, 0, 0, &status, &result));
    CHECK(result == 1 && status.context == &contexts[0]);
    OK(mx_wait_any(endpoint, WHILE, 0, 0, &status, &result));
    CHECK(result == 1 && status.context == &contexts[2]);
    nothing_there();

    /* Completed sends are found too. */
    OK(mx_isend(endpoint, NULL, 0, self, 99, &contexts[0], &request));
    OK(mx_wait_any(endpoint, WHILE, 99, MX_MATCH_MASK_NONE, &status, &result));
    CHECK(result == 1 && status.context == &contexts[0]);
    CHECK_STATUS(MX_STATUS_SUCCESS, receive_message(endpoint, 99, MX_MATCH_MASK_NONE, NULL, 0));
}

int main(void)
{
    need_mx();
    begin();
    endpoint = open_any();
    self = connect_to(endpoint, id_of(endpoint));
    nothing_there();
    peek();
    static const size_t lengths[] = { 0, 1, 1000, 100 * KB };
    for (int i = 0; i < 4; i++)
        probe(lengths[i]);
    any();
    end(endpoint);
    return 0;
}

/* Requests: synchronous sends, buffering, cancelling, forgetting, contexts. */
#include "check.h"

static mx_endpoint_t endpoint;
static mx_endpoint_addr_t self;
static const size_t lengths[] = { 0, 20, 100, 4000, 32 * KB, 200 * KB };

/* A synchronous send completes when a receive has matched it, and not before, however short the message. */
static void synchronous(size_t length, bool expected)
{
    unsigned char *out = filled(length, 1), *in = filled(length, 2);
    mx_request_t receive = NULL, send;
    mx_status_t status;
    if (expected)
        receive = start_receive(endpoint, 1, MX_MATCH_MASK_NONE, in, length);
    send = start_synchronous_send(endpoint, self, 1, out, length);
    if (!expected) {
        await_unexpected(endpoint, 1, MX_MATCH_MASK_NONE);
        check_pending(endpoint, &send);
        receive = start_receive(endpoint, 1, MX_MATCH_MASK_NONE, in, length);
    }
    status = await(endpoint, &send);
    CHECK_STATUS(MX_STATUS_SUCCESS, status);
    CHECK(status.msg_length == length && status.xfer_length == length && status.match_info == 1);
    status = await(endpoint, &receive);
    CHECK_STATUS(MX_STATUS_SUCCESS, status);
    CHECK(is_filled(in, length, 1));
    free(out);
    free(in);
}

/* As soon as mx_ibuffered gives 1, the memory of a send is free, even if the message has not been received. */
static void buffered(size_t length)
{
    unsigned char *out = filled(length, 3), *in = filled(length, 4);
    mx_request_t send = start_send(endpoint, self, 2, out, length);
    uint32_t result = 2, eager = 0;
    OK(mx_get_info(NULL, MX_COPY_SEND_MAX, NULL, 0, &eager, sizeof eager));
    await_unexpected(endpoint, 2, MX_MATCH_MASK_NONE);
    OK(mx_ibuffered(endpoint, &send, &result));
    CHECK(send != NULL);
    if (length <= eager)
        CHECK(result == 1);
    if (result)
        for (size_t i = 0; i < length; i++)
            out[i] = 0xee;
    mx_request_t receive = start_receive(endpoint, 2, MX_MATCH_MASK_NONE, in, length);
    EXPECT(MX_BAD_REQUEST, mx_ibuffered(endpoint, &receive, &result));
    CHECK_STATUS(MX_STATUS_SUCCESS, await(endpoint, &receive));
    CHECK(is_filled(in, length, 3));
    CHECK_STATUS(MX_STATUS_SUCCESS, await(endpoint, &send));
    free(out);
    free(in);
}

static void cancel(size_t length)
{
    unsigned char *out = filled(length, 5), *in = filled(length, 6);
    uint32_t result = 2;
    mx_request_t receive = start_receive(endpoint, 3, MX_MATCH_MASK_NONE, in, length);
    mx_request_t second = start_receive(endpoint, 3, MX_MATCH_MASK_NONE, in, length);
    OK(mx_cancel(endpoint, &receive, &result));
    CHECK(result == 1 && receive == NULL);
    mx_request_t send = start_synchronous_send(endpoint, self, 3, out, length);
    EXPECT(MX_CANCEL_NOT_SUPPORTED, mx_cancel(endpoint, &send, &result));
    CHECK(send != NULL);
    CHECK_STATUS(MX_STATUS_SUCCESS, await(endpoint, &send)); /* matched */
    OK(mx_cancel(endpoint, &second, &result));
    CHECK(result == 0 && second != NULL);
    CHECK_STATUS(MX_STATUS_SUCCESS, await(endpoint, &second));
    CHECK(is_filled(in, length, 5));

    /* A cancelled receive takes nothing from the next message. */
    receive = start_receive(endpoint, 0, 0, in, length);
    OK(mx_cancel(endpoint, &receive, &result));
    CHECK(result == 1);
    send = start_send(endpoint, self, 3, out, length);
    await_unexpected(endpoint, 3, MX_MATCH_MASK_NONE);
    CHECK_STATUS(MX_STATUS_SUCCESS, receive_message(endpoint, 3, MX_MATCH_MASK_NONE, in, length));
    CHECK_STATUS(MX_STATUS_SUCCESS, await(endpoint, &send));
    free(out);
    free(in);
}

/* A forgotten request goes on, and its completion is not told. */
static void forget(size_t length)
{
    unsigned char *out = filled(length, 7), *in = filled(length, 8);
    mx_status_t status;
    uint32_t result = 2;
    mx_request_t send = start_send(endpoint, self, 4, out, length);
    mx_request_t early = start_receive(endpoint, 4, MX_MATCH_MASK_NONE, in, length);
    OK(mx_forget(endpoint, &send));
    CHECK(send == NULL);
    CHECK_STATUS(MX_STATUS_SUCCESS, await(endpoint, &early));
    CHECK(is_filled(in, length, 7));

    mx_request_t receive = start_receive(endpoint, 4, MX_MATCH_MASK_NONE, in, length);
    OK(mx_forget(endpoint, &receive));
    unsigned char *other = filled(length, 9);
    send = start_synchronous_send(endpoint, self, 4, other, length);
    CHECK_STATUS(MX_STATUS_SUCCESS, await(endpoint, &send));
    send = start_synchronous_send(endpoint, self, 4, out, length);
    CHECK_STATUS(MX_STATUS_SUCCESS, receive_message(endpoint, 4, MX_MATCH_MASK_NONE, out, length)); /* its own message */
    OK(mx_forget(endpoint, &send)); /* it is complete, or almost */
    OK(mx_test_any(endpoint, 0, 0, &status, &result));
    CHECK(result == 0);
    CHECK(is_filled(in, length, 9));
    free(out);
    free(in);
    free(other);
}

static void contexts(void)
{
    int a, b;
    void *context = NULL;
    mx_request_t receive, send;
    OK(mx_irecv(endpoint, NULL, 0, 6, MX_MATCH_MASK_NONE, &a, &receive));
    OK(mx_context(&receive, &context));
    CHECK(context == &a);
    OK(mx_isend(endpoint, NULL, 0, self, 6, &b, &send));
    OK(mx_context(&send, &context));
    CHECK(context == &b);
    CHECK(await(endpoint, &receive).context == &a);
    CHECK(await(endpoint, &send).context == &b);
}

int main(void)
{
    need_mx();
    begin();
    endpoint = open_any();
    self = connect_to(endpoint, id_of(endpoint));
    for (size_t i = 0; i < sizeof lengths / sizeof lengths[0]; i++) {
        synchronous(lengths[i], false);
        synchronous(lengths[i], true);
        buffered(lengths[i]);
        cancel(lengths[i]);
        forget(lengths[i]);
    }
    contexts();

    /* Requests that are not complete when an endpoint is closed end with it. */
    static unsigned char memory[MB];
    for (int i = 0; i < 10; i++) {
        start_receive(endpoint, 50, MX_MATCH_MASK_NONE, memory, sizeof memory);
        start_synchronous_send(endpoint, self, 51, memory, i % 2 ? sizeof memory : 10);
    }
    end(endpoint);
    return 0;
}

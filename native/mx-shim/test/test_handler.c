/* The unexpected handler: which messages it gets, what it decides, and what it may call. */
#include "check.h"

#include <string.h>

static mx_endpoint_t endpoint;
static mx_endpoint_addr_t self;

static struct {
    int calls;
    uint64_t match;
    uint32_t length;
    bool data;
    unsigned char *receive_into; /* if not NULL: the handler posts a receive */
    mx_request_t receive;
    mx_unexp_handler_action_t action;
} seen;

static mx_unexp_handler_action_t handle(void *context, mx_endpoint_addr_t source, uint64_t match, uint32_t length, void *data)
{
    CHECK(context == &seen);
    CHECK(source.stuff[0] == self.stuff[0] && source.stuff[1] == self.stuff[1]);
    seen.calls++;
    seen.match = match;
    seen.length = length;
    seen.data = data != NULL;
    if (data != NULL)
        CHECK(is_filled(data, length, match));
    if (seen.receive_into != NULL)
        seen.receive = start_receive(endpoint, match, MX_MATCH_MASK_NONE, seen.receive_into, length);
    return seen.action;
}

/* A receive that is posted already has priority over the handler. */
static void pass_by(void)
{
    uint64_t out = 5, in = 0;
    seen.calls = 0;
    mx_request_t receive = start_receive(endpoint, 0, 0, &in, sizeof in);
    send_message(endpoint, self, 1, &out, sizeof out);
    CHECK_STATUS(MX_STATUS_SUCCESS, await(endpoint, &receive));
    CHECK(in == 5 && seen.calls == 0);
}

static void await_call(int calls)
{
    for (double since = milliseconds(); seen.calls < calls;) {
        OK(mx_progress(endpoint));
        CHECK(milliseconds() - since < WHILE);
    }
    CHECK(seen.calls == calls);
}

static void keep(size_t length)
{
    unsigned char *out = filled(length, 7), *in = filled(length, 0);
    seen = (__typeof__(seen)){ .action = MX_RECV_CONTINUE };
    mx_request_t send = start_send(endpoint, self, 7, out, length);
    await_call(1);
    CHECK(seen.match == 7 && seen.length == length);
    CHECK(await_unexpected(endpoint, 7, MX_MATCH_MASK_NONE).msg_length == length);
    CHECK_STATUS(MX_STATUS_SUCCESS, receive_message(endpoint, 7, MX_MATCH_MASK_NONE, in, length));
    CHECK(is_filled(in, length, 7) && seen.calls == 1);
    CHECK_STATUS(MX_STATUS_SUCCESS, await(endpoint, &send));

    /* A receive that the handler posts takes the message. */
    memset(in, 0, length);
    seen.receive_into = in;
    free(out);
    out = filled(length, 8);
    send = start_send(endpoint, self, 8, out, length);
    await_call(2);
    CHECK_STATUS(MX_STATUS_SUCCESS, await(endpoint, &seen.receive));
    CHECK(is_filled(in, length, 8));
    CHECK_STATUS(MX_STATUS_SUCCESS, await(endpoint, &send));
    free(out);
    free(in);
}

static void drop(size_t length)
{
    unsigned char *out = filled(length, 9);
    mx_status_t status;
    uint32_t result = 2, eager = 0;
    OK(mx_get_info(NULL, MX_COPY_SEND_MAX, NULL, 0, &eager, sizeof eager));
    seen = (__typeof__(seen)){ .action = MX_RECV_FINISHED };
    mx_request_t send = start_synchronous_send(endpoint, self, 9, out, length);
    CHECK_STATUS(MX_STATUS_SUCCESS, await(endpoint, &send));
    CHECK(seen.calls == 1 && seen.length == length);
    if (length > 0 && length <= 32)
        CHECK(seen.data);
    if (seen.data)
        CHECK(length <= eager);
    OK(mx_iprobe(endpoint, 0, 0, &status, &result));
    CHECK(result == 0);
    free(out);
}

static mx_unexp_handler_action_t misuse(void *context, mx_endpoint_addr_t source, uint64_t match, uint32_t length, void *data)
{
    (void)context, (void)match, (void)length, (void)data;
    mx_status_t status;
    mx_request_t request = start_receive(endpoint, 12345, MX_MATCH_MASK_NONE, NULL, 0), found;
    mx_endpoint_addr_t address;
    uint32_t result = 2;
    EXPECT(MX_CLOSE_IN_HANDLER, mx_close_endpoint(endpoint));
    EXPECT(MX_CLOSE_IN_HANDLER, mx_wait(endpoint, &request, 1, &status, &result));
    EXPECT(MX_CLOSE_IN_HANDLER, mx_wait_any(endpoint, 1, 0, 0, &status, &result));
    EXPECT(MX_CLOSE_IN_HANDLER, mx_peek(endpoint, 1, &found, &result));
    EXPECT(MX_CLOSE_IN_HANDLER, mx_probe(endpoint, 1, 0, 0, &status, &result));
    EXPECT(MX_CLOSE_IN_HANDLER, mx_connect(endpoint, nic_of(endpoint), id_of(endpoint), KEY, 1, &address));
    EXPECT(MX_CLOSE_IN_HANDLER, mx_disconnect(endpoint, source));
    OK(mx_test(endpoint, &request, &status, &result));
    CHECK(result == 0);
    OK(mx_progress(endpoint));
    OK(mx_forget(endpoint, &request));
    seen.calls++;
    static const uint64_t answer = 4711;
    mx_request_t send = start_send(endpoint, source, 21, &answer, sizeof answer);
    OK(mx_forget(endpoint, &send));
    return MX_RECV_FINISHED;
}

int main(void)
{
    need_mx();
    begin();
    endpoint = open_any();
    self = connect_to(endpoint, id_of(endpoint));
    OK(mx_register_unexp_handler(endpoint, handle, &seen));
    pass_by();
    static const size_t lengths[] = { 0, 8, 32, 1000, 32 * KB, 300 * KB };
    for (size_t i = 0; i < sizeof lengths / sizeof lengths[0]; i++) {
        keep(lengths[i]);
        drop(lengths[i]);
    }

    /* Which calls the handler may make and which not. An answer that it sends arrives. */
    uint64_t in = 0;
    seen = (__typeof__(seen)){ .calls = 0 };
    OK(mx_register_unexp_handler(endpoint, misuse, NULL));
    mx_request_t answer = start_receive(endpoint, 21, MX_MATCH_MASK_NONE, &in, sizeof in);
    send_message(endpoint, self, 20, NULL, 0);
    CHECK_STATUS(MX_STATUS_SUCCESS, await(endpoint, &answer));
    CHECK(in == 4711 && seen.calls == 1);

    /* The handler is removed again. */
    OK(mx_register_unexp_handler(endpoint, NULL, NULL));
    send_message(endpoint, self, 22, NULL, 0);
    await_unexpected(endpoint, 22, MX_MATCH_MASK_NONE);
    CHECK(seen.calls == 1);
    end(endpoint);
    return 0;
}

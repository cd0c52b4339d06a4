/* Endpoints: ids, keys, parameters, several in a process, one that sends to itself; and their addresses. */
#include "check.h"

static void ids(void)
{
    mx_endpoint_t first = open_any(), second, third = open_any();
    uint32_t id = id_of(first), most = 0;
    CHECK(id != id_of(third));
    EXPECT(MX_BUSY, mx_open_endpoint(0, id, KEY, NULL, 0, &second));
    OK(mx_close_endpoint(first));
    OK(mx_open_endpoint(0, id, KEY, NULL, 0, &second)); /* the id is free at once */
    CHECK(id_of(second) == id);
    OK(mx_close_endpoint(second));
    OK(mx_close_endpoint(third));
    OK(mx_get_info(NULL, MX_MAX_NATIVE_ENDPOINTS, NULL, 0, &most, sizeof most));
    CHECK(id < most);
    EXPECT(MX_BAD_ENDPOINT_ID, mx_open_endpoint(0, most, KEY, NULL, 0, &second));
    EXPECT(MX_BOARD_UNKNOWN, mx_open_endpoint(1000, MX_ANY_ENDPOINT, KEY, NULL, 0, &second));
}

/* An id that another process has is busy too, until that process ends, in whatever way. */
static void other_process(int channel)
{
    begin();
    tell(channel, id_of(open_any()));
    listen_to(channel);
}

static void ids_of_others(void)
{
    struct peer peer = start_peer(other_process);
    begin();
    mx_endpoint_t endpoint;
    uint32_t id = (uint32_t)listen_to(peer.channel);
    EXPECT(MX_BUSY, mx_open_endpoint(0, id, KEY, NULL, 0, &endpoint));
    peer_kill(&peer);
    OK(mx_open_endpoint(0, id, KEY, NULL, 0, &endpoint));
    end(endpoint);
}

static void parameters(void)
{
    mx_endpoint_t endpoint;
    mx_param_t params[] = {
        { .key = MX_PARAM_UNEXP_QUEUE_MAX, .val = { .unexp_queue_max = 1 } },
        { .key = MX_PARAM_CONTEXT_ID, .val = { .context_id = { .bits = MX_CONTEXT_ID_BITS_MAX, .shift = 48 } } },
    };
    EXPECT(MX_BAD_PARAM_LIST, mx_open_endpoint(0, MX_ANY_ENDPOINT, KEY, NULL, 1, &endpoint));
    OK(mx_open_endpoint(0, MX_ANY_ENDPOINT, KEY, params, 2, &endpoint));
    OK(mx_close_endpoint(endpoint));
    params[1].val.context_id.shift = 49;
    EXPECT(MX_BAD_PARAM_VAL, mx_open_endpoint(0, MX_ANY_ENDPOINT, KEY, params, 2, &endpoint));
    params[1].val.context_id.shift = 0;
    params[1].val.context_id.bits = MX_CONTEXT_ID_BITS_MAX + 1;
    EXPECT(MX_BAD_PARAM_VAL, mx_open_endpoint(0, MX_ANY_ENDPOINT, KEY, params, 2, &endpoint));
    params[0].key = (mx_param_key_t)77;
    EXPECT(MX_BAD_PARAM_NAME, mx_open_endpoint(0, MX_ANY_ENDPOINT, KEY, params, 1, &endpoint));
}

/* Every mask has to contain the context id, and requests of different context ids are not mixed. */
static void context_ids(void)
{
    mx_param_t param = { .key = MX_PARAM_CONTEXT_ID, .val = { .context_id = { .bits = 4, .shift = 60 } } };
    mx_endpoint_t endpoint;
    mx_request_t request = NULL;
    mx_status_t status;
    uint32_t result;
    OK(mx_open_endpoint(0, MX_ANY_ENDPOINT, KEY, &param, 1, &endpoint));
    EXPECT(MX_BAD_MATCHING_FOR_CONTEXT_ID_MASK, mx_irecv(endpoint, NULL, 0, 0, 0, NULL, &request));
    EXPECT(MX_BAD_MATCHING_FOR_CONTEXT_ID_MASK, mx_irecv(endpoint, NULL, 0, 1, (uint64_t)7 << 60 | 1, NULL, &request));
    EXPECT(MX_BAD_MATCHING_FOR_CONTEXT_ID_MASK, mx_iprobe(endpoint, 0, 0, &status, &result));
    EXPECT(MX_BAD_MATCHING_FOR_CONTEXT_ID_MASK, mx_probe(endpoint, 1, 0, 0, &status, &result));
    EXPECT(MX_BAD_MATCHING_FOR_CONTEXT_ID_MASK, mx_test_any(endpoint, 0, 0, &status, &result));
    EXPECT(MX_BAD_MATCHING_FOR_CONTEXT_ID_MASK, mx_wait_any(endpoint, 1, 0, 0, &status, &result));
    EXPECT(MX_NOT_SUPPORTED_WITH_CONTEXT_ID, mx_ipeek(endpoint, &request, &result));
    EXPECT(MX_NOT_SUPPORTED_WITH_CONTEXT_ID, mx_peek(endpoint, 1, &request, &result));

    mx_endpoint_addr_t self = connect_to(endpoint, id_of(endpoint));
    uint64_t mask = (uint64_t)15 << 60, one = (uint64_t)1 << 60, two = (uint64_t)2 << 60;
    mx_request_t first = start_receive(endpoint, one, mask, NULL, 0), second = start_receive(endpoint, two, mask, NULL, 0);
    send_message(endpoint, self, two | 5, NULL, 0);
    OK(mx_wait_any(endpoint, WHILE, two, mask, &status, &result));
    CHECK(result == 1 && status.match_info == (two | 5));
    check_pending(endpoint, &first);
    (void)second;
    OK(mx_close_endpoint(endpoint));
}

enum { MANY = 5 };

/* Every endpoint sends to every endpoint, itself included. Messages carry where they come from and where they go. */
static void several(void)
{
    mx_endpoint_t endpoints[MANY];
    mx_endpoint_addr_t to[MANY][MANY];
    for (int i = 0; i < MANY; i++)
        endpoints[i] = open_any();
    for (int i = 0; i < MANY; i++)
        for (int j = 0; j < MANY; j++) {
            mx_request_t request;
            OK(mx_iconnect(endpoints[i], nic_of(endpoints[j]), id_of(endpoints[j]), KEY, 9, endpoints, &request));
            mx_status_t status = await_both(endpoints[i], &request, endpoints[j]);
            CHECK_STATUS(MX_STATUS_SUCCESS, status);
            CHECK(status.context == endpoints && status.match_info == 9);
            to[i][j] = status.source;
            uint64_t nic;
            uint32_t id;
            OK(mx_decompose_endpoint_addr(to[i][j], &nic, &id));
            CHECK(nic == nic_of(endpoints[j]) && id == id_of(endpoints[j]));
        }
    for (int i = 0; i < MANY; i++)
        for (int j = 0; j < MANY; j++) {
            uint64_t out = (uint64_t)i << 32 | (uint64_t)j, in = 0;
            mx_request_t send = start_send(endpoints[i], to[i][j], 1, &out, sizeof out);
            mx_request_t receive = start_receive(endpoints[j], 1, MX_MATCH_MASK_NONE, &in, sizeof in);
            mx_status_t status = await_both(endpoints[j], &receive, endpoints[i]);
            CHECK(in == out);
            uint32_t id;
            OK(mx_decompose_endpoint_addr(status.source, NULL, &id));
            CHECK(id == id_of(endpoints[i]));
            CHECK_STATUS(MX_STATUS_SUCCESS, await(endpoints[i], &send));
        }
    for (int i = 0; i < MANY; i++)
        OK(mx_close_endpoint(endpoints[i]));
}

static void addresses(void)
{
    mx_endpoint_t endpoint = open_any(), other = open_any();
    mx_endpoint_addr_t own, again, self, garbage = { { UINT64_MAX, 12345 } };
    uint64_t nic;
    uint32_t id, session, session2;
    OK(mx_get_endpoint_addr(endpoint, &own));
    OK(mx_decompose_endpoint_addr2(own, &nic, &id, &session));
    OK(mx_decompose_endpoint_addr2(own, NULL, NULL, NULL));
    uint64_t board_nic;
    OK(mx_board_number_to_nic_id(0, &board_nic));
    CHECK(nic == board_nic && id == id_of(endpoint));
    OK(mx_get_endpoint_addr(other, &again));
    OK(mx_decompose_endpoint_addr2(again, NULL, NULL, &session2));
    EXPECT(MX_BAD_BAD_BAD, mx_decompose_endpoint_addr(garbage, &nic, &id));

    /* The context of an address is found again by a message's source. */
    self = connect_to(endpoint, id_of(endpoint));
    void *context = &own;
    OK(mx_get_endpoint_addr_context(self, &context));
    CHECK(context == NULL);
    OK(mx_set_endpoint_addr_context(self, &nic));
    send_message(endpoint, self, 4, NULL, 0);
    mx_status_t status = receive_message(endpoint, 4, MX_MATCH_MASK_NONE, NULL, 0);
    OK(mx_get_endpoint_addr_context(status.source, &context));
    CHECK(context == &nic);
    OK(mx_decompose_endpoint_addr2(status.source, &nic, &id, &session2));
    CHECK(session2 == session && nic == board_nic && id == id_of(endpoint));

    /* An endpoint that is opened again with the same id has another session. */
    OK(mx_close_endpoint(endpoint));
    OK(mx_open_endpoint(0, id, KEY, NULL, 0, &endpoint));
    OK(mx_get_endpoint_addr(endpoint, &own));
    OK(mx_decompose_endpoint_addr2(own, NULL, NULL, &session2));
    CHECK(session2 != session);
    OK(mx_close_endpoint(endpoint));
    OK(mx_close_endpoint(other));
}

int main(void)
{
    need_mx();
    ids_of_others();
    OK(mx_init());
    ids();
    parameters();
    context_ids();
    several();
    addresses();
    mx_endpoint_t closed = open_any();
    OK(mx_close_endpoint(closed));
    OK(mx_finalize());
    EXPECT(MX_NOT_INITIALIZED, mx_wakeup(closed)); /* the endpoint's error handler is gone as well */
    return 0;
}

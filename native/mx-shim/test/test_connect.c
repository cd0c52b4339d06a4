/* Connecting, with and without waiting, to endpoints that exist and that don't; and disconnecting. */
#include "check.h"

#include <unistd.h>

/* An id that no endpoint has: the library gives out the lowest free ids first. */
static uint32_t nobodys_id(void)
{
    uint32_t most;
    OK(mx_get_info(NULL, MX_MAX_NATIVE_ENDPOINTS, NULL, 0, &most, sizeof most));
    return most - 1 - (uint32_t)getpid() % 1000;
}

static mx_status_t connect_later(mx_endpoint_t endpoint, uint64_t nic, uint32_t id, uint32_t key)
{
    mx_request_t request = NULL;
    OK(mx_iconnect(endpoint, nic, id, key, 11, &request, &request));
    CHECK(request != NULL);
    mx_status_t status = await(endpoint, &request);
    CHECK(status.match_info == 11 && status.context == &request);
    return status;
}

static void fail_to_connect(mx_endpoint_t endpoint, uint32_t peers_id)
{
    uint64_t nic = nic_of(endpoint);
    mx_endpoint_addr_t address;
    uint32_t most, nobody = nobodys_id();
    OK(mx_get_info(NULL, MX_MAX_NATIVE_ENDPOINTS, NULL, 0, &most, sizeof most));
    EXPECT(MX_CONNECTION_FAILED, mx_connect(endpoint, nic, nobody, KEY, WHILE, &address));
    CHECK_STATUS(MX_STATUS_ENDPOINT_CLOSED, connect_later(endpoint, nic, nobody, KEY));
    EXPECT(MX_BAD_CONNECTION_KEY, mx_connect(endpoint, nic, peers_id, KEY + 1, WHILE, &address));
    CHECK_STATUS(MX_STATUS_BAD_KEY, connect_later(endpoint, nic, peers_id, KEY + 1));
    EXPECT(MX_BAD_ENDPOINT_ID, mx_connect(endpoint, nic, most, KEY, WHILE, &address));
}

/* No messages move on the other endpoint, so the answer does not come. */
static void time_out(mx_endpoint_t endpoint)
{
    mx_endpoint_t silent = open_any();
    mx_endpoint_addr_t address;
    OK(mx_disable_progression(silent));
    double since = milliseconds();
    EXPECT(MX_TIMEOUT, mx_connect(endpoint, nic_of(endpoint), id_of(silent), KEY, 200, &address));
    CHECK(milliseconds() - since >= 199);
    mx_request_t request;
    OK(mx_iconnect(endpoint, nic_of(endpoint), id_of(silent), KEY, 1, NULL, &request));
    OK(mx_set_request_timeout(endpoint, request, 100));
    mx_status_t status = await(endpoint, &request);
    CHECK_STATUS(MX_STATUS_TIMEOUT, status);
    CHECK(request == NULL);

    /* When messages move there again, the endpoint can still be connected to. */
    OK(mx_reenable_progression(silent));
    OK(mx_iconnect(endpoint, nic_of(endpoint), id_of(silent), KEY, 1, NULL, &request));
    status = await_both(endpoint, &request, silent);
    CHECK_STATUS(MX_STATUS_SUCCESS, status);
    OK(mx_close_endpoint(silent));
}

/* A second connect costs nothing, and the address is the same. */
static void connect_again(mx_endpoint_t endpoint, uint32_t id)
{
    mx_endpoint_addr_t first = connect_to(endpoint, id), second = connect_to(endpoint, id);
    CHECK(first.stuff[0] == second.stuff[0] && first.stuff[1] == second.stuff[1]);
    mx_status_t status = connect_later(endpoint, nic_of(endpoint), id, KEY);
    CHECK_STATUS(MX_STATUS_SUCCESS, status);
    CHECK(first.stuff[0] == status.source.stuff[0] && first.stuff[1] == status.source.stuff[1]);
}

/* Answers every message at its source, without connecting back. */
static void echo(int channel)
{
    begin();
    mx_endpoint_t endpoint = open_any();
    tell(channel, id_of(endpoint));
    for (;;) {
        uint64_t number = 0;
        mx_status_t status = receive_message(endpoint, 1, MX_MATCH_MASK_NONE, &number, sizeof number);
        CHECK_STATUS(MX_STATUS_SUCCESS, status);
        number++;
        send_message(endpoint, status.source, 2, &number, sizeof number);
        if (number == 100)
            break;
    }
    tell(channel, 0);
    attend_to(channel, endpoint);
    end(endpoint);
}

static void ask(mx_endpoint_t endpoint, mx_endpoint_addr_t peer, uint64_t number)
{
    uint64_t answer = 0;
    mx_request_t receive = start_receive(endpoint, 2, MX_MATCH_MASK_NONE, &answer, sizeof answer);
    send_message(endpoint, peer, 1, &number, sizeof number);
    mx_status_t status = await(endpoint, &receive);
    CHECK_STATUS(MX_STATUS_SUCCESS, status);
    CHECK(answer == number + 1);
    CHECK(status.source.stuff[0] == peer.stuff[0] && status.source.stuff[1] == peer.stuff[1]);
}

static void disconnect(mx_endpoint_t endpoint, uint32_t id)
{
    mx_endpoint_addr_t peer = connect_to(endpoint, id);
    ask(endpoint, peer, 1);
    OK(mx_disconnect(endpoint, peer));
    mx_request_t request = start_send(endpoint, peer, 1, &id, sizeof id);
    CHECK_STATUS(MX_STATUS_BAD_SESSION, await(endpoint, &request));
    peer = connect_to(endpoint, id);
    ask(endpoint, peer, 2);

    /* Sends that are under way at mx_disconnect complete. */
    mx_request_t sends[2] = { start_synchronous_send(endpoint, peer, 77, &id, sizeof id), NULL };
    unsigned char *large = filled(MB, 1);
    sends[1] = start_synchronous_send(endpoint, peer, 77, large, MB);
    check_pending(endpoint, &sends[0]);
    OK(mx_disconnect(endpoint, peer));
    for (int i = 0; i < 2; i++)
        CHECK_STATUS(MX_STATUS_ENDPOINT_UNREACHABLE, await(endpoint, &sends[i]));
    free(large);
    peer = connect_to(endpoint, id);
    ask(endpoint, peer, 3);
}

static void send_without_connection(mx_endpoint_t endpoint)
{
    mx_endpoint_addr_t nowhere = { { 0, 0 } };
    mx_request_t request = start_send(endpoint, nowhere, 1, &nowhere, 4);
    CHECK_STATUS(MX_STATUS_BAD_SESSION, await(endpoint, &request));
    nowhere.stuff[0] = UINT64_MAX;
    request = start_synchronous_send(endpoint, nowhere, 1, &nowhere, 4);
    CHECK_STATUS(MX_STATUS_BAD_SESSION, await(endpoint, &request));
}

int main(void)
{
    need_mx();
    struct peer peer = start_peer(echo);
    begin();
    mx_endpoint_t endpoint = open_any();
    uint32_t id = (uint32_t)listen_to(peer.channel);
    fail_to_connect(endpoint, id);
    connect_again(endpoint, id);
    time_out(endpoint);
    disconnect(endpoint, id);
    send_without_connection(endpoint);
    ask(endpoint, connect_to(endpoint, id), 99);
    attend_to(peer.channel, endpoint);
    tell(peer.channel, 0);
    peer_finish(&peer);
    end(endpoint);
    return 0;
}

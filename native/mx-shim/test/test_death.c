/*
 * The other process closes its endpoint, is killed, or has been replaced by another one: connected endpoints are told within a
 * second.
 */
#include "check.h"

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
enum { SOON = 5000 };
#else
enum { SOON = 1000 /* ms; the kernel tells of the end at once, and the rest is processor time */ };
#endif

static unsigned char memory[MB];

/* Connects, then does what the number says: 0 closes the endpoint, others wait to be killed. */
static void other_process(int channel)
{
    begin();
    mx_endpoint_t endpoint = open_any();
    mx_endpoint_addr_t peer = meet(channel, endpoint);
    send_message(endpoint, peer, 5, memory, 100);
    tell(channel, 0);
    while (attend_to(channel, endpoint) != 0)
        ;
    end(endpoint);
    tell(channel, 0);
}

static bool is_end(mx_status_t status)
{
    return status.code == MX_STATUS_ENDPOINT_CLOSED || status.code == MX_STATUS_ENDPOINT_UNREACHABLE;
}

static void lose(bool killed)
{
    struct peer peer = start_peer(other_process);
    begin();
    mx_endpoint_t endpoint = open_any();
    mx_endpoint_addr_t address = meet(peer.channel, endpoint);
    mx_status_code_t expected = killed ? MX_STATUS_ENDPOINT_UNREACHABLE : MX_STATUS_ENDPOINT_CLOSED;
    mx_request_t any = start_receive(endpoint, 99, MX_MATCH_MASK_NONE, memory, sizeof memory);
    mx_request_t sends[3] = {
        start_synchronous_send(endpoint, address, 1, memory, 10),
        start_synchronous_send(endpoint, address, 1, memory, sizeof memory),
        start_send(endpoint, address, 1, memory, sizeof memory),
    };
    check_pending(endpoint, &sends[0]);
    attend_to(peer.channel, endpoint);
    await_unexpected(endpoint, 5, MX_MATCH_MASK_NONE);
    double since = milliseconds();
    if (killed) {
        peer_kill(&peer);
    } else {
        tell(peer.channel, 0);
        attend_to(peer.channel, endpoint);
        peer_finish(&peer);
        since = milliseconds(); /* the end of the peer may have taken some time */
    }
    for (int i = 0; i < 3; i++) {
        mx_status_t status = await(endpoint, &sends[i]);
        CHECK_STATUS(expected, status);
    }
    CHECK(milliseconds() - since < SOON);
    /*
     * Later sends fail too. But a receive may wait for any sender, so it stays, and messages that had arrived are still there.
     */
    mx_request_t late = start_send(endpoint, address, 1, memory, 10);
    mx_status_t status = await(endpoint, &late);
    CHECK(is_end(status) || status.code == MX_STATUS_BAD_SESSION);
    check_pending(endpoint, &any);
    status = receive_message(endpoint, 5, MX_MATCH_MASK_NONE, memory, sizeof memory);
    CHECK_STATUS(MX_STATUS_SUCCESS, status);
    CHECK(status.msg_length == 100);
    end(endpoint);
}

/* A long message whose sender dies while it is being received does not complete as received. */
static void sender(int channel)
{
    begin();
    mx_endpoint_t endpoint = open_any();
    mx_endpoint_addr_t peer = meet(channel, endpoint);
    mx_request_t send = start_send(endpoint, peer, 1, memory, sizeof memory);
    tell(channel, 0);
    attend_to(channel, endpoint);
    OK(mx_forget(endpoint, &send));
}

static void lose_sender(void)
{
    struct peer peer = start_peer(sender);
    begin();
    mx_endpoint_t endpoint = open_any();
    meet(peer.channel, endpoint);
    attend_to(peer.channel, endpoint);
    CHECK(await_unexpected(endpoint, 1, MX_MATCH_MASK_NONE).msg_length == sizeof memory);
    peer_kill(&peer);
    static unsigned char in[MB];
    mx_request_t receive = start_receive(endpoint, 1, MX_MATCH_MASK_NONE, in, sizeof in);
    mx_status_t status = await(endpoint, &receive);
    CHECK_STATUS(MX_STATUS_ENDPOINT_UNREACHABLE, status);
    end(endpoint);
}

/* An endpoint that is closed and opened again with the same id: the old address is of no use, the new one works. */
static void reopen(void)
{
    begin();
    mx_endpoint_t endpoint = open_any(), other = open_any();
    uint32_t id = id_of(other);
    mx_request_t request;
    OK(mx_iconnect(endpoint, nic_of(other), id, KEY, 1, NULL, &request));
    mx_status_t status = await_both(endpoint, &request, other);
    CHECK_STATUS(MX_STATUS_SUCCESS, status);
    mx_endpoint_addr_t old = status.source;
    OK(mx_close_endpoint(other));
    OK(mx_open_endpoint(0, id, KEY, NULL, 0, &other));
    request = start_synchronous_send(endpoint, old, 1, memory, 10);
    status = await_both(endpoint, &request, other);
    CHECK(is_end(status) || status.code == MX_STATUS_BAD_SESSION);

    OK(mx_iconnect(endpoint, nic_of(other), id, KEY, 1, NULL, &request));
    status = await_both(endpoint, &request, other);
    CHECK_STATUS(MX_STATUS_SUCCESS, status);
    request = start_send(endpoint, status.source, 2, memory, 10);
    mx_request_t receive = start_receive(other, 2, MX_MATCH_MASK_NONE, memory, sizeof memory);
    CHECK_STATUS(MX_STATUS_SUCCESS, await_both(other, &receive, endpoint));
    CHECK_STATUS(MX_STATUS_SUCCESS, await(endpoint, &request));
    OK(mx_close_endpoint(other));
    end(endpoint);
}

/* Messages whose sends had completed before the endpoint was closed arrive. */
static void last_words(int channel)
{
    begin();
    mx_endpoint_t endpoint = open_any();
    mx_endpoint_addr_t peer = meet(channel, endpoint);
    for (uint64_t i = 0; i < 100; i++)
        send_message(endpoint, peer, i, memory, (size_t)i * 100);
    end(endpoint);
    tell(channel, 0);
}

static void hear_last_words(void)
{
    struct peer peer = start_peer(last_words);
    begin();
    mx_endpoint_t endpoint = open_any();
    meet(peer.channel, endpoint);
    attend_to(peer.channel, endpoint);
    peer_finish(&peer);
    for (uint64_t i = 0; i < 100; i++) {
        mx_status_t status = receive_message(endpoint, i, MX_MATCH_MASK_NONE, memory, sizeof memory);
        CHECK_STATUS(MX_STATUS_SUCCESS, status);
        CHECK(status.msg_length == i * 100);
    }
    end(endpoint);
}

int main(void)
{
    need_mx();
    lose(false);
    lose(true);
    lose_sender();
    hear_last_words();
    reopen();
    return 0;
}

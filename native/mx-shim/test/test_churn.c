/*
 * Endpoints that are opened, connected, used and closed, again and again, in one process and in two: nothing is left of them.
 * The argument, if any, is the number of rounds.
 */
#include "check.h"

#include <malloc.h>

enum { WARM_UP = 20 };

static unsigned char data[100 * KB];

static void use(mx_endpoint_t endpoint, mx_endpoint_addr_t to, mx_endpoint_t other)
{
    static unsigned char in[100 * KB];
    mx_request_t receive = start_receive(other, 1, MX_MATCH_MASK_NONE, in, sizeof in);
    mx_request_t send = start_send(endpoint, to, 1, data, sizeof data), unexpected = start_send(endpoint, to, 2, data, 1000);
    CHECK_STATUS(MX_STATUS_SUCCESS, await_both(other, &receive, endpoint));
    CHECK_STATUS(MX_STATUS_SUCCESS, await_both(endpoint, &send, other));
    CHECK_STATUS(MX_STATUS_SUCCESS, await_both(endpoint, &unexpected, other));
}

/* One endpoint stays, others come and go, with messages that no receive takes. */
static void come_and_go(mx_endpoint_t endpoint)
{
    mx_endpoint_t other = open_any();
    mx_request_t request;
    OK(mx_iconnect(other, nic_of(endpoint), id_of(endpoint), KEY, 1, NULL, &request));
    mx_status_t status = await_both(other, &request, endpoint);
    CHECK_STATUS(MX_STATUS_SUCCESS, status);
    use(other, status.source, endpoint);
    start_receive(other, 77, MX_MATCH_MASK_NONE, data, 1);
    OK(mx_close_endpoint(other));
    CHECK_STATUS(MX_STATUS_SUCCESS, receive_message(endpoint, 2, MX_MATCH_MASK_NONE, data, sizeof data));
}

struct usage {
    int descriptors, threads;
    size_t memory;
};

static struct usage usage(void)
{
    return (struct usage){ .descriptors = open_descriptors(), .threads = own_threads(), .memory = mallinfo2().uordblks };
}

/* What is closed may disappear only after a while. */
static struct usage settled_usage(mx_endpoint_t endpoint, int descriptors)
{
    for (double since = milliseconds(); open_descriptors() > descriptors && milliseconds() - since < WHILE;)
        OK(mx_progress(endpoint));
    return usage();
}

/* The other process. Here only the connection is made and ended again; the endpoints stay. */
static void answer(int channel)
{
    begin();
    mx_endpoint_t endpoint = open_any();
    tell(channel, id_of(endpoint));
    int warm = 0;
    for (uint64_t count = 0; (count = attend_to(channel, endpoint)) != 0;) {
        for (uint64_t i = 0; i < count; i++) {
            uint64_t number;
            mx_status_t status = receive_message(endpoint, 1, MX_MATCH_MASK_NONE, &number, sizeof number);
            CHECK_STATUS(MX_STATUS_SUCCESS, status);
            mx_request_t send = start_send(endpoint, status.source, 2, &number, sizeof number);
            await(endpoint, &send);
        }
        tell(channel, 1);
        attend_to(channel, endpoint); /* all connections are closed */
        struct usage after = count > WARM_UP ? settled_usage(endpoint, warm) : usage();
        warm = after.descriptors;
        tell(channel, (uint64_t)after.descriptors);
        tell(channel, after.memory);
    }
    end(endpoint);
}

static void connect_once(mx_endpoint_t endpoint, uint32_t id, uint64_t number)
{
    uint64_t in = 0;
    mx_endpoint_addr_t peer = connect_to(endpoint, id);
    mx_request_t receive = start_receive(endpoint, 2, MX_MATCH_MASK_NONE, &in, sizeof in);
    send_message(endpoint, peer, 1, &number, sizeof number);
    CHECK_STATUS(MX_STATUS_SUCCESS, await(endpoint, &receive));
    CHECK(in == number);
    OK(mx_disconnect(endpoint, peer));
}

/* Memory may grow by caches, but not with the number of rounds. */
static void check_same(struct usage before, struct usage after, uint64_t rounds)
{
    printf("descriptors %d, then %d; threads %d, then %d; memory %zu, then %zu\n", before.descriptors, after.descriptors,
           before.threads, after.threads, before.memory, after.memory);
    CHECK(after.descriptors <= before.descriptors);
    CHECK(after.threads <= before.threads);
    CHECK(after.memory < before.memory + 64 * KB + rounds * 16);
}

int main(int count, char **arguments)
{
    uint64_t rounds = count > 1 ? strtoul(arguments[1], NULL, 10) : 200;
    need_mx();
    struct peer peer = start_peer(answer);
    begin();
    mx_endpoint_t endpoint = open_any();
    uint32_t id = (uint32_t)listen_to(peer.channel);
    struct usage before, after, theirs[2] = { { .threads = 0 } };

    for (int pass = 0; pass < 2; pass++) {
        uint64_t times = pass == 0 ? WARM_UP : rounds;
        before = usage();
        tell(peer.channel, times);
        for (uint64_t i = 0; i < times; i++)
            connect_once(endpoint, id, i);
        attend_to(peer.channel, endpoint);
        tell(peer.channel, 1);
        after = pass == 0 ? usage() : settled_usage(endpoint, before.descriptors);
        theirs[pass] = (struct usage){ .descriptors = (int)attend_to(peer.channel, endpoint),
                                       .memory = (size_t)attend_to(peer.channel, endpoint) };
    }
    check_same(before, after, rounds);
    check_same(theirs[0], theirs[1], rounds);
    tell(peer.channel, 0);
    peer_finish(&peer);

    for (int i = 0; i < 5; i++)
        come_and_go(endpoint);
    before = usage();
    for (uint64_t i = 0; i < rounds / 10; i++)
        come_and_go(endpoint);
    check_same(before, settled_usage(endpoint, before.descriptors), rounds);
    OK(mx_close_endpoint(endpoint));

    endpoint = open_any();
    OK(mx_close_endpoint(endpoint));
    before = usage();
    for (uint64_t i = 0; i < rounds / 10; i++) {
        endpoint = open_any();
        OK(mx_close_endpoint(endpoint));
    }
    check_same(before, usage(), rounds);
    OK(mx_finalize());
    return 0;
}

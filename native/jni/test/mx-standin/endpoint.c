/* Endpoints, their addresses, connecting. */
#include "standin.h"

#include <stdlib.h>
#include <sys/eventfd.h>
#include <time.h>
#include <unistd.h>

static uint64_t now_millis(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}

/* All peers that were ever made, so that an invalid address is recognised. */
static struct peer **peers;
static size_t peer_count;

static struct peer *new_peer(struct mx_endpoint *endpoint, uint32_t id, uint32_t session)
{
    struct peer *it = calloc(1, sizeof *it);
    peers = realloc(peers, (peer_count + 1) * sizeof(struct peer *));
    if (it == NULL || peers == NULL)
        abort();
    peers[peer_count++] = it;
    it->endpoint = endpoint;
    it->id = id;
    it->session = session;
    SLIST_INSERT_HEAD(&endpoint->peers, it, next);
    return it;
}

struct peer *peer_find(struct mx_endpoint *endpoint, uint32_t id, uint32_t session)
{
    struct peer *it;
    SLIST_FOREACH(it, &endpoint->peers, next)
        if (it->id == id && it->session == session)
            return it;
    return new_peer(endpoint, id, session);
}

mx_endpoint_addr_t peer_address(struct peer *it)
{
    return (mx_endpoint_addr_t){{(uint64_t)(uintptr_t)it, ~(uint64_t)(uintptr_t)it}};
}

struct peer *peer_of(mx_endpoint_addr_t address)
{
    for (size_t i = 0; i < peer_count; i++)
        if ((uint64_t)(uintptr_t)peers[i] == address.stuff[0] && address.stuff[1] == ~address.stuff[0])
            return peers[i];
    calls_violation("an address", "it is none");
    return NULL;
}

void peer_lose(struct mx_endpoint *endpoint, struct peer *it, mx_status_code_t code)
{
    it->connected = false;
    requests_end(endpoint, it, code);
}

EXPORTED mx_return_t mx_open_endpoint(uint32_t board, uint32_t id, uint32_t key, mx_param_t *params, uint32_t count,
                                      mx_endpoint_t *out)
{
    mx_return_t error;
    if (!ENTER(NULL, &error))
        return error;
    CHECK(board == 0 || board == MX_ANY_NIC, "board");
    CHECK(id == MX_ANY_ENDPOINT, "this stand-in chooses the id");
    CHECK(params == NULL && count == 0, "it knows no parameters");
    struct mx_endpoint *it = calloc(1, sizeof *it);
    if (it == NULL)
        abort();
    for (it->socket = -1; it->socket < 0 && it->id < ENDPOINTS; it->id += it->socket < 0)
        it->socket = fabric_bind(it->id);
    it->bell = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    if (it->socket < 0 || it->bell < 0)
        return LEAVE(NULL, MX_NO_RESOURCES); /* the parts that were made stay: the test ends here */
    it->key = key;
    it->session = (uint32_t)getpid() << 8 | it->id;
    SLIST_INIT(&it->peers);
    TAILQ_INIT(&it->under_way);
    TAILQ_INIT(&it->complete);
    TAILQ_INIT(&it->notes);
    TAILQ_INIT(&it->unexpected);
    *out = it;
    return LEAVE(NULL, MX_SUCCESS);
}

EXPORTED mx_return_t mx_close_endpoint(mx_endpoint_t it)
{
    mx_return_t error;
    if (!ENTER(it, &error))
        return error;
    CHECK(it->users == 1, "another call is under way");
    struct peer *peer;
    SLIST_FOREACH(peer, &it->peers, next)
        if (peer->connected)
            fabric_send(it, peer, &(struct letter){.kind = BYE}, NULL, -1);
    it->closed = true;
    close(it->socket);
    close(it->bell);
    fabric_unbind(it->id);
    return LEAVE(it, MX_SUCCESS);
}

EXPORTED mx_return_t mx_wakeup(mx_endpoint_t it)
{
    mx_return_t error;
    if (!ENTER(it, &error))
        return error;
    it->wakeups++;
    ring(it);
    return LEAVE(it, MX_SUCCESS);
}

EXPORTED mx_return_t mx_get_endpoint_addr(mx_endpoint_t it, mx_endpoint_addr_t *out)
{
    mx_return_t error;
    if (!ENTER(it, &error))
        return error;
    *out = peer_address(peer_find(it, it->id, it->session));
    return LEAVE(it, MX_SUCCESS);
}

static mx_return_t decompose(mx_endpoint_addr_t address, uint64_t *nic, uint32_t *id, uint32_t *session)
{
    struct peer *it = peer_of(address);
    if (it == NULL)
        return MX_BAD_BAD_BAD;
    *nic = NIC;
    *id = it->id;
    if (session != NULL)
        *session = it->session;
    return MX_SUCCESS;
}

EXPORTED mx_return_t mx_decompose_endpoint_addr(mx_endpoint_addr_t address, uint64_t *nic, uint32_t *id)
{
    mx_return_t error;
    return ENTER(NULL, &error) ? LEAVE_QUIETLY(NULL, decompose(address, nic, id, NULL)) : error;
}

#if STANDIN_SESSIONS
EXPORTED mx_return_t mx_decompose_endpoint_addr2(mx_endpoint_addr_t address, uint64_t *nic, uint32_t *id, uint32_t *session)
{
    mx_return_t error;
    return ENTER(NULL, &error) ? LEAVE_QUIETLY(NULL, decompose(address, nic, id, session)) : error;
}
#endif

/* Asks, and returns the peer's answer, MX_CONNECTION_FAILED if no endpoint has the id, or MX_TIMEOUT, after mx_wakeup too. */
static mx_return_t await_answer(struct mx_endpoint *it, struct peer *asked, const struct letter *letter, uint32_t timeout)
{
    uint64_t end = now_millis() + timeout;
    unsigned wakeups = it->wakeups;
    bool sent = false;
    while (asked->number != 0 && it->wakeups == wakeups && now_millis() < end) {
        enum delivery delivery = sent ? DELIVERED : fabric_send(it, asked, letter, NULL, -1);
        if (delivery == NOBODY)
            return MX_CONNECTION_FAILED;
        sent = delivery == DELIVERED;
        progress(it);
        if (asked->number != 0)
            sleep_a_while(it, sent ? (int)(end - now_millis()) : 1);
    }
    return asked->number == 0 ? asked->answer : MX_TIMEOUT;
}

static struct peer *connected_to(struct mx_endpoint *it, uint32_t id)
{
    struct peer *peer;
    SLIST_FOREACH(peer, &it->peers, next)
        if (peer->id == id && peer->connected && fabric_send(it, peer, &(struct letter){.kind = NOTHING}, NULL, -1) != NOBODY)
            return peer;
    return NULL;
}

EXPORTED mx_return_t mx_connect(mx_endpoint_t it, uint64_t nic, uint32_t id, uint32_t key, uint32_t timeout,
                                mx_endpoint_addr_t *out)
{
    mx_return_t error;
    if (!ENTER(it, &error))
        return error;
    CHECK(timeout != MX_INFINITE, "a wait without end");
    if (nic != NIC)
        return LEAVE(it, MX_NIC_NOT_FOUND);
    struct peer *known = connected_to(it, id);
    if (known != NULL) {
        *out = peer_address(known);
        return LEAVE(it, MX_SUCCESS);
    }
    struct peer *asked = new_peer(it, id, 0); /* the answer will name the session */
    asked->number = ++it->last_number;
    error = await_answer(it, asked, &(struct letter){.kind = CONNECT, .key = key, .number = asked->number}, timeout);
    SLIST_REMOVE(&it->peers, asked, peer, next);
    if (error == MX_SUCCESS) {
        struct peer *peer = peer_find(it, id, asked->answer_session);
        peer->connected = true;
        *out = peer_address(peer);
    }
    return LEAVE(it, error);
}

EXPORTED mx_return_t mx_disconnect(mx_endpoint_t it, mx_endpoint_addr_t address)
{
    mx_return_t error;
    if (!ENTER(it, &error))
        return error;
    struct peer *peer = peer_of(address);
    if (peer != NULL)
        peer_lose(it, peer, MX_STATUS_ENDPOINT_UNREACHABLE);
    return LEAVE(it, peer == NULL ? MX_BAD_BAD_BAD : MX_SUCCESS);
}

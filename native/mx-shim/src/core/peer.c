#include "core/peer.h"

#include <stdlib.h>
#include <string.h>

#include "core/random.h"

#define OURSELVES UINT32_MAX /* the index in an endpoint's own address: its peer is found by nic and eid instead */

/* ---- addresses ---- */

/*
 *   63       32 31    16 15      0
 *  |    nic    |  eid   |  slot   |    stuff[0]
 *  |  session  |      index       |    stuff[1]
 *
 * The session here is the peer's session plus the number of peers that our endpoint had made before. If a connection is lost,
 * messages of it may be missing. So a new connection with the same endpoint has another address (PEER-5).
 */
static mx_endpoint_addr_t address_pack(uint16_t slot, uint64_t nic, uint32_t eid, uint32_t session, uint32_t index)
{
    return (mx_endpoint_addr_t){ { nic << 32 | eid << 16 | slot, (uint64_t)session << 32 | index } };
}

static uint32_t index_of(mx_endpoint_addr_t address)
{
    return (uint32_t)address.stuff[1];
}

struct peer_place peer_place_of(mx_endpoint_addr_t address)
{
    return (struct peer_place){
        .nic = address.stuff[0] >> 32,
        .eid = (uint32_t)(address.stuff[0] >> 16 & 0xffff),
        .slot = (uint16_t)address.stuff[0],
        .session = (uint32_t)(address.stuff[1] >> 32),
    };
}

mx_endpoint_addr_t peer_address(const struct peer *peer)
{
    uint32_t session = peer->session + peer->former;
    session += session < peer->session; /* 0 is no session */
    return address_pack(peer->endpoint->slot, peer->nic, peer->eid, session, peer->label.index);
}

struct wire_head peer_head(const struct peer *peer)
{
    return (struct wire_head){ peer->to, peer->endpoint->session + peer->former };
}

bool peer_says(const struct peer *peer, const struct wire_head *head)
{
    return head->connection == peer->session + peer->its_former;
}

static struct peer *peer_at(const endpoint *ep, uint32_t index)
{
    return index < ep->peers_size ? ep->peers[index] : NULL;
}

/* The peer at this place, in any state; NULL: none. */
static struct peer *find_peer(const endpoint *ep, uint64_t nic, uint32_t eid)
{
    for (uint32_t i = 0; i < ep->peers_size; i++)
        if (ep->peers[i] != NULL && ep->peers[i]->nic == nic && ep->peers[i]->eid == eid)
            return ep->peers[i];
    return NULL;
}

mx_endpoint_addr_t peer_own_address(const endpoint *ep)
{
    return address_pack(ep->slot, ep->nic, ep->eid, ep->session, OURSELVES);
}

bool peer_is_own_address(const endpoint *ep, mx_endpoint_addr_t address)
{
    mx_endpoint_addr_t own = peer_own_address(ep);
    return memcmp(&own, &address, sizeof own) == 0;
}

struct peer *peer_of_address(const endpoint *ep, mx_endpoint_addr_t address)
{
    bool ours = index_of(address) == OURSELVES;
    struct peer *peer = ours ? find_peer(ep, ep->nic, ep->eid) : peer_at(ep, index_of(address));
    if (peer == NULL || (peer->session == 0 && !ours))
        return NULL;
    mx_endpoint_addr_t its = ours ? peer_own_address(ep) : peer_address(peer);
    return memcmp(&its, &address, sizeof its) == 0 ? peer : NULL;
}

struct peer *peer_of_label(const endpoint *ep, struct wire_label label)
{
    struct peer *peer = peer_at(ep, label.index);
    return peer != NULL && peer->state != PEER_GONE && peer->label.check == label.check ? peer : NULL;
}

/* ---- the table ---- */

static bool free_index(endpoint *ep, uint32_t *index)
{
    for (*index = 0; *index < ep->peers_size; ++*index)
        if (ep->peers[*index] == NULL)
            return true;
    uint32_t size = ep->peers_size == 0 ? 8 : 2 * ep->peers_size;
    struct peer **peers = realloc(ep->peers, size * sizeof(struct peer *));
    if (peers == NULL)
        return false;
    memset(peers + ep->peers_size, 0, (size - ep->peers_size) * sizeof(struct peer *));
    ep->peers = peers;
    ep->peers_size = size;
    return true;
}

struct peer *peer_create(endpoint *ep, uint64_t nic, uint32_t eid)
{
    struct peer *peer = calloc(1, sizeof *peer);
    struct peer *former = find_peer(ep, nic, eid);
    uint32_t index = former != NULL ? former->label.index : 0;
    if (peer == NULL || (former == NULL && !free_index(ep, &index))) {
        free(peer);
        return NULL;
    }
    if (former != NULL)
        peer_remove(former);
    peer->endpoint = ep;
    peer->former = ep->peers_made++;
    peer->nic = nic;
    peer->eid = eid;
    peer->label = (struct wire_label){ index, random_number() };
    TAILQ_INIT(&peer->early);
    TAILQ_INIT(&peer->queue.all);
    ep->peers[index] = peer;
    return peer;
}

struct peer *peer_live(const endpoint *ep, uint64_t nic, uint32_t eid)
{
    struct peer *peer = find_peer(ep, nic, eid);
    return peer != NULL && peer->state != PEER_GONE ? peer : NULL;
}

/* ---- requests and links ---- */

struct peer *peer_of_request(const struct request *request)
{
    struct request_queue *queue = request->queue;
    return queue == NULL ? NULL : (struct peer *)(void *)((char *)queue - offsetof(struct peer, queue));
}

struct request *peer_request(const struct peer *peer, enum request_kind kind, uint32_t number)
{
    struct request *request;
    TAILQ_FOREACH(request, &peer->queue.all, of_queue)
        if (request->kind == kind && request->waits && request->number == number)
            return request;
    return NULL;
}

bool peer_add_link(struct peer *peer, struct link *link)
{
    if (peer->links[1] != NULL)
        return false;
    peer->links[1] = peer->links[0];
    peer->links[0] = link;
    return true;
}

static void fail_requests(struct peer *peer, mx_status_code_t fate, bool sends_too)
{
    for (struct request *request = TAILQ_FIRST(&peer->queue.all), *next; request != NULL; request = next) {
        next = TAILQ_NEXT(request, of_queue);
        if (request->kind != REQUEST_CONNECT && !sends_too)
            continue;
        request->status.code = fate;
        TAILQ_REMOVE(&peer->queue.all, request, of_queue);
        request->queue = NULL;
        if (!request->under_way) /* else it completes when its link is closed */
            request_complete(request, fate);
    }
}

void peer_drop_unanswered(struct peer *peer, mx_status_code_t fate)
{
    fail_requests(peer, fate, false);
    peer->links[1] = NULL; /* peer_add_link has put the peer's link first */
    link_close(peer->unanswered);
    peer->unanswered = NULL;
}

void peer_lose(struct peer *peer, mx_status_code_t fate)
{
    if (peer->state == PEER_GONE)
        return;
    peer->state = PEER_GONE;
    peer->fate = fate;
    peer->queue.held = NULL;
    fail_requests(peer, fate, true);
    for (unsigned int i = 0; i < PEER_LINKS; i++)
        if (peer->links[i] != NULL)
            link_close(peer->links[i]);
    memset(peer->links, 0, sizeof peer->links);
    peer->unanswered = NULL;
    /* After the links are closed: dropping a message tells its sender that it has been taken. */
    arrivals_drop_early(peer->endpoint, &peer->early);
    if (peer->session != 0)
        arrivals_drop_remote(peer->endpoint, peer_address(peer));
}

void peer_remove(struct peer *peer)
{
    peer_lose(peer, MX_STATUS_ENDPOINT_UNREACHABLE);
    peer->endpoint->peers[peer->label.index] = NULL;
    free(peer);
}

/* Ends the connection. Removes a peer that was not connected: no program has its address. */
static void lose(struct peer *peer, mx_status_code_t fate)
{
    bool connected = peer->state == PEER_CONNECTED;
    peer_lose(peer, fate);
    if (!connected)
        peer_remove(peer);
}

void peer_lost_link(struct peer *peer, const struct link *link, bool refused)
{
    if (peer->state == PEER_CONNECTED && link == peer->unanswered)
        peer_drop_unanswered(peer, refused ? MX_STATUS_ENDPOINT_CLOSED : MX_STATUS_ENDPOINT_UNREACHABLE);
    else
        lose(peer, refused || peer->said_bye ? MX_STATUS_ENDPOINT_CLOSED : MX_STATUS_ENDPOINT_UNREACHABLE);
}

void peers_lose_unsendable(endpoint *ep)
{
    ep->send_failed = false;
    for (uint32_t i = 0; i < ep->peers_size; i++)
        if (ep->peers[i] != NULL && ep->peers[i]->state != PEER_GONE && ep->peers[i]->send_failed)
            lose(ep->peers[i], MX_STATUS_ENDPOINT_UNREACHABLE);
}

void peers_close(endpoint *ep)
{
    for (uint32_t i = 0; i < ep->peers_size; i++)
        if (ep->peers[i] != NULL)
            peer_remove(ep->peers[i]);
    free(ep->peers);
    ep->peers = NULL;
    ep->peers_size = 0;
}

#include "peer.h"

#include <stdlib.h>
#include <string.h>

#include "board.h"
#include "exports.h"
#include "random.h"
#include "request.h"

#define OURSELVES UINT32_MAX /* the index in an endpoint's own address: its peer is found by nic and eid instead */

enum { FAREWELL_MS = 500 /* for peers to take in what was sent before the endpoint closes */ };

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

static mx_endpoint_addr_t own_address(const endpoint *ep)
{
    return address_pack(ep->slot, ep->nic, ep->eid, ep->session, OURSELVES);
}

struct peer *peer_of_address(const endpoint *ep, mx_endpoint_addr_t address)
{
    bool ours = index_of(address) == OURSELVES;
    struct peer *peer = ours ? find_peer(ep, ep->nic, ep->eid) : peer_at(ep, index_of(address));
    if (peer == NULL || peer->session == 0)
        return NULL;
    mx_endpoint_addr_t its = ours ? own_address(ep) : peer_address(peer);
    return memcmp(&its, &address, sizeof its) == 0 ? peer : NULL;
}

EXPORTED mx_return_t mx_get_endpoint_addr(mx_endpoint_t ep, mx_endpoint_addr_t *endpoint_addr)
{
    ENTER(ep);
    *endpoint_addr = own_address(ep);
    return LEAVE(ep, MX_SUCCESS);
}

struct peer *peer_of_label(const endpoint *ep, struct wire_label label)
{
    struct peer *peer = peer_at(ep, label.index);
    return peer != NULL && peer->state != PEER_GONE && peer->label.check == label.check ? peer : NULL;
}

EXPORTED mx_return_t mx_decompose_endpoint_addr2(mx_endpoint_addr_t address, uint64_t *nic_id, uint32_t *endpoint_id,
                                                 uint32_t *session_id)
{
    mx_return_t refused = library_check();
    if (refused == MX_SUCCESS && address.stuff[1] >> 32 == 0)
        refused = MX_BAD_BAD_BAD;
    if (refused != MX_SUCCESS)
        return report(NULL, __func__, refused);
    if (nic_id != NULL)
        *nic_id = address.stuff[0] >> 32;
    if (endpoint_id != NULL)
        *endpoint_id = (uint32_t)(address.stuff[0] >> 16 & 0xffff);
    if (session_id != NULL)
        *session_id = (uint32_t)(address.stuff[1] >> 32);
    return MX_SUCCESS;
}

EXPORTED mx_return_t mx_decompose_endpoint_addr(mx_endpoint_addr_t address, uint64_t *nic_id, uint32_t *endpoint_id)
{
    return mx_decompose_endpoint_addr2(address, nic_id, endpoint_id, NULL);
}

static mx_return_t context_call(mx_endpoint_addr_t address, void **get, void *const *set)
{
    endpoint *ep = library_endpoint((uint16_t)address.stuff[0]);
    mx_return_t refused = ep == NULL && library_check() == MX_SUCCESS ? MX_BAD_BAD_BAD : endpoint_enter(ep);
    if (refused != MX_SUCCESS)
        return refused;
    struct peer *peer = peer_of_address(ep, address);
    if (peer != NULL && set != NULL)
        peer->context = *set;
    if (peer != NULL && get != NULL)
        *get = peer->context;
    pthread_mutex_unlock(&ep->lock);
    return peer != NULL ? MX_SUCCESS : MX_BAD_BAD_BAD;
}

EXPORTED mx_return_t mx_set_endpoint_addr_context(mx_endpoint_addr_t address, void *context)
{
    mx_return_t result = context_call(address, NULL, &context);
    return result == MX_SUCCESS ? result : report(NULL, __func__, result);
}

EXPORTED mx_return_t mx_get_endpoint_addr_context(mx_endpoint_addr_t address, void **context)
{
    mx_return_t result = context_call(address, context, NULL);
    return result == MX_SUCCESS ? result : report(NULL, __func__, result);
}

/* ---- messages without payload ---- */

struct note {
    struct operation operation;
    union {
        struct wire_answer answer;
        struct wire_matched matched;
        struct wire_taken taken;
        struct wire_bye bye;
    } header;
};

static void note_sent(struct operation *operation, bool well)
{
    (void)well; /* if it was not sent, the link reports its loss itself */
    free(operation);
}

static enum submitted send_note(struct link *link, enum wire_kind kind, const void *header, size_t length)
{
    struct note *note = malloc(sizeof *note);
    if (note == NULL)
        return SUBMITTED_FAILED;
    note->operation.done = note_sent;
    memcpy(&note->header, header, length);
    enum submitted submitted = link_send(link, kind, &note->header, length, NULL, 0, 0, &note->operation);
    if (submitted != SUBMITTED_UNDER_WAY)
        free(note);
    return submitted;
}

void peer_send_note(endpoint *ep, struct link *link, enum wire_kind kind, const void *header, size_t length)
{
    struct peer *peer = link_owner(link);
    enum submitted submitted = send_note(link, kind, header, length);
    if (submitted == SUBMITTED_FAILED && peer == NULL)
        link_close(link);
    else if (submitted == SUBMITTED_FAILED)
        peer->speechless = ep->speechless = true; /* the connection does not end here: the caller still uses the peer */
    ep->stirred |= submitted != SUBMITTED_DONE;
}

void peer_tell_matched(struct peer *peer, uint32_t number)
{
    struct wire_matched matched = { .head = peer_head(peer), .sync = number };
    if (peer->state == PEER_CONNECTED)
        peer_send_note(peer->endpoint, peer->links[0], WIRE_MATCHED, &matched, sizeof matched);
}

static void send_bye(struct peer *peer, enum wire_kind kind, uint64_t sequence)
{
    struct wire_bye bye = { .head = peer_head(peer), .sequence = sequence };
    peer_send_note(peer->endpoint, peer->links[0], kind, &bye, sizeof bye);
}

void peer_took(struct peer *peer, const struct payload *payload)
{
    if (!bound_taken(&peer->in, eager_bytes(payload)) || peer->state != PEER_CONNECTED)
        return;
    struct wire_taken taken = { .head = peer_head(peer), .messages = peer->in.told.messages, .bytes = peer->in.told.bytes };
    peer_send_note(peer->endpoint, peer->links[0], WIRE_TAKEN, &taken, sizeof taken);
}

void peer_took_in(struct peer *peer)
{
    if (!peer->leaves || peer->state != PEER_CONNECTED || peer->next_receive != peer->last)
        return;
    send_bye(peer, WIRE_BYE_SEEN, peer->last);
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
    TAILQ_INIT(&peer->requests);
    ep->peers[index] = peer;
    return peer;
}

struct peer *peer_live(const endpoint *ep, uint64_t nic, uint32_t eid)
{
    struct peer *peer = find_peer(ep, nic, eid);
    return peer != NULL && peer->state != PEER_GONE ? peer : NULL;
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
    for (struct request *request = TAILQ_FIRST(&peer->requests), *next; request != NULL; request = next) {
        next = TAILQ_NEXT(request, of_peer);
        if (request->kind != REQUEST_CONNECT && !sends_too)
            continue;
        request->status.code = fate;
        TAILQ_REMOVE(&peer->requests, request, of_peer);
        request->peer = NULL;
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
    peer->held = NULL;
    fail_requests(peer, fate, true);
    for (unsigned int i = 0; i < PEER_LINKS; i++)
        if (peer->links[i] != NULL)
            link_close(peer->links[i]);
    memset(peer->links, 0, sizeof peer->links);
    peer->unanswered = NULL;
    messages_lose(peer); /* after the links are closed: dropping a message tells its sender that it has been taken */
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

void transport_lost(void *ep, struct link *link, void *owner, bool refused)
{
    (void)ep;
    struct peer *peer = owner;
    if (peer->state == PEER_CONNECTED && link == peer->unanswered)
        peer_drop_unanswered(peer, refused ? MX_STATUS_ENDPOINT_CLOSED : MX_STATUS_ENDPOINT_UNREACHABLE);
    else
        lose(peer, refused || peer->leaves ? MX_STATUS_ENDPOINT_CLOSED : MX_STATUS_ENDPOINT_UNREACHABLE);
}

void peers_lose_speechless(endpoint *ep)
{
    ep->speechless = false;
    for (uint32_t i = 0; i < ep->peers_size; i++)
        if (ep->peers[i] != NULL && ep->peers[i]->state != PEER_GONE && ep->peers[i]->speechless)
            lose(ep->peers[i], MX_STATUS_ENDPOINT_UNREACHABLE);
}

EXPORTED mx_return_t mx_disconnect(mx_endpoint_t ep, mx_endpoint_addr_t addr)
{
    ENTER_OUTSIDE(ep);
    struct peer *peer = peer_of_address(ep, addr);
    if (peer != NULL)
        peer_remove(peer);
    return LEAVE(ep, MX_SUCCESS);
}

/* ---- messages from peers ---- */

struct request *peer_request(const struct peer *peer, enum request_kind kind, uint32_t number)
{
    struct request *request;
    TAILQ_FOREACH(request, &peer->requests, of_peer)
        if (request->kind == kind && request->waits && request->number == number)
            return request;
    return NULL;
}

static void matched_arrived(struct peer *peer, const struct wire_matched *matched)
{
    struct request *request = peer_request(peer, REQUEST_SEND, matched->sync);
    if (request == NULL)
        return;
    request->waits = false;
    if (!request->under_way) /* else the transport still needs its memory */
        request_complete(request, MX_STATUS_SUCCESS);
}

static void taken_arrived(struct peer *peer, const struct wire_taken *taken)
{
    bound_told(&peer->out, (struct volume){ taken->messages, taken->bytes });
    sends_go_on(peer);
}

static void bye_arrived(struct peer *peer, const struct wire_bye *bye)
{
    peer->leaves = true;
    peer->last = bye->sequence;
    peer_took_in(peer);
}

union message {
    struct {
        uint32_t magic, version;
    } first; /* of HELLO and ANSWER */
    struct wire_head head;
    struct wire_hello hello;
    struct wire_answer answer;
    struct wire_data data;
    struct wire_matched matched;
    struct wire_taken taken;
    struct wire_bye bye;
};

/* Copies a header, which may have any alignment. False: it is no message of an endpoint. */
static bool read_header(union message *message, unsigned int kind, const void *header, size_t length)
{
    static const size_t lengths[] = {
        [WIRE_HELLO] = sizeof(struct wire_hello),     [WIRE_ANSWER] = sizeof(struct wire_answer),
        [WIRE_DATA] = sizeof(struct wire_data),       [WIRE_MATCHED] = sizeof(struct wire_matched),
        [WIRE_BYE] = sizeof(struct wire_bye),         [WIRE_BYE_SEEN] = sizeof(struct wire_bye),
        [WIRE_TAKEN] = sizeof(struct wire_taken),
    };
    if (kind >= sizeof lengths / sizeof *lengths)
        return false;
    if (length == lengths[kind]) {
        memcpy(message, header, length);
        return true;
    }
    if (length < (kind == WIRE_HELLO ? WIRE_HELLO_LEAST : kind == WIRE_ANSWER ? WIRE_ANSWER_LEAST : SIZE_MAX))
        return false;
    memset(message, 0, sizeof *message);
    memcpy(message, header, length < sizeof *message ? length : sizeof *message);
    return message->first.version != WIRE_VERSION; /* a message of our version must be whole */
}

bool transport_arrived(void *ep, struct link *link, unsigned int kind, const void *header, size_t length,
                       const struct payload *payload)
{
    union message message;
    if (!read_header(&message, kind, header, length))
        return false;
    if (kind == WIRE_HELLO) {
        connect_hello(ep, link, &message.hello);
        return false;
    }
    struct peer *peer = peer_of_label(ep, kind == WIRE_ANSWER ? message.answer.label : message.head.label);
    if (peer == NULL)
        return false;
    if (kind == WIRE_ANSWER) {
        connect_answer(peer, &message.answer);
        return false;
    }
    if (peer->state == PEER_CONNECTED ? !peer_says(peer, &message.head) : kind != WIRE_DATA)
        return false; /* (PEER-7) */
    switch (kind) {
    case WIRE_DATA:
        return message_arrived(peer, &message.data, payload);
    case WIRE_MATCHED:
        matched_arrived(peer, &message.matched);
        break;
    case WIRE_TAKEN:
        taken_arrived(peer, &message.taken);
        break;
    case WIRE_BYE:
        bye_arrived(peer, &message.bye);
        break;
    case WIRE_BYE_SEEN:
        peer->has_all = true;
        break;
    }
    return false;
}

/* ---- closing ---- */

static bool all_have_all(endpoint *ep, void *nothing)
{
    (void)nothing;
    for (uint32_t i = 0; i < ep->peers_size; i++)
        if (ep->peers[i] != NULL && ep->peers[i]->state == PEER_CONNECTED && !ep->peers[i]->has_all)
            return false;
    return true;
}

void peers_say_bye(endpoint *ep)
{
    for (uint32_t i = 0; i < ep->peers_size; i++) {
        struct peer *peer = ep->peers[i];
        if (peer == NULL || peer->state != PEER_CONNECTED)
            continue;
        peer->held = NULL; /* held sends don't begin any more: no DATA may come after BYE */
        send_bye(peer, WIRE_BYE, peer->out.sent.messages);
    }
    wait_with_others(ep, clock_ms() + FAREWELL_MS, all_have_all, NULL);
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

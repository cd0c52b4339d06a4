#include "peer.h"

#include <stdlib.h>
#include <string.h>

#include "board.h"
#include "exports.h"
#include "random.h"
#include "request.h"

#define OURSELVES UINT32_MAX /* the index in our own address, which is found without one */

enum { FAREWELL_MS = 500 /* for a peer to take in what was sent to it before we close */ };

/* ---- addresses ---- */

/*
 *   63       32 31    16 15      0
 *  |    nic    |  eid   |  slot   |    stuff[0]
 *  |  session  |      index       |    stuff[1]
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
    return address_pack(peer->endpoint->slot, peer->nic, peer->eid, peer->session, peer->label.index);
}

static struct peer *peer_at(const endpoint *ep, uint32_t index)
{
    return index < ep->peers_size ? ep->peers[index] : NULL;
}

/* The one that is or was connected with this endpoint. */
static struct peer *find_peer(const endpoint *ep, uint64_t nic, uint32_t eid)
{
    for (uint32_t i = 0; i < ep->peers_size; i++)
        if (ep->peers[i] != NULL && ep->peers[i]->nic == nic && ep->peers[i]->eid == eid)
            return ep->peers[i];
    return NULL;
}

struct peer *peer_of_address(const endpoint *ep, mx_endpoint_addr_t address)
{
    struct peer *peer = index_of(address) == OURSELVES ? find_peer(ep, ep->nic, ep->eid) : peer_at(ep, index_of(address));
    if (peer == NULL || peer->session == 0)
        return NULL;
    mx_endpoint_addr_t own = address_pack(ep->slot, peer->nic, peer->eid, peer->session, index_of(address));
    return memcmp(&own, &address, sizeof own) == 0 ? peer : NULL;
}

EXPORTED mx_return_t mx_get_endpoint_addr(mx_endpoint_t ep, mx_endpoint_addr_t *endpoint_addr)
{
    ENTER(ep);
    *endpoint_addr = address_pack(ep->slot, ep->nic, ep->eid, ep->session, OURSELVES);
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

/* ---- short messages of our own ---- */

struct note {
    struct operation operation;
    union {
        struct wire_answer answer;
        struct wire_matched matched;
        struct wire_bye bye;
    } header;
};

static void note_sent(struct operation *operation, bool well)
{
    (void)well; /* the link says so itself */
    free(operation);
}

static void send_note(endpoint *ep, struct link *link, enum wire_kind kind, const void *header, size_t length)
{
    struct note *note = malloc(sizeof *note);
    if (note == NULL) {
        link_close(link); /* the other end had waited for ever */
        return;
    }
    note->operation.done = note_sent;
    memcpy(&note->header, header, length);
    if (link_send(link, kind, &note->header, length, NULL, 0, 0, &note->operation) == SUBMITTED_UNDER_WAY)
        ep->stirred = true;
    else
        free(note);
}

void peer_tell_matched(struct peer *peer, uint32_t number)
{
    struct wire_matched matched = { .label = peer->to, .sync = number };
    if (peer->state == PEER_CONNECTED)
        send_note(peer->endpoint, peer->links[0], WIRE_MATCHED, &matched, sizeof matched);
}

static void send_bye(struct peer *peer, enum wire_kind kind, uint64_t sequence)
{
    struct wire_bye bye = { .label = peer->to, .sequence = sequence };
    send_note(peer->endpoint, peer->links[0], kind, &bye, sizeof bye);
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

/* In the place of one that is gone, so that the table doesn't grow with those who come and go. */
static struct peer *create_peer(endpoint *ep, uint64_t nic, uint32_t eid)
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
    peer->nic = nic;
    peer->eid = eid;
    peer->label = (struct wire_label){ index, random_number() };
    TAILQ_INIT(&peer->early);
    TAILQ_INIT(&peer->requests);
    ep->peers[index] = peer;
    return peer;
}

static struct peer *live_peer(const endpoint *ep, uint64_t nic, uint32_t eid)
{
    struct peer *peer = find_peer(ep, nic, eid);
    return peer != NULL && peer->state != PEER_GONE ? peer : NULL;
}

static bool add_link(struct peer *peer, struct link *link)
{
    for (unsigned int i = 0; i < PEER_LINKS; i++) {
        if (peer->links[i] == NULL) {
            peer->links[i] = link;
            return true;
        }
    }
    return false;
}

void peer_lose(struct peer *peer, mx_status_code_t fate)
{
    if (peer->state == PEER_GONE)
        return;
    peer->state = PEER_GONE;
    peer->fate = fate;
    for (struct request *request; (request = TAILQ_FIRST(&peer->requests)) != NULL;) {
        request->status.code = fate;
        TAILQ_REMOVE(&peer->requests, request, of_peer);
        request->peer = NULL;
        if (!request->under_way) /* else it completes when the link is closed */
            request_complete(request, fate);
    }
    for (unsigned int i = 0; i < PEER_LINKS; i++)
        if (peer->links[i] != NULL)
            link_close(peer->links[i]);
    memset(peer->links, 0, sizeof peer->links);
    messages_lose(peer); /* after the links: dropping a message tells its sender that it has been taken */
}

void peer_remove(struct peer *peer)
{
    peer_lose(peer, MX_STATUS_ENDPOINT_UNREACHABLE);
    peer->endpoint->peers[peer->label.index] = NULL;
    free(peer);
}

void transport_lost(void *ep, struct link *link, void *owner, bool refused)
{
    (void)ep, (void)link;
    struct peer *peer = owner;
    bool connected = peer->state == PEER_CONNECTED;
    peer_lose(peer, refused || peer->leaves ? MX_STATUS_ENDPOINT_CLOSED : MX_STATUS_ENDPOINT_UNREACHABLE);
    if (!connected)
        peer_remove(peer);
}

/* ---- connecting ---- */

static void hello_sent(struct operation *operation, bool well)
{
    struct request *request = (struct request *)(void *)operation;
    bool over = request->complete;
    request_operation_over(request);
    if (!over && (!well || request->peer == NULL))
        request_complete(request, request->status.code);
}

/* The request is the one to complete, at once if it can't be tried. */
static void connect_to(struct request *request, uint64_t nic, uint32_t eid, uint32_t key)
{
    endpoint *ep = request->endpoint;
    struct peer *peer = live_peer(ep, nic, eid);
    if (peer != NULL && peer->state == PEER_CONNECTED) {
        request->status.source = peer_address(peer);
        request_complete(request, MX_STATUS_SUCCESS);
        return;
    }
    if (peer == NULL) {
        peer = create_peer(ep, nic, eid);
        if (peer != NULL && (peer->links[0] = link_open(ep->transport, (uint32_t)nic, board_port(eid), peer)) == NULL) {
            peer_remove(peer);
            peer = NULL;
        }
        if (peer == NULL) {
            request_complete(request, MX_STATUS_NO_RESOURCES);
            return;
        }
    }
    request->peer = peer;
    TAILQ_INSERT_TAIL(&peer->requests, request, of_peer);
    request->waits = true;
    request->number = ++ep->last_number;
    request->header.hello = (struct wire_hello){
        .magic = WIRE_MAGIC,
        .version = WIRE_VERSION,
        .label = peer->label,
        .from_nic = ep->nic,
        .from_eid = ep->eid,
        .from_session = ep->session,
        .to_nic = nic,
        .to_eid = eid,
        .key = key,
        .connect = request->number,
    };
    request->under_way = true;
    request->operation.done = hello_sent;
    enum submitted submitted = link_send(peer->links[0], WIRE_HELLO, &request->header.hello,
                                         sizeof request->header.hello, NULL, 0, SEND_NAMES_LINK, &request->operation);
    ep->stirred = true;
    if (submitted != SUBMITTED_UNDER_WAY)
        hello_sent(&request->operation, submitted == SUBMITTED_DONE);
}

/* Nobody asks any more: a link that is only being made is not needed. */
static void give_up_if_alone(struct peer *peer)
{
    if (peer != NULL && peer->state == PEER_CONNECTING && TAILQ_EMPTY(&peer->requests))
        peer_remove(peer);
}

void connect_expire(struct request *request)
{
    struct peer *peer = request->peer;
    request_complete(request, MX_STATUS_TIMEOUT);
    give_up_if_alone(peer);
}

EXPORTED mx_return_t mx_iconnect(mx_endpoint_t ep, uint64_t nic_id, uint32_t endpoint_id, uint32_t key, uint64_t match_info,
                                 void *context, mx_request_t *result)
{
    ENTER(ep);
    struct request *request = request_create(ep, REQUEST_CONNECT, match_info, context);
    if (request == NULL)
        return LEAVE(ep, MX_NO_RESOURCES);
    *result = request_handle(request);
    if (endpoint_id >= BOARD_ENDPOINTS)
        request_complete(request, MX_STATUS_BAD_ENDPOINT);
    else if (!board_is_id(nic_id))
        request_complete(request, MX_STATUS_ENDPOINT_UNREACHABLE);
    else
        connect_to(request, nic_id, endpoint_id, key);
    return LEAVE(ep, MX_SUCCESS);
}

static bool is_complete(endpoint *ep, void *request)
{
    (void)ep;
    return ((struct request *)request)->complete;
}

static mx_return_t connect_and_wait(endpoint *ep, uint64_t nic, uint32_t eid, uint32_t key, uint32_t timeout,
                                    mx_endpoint_addr_t *address)
{
    if (eid >= BOARD_ENDPOINTS)
        return MX_BAD_ENDPOINT_ID;
    if (!board_is_id(nic))
        return MX_NIC_NOT_FOUND;
    struct request *request = request_create(ep, REQUEST_CONNECT, 0, NULL);
    if (request == NULL)
        return MX_NO_RESOURCES;
    request_set_timeout(request, timeout);
    connect_to(request, nic, eid, key);
    wait_with_others(ep, NEVER, is_complete, request);
    mx_status_t status;
    request_take(request, &status);
    switch (status.code) {
    case MX_STATUS_SUCCESS:
        *address = status.source;
        return MX_SUCCESS;
    case MX_STATUS_TIMEOUT:
        return MX_TIMEOUT;
    case MX_STATUS_BAD_KEY:
        return MX_BAD_CONNECTION_KEY;
    case MX_STATUS_NO_RESOURCES:
        return MX_NO_RESOURCES;
    default:
        return MX_CONNECTION_FAILED;
    }
}

EXPORTED mx_return_t mx_connect(mx_endpoint_t ep, uint64_t nic_id, uint32_t endpoint_id, uint32_t key, uint32_t timeout,
                                mx_endpoint_addr_t *addr)
{
    ENTER_OUTSIDE(ep);
    return LEAVE(ep, connect_and_wait(ep, nic_id, endpoint_id, key, timeout, addr));
}

EXPORTED mx_return_t mx_disconnect(mx_endpoint_t ep, mx_endpoint_addr_t addr)
{
    ENTER_OUTSIDE(ep);
    struct peer *peer = peer_of_address(ep, addr);
    if (peer != NULL)
        peer_remove(peer);
    return LEAVE(ep, MX_SUCCESS);
}

/* ---- what others say ---- */

static void connected(struct peer *peer, uint32_t session, struct wire_label to)
{
    if (peer->state != PEER_CONNECTING)
        return;
    peer->session = session;
    peer->to = to;
    peer->state = PEER_CONNECTED;
    messages_catch_up(peer);
}

/* Whom a HELLO comes from; NULL: no memory, or not over this link. */
static struct peer *introduced(endpoint *ep, struct link *link, const struct wire_hello *hello)
{
    struct peer *peer = live_peer(ep, hello->from_nic, hello->from_eid);
    if (link_owner(link) != NULL && link_owner(link) != peer)
        return NULL;
    if (peer != NULL && peer->state == PEER_CONNECTED && peer->session != hello->from_session) {
        if (link_owner(link) == peer)
            return NULL;
        peer_lose(peer, MX_STATUS_ENDPOINT_CLOSED); /* it is another endpoint now */
        peer = NULL;
    }
    if (peer == NULL && (peer = create_peer(ep, hello->from_nic, hello->from_eid)) == NULL)
        return NULL;
    if (link_owner(link) == NULL) {
        if (!add_link(peer, link))
            return NULL;
        link_own(link, peer);
    }
    connected(peer, hello->from_session, hello->label);
    return peer;
}

static enum wire_verdict judge(const endpoint *ep, const struct link *link, const struct wire_hello *hello)
{
    uint32_t address = link_address(link);
    if (hello->version != WIRE_VERSION)
        return WIRE_OTHER_VERSION;
    if (hello->to_nic != ep->nic || hello->to_eid != ep->eid || hello->from_session == 0
        || hello->from_eid >= BOARD_ENDPOINTS || !board_is_id(hello->from_nic)
        || (address != 0 && address != hello->from_nic))
        return WIRE_NO_SUCH_ENDPOINT;
    return hello->key == ep->key ? WIRE_WELCOME : WIRE_WRONG_KEY;
}

static void hello_arrived(endpoint *ep, struct link *link, const struct wire_hello *hello)
{
    if (hello->magic != WIRE_MAGIC || link == NULL)
        return;
    struct wire_answer answer = {
        .magic = WIRE_MAGIC,
        .version = WIRE_VERSION,
        .label = hello->label,
        .connect = hello->connect,
        .verdict = judge(ep, link, hello),
    };
    if (answer.verdict == WIRE_WELCOME) {
        struct peer *peer = introduced(ep, link, hello);
        if (peer == NULL) {
            answer.verdict = WIRE_NO_RESOURCES;
        } else {
            answer.to_label = peer->label;
            answer.session = ep->session;
        }
    }
    send_note(ep, link, WIRE_ANSWER, &answer, sizeof answer);
}

static mx_status_code_t status_of(uint32_t verdict)
{
    switch (verdict) {
    case WIRE_NO_SUCH_ENDPOINT: return MX_STATUS_ENDPOINT_CLOSED;
    case WIRE_WRONG_KEY:        return MX_STATUS_BAD_KEY;
    case WIRE_NO_RESOURCES:     return MX_STATUS_NO_RESOURCES;
    default:                    return MX_STATUS_ENDPOINT_UNREACHABLE;
    }
}

static struct request *find_request(const struct peer *peer, enum request_kind kind, uint32_t number)
{
    struct request *request;
    TAILQ_FOREACH(request, &peer->requests, of_peer)
        if (request->kind == kind && request->waits && request->number == number)
            return request;
    return NULL;
}

static void answer_arrived(struct peer *peer, const struct wire_answer *answer)
{
    struct request *request = find_request(peer, REQUEST_CONNECT, answer->connect);
    if (answer->magic != WIRE_MAGIC || request == NULL)
        return;
    if (answer->verdict != WIRE_WELCOME) {
        request_complete(request, status_of(answer->verdict));
        give_up_if_alone(peer);
        return;
    }
    if (answer->version != WIRE_VERSION || answer->session == 0
        || (peer->state == PEER_CONNECTED && peer->session != answer->session))
        return;
    request->status.source =
        address_pack(peer->endpoint->slot, peer->nic, peer->eid, answer->session, peer->label.index);
    request_complete(request, MX_STATUS_SUCCESS);
    connected(peer, answer->session, answer->to_label);
}

static void matched_arrived(struct peer *peer, const struct wire_matched *matched)
{
    struct request *request = find_request(peer, REQUEST_SEND, matched->sync);
    if (request == NULL)
        return;
    request->waits = false;
    if (!request->under_way) /* else its memory is still needed */
        request_complete(request, MX_STATUS_SUCCESS);
}

static void bye_arrived(struct peer *peer, const struct wire_bye *bye)
{
    peer->leaves = true;
    peer->last = bye->sequence;
    peer_took_in(peer);
}

bool transport_arrived(void *ep, struct link *link, unsigned int kind, const void *header, size_t length,
                       const struct payload *payload)
{
    static const size_t lengths[] = {
        [WIRE_HELLO] = sizeof(struct wire_hello),     [WIRE_ANSWER] = sizeof(struct wire_answer),
        [WIRE_DATA] = sizeof(struct wire_data),       [WIRE_MATCHED] = sizeof(struct wire_matched),
        [WIRE_BYE] = sizeof(struct wire_bye),         [WIRE_BYE_SEEN] = sizeof(struct wire_bye),
    };
    union {
        struct wire_label label; /* what all but HELLO and ANSWER begin with */
        struct wire_hello hello;
        struct wire_answer answer;
        struct wire_data data;
        struct wire_matched matched;
        struct wire_bye bye;
    } message;
    if (kind >= sizeof lengths / sizeof *lengths || length != lengths[kind])
        return false;
    memcpy(&message, header, length); /* it may lie anywhere */
    if (kind == WIRE_HELLO) {
        hello_arrived(ep, link, &message.hello);
        return false;
    }
    struct peer *peer = peer_of_label(ep, kind == WIRE_ANSWER ? message.answer.label : message.label);
    if (peer == NULL)
        return false;
    switch (kind) {
    case WIRE_ANSWER:
        answer_arrived(peer, &message.answer);
        break;
    case WIRE_DATA:
        return message_arrived(peer, &message.data, payload);
    case WIRE_MATCHED:
        matched_arrived(peer, &message.matched);
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

void peers_close(endpoint *ep)
{
    for (uint32_t i = 0; i < ep->peers_size; i++)
        if (ep->peers[i] != NULL && ep->peers[i]->state == PEER_CONNECTED)
            send_bye(ep->peers[i], WIRE_BYE, ep->peers[i]->next_send);
    wait_with_others(ep, clock_ms() + FAREWELL_MS, all_have_all, NULL);
    for (uint32_t i = 0; i < ep->peers_size; i++)
        if (ep->peers[i] != NULL)
            peer_remove(ep->peers[i]);
    free(ep->peers);
    ep->peers = NULL;
    ep->peers_size = 0;
}

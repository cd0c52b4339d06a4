#include "core/connect.h"

#include "core/board.h"
#include "core/control.h"
#include "core/receive.h"
#include "core/send.h"

/* ---- connects of our endpoint ---- */

static void hello_sent(struct operation *operation, bool well)
{
    struct request *request = (struct request *)(void *)operation;
    bool over = request->complete;
    request_operation_over(request);
    (void)well; /* if not, the link is lost, and the code that ends the connects knows the status */
    if (!over && request->queue == NULL)
        request_complete(request, request->status.code);
}

void connect_begin(struct request *request, uint64_t nic, uint32_t eid, uint32_t key)
{
    endpoint *ep = request->endpoint;
    struct peer *peer = peer_live(ep, nic, eid);
    if (peer != NULL && peer->state == PEER_CONNECTED) {
        request->status.source = peer_address(peer);
        request_complete(request, MX_STATUS_SUCCESS);
        return;
    }
    if (peer == NULL) {
        peer = peer_create(ep, nic, eid);
        if (peer != NULL && (peer->unanswered = link_open(ep->transport, (uint32_t)nic, board_port(eid), peer)) == NULL) {
            peer_remove(peer);
            peer = NULL;
        }
        if (peer == NULL) {
            request_complete(request, MX_STATUS_NO_RESOURCES);
            return;
        }
        peer->links[0] = peer->unanswered;
    }
    request_enqueue(request, &peer->queue);
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
        .former = peer->former,
        .born = ep->born,
    };
    request->under_way = true;
    request->operation.done = hello_sent;
    enum submitted submitted = link_send(peer->links[0], WIRE_HELLO, &request->header.hello,
                                         sizeof request->header.hello, NULL, 0, SEND_NAMES_LINK, &request->operation);
    ep->needs_progress = true;
    if (submitted != SUBMITTED_UNDER_WAY)
        hello_sent(&request->operation, submitted == SUBMITTED_DONE);
    if (submitted == SUBMITTED_FAILED)
        peer_remove(peer);
}

/* Whether a connect that the program has not asked for is under way. It has the endpoint's key, so it is not refused for the key. */
static bool is_connecting_unasked(const struct peer *peer)
{
    struct request *request;
    TAILQ_FOREACH(request, &peer->queue.all, of_queue)
        if (request->kind == REQUEST_CONNECT && request->hidden && !request->owned)
            return true;
    return false;
}

struct peer *connect_named(endpoint *ep, mx_endpoint_addr_t address)
{
    struct peer *peer = peer_of_address(ep, address);
    if (peer == NULL ? !peer_is_own_address(ep, address) : peer->state != PEER_CONNECTING || is_connecting_unasked(peer))
        return peer;
    struct request *request = request_create(ep, REQUEST_CONNECT, 0, NULL);
    if (request == NULL)
        return NULL;
    request->hidden = true;
    request_set_timeout(request, 0);
    connect_begin(request, ep->nic, ep->eid, ep->key);
    request_forget(request);
    return peer_of_address(ep, address);
}

/* If no connect waits for the peer any more, its link, which is only being made, is not needed, and sends would wait for ever. */
static void give_up_if_alone(struct peer *peer)
{
    struct request *request;
    if (peer == NULL || peer->state != PEER_CONNECTING)
        return;
    TAILQ_FOREACH(request, &peer->queue.all, of_queue)
        if (request->kind == REQUEST_CONNECT)
            return;
    peer_remove(peer);
}

void connect_expire(struct request *request)
{
    struct peer *peer = peer_of_request(request);
    request_complete(request, MX_STATUS_TIMEOUT);
    give_up_if_alone(peer);
}

/* ---- HELLO and ANSWER of others ---- */

static void connected(struct peer *peer, uint32_t session, struct wire_label to, uint32_t former, uint64_t born)
{
    if (peer->state != PEER_CONNECTING)
        return;
    peer->session = session;
    peer->to = to;
    peer->its_former = former;
    peer->its_born = born;
    peer->state = PEER_CONNECTED;
    receive_begin(peer);
    send_held(peer);
}

static bool is_another(const struct peer *peer, struct wire_label its)
{
    return peer->to.index != its.index || peer->to.check != its.check;
}

/* Whether a connection of that age is newer than the one that we have (PEER-8). */
static bool is_newer(const struct peer *peer, uint32_t former, uint64_t born)
{
    return born != peer->its_born ? born > peer->its_born : (int32_t)(former - peer->its_former) > 0;
}

/* Connects with the sender of a HELLO, or returns why not. */
static enum wire_verdict introduce(endpoint *ep, struct link *link, const struct wire_hello *hello, struct peer **result)
{
    struct peer *peer = peer_live(ep, hello->from_nic, hello->from_eid);
    if (link_owner(link) != NULL && link_owner(link) != peer)
        return WIRE_NO_RESOURCES; /* the link belongs to another peer */
    bool other = peer != NULL && peer->session != hello->from_session; /* another endpoint has the place now */
    if (peer != NULL && peer->state == PEER_CONNECTED && (other || is_another(peer, hello->label))) {
        if (link_owner(link) == peer)
            return WIRE_NO_RESOURCES;
        if (!is_newer(peer, hello->former, hello->born))
            return WIRE_SUPERSEDED; /* a late HELLO, of an attempt that was given up or of an earlier endpoint */
        /*
         * The peer has lost its links and doesn't know us any more, or it is gone and another endpoint has its place. We have
         * not noticed that yet.
         */
        peer_lose(peer, other ? MX_STATUS_ENDPOINT_CLOSED : MX_STATUS_ENDPOINT_UNREACHABLE);
        peer = NULL;
    }
    if (peer == NULL && (peer = peer_create(ep, hello->from_nic, hello->from_eid)) == NULL)
        return WIRE_NO_RESOURCES;
    if (link_owner(link) == NULL) {
        if (!peer_add_link(peer, link))
            return WIRE_NO_RESOURCES;
        link_own(link, peer);
    }
    if (peer->unanswered == link)
        peer->unanswered = NULL; /* no endpoint of this library sends HELLO there, but it shows where the link leads */
    connected(peer, hello->from_session, hello->label, hello->former, hello->born);
    *result = peer;
    return WIRE_WELCOME;
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

void connect_hello(endpoint *ep, struct link *link, const struct wire_hello *hello)
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
    struct peer *peer;
    if (answer.verdict == WIRE_WELCOME)
        answer.verdict = introduce(ep, link, hello, &peer);
    if (answer.verdict == WIRE_WELCOME) {
        answer.to_label = peer->label;
        answer.session = ep->session;
        answer.former = peer->former;
        answer.born = ep->born;
    }
    control_send(ep, link, WIRE_ANSWER, &answer, sizeof answer);
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

/* The answer doesn't belong to the connection that we have, but to another endpoint or another attempt. */
static void answered_by_another(struct peer *peer, const struct wire_answer *answer)
{
    /* The connection that we have was over before this answer was given. We have not noticed that yet. */
    if (is_newer(peer, answer->former, answer->born))
        peer_lose(peer, peer->session == answer->session ? MX_STATUS_ENDPOINT_UNREACHABLE : MX_STATUS_ENDPOINT_CLOSED);
    else if (peer->unanswered != NULL)
        peer_drop_unanswered(peer, MX_STATUS_ENDPOINT_UNREACHABLE);
}

void connect_answer(struct peer *peer, const struct wire_answer *answer)
{
    struct request *request = peer_request(peer, REQUEST_CONNECT, answer->connect);
    if (answer->magic != WIRE_MAGIC)
        return;
    if (answer->verdict != WIRE_WELCOME) {
        if (request != NULL)
            request_complete(request, status_of(answer->verdict));
        give_up_if_alone(peer);
        return;
    }
    if (answer->version != WIRE_VERSION || answer->session == 0)
        return;
    if (peer->state == PEER_CONNECTED && (peer->session != answer->session || is_another(peer, answer->to_label))) {
        answered_by_another(peer, answer);
        return;
    }
    peer->unanswered = NULL;
    peer->session = answer->session;
    if (request != NULL) {
        request->status.source = peer_address(peer);
        request_complete(request, MX_STATUS_SUCCESS);
    }
    connected(peer, answer->session, answer->to_label, answer->former, answer->born);
}

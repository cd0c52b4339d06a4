#include "core/send.h"

/* The operation of a send is over: its memory may be used again. */
static void sent(struct operation *operation, bool well)
{
    struct request *request = (struct request *)(void *)operation;
    bool timed_out = request->complete;
    request_operation_over(request);
    if (timed_out)
        return;
    if (!well || (request->waits && request->queue == NULL))
        request_complete(request, request->status.code);
    else if (!request->waits)
        request_complete(request, MX_STATUS_SUCCESS);
}

/* The longest message whose bytes go with it. */
static uint64_t eager_max(const struct peer *peer, uint64_t length)
{
    return length > EAGER_MAX && link_shares_memory(peer->links[0]) ? EAGER_SHARED_MAX : EAGER_MAX;
}

/*
 * Begins a send whose turn has come. If the message is long, or the bound lets no more bytes go, it goes without its bytes. The
 * peer fetches them when a receive has matched it.
 */
static void begin(struct peer *peer, struct request *request)
{
    endpoint *ep = request->endpoint;
    bool eager = request->length <= eager_max(peer, request->length) && bound_lets_bytes(&peer->out, request->length);
    request->waits = request->number != 0 && eager;
    request->header.data = (struct wire_data){
        .head = peer_head(peer),
        .match_info = request->status.match_info,
        .sequence = peer->out.sent.messages++,
        .sync = request->waits ? request->number : 0,
    };
    uint64_t bytes = eager ? request->length : 0;
    peer->out.sent.bytes += bytes;
    request->under_way = true;
    request->operation.done = sent;
    enum submitted submitted =
        link_send(peer->links[0], WIRE_DATA, &request->header.data, sizeof request->header.data, request->segments,
                  request->count, eager ? 0 : SEND_ON_REQUEST, &request->operation);
    if (submitted == SUBMITTED_UNDER_WAY)
        ep->needs_progress = true;
    else
        sent(&request->operation, submitted == SUBMITTED_DONE);
    if (submitted == SUBMITTED_FAILED) { /* else later messages would wait for this one at the peer for ever */
        peer->out.sent.messages--;
        peer->out.sent.bytes -= bytes;
    }
}

static bool may_begin(const struct peer *peer)
{
    return peer->state == PEER_CONNECTED && bound_lets_message(&peer->out);
}

void send_held(struct peer *peer)
{
    while (peer->queue.held != NULL && may_begin(peer)) {
        struct request *request = peer->queue.held;
        peer->queue.held = TAILQ_NEXT(request, of_queue);
        request->held = false;
        begin(peer, request);
    }
}

bool send_has_room(const struct peer *peer)
{
    return bound_lets_message(&peer->out) && bound_lets_bytes(&peer->out, EAGER_SHARED_MAX);
}

void send_post(struct peer *peer, struct request *request)
{
    request_enqueue(request, &peer->queue);
    if (may_begin(peer)) {
        begin(peer, request);
        return;
    }
    request->held = true;
    if (peer->queue.held == NULL)
        peer->queue.held = request;
}

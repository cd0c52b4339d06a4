/* Sending. */
#include "exports.h"
#include "peer.h"
#include "request.h"

/* The operation of a send is over: its memory may be used again. */
static void sent(struct operation *operation, bool well)
{
    struct request *request = (struct request *)(void *)operation;
    bool timed_out = request->complete;
    request_operation_over(request);
    if (timed_out)
        return;
    if (!well || (request->waits && request->peer == NULL))
        request_complete(request, request->status.code);
    else if (!request->waits)
        request_complete(request, MX_STATUS_SUCCESS);
}

/*
 * Begins a send whose turn has come. If the message is long, or the bound lets no more bytes go, it goes without its bytes. The
 * peer fetches them when a receive has matched it.
 */
static void begin(struct peer *peer, struct request *request)
{
    endpoint *ep = request->endpoint;
    bool eager = request->length <= EAGER_MAX && bound_lets_bytes(&peer->out, request->length);
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
        ep->stirred = true;
    else
        sent(&request->operation, submitted == SUBMITTED_DONE);
    if (submitted == SUBMITTED_FAILED) { /* else later messages would wait for this one at the peer for ever */
        peer->out.sent.messages--;
        peer->out.sent.bytes -= bytes;
    }
}

void sends_go_on(struct peer *peer)
{
    while (peer->held != NULL && bound_lets_message(&peer->out)) {
        struct request *request = peer->held;
        peer->held = TAILQ_NEXT(request, of_peer);
        request->held = false;
        begin(peer, request);
    }
}

/*
 * The peer that a message goes to. If the bound is reached, or nearly, makes progress first: the peer may have told that it has
 * taken messages.
 */
static struct peer *peer_for(endpoint *ep, mx_endpoint_addr_t to)
{
    struct peer *peer = peer_of_address(ep, to);
    if (peer == NULL || (bound_lets_message(&peer->out) && bound_lets_bytes(&peer->out, EAGER_MAX)))
        return peer;
    progress(ep);
    return peer_of_address(ep, to);
}

static mx_return_t send(endpoint *ep, const mx_segment_t *list, uint32_t count, mx_endpoint_addr_t to, uint64_t match_info,
                        void *context, bool synchronous, mx_request_t *result)
{
    mx_return_t refused = segments_check(list, count);
    if (refused != MX_SUCCESS)
        return refused;
    struct peer *peer = peer_for(ep, to);
    struct request *request = request_create(ep, REQUEST_SEND, match_info, context);
    if (request == NULL)
        return MX_NO_RESOURCES;
    if (request_segments(request, list, count) != MX_SUCCESS) {
        request_discard(request);
        return MX_NO_RESOURCES;
    }
    *result = request_handle(request);
    request->status.source = to;
    request->status.msg_length = request->status.xfer_length = (uint32_t)request->length;
    request->number = synchronous ? ++ep->last_number | 1u << 31 : 0;
    if (peer == NULL || peer->state != PEER_CONNECTED) {
        request_complete(request, peer == NULL ? MX_STATUS_BAD_SESSION : peer->fate);
        return MX_SUCCESS;
    }
    request->peer = peer;
    TAILQ_INSERT_TAIL(&peer->requests, request, of_peer);
    if (bound_lets_message(&peer->out)) {
        begin(peer, request);
        return MX_SUCCESS;
    }
    request->held = true;
    if (peer->held == NULL)
        peer->held = request;
    return MX_SUCCESS;
}

EXPORTED mx_return_t mx_isend(mx_endpoint_t ep, mx_segment_t *segments_list, uint32_t segments_count,
                              mx_endpoint_addr_t dest_endpoint, uint64_t match_info, void *context, mx_request_t *request)
{
    ENTER(ep);
    return LEAVE(ep, send(ep, segments_list, segments_count, dest_endpoint, match_info, context, false, request));
}

EXPORTED mx_return_t mx_issend(mx_endpoint_t ep, mx_segment_t *segments_list, uint32_t segments_count,
                               mx_endpoint_addr_t dest_endpoint, uint64_t match_info, void *context, mx_request_t *request)
{
    ENTER(ep);
    return LEAVE(ep, send(ep, segments_list, segments_count, dest_endpoint, match_info, context, true, request));
}

/* Sending. */
#include "exports.h"
#include "peer.h"
#include "request.h"

/* A send's operation is over: its memory may be used again. */
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

static mx_return_t send(endpoint *ep, const mx_segment_t *list, uint32_t count, mx_endpoint_addr_t to, uint64_t match_info,
                        void *context, bool synchronous, mx_request_t *result)
{
    mx_return_t refused = segments_check(list, count);
    if (refused != MX_SUCCESS)
        return refused;
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
    struct peer *peer = peer_of_address(ep, to);
    if (peer == NULL || peer->state != PEER_CONNECTED) {
        request_complete(request, peer == NULL ? MX_STATUS_BAD_SESSION : peer->fate);
        return MX_SUCCESS;
    }
    bool on_request = request->length > EAGER_MAX; /* then it is matched when it is fetched */
    request->waits = synchronous && !on_request;
    request->number = request->waits ? ++ep->last_number | 1u << 31 : 0;
    request->header.data = (struct wire_data){
        .label = peer->to, .match_info = match_info, .sequence = peer->next_send++, .sync = request->number
    };
    request->peer = peer;
    TAILQ_INSERT_TAIL(&peer->requests, request, of_peer);
    request->under_way = true;
    request->operation.done = sent;
    enum submitted submitted =
        link_send(peer->links[0], WIRE_DATA, &request->header.data, sizeof request->header.data, request->segments,
                  request->count, on_request ? SEND_ON_REQUEST : 0, &request->operation);
    if (submitted == SUBMITTED_UNDER_WAY)
        ep->stirred = true;
    else
        sent(&request->operation, submitted == SUBMITTED_DONE);
    if (submitted == SUBMITTED_FAILED)
        peer->next_send--; /* or what follows would wait for it for ever, over there */
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

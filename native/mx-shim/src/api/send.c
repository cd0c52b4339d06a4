/* Sends. */
#include "api/arguments.h"
#include "api/call.h"
#include "core/connect.h"
#include "core/progress.h"
#include "core/send.h"

/*
 * The peer that a message goes to. If the bound is reached, or nearly, makes progress first: the peer may have told that it has
 * taken messages.
 */
static struct peer *peer_for(endpoint *ep, mx_endpoint_addr_t to)
{
    struct peer *peer = connect_named(ep, to);
    if (peer == NULL || send_has_room(peer))
        return peer;
    progress(ep);
    return connect_named(ep, to);
}

static mx_return_t send(endpoint *ep, const mx_segment_t *list, uint32_t count, mx_endpoint_addr_t to, uint64_t match_info,
                        void *context, bool synchronous, mx_request_t *result)
{
    mx_return_t refused = arguments_check_segments(list, count);
    if (refused != MX_SUCCESS)
        return refused;
    struct peer *peer = peer_for(ep, to);
    struct request *request = request_create(ep, REQUEST_SEND, match_info, context);
    if (request == NULL)
        return MX_NO_RESOURCES;
    if (!request_payload(request, list, count)) {
        request_discard(request);
        return MX_NO_RESOURCES;
    }
    *result = request_handle(request);
    request->status.source = to;
    request->status.msg_length = request->status.xfer_length = (uint32_t)request->length;
    request->number = synchronous ? ++ep->last_number | 1u << 31 : 0;
    if (peer == NULL || peer->state == PEER_GONE) {
        request_complete(request, peer == NULL ? MX_STATUS_BAD_SESSION : peer->fate);
        return MX_SUCCESS;
    }
    send_post(peer, request);
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

/* Receives, and looks at the messages that no receive has matched. */
#include "api/arguments.h"
#include "api/call.h"
#include "core/arrival.h"
#include "core/clock.h"
#include "core/receive.h"
#include "core/wait.h"

static mx_return_t post(endpoint *ep, const mx_segment_t *list, uint32_t count, uint64_t match_info, uint64_t match_mask,
                        void *context, mx_request_t *result)
{
    mx_return_t refused = arguments_check_segments(list, count);
    if (refused == MX_SUCCESS)
        refused = arguments_check_mask(ep, match_info, match_mask);
    if (refused != MX_SUCCESS)
        return refused;
    struct request *request = request_create(ep, REQUEST_RECEIVE, match_info, context);
    if (request == NULL)
        return MX_NO_RESOURCES;
    if (!request_segments(request, list, count)) {
        request_discard(request);
        return MX_NO_RESOURCES;
    }
    *result = request_handle(request);
    receive_post(request, match_info, match_mask);
    return MX_SUCCESS;
}

EXPORTED mx_return_t mx_irecv(mx_endpoint_t ep, mx_segment_t *segments_list, uint32_t segments_count, uint64_t match_info,
                              uint64_t match_mask, void *context, mx_request_t *request)
{
    ENTER(ep);
    return LEAVE(ep, post(ep, segments_list, segments_count, match_info, match_mask, context, request));
}

struct probe {
    uint64_t match_info, match_mask;
    mx_status_t *status;
};

static bool find_unexpected(endpoint *ep, void *argument)
{
    const struct probe *probe = argument;
    struct match_item *item = match_items_find(&ep->unexpected, probe->match_info, probe->match_mask);
    if (item == NULL)
        return false;
    const struct arrival *arrival = arrival_of(item);
    *probe->status = (mx_status_t){
        .code = MX_STATUS_SUCCESS,
        .source = arrival->source,
        .match_info = arrival->header.match_info,
        .msg_length = (uint32_t)arrival->payload.length,
        .xfer_length = (uint32_t)arrival->payload.length, /* some programs take the length from here */
    };
    return true;
}

EXPORTED mx_return_t mx_iprobe(mx_endpoint_t ep, uint64_t match_info, uint64_t match_mask, mx_status_t *status, uint32_t *result)
{
    ENTER(ep);
    mx_return_t refused = arguments_check_mask(ep, match_info, match_mask);
    if (refused == MX_SUCCESS)
        *result = look_yielding(ep, find_unexpected, &(struct probe){ match_info, match_mask, status });
    return LEAVE(ep, refused);
}

EXPORTED mx_return_t mx_probe(mx_endpoint_t ep, uint32_t timeout, uint64_t match_info, uint64_t match_mask, mx_status_t *status,
                              uint32_t *result)
{
    ENTER_OUTSIDE(ep);
    mx_return_t refused = arguments_check_mask(ep, match_info, match_mask);
    if (refused == MX_SUCCESS)
        *result = wait_until(ep, clock_deadline(timeout), find_unexpected, &(struct probe){ match_info, match_mask, status });
    return LEAVE(ep, refused);
}

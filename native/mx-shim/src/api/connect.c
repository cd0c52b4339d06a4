/* Connects and disconnects. */
#include "api/call.h"
#include "core/board.h"
#include "core/clock.h"
#include "core/connect.h"
#include "core/wait.h"

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
        connect_begin(request, nic_id, endpoint_id, key);
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
    const uint64_t deadline = clock_deadline(timeout);
    request->hidden = true; /* else mx_test_any of another thread would take the completion */
    request_set_timeout(request, timeout);
    connect_begin(request, nic, eid, key);
    if (!wait_until(ep, deadline, is_complete, request)) {
        if (clock_ms() >= deadline)
            connect_expire(request); /* at the deadline while progression is disabled */
        else
            request_complete(request, MX_STATUS_TIMEOUT); /* mx_wakeup ends the call, not the attempt: the next call finds it under way */
    }
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

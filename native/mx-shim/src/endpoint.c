#include "endpoint.h"

#include <stdlib.h>

#include "board.h"
#include "exports.h"
#include "message.h"
#include "random.h"
#include "request.h"

mx_return_t endpoint_enter(endpoint *ep)
{
    mx_return_t refused = library_check();
    if (refused != MX_SUCCESS)
        return refused;
    if (ep == NULL)
        return MX_BAD_ENDPOINT;
    pthread_mutex_lock(&ep->lock);
    return MX_SUCCESS;
}

mx_return_t endpoint_enter_outside(endpoint *ep)
{
    mx_return_t refused = endpoint_enter(ep);
    if (refused == MX_SUCCESS && ep->in_handler) { /* this thread holds the lock, so it is the handler's thread */
        pthread_mutex_unlock(&ep->lock);
        return MX_CLOSE_IN_HANDLER;
    }
    return refused;
}

mx_return_t endpoint_leave(endpoint *ep, const char *call, mx_return_t result)
{
    announce(ep);
    pthread_mutex_unlock(&ep->lock);
    return result == MX_SUCCESS ? result : report(ep, call, result);
}

mx_return_t endpoint_check_mask(const endpoint *ep, uint64_t match_info, uint64_t match_mask)
{
    if ((match_info & ~match_mask) != 0)
        return MX_BAD_MATCH_MASK;
    return (ep->context_mask & ~match_mask) != 0 ? MX_BAD_MATCHING_FOR_CONTEXT_ID_MASK : MX_SUCCESS;
}

/* ---- opening ---- */

static mx_return_t take_parameters(endpoint *ep, const mx_param_t *params, uint32_t count)
{
    if (params == NULL && count > 0)
        return MX_BAD_PARAM_LIST;
    for (uint32_t i = 0; i < count; i++) {
        switch (params[i].key) {
        case MX_PARAM_ERROR_HANDLER:
            ep->error_handler = params[i].val.error_handler != NULL ? params[i].val.error_handler : MX_ERRORS_ARE_FATAL;
            break;
        case MX_PARAM_UNEXP_QUEUE_MAX:
            break;
        case MX_PARAM_CONTEXT_ID: {
            unsigned int bits = params[i].val.context_id.bits, shift = params[i].val.context_id.shift;
            if (bits > MX_CONTEXT_ID_BITS_MAX || bits + shift > 64)
                return MX_BAD_PARAM_VAL;
            ep->context_mask = bits == 0 ? 0 : ((UINT64_C(1) << bits) - 1) << shift;
            break;
        }
        default:
            return MX_BAD_PARAM_NAME;
        }
    }
    return MX_SUCCESS;
}

static mx_return_t open_at(endpoint *ep, const char *interface, uint32_t eid)
{
    static const struct transport_events events = { .arrived = transport_arrived, .lost = transport_lost };
    switch (transport_open((uint32_t)ep->nic, interface, board_port(eid), &events, ep, &ep->transport)) {
    case TRANSPORT_OPEN:
        ep->eid = eid;
        ep->born = clock_wall_us(); /* an earlier endpoint at this place is gone by now (PEER-8) */
        return MX_SUCCESS;
    case TRANSPORT_ADDRESS_IN_USE:
        return MX_BUSY;
    case TRANSPORT_NO_INTERFACE:
        return MX_NIC_DEAD;
    default:
        return MX_NO_RESOURCES;
    }
}

static mx_return_t open_transport(endpoint *ep, const char *interface, uint32_t eid)
{
    if (eid != MX_ANY_ENDPOINT)
        return eid < BOARD_ENDPOINTS ? open_at(ep, interface, eid) : MX_BAD_ENDPOINT_ID;
    for (eid = 0; eid < BOARD_ENDPOINTS; eid++) {
        mx_return_t result = open_at(ep, interface, eid);
        if (result != MX_BUSY)
            return result;
    }
    return MX_NO_RESOURCES;
}

static endpoint *create(void)
{
    endpoint *ep = calloc(1, sizeof *ep);
    if (ep == NULL)
        return NULL;
    ep->lock = (pthread_mutex_t)PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP; /* LOCK-1 */
    match_claims_init(&ep->receives);
    match_items_init(&ep->unexpected);
    match_items_init(&ep->completed);
    TAILQ_INIT(&ep->requests);
    TAILQ_INIT(&ep->spare);
    ep->next_deadline = NEVER;
    ep->session = random_number();
    ep->error_handler = global_error_handler();
    return ep;
}

static void destroy(endpoint *ep)
{
    waiting_close(ep);
    pthread_mutex_destroy(&ep->lock);
    free(ep);
}

static mx_return_t prepare(endpoint *ep, uint32_t board_number, uint32_t eid, const mx_param_t *params, uint32_t count)
{
    struct board board;
    if (!waiting_open(ep))
        return MX_NO_RESOURCES;
    mx_return_t refused = take_parameters(ep, params, count);
    if (refused != MX_SUCCESS)
        return refused;
    if (!board_find(board_number == MX_ANY_NIC ? 0 : board_number, &board))
        return MX_BOARD_UNKNOWN;
    if (!board.running)
        return MX_NIC_DEAD;
    ep->nic = board.nic;
    refused = open_transport(ep, board.interface, eid);
    if (refused != MX_SUCCESS)
        return refused;
    if (waiting_watch(ep) && library_add(ep))
        return MX_SUCCESS;
    transport_close(ep->transport);
    return MX_NO_RESOURCES;
}

EXPORTED mx_return_t mx_open_endpoint(uint32_t board_number, uint32_t endpoint_id, uint32_t endpoint_key,
                                      mx_param_t *params_array, uint32_t params_count, mx_endpoint_t *result)
{
    mx_return_t refused = library_check();
    if (refused != MX_SUCCESS)
        return report(NULL, __func__, refused);
    endpoint *ep = create();
    if (ep == NULL)
        return report(NULL, __func__, MX_NO_RESOURCES);
    ep->key = endpoint_key;
    refused = prepare(ep, board_number, endpoint_id, params_array, params_count);
    if (refused != MX_SUCCESS) {
        destroy(ep);
        return report(NULL, __func__, refused);
    }
    *result = ep;
    return MX_SUCCESS;
}

EXPORTED mx_return_t mx_close_endpoint(mx_endpoint_t ep)
{
    ENTER_OUTSIDE(ep);
    ep->handler = NULL;
    ep->progression_disabled = false;
    peers_say_bye(ep);
    pthread_mutex_unlock(&ep->lock);
    library_remove(ep); /* from here on no other thread finds it, makes progress on it and accepts a peer */
    peers_close(ep);
    messages_close(ep);
    transport_close(ep->transport);
    requests_close(ep);
    destroy(ep);
    return MX_SUCCESS;
}

/* ---- other calls ---- */

EXPORTED mx_return_t mx_wakeup(mx_endpoint_t ep)
{
    ENTER(ep);
    ep->wakeups++;
    ep->woken = ++ep->changes;
    return LEAVE(ep, MX_SUCCESS);
}

EXPORTED mx_return_t mx_disable_progression(mx_endpoint_t ep)
{
    ENTER(ep);
    ep->progression_disabled = true;
    return LEAVE(ep, MX_SUCCESS);
}

EXPORTED mx_return_t mx_reenable_progression(mx_endpoint_t ep)
{
    ENTER(ep);
    ep->progression_disabled = false;
    ep->stirred = true;
    return LEAVE(ep, MX_SUCCESS);
}

EXPORTED mx_return_t mx_register_unexp_handler(mx_endpoint_t ep, mx_unexp_handler_t handler, void *context)
{
    ENTER(ep);
    ep->handler = handler;
    ep->handler_context = context;
    return LEAVE(ep, MX_SUCCESS);
}

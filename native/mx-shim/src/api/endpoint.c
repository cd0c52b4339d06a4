/* Opening and closing an endpoint, and what a program sets at one. */
#include "api/call.h"
#include "api/errors.h"
#include "api/library.h"
#include "core/lifecycle.h"

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

EXPORTED mx_return_t mx_open_endpoint(uint32_t board_number, uint32_t endpoint_id, uint32_t endpoint_key,
                                      mx_param_t *params_array, uint32_t params_count, mx_endpoint_t *result)
{
    mx_return_t refused = library_check();
    if (refused != MX_SUCCESS)
        return report(NULL, __func__, refused);
    endpoint *ep = lifecycle_create();
    if (ep == NULL)
        return report(NULL, __func__, MX_NO_RESOURCES);
    ep->error_handler = global_error_handler();
    ep->key = endpoint_key;
    refused = take_parameters(ep, params_array, params_count);
    if (refused == MX_SUCCESS)
        refused = lifecycle_open(ep, board_number, endpoint_id);
    if (refused != MX_SUCCESS) {
        lifecycle_destroy(ep);
        return report(NULL, __func__, refused);
    }
    *result = ep;
    return MX_SUCCESS;
}

EXPORTED mx_return_t mx_close_endpoint(mx_endpoint_t ep)
{
    ENTER_OUTSIDE(ep);
    lifecycle_close(ep);
    return MX_SUCCESS;
}

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
    ep->needs_progress = true;
    return LEAVE(ep, MX_SUCCESS);
}

EXPORTED mx_return_t mx_register_unexp_handler(mx_endpoint_t ep, mx_unexp_handler_t handler, void *context)
{
    ENTER(ep);
    ep->handler = handler;
    ep->handler_context = context;
    return LEAVE(ep, MX_SUCCESS);
}

/* The completion of requests: tests, waits and peeks; and what can be done to a request before that. */
#include "api/arguments.h"
#include "api/call.h"
#include "api/library.h"
#include "core/clock.h"
#include "core/progress.h"
#include "core/request.h"
#include "core/wait.h"

struct one {
    mx_request_t *handle;
    mx_status_t *status;
};

static bool take_one(endpoint *ep, void *argument)
{
    (void)ep;
    struct one *one = argument;
    struct request *request = request_of(*one->handle);
    if (!request->complete)
        return false;
    request_take(request, one->status);
    *one->handle = NULL;
    return true;
}

static bool is_request(const mx_request_t *handle)
{
    return handle != NULL && *handle != NULL;
}

EXPORTED mx_return_t mx_test(mx_endpoint_t ep, mx_request_t *request, mx_status_t *status, uint32_t *result)
{
    ENTER(ep);
    if (!is_request(request))
        return LEAVE(ep, MX_BAD_REQUEST);
    *result = look_yielding(ep, take_one, &(struct one){ request, status });
    return LEAVE(ep, MX_SUCCESS);
}

EXPORTED mx_return_t mx_wait(mx_endpoint_t ep, mx_request_t *request, uint32_t timeout, mx_status_t *status, uint32_t *result)
{
    ENTER_OUTSIDE(ep);
    if (!is_request(request))
        return LEAVE(ep, MX_BAD_REQUEST);
    *result = wait_until(ep, clock_deadline(timeout), take_one, &(struct one){ request, status });
    return LEAVE(ep, MX_SUCCESS);
}

struct any {
    uint64_t match_info, match_mask;
    mx_status_t *status;
};

static bool take_any(endpoint *ep, void *argument)
{
    const struct any *any = argument;
    struct match_item *item = match_items_find(&ep->completed, any->match_info, any->match_mask);
    if (item == NULL)
        return false;
    request_take(REQUEST_OF(item, completion), any->status);
    return true;
}

EXPORTED mx_return_t mx_test_any(mx_endpoint_t ep, uint64_t match_info, uint64_t match_mask, mx_status_t *status, uint32_t *result)
{
    ENTER(ep);
    mx_return_t refused = arguments_check_mask(ep, match_info, match_mask);
    if (refused == MX_SUCCESS)
        *result = look_yielding(ep, take_any, &(struct any){ match_info, match_mask, status });
    return LEAVE(ep, refused);
}

EXPORTED mx_return_t mx_wait_any(mx_endpoint_t ep, uint32_t timeout, uint64_t match_info, uint64_t match_mask,
                                 mx_status_t *status, uint32_t *result)
{
    ENTER_OUTSIDE(ep);
    mx_return_t refused = arguments_check_mask(ep, match_info, match_mask);
    if (refused == MX_SUCCESS)
        *result = wait_until(ep, clock_deadline(timeout), take_any, &(struct any){ match_info, match_mask, status });
    return LEAVE(ep, refused);
}

static bool first_complete(endpoint *ep, void *handle)
{
    struct match_item *item = match_items_first(&ep->completed);
    if (item == NULL)
        return false;
    *(mx_request_t *)handle = request_handle(REQUEST_OF(item, completion));
    return true;
}

EXPORTED mx_return_t mx_ipeek(mx_endpoint_t ep, mx_request_t *request, uint32_t *result)
{
    ENTER(ep);
    if (ep->context_mask != 0)
        return LEAVE(ep, MX_NOT_SUPPORTED_WITH_CONTEXT_ID);
    *result = look_yielding(ep, first_complete, request);
    return LEAVE(ep, MX_SUCCESS);
}

EXPORTED mx_return_t mx_peek(mx_endpoint_t ep, uint32_t timeout, mx_request_t *request, uint32_t *result)
{
    ENTER_OUTSIDE(ep);
    if (ep->context_mask != 0)
        return LEAVE(ep, MX_NOT_SUPPORTED_WITH_CONTEXT_ID);
    *result = wait_until(ep, clock_deadline(timeout), first_complete, request);
    return LEAVE(ep, MX_SUCCESS);
}

EXPORTED mx_return_t mx_cancel(mx_endpoint_t ep, mx_request_t *handle, uint32_t *result)
{
    ENTER(ep);
    if (!is_request(handle))
        return LEAVE(ep, MX_BAD_REQUEST);
    struct request *request = request_of(*handle);
    if (request->kind != REQUEST_RECEIVE)
        return LEAVE(ep, MX_CANCEL_NOT_SUPPORTED);
    *result = request->waits;
    if (request->waits) {
        request_discard(request);
        *handle = NULL;
    }
    return LEAVE(ep, MX_SUCCESS);
}

EXPORTED mx_return_t mx_ibuffered(mx_endpoint_t ep, mx_request_t *handle, uint32_t *result)
{
    ENTER(ep);
    if (!is_request(handle) || request_of(*handle)->kind != REQUEST_SEND)
        return LEAVE(ep, MX_BAD_REQUEST);
    progress(ep);
    *result = request_is_buffered(request_of(*handle));
    return LEAVE(ep, MX_SUCCESS);
}

EXPORTED mx_return_t mx_forget(mx_endpoint_t ep, mx_request_t *handle)
{
    ENTER(ep);
    if (!is_request(handle))
        return LEAVE(ep, MX_BAD_REQUEST);
    request_forget(request_of(*handle));
    *handle = NULL;
    return LEAVE(ep, MX_SUCCESS);
}

EXPORTED mx_return_t mx_context(mx_request_t *handle, void **context)
{
    mx_return_t refused = library_check();
    if (refused == MX_SUCCESS && !is_request(handle))
        refused = MX_BAD_REQUEST;
    if (refused != MX_SUCCESS)
        return report(NULL, __func__, refused);
    *context = request_of(*handle)->status.context;
    return MX_SUCCESS;
}

EXPORTED mx_return_t mx_set_request_timeout(mx_endpoint_t ep, mx_request_t request, uint32_t milli_seconds)
{
    ENTER(ep);
    if (request == NULL)
        ep->request_timeout = milli_seconds;
    else if (request_may_expire(request_of(request)))
        request_set_timeout(request_of(request), milli_seconds);
    return LEAVE(ep, MX_SUCCESS);
}

EXPORTED mx_return_t mx_progress(mx_endpoint_t ep)
{
    ENTER(ep);
    progress(ep);
    return LEAVE(ep, MX_SUCCESS);
}

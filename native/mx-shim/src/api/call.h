/* What frames the exported calls that take an endpoint: ENTER and LEAVE. */
#ifndef SHIM_API_CALL_H
#define SHIM_API_CALL_H

#include "api/errors.h"
#include "core/endpoint.h"

/* Locks the endpoint; or returns an error, without the lock, if the caller can't use it. */
mx_return_t call_enter(endpoint *);

/* The same, for a call that an unexpected handler must not make. */
mx_return_t call_enter_outside(endpoint *);

/* Wakes the sleeping threads and unlocks. If the result is an error, tells the error handler and returns what that returns. */
mx_return_t call_leave(endpoint *, const char *call, mx_return_t);

/*
 * Locks the endpoint. If it can't be used, reports the error and returns. ENTER_OUTSIDE also refuses calls in an unexpected
 * handler.
 */
#define ENTER(ep)         ENTER_BY(call_enter, ep)
#define ENTER_OUTSIDE(ep) ENTER_BY(call_enter_outside, ep)
#define ENTER_BY(enter, ep)                            \
    do {                                               \
        mx_return_t entered = enter(ep);               \
        if (entered != MX_SUCCESS)                     \
            return report(entered == MX_CLOSE_IN_HANDLER ? (ep) : NULL, __func__, entered); \
    } while (0)

/* Unlocks the endpoint. Its value is what the function returns. */
#define LEAVE(ep, result) call_leave(ep, __func__, result)

#endif

/*
 * EXPORTED marks functions that the library exports; all others are hidden. ENTER and LEAVE frame those that take an endpoint.
 */
#ifndef SHIM_EXPORTS_H
#define SHIM_EXPORTS_H

#include "endpoint.h"

#define EXPORTED __attribute__((visibility("default")))

/*
 * Locks the endpoint. If it can't be used, reports the error and returns. ENTER_OUTSIDE also refuses calls in an unexpected
 * handler.
 */
#define ENTER(ep)         ENTER_BY(endpoint_enter, ep)
#define ENTER_OUTSIDE(ep) ENTER_BY(endpoint_enter_outside, ep)
#define ENTER_BY(enter, ep)                            \
    do {                                               \
        mx_return_t entered = enter(ep);               \
        if (entered != MX_SUCCESS)                     \
            return report(entered == MX_CLOSE_IN_HANDLER ? (ep) : NULL, __func__, entered); \
    } while (0)

/* Unlocks the endpoint. Its value is what the function returns. */
#define LEAVE(ep, result) endpoint_leave(ep, __func__, result)

#endif

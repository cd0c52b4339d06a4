/* How a function leaves the library, everything else being hidden; and the frame of those that take an endpoint. */
#ifndef SHIM_EXPORTS_H
#define SHIM_EXPORTS_H

#include "endpoint.h"

#define EXPORTED __attribute__((visibility("default")))

/* Takes the endpoint's lock; returns from the function if it can't be used. ENTER_OUTSIDE: not in an unexpected handler. */
#define ENTER(ep)         ENTER_BY(endpoint_enter, ep)
#define ENTER_OUTSIDE(ep) ENTER_BY(endpoint_enter_outside, ep)
#define ENTER_BY(enter, ep)                            \
    do {                                               \
        mx_return_t entered = enter(ep);               \
        if (entered != MX_SUCCESS)                     \
            return report(entered == MX_CLOSE_IN_HANDLER ? (ep) : NULL, __func__, entered); \
    } while (0)

/* Gives it back, and what the function returns. */
#define LEAVE(ep, result) endpoint_leave(ep, __func__, result)

#endif

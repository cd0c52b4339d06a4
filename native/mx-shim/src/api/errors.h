/* Errors of calls, and the handlers that are told about them. */
#ifndef SHIM_API_ERRORS_H
#define SHIM_API_ERRORS_H

#include "core/endpoint.h"

/* Marks what the library exports; all else is hidden. */
#define EXPORTED __attribute__((visibility("default")))

/* Tells the endpoint's error handler, or the global one if there is no endpoint. Returns what the call has to return. */
mx_return_t report(const endpoint *, const char *call, mx_return_t error);

mx_error_handler_t global_error_handler(void);

#endif

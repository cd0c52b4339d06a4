/* Errors: how a call reports its own, and which system call has failed. Any thread may call these functions. */
#ifndef SHIM_ERRORS_H
#define SHIM_ERRORS_H

#include <stddef.h>

#include "sisci_api.h"

/* Records for SCIShimFailure that this system call failed for the reason in errno; returns the status. */
sci_error_t failed(const char *call, sci_error_t status);

/* Writes the result of a call to *error, unless error is NULL. */
static inline void report(sci_error_t *error, sci_error_t status)
{
    if (error != NULL)
        *error = status;
}

#endif

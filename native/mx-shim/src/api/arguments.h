/* Checks of arguments that several calls have. Each check returns MX_SUCCESS, or the error that the call has to return. */
#ifndef SHIM_API_ARGUMENTS_H
#define SHIM_API_ARGUMENTS_H

#include "core/endpoint.h"

/* Whether a call may ask for this match_info with this mask. The caller has locked the endpoint. */
mx_return_t arguments_check_mask(const endpoint *, uint64_t match_info, uint64_t match_mask);

/* Whether this is a list of segments. */
mx_return_t arguments_check_segments(const mx_segment_t *, uint32_t count);

#endif

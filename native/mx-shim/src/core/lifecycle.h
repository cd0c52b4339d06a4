/* The life of an endpoint: create, open, close; or create, destroy, if it could not be opened. */
#ifndef SHIM_CORE_LIFECYCLE_H
#define SHIM_CORE_LIFECYCLE_H

#include "core/endpoint.h"

/* Allocates an endpoint, which is not open. The caller sets its error handler, key and context mask. NULL: no resources. */
endpoint *lifecycle_create(void);

/* Opens it at an endpoint id of a board (or MX_ANY_NIC, MX_ANY_ENDPOINT). If this fails, the caller destroys the endpoint. */
mx_return_t lifecycle_open(endpoint *, uint32_t board_number, uint32_t eid);

/* Frees an endpoint that is not open. */
void lifecycle_destroy(endpoint *);

/*
 * Closes and frees an endpoint. The caller holds its lock, and no other thread may use the endpoint any more. First tells all
 * peers, and waits for a limited time until they have taken in what was sent.
 */
void lifecycle_close(endpoint *);

#endif

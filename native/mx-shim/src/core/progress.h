/* Progress: moves messages, and completes requests whose time is over. */
#ifndef SHIM_CORE_PROGRESS_H
#define SHIM_CORE_PROGRESS_H

#include "core/endpoint.h"

/*
 * The caller holds the endpoint's lock. Does nothing in a callback of the transport, or while the program has disabled
 * progression. Never waits.
 */
void progress(endpoint *);

#endif

/* Dispatch: what the transport tells an endpoint goes to the part that handles it, a message by its kind. */
#ifndef SHIM_CORE_DISPATCH_H
#define SHIM_CORE_DISPATCH_H

#include "core/transport.h"

/* For transport_open. The user is the endpoint, and the owner of a link is a struct peer. */
extern const struct transport_events dispatch_events;

#endif

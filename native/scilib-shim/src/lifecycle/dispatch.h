/* Dispatch: what the library's thread finds goes to the object that it belongs to. */
#ifndef SHIM_DISPATCH_H
#define SHIM_DISPATCH_H

#include "base/service.h"

extern const struct service_handlers dispatch_handlers;

#endif

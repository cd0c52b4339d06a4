/* All endpoints of this process: in a list, and in a table whose index (slot) is part of the addresses that an endpoint gives. */
#ifndef SHIM_CORE_REGISTRY_H
#define SHIM_CORE_REGISTRY_H

#include "core/endpoint.h"

TAILQ_HEAD(endpoint_list, mx_endpoint);

/*
 * registry_lock guards the list. A thread takes it before an endpoint's lock, never after. The thread that holds it can take it
 * again.
 */
extern struct endpoint_list registry_endpoints;
extern pthread_mutex_t registry_lock;

/* Adds an endpoint and gives it a slot. False: there is no slot left. */
bool registry_add(endpoint *);
void registry_remove(endpoint *);

/* The endpoint in this slot; NULL: none. Takes no lock: the caller knows that the endpoint is not being closed. */
endpoint *registry_find(uint16_t slot);

/*
 * To be called in a child after fork, whose parent's thread held the lock at the fork. Forgets all endpoints, which are the
 * parent's, without touching them. The lock is free afterwards.
 */
void registry_forget(void);

#endif

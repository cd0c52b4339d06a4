#include "core/registry.h"

#include <string.h>

enum { SLOTS = 8192 };

struct endpoint_list registry_endpoints = TAILQ_HEAD_INITIALIZER(registry_endpoints);
pthread_mutex_t registry_lock = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;

static endpoint *slots[SLOTS];

bool registry_add(endpoint *ep)
{
    pthread_mutex_lock(&registry_lock);
    uint16_t slot = 0;
    while (slot < SLOTS && slots[slot] != NULL)
        slot++;
    if (slot < SLOTS) {
        ep->slot = slot;
        __atomic_store_n(&slots[slot], ep, __ATOMIC_RELEASE);
        TAILQ_INSERT_TAIL(&registry_endpoints, ep, of_process);
    }
    pthread_mutex_unlock(&registry_lock);
    return slot < SLOTS;
}

void registry_remove(endpoint *ep)
{
    pthread_mutex_lock(&registry_lock);
    __atomic_store_n(&slots[ep->slot], NULL, __ATOMIC_RELEASE);
    TAILQ_REMOVE(&registry_endpoints, ep, of_process);
    pthread_mutex_unlock(&registry_lock);
}

endpoint *registry_find(uint16_t slot)
{
    return slot < SLOTS ? __atomic_load_n(&slots[slot], __ATOMIC_ACQUIRE) : NULL;
}

void registry_forget(void)
{
    TAILQ_INIT(&registry_endpoints);
    memset(slots, 0, sizeof slots);
    registry_lock = (pthread_mutex_t)PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP; /* a thread of the parent holds the old one */
}

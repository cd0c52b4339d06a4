/*
 * The state of an endpoint: its lock, its peers, the lists for matching, and the threads that wait at it. The other headers of
 * this layer say what is done with it.
 *
 * LOCK-1  The lock guards all of an endpoint, its transport included. A thread holds it while an unexpected handler runs. No
 *     thread that sleeps holds it. The thread that holds it can take it again, since a handler may send.
 * LOCK-2  A thread that changes what another thread may be waiting for (changes), or gives the transport something to finish
 *     (needs_progress), wakes the sleeping threads when it releases the lock.
 */
#ifndef SHIM_CORE_ENDPOINT_H
#define SHIM_CORE_ENDPOINT_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/queue.h>

#include "core/bell.h"
#include "core/match.h"
#include "core/spin.h"
#include "core/transport.h"
#include "mx_extensions.h"

TAILQ_HEAD(request_list, request);

struct mx_endpoint {
    pthread_mutex_t lock;
    TAILQ_ENTRY(mx_endpoint) of_process; /* in registry_endpoints */
    struct transport *transport;
    uint64_t nic;
    uint32_t eid, key, session;
    uint64_t born; /* when it was opened, by clock_wall_us */
    uint16_t slot; /* its index in the registry's table; part of every address that it gives out */
    mx_error_handler_t error_handler;
    uint64_t context_mask; /* the bits of the context id */

    struct match_claims receives;   /* no message has matched them yet */
    struct match_items unexpected;  /* messages that no receive has matched yet */
    struct match_items completed;   /* complete requests whose owner has not taken them */
    struct request_list requests;   /* all that have an owner or are in use by the transport */
    struct request_list spare;      /* free requests, for reuse */
    uint32_t request_timeout;       /* ms, of new requests */
    unsigned int timed;             /* how many requests have a deadline */
    uint64_t next_deadline;         /* ms; no request has an earlier deadline */
    uint32_t last_number;           /* the last number given to a request, which the answer names */

    struct peer **peers; /* indexed by the index in their labels; NULL where free */
    uint32_t peers_size, peers_made;
    bool send_failed; /* of at least one peer send_failed is set */

    mx_unexp_handler_t handler;
    void *handler_context;
    bool in_handler;
    bool in_progress;
    bool progression_disabled;

    /* threads that wait */
    uint64_t changes, announced; /* count of completed requests, kept messages and wake-ups; as last announced */
    uint64_t wakeups;
    uint64_t woken; /* the value of changes at the last wake-up */
    bool needs_progress;
    pthread_cond_t changed; /* where threads wait while another thread sleeps at the transport */
    unsigned int waiting;   /* number of threads at changed */
    bool asleep;            /* a thread sleeps at inner */
    struct spin spin;       /* of threads that look again and again */
    bool waits_outside;     /* mx_shim_arm or mx_shim_wait has been called: the program decides itself how it waits */
    struct bell inner, outer;
    uint64_t outer_changes; /* the value of changes at the last mx_shim_arm or mx_shim_wait */
    int outer_descriptor;   /* an epoll over outer and the transport */
};

typedef struct mx_endpoint endpoint;

#endif

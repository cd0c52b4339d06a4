/*
 * An endpoint: its lock, its peers, the lists for matching, and the threads that wait at it.
 *
 * LOCK-1  The lock guards all of an endpoint, its transport included. A thread holds it while an unexpected handler runs. No
 *     thread that sleeps holds it. The thread that holds it can take it again, since a handler may send.
 * LOCK-2  A thread that changes what another thread may be waiting for (changes), or gives the transport something to finish
 *     (stirred), wakes the sleeping threads when it releases the lock.
 */
#ifndef SHIM_ENDPOINT_H
#define SHIM_ENDPOINT_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/queue.h>

#include "clock.h"
#include "match.h"
#include "mx_extensions.h"
#include "transport.h"

TAILQ_HEAD(request_list, request);
TAILQ_HEAD(peer_list, peer);

/* A descriptor at which a thread sleeps. */
struct bell {
    int fd;
    bool armed; /* the next change rings it */
    bool rung;  /* it has been rung since it was armed: readable */
};

struct mx_endpoint {
    pthread_mutex_t lock;
    TAILQ_ENTRY(mx_endpoint) of_library;
    struct transport *transport;
    uint64_t nic;
    uint32_t eid, key, session;
    uint64_t born; /* when it was opened, by clock_wall_us */
    uint16_t slot; /* its index in the library's table; part of every address that it gives out */
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
    bool speechless; /* at least one peer is speechless */

    mx_unexp_handler_t handler;
    void *handler_context;
    bool in_handler;
    bool in_progress;
    bool progression_disabled;

    /* threads that wait */
    uint64_t changes, announced; /* count of completed requests, kept messages and wake-ups; as last announced */
    uint64_t wakeups;
    uint64_t woken; /* the value of changes at the last wake-up */
    bool stirred;
    pthread_cond_t changed; /* where threads wait while another thread sleeps at the transport */
    unsigned int waiting;   /* number of threads at changed */
    bool asleep;            /* a thread sleeps at inner */
    struct bell inner, outer;
    uint64_t outer_changes; /* the value of changes at the last mx_shim_arm or mx_shim_wait */
    int outer_descriptor;   /* an epoll over outer and the transport */
};

typedef struct mx_endpoint endpoint;

enum { EAGER_MAX = 32768 /* the bytes of longer messages are sent when a receive has matched them */ };

/* ---- the lock (endpoint.c) ---- */

/* Locks the endpoint; or returns an error, without the lock, if the caller can't use it. */
mx_return_t endpoint_enter(endpoint *);

/* The same, for a call that an unexpected handler must not make. */
mx_return_t endpoint_enter_outside(endpoint *);

/* Wakes the sleeping threads and unlocks. If the result is an error, tells the error handler and returns what that returns. */
mx_return_t endpoint_leave(endpoint *, const char *call, mx_return_t);

/* Whether a call may ask for this match_info with this mask. */
mx_return_t endpoint_check_mask(const endpoint *, uint64_t match_info, uint64_t match_mask);

/* ---- progress.c ---- */

bool waiting_open(endpoint *);
bool waiting_watch(endpoint *); /* to be called once there is a transport */
void waiting_close(endpoint *);

/* Wakes the sleeping threads if something has changed. */
void announce(endpoint *);

/* Moves messages, and completes requests whose time is over. */
void progress(endpoint *);

/* If ready returns false, makes progress once and calls it again. Returns the last result of ready. */
bool look(endpoint *, bool (*ready)(endpoint *, void *), void *argument);

/*
 * Makes progress until ready returns true, the deadline (clock_ms) is over or mx_wakeup has been called. Returns the last
 * result of ready. Releases the lock meanwhile.
 */
bool wait_until(endpoint *, uint64_t deadline, bool (*ready)(endpoint *, void *), void *argument);

/*
 * The same, but makes progress on the other endpoints of this process too, because the last messages of this endpoint may go to
 * one of them.
 */
bool wait_with_others(endpoint *, uint64_t deadline, bool (*ready)(endpoint *, void *), void *argument);

/* ---- peer.c ---- */

struct link;

bool transport_arrived(void *ep, struct link *, unsigned int kind, const void *header, size_t header_length,
                       const struct payload *);
void transport_lost(void *ep, struct link *, void *peer, bool refused);

/* Ends the connections with peers for which a message could not be sent. Called if speechless is set. */
void peers_lose_speechless(endpoint *);

/* Sends BYE to all peers, and waits for a limited time until they have taken in what was sent. */
void peers_say_bye(endpoint *);

/* Removes and frees all peers. */
void peers_close(endpoint *);

/* ---- library.c ---- */

/*
 * All endpoints of this process. library_lock guards the list. A thread takes it before an endpoint's lock, never after. The
 * thread that holds it can take it again.
 */
TAILQ_HEAD(endpoint_list, mx_endpoint);
extern struct endpoint_list library_endpoints;
extern pthread_mutex_t library_lock;

/* Adds an endpoint and gives it a slot, by which addresses find it. False: there is no slot left. */
bool library_add(endpoint *);
void library_remove(endpoint *);
endpoint *library_endpoint(uint16_t slot);

/* MX_NOT_INITIALIZED, or MX_SUCCESS. */
mx_return_t library_check(void);

/* ---- errors.c ---- */

/* Tells the endpoint's error handler, or the global one if there is no endpoint. Returns what the call has to return. */
mx_return_t report(const endpoint *, const char *call, mx_return_t error);
mx_error_handler_t global_error_handler(void);

#endif

/*
 * An endpoint: its one lock, its partners, what is to be matched, and those who wait.
 *
 * LOCK-1  The lock guards all of an endpoint, its transport included. It is held while an unexpected handler runs, and by
 *     nobody who sleeps. The same thread can take it again: a handler may send.
 * LOCK-2  Whoever changes what somebody may be waiting for (changes), or gives the transport something to finish (stirred),
 *     tells the sleepers when it lets go of the lock.
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

/* A descriptor that somebody sleeps at. */
struct bell {
    int fd;
    bool armed; /* to be rung when something changes */
    bool rung;  /* since it was armed: readable */
};

struct mx_endpoint {
    pthread_mutex_t lock;
    TAILQ_ENTRY(mx_endpoint) of_library;
    struct transport *transport;
    uint64_t nic;
    uint32_t eid, key, session;
    uint64_t born; /* clock_wall_us */
    uint16_t slot; /* in every address that it gives out */
    mx_error_handler_t error_handler;
    uint64_t context_mask; /* the bits of the context id */

    struct match_claims receives;   /* no message has matched them yet */
    struct match_items unexpected;  /* messages: no receive has matched them yet */
    struct match_items completed;   /* requests */
    struct request_list requests;   /* all that are somebody's or the transport's */
    struct request_list spare;      /* to be used again */
    uint32_t request_timeout;       /* ms, of new requests */
    unsigned int timed;             /* how many requests have a deadline */
    uint64_t next_deadline;         /* no request's is earlier */
    uint32_t last_number;           /* given to a request, for the answer to it */

    struct peer **peers; /* by the index in their labels; NULL where free */
    uint32_t peers_size, peers_made;
    bool speechless; /* one of them is */

    mx_unexp_handler_t handler;
    void *handler_context;
    bool in_handler;
    bool in_progress;
    bool progression_disabled;

    /* those who wait */
    uint64_t changes, announced; /* requests completed, messages come, wake-ups */
    uint64_t wakeups;
    uint64_t woken; /* changes, as of the last wake-up */
    bool stirred;
    pthread_cond_t changed; /* for those who wait while another thread sleeps at the transport */
    unsigned int waiting;   /* for changed */
    bool asleep;            /* a thread is at inner */
    struct bell inner, outer;
    uint64_t outer_changes; /* as of the last mx_shim_arm or mx_shim_wait */
    int outer_descriptor;   /* polls outer and the transport */
};

typedef struct mx_endpoint endpoint;

enum { EAGER_MAX = 32768 /* longer messages are sent when a receive has matched them */ };

/* ---- the lock (endpoint.c) ---- */

/* Locks; or says why the caller can't use it, not locked. */
mx_return_t endpoint_enter(endpoint *);

/* The same, for a call that an unexpected handler must not make. */
mx_return_t endpoint_enter_outside(endpoint *);

/* Unlocks, tells the sleepers, and the error handler if the result is an error. */
mx_return_t endpoint_leave(endpoint *, const char *call, mx_return_t);

/* Whether these can be asked for. */
mx_return_t endpoint_check_mask(const endpoint *, uint64_t match_info, uint64_t match_mask);

/* ---- progress.c ---- */

bool waiting_open(endpoint *);
bool waiting_watch(endpoint *); /* once there is a transport */
void waiting_close(endpoint *);

/* Tells sleepers what has changed. */
void announce(endpoint *);

/* Lets messages move and time-outs pass. */
void progress(endpoint *);

/* Makes progress once, if ready doesn't say true without. Returns what it says. */
bool look(endpoint *, bool (*ready)(endpoint *, void *), void *argument);

/*
 * Makes progress until ready says true, the deadline (clock_ms) is over or mx_wakeup has been called. Returns what ready said
 * last. The lock is let go of meanwhile.
 */
bool wait_until(endpoint *, uint64_t deadline, bool (*ready)(endpoint *, void *), void *argument);

/* The same, with progress on the other endpoints of this process too: to one of them our last words may go. */
bool wait_with_others(endpoint *, uint64_t deadline, bool (*ready)(endpoint *, void *), void *argument);

/* ---- peer.c ---- */

struct link;

bool transport_arrived(void *ep, struct link *, unsigned int kind, const void *header, size_t header_length,
                       const struct payload *);
void transport_lost(void *ep, struct link *, void *peer, bool refused);

/* Loses those that a word is missing to; if speechless. */
void peers_lose_speechless(endpoint *);

/* Says good-bye to all, and waits a moment until they have what was sent. */
void peers_say_bye(endpoint *);

/* Lets them go. */
void peers_close(endpoint *);

/* ---- library.c ---- */

/*
 * All endpoints of this process. library_lock guards the list; it is taken before an endpoint's lock, never after, and by a
 * thread again if need be.
 */
TAILQ_HEAD(endpoint_list, mx_endpoint);
extern struct endpoint_list library_endpoints;
extern pthread_mutex_t library_lock;

/* Gives an endpoint its slot, which others find it by. False: there is none left. */
bool library_add(endpoint *);
void library_remove(endpoint *);
endpoint *library_endpoint(uint16_t slot);

/* MX_NOT_INITIALIZED, or MX_SUCCESS. */
mx_return_t library_check(void);

/* ---- errors.c ---- */

/* Tells the endpoint's error handler, or the global one if there is no endpoint; gives what the call is to return. */
mx_return_t report(const endpoint *, const char *call, mx_return_t error);
mx_error_handler_t global_error_handler(void);

#endif

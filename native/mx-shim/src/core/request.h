/*
 * A request: what mx_isend, mx_issend, mx_irecv and mx_iconnect give, until it ends.
 *
 * Its owner needs its memory until the completion is taken. The transport needs it while an operation is under way. The memory
 * is used again when neither of them needs it any more (REQUEST-1).
 *
 * REQUEST-2  The bytes of a send of at most SMALL_MAX bytes are in its request. So no part of the library reads the program's
 *     memory after the call that made the send, whether the send is held, under way or complete.
 */
#ifndef SHIM_CORE_REQUEST_H
#define SHIM_CORE_REQUEST_H

#include "core/endpoint.h"
#include "core/wire.h"

enum { SMALL_MAX = 128 /* bytes; as MX: the limit of its "small" messages, which mx_get_info gives as MX_PIO_SEND_MAX */ };

enum request_kind { REQUEST_SEND, REQUEST_RECEIVE, REQUEST_CONNECT };

/* The sends and connects to one peer that aren't complete, in order. A request that completes leaves its queue. */
struct request_queue {
    struct request_list all;
    struct request *held; /* the first send that has not begun (PEER-4); NULL: all have begun */
};

struct request {
    struct operation operation; /* first member: the transport's pointer to it is a pointer to the request */
    endpoint *endpoint;
    enum request_kind kind;
    bool complete;   /* in completed, unless it is hidden or has no owner */
    bool owned;      /* its owner still has to take the completion */
    bool hidden;     /* of a call that waits for it itself: no test finds it, it is not in completed */
    bool under_way;  /* the transport has an operation of it */
    bool held;       /* send: it has not begun (PEER-4) */
    bool buffered;   /* send: its bytes are in small (REQUEST-2) */
    bool waits;      /* send: for MATCHED; connect: for ANSWER; receive: for a message, it is in receives */
    mx_status_t status;
    struct match_item completion;
    uint64_t change; /* the endpoint's count of changes when it completed */
    struct match_claim claim;
    uint64_t deadline; /* ms; or NEVER */
    TAILQ_ENTRY(request) of_endpoint;
    struct request_queue *queue; /* send, connect: the peer's queue that it is in; NULL: none any more */
    TAILQ_ENTRY(request) of_queue;
    uint32_t number; /* MATCHED and ANSWER name it by this; 0: it needs no number */
    union {
        struct wire_data data;
        struct wire_hello hello;
    } header;
    struct iovec *segments; /* points to one, or to memory of its own */
    struct iovec one;
    unsigned char small[SMALL_MAX]; /* send: the bytes, if they are no more than that */
    size_t count;
    uint64_t length;
    void *scratch; /* where the rest of a message goes that is longer than the receive */
};

#define REQUEST_OF(item, member) ((struct request *)(void *)((char *)(item) - offsetof(struct request, member)))

static inline union mx_request *request_handle(struct request *request)
{
    return (union mx_request *)(void *)request;
}

static inline struct request *request_of(union mx_request *handle)
{
    return (struct request *)(void *)handle;
}

/* Creates a request with an owner; NULL: no memory. */
struct request *request_create(endpoint *, enum request_kind, uint64_t match_info, void *context);

/* Copies a list of segments, which is valid: at most MX_MAX_SEGMENTS, together at most UINT32_MAX bytes. False: no memory. */
bool request_segments(struct request *, const mx_segment_t *, uint32_t count);

/* The same for a send: if it has at most SMALL_MAX bytes, copies the bytes instead (REQUEST-2). */
bool request_payload(struct request *, const mx_segment_t *, uint32_t count);

/* Whether the program may use the memory of a send again. */
bool request_is_buffered(const struct request *);

/* Puts a request at the end of a queue. */
void request_enqueue(struct request *, struct request_queue *);

/* Ends a request that was never started, or that has been cancelled. */
void request_discard(struct request *);

/* Completes a request with this code. The rest of its status is set already. */
void request_complete(struct request *, mx_status_code_t);

/*
 * The transport has finished the operation of a request. If the request is complete and has no owner, its memory is free
 * afterwards.
 */
void request_operation_over(struct request *);

/* The owner takes the completion. The request has no owner afterwards. */
void request_take(struct request *, mx_status_t *);

/* The owner gives the request away: it has no owner afterwards. */
void request_forget(struct request *);

/*
 * Whether a time-out can end the request. It can't if the request is complete, or is a receive whose message is already on its
 * way to its memory.
 */
bool request_may_expire(const struct request *);

void request_set_timeout(struct request *, uint32_t milliseconds);

/*
 * Completes the requests whose time is over. Calls expire_connect for those that are connects: it has to complete them, and may
 * end other requests too.
 */
void requests_expire(endpoint *, void (*expire_connect)(struct request *));

/* Frees the memory of all requests. The transport must have none any more. */
void requests_close(endpoint *);

#endif

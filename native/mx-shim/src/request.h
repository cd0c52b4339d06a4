/*
 * A request: what mx_isend, mx_irecv and mx_iconnect give, until it is gone.
 *
 * Its memory is needed by its owner, until the completion is taken, and by the transport, while an operation is under way:
 * it is used again when neither does any more (REQUEST-1).
 */
#ifndef SHIM_REQUEST_H
#define SHIM_REQUEST_H

#include "endpoint.h"
#include "wire.h"

struct peer;

enum request_kind { REQUEST_SEND, REQUEST_RECEIVE, REQUEST_CONNECT };

struct request {
    struct operation operation; /* first: what the transport gives back is the request */
    endpoint *endpoint;
    enum request_kind kind;
    bool complete;   /* in completed, or nobody's */
    bool owned;      /* its completion is somebody's to take */
    bool hidden;     /* of a call that waits for it itself: no test finds it, it is not in completed */
    bool under_way;  /* the transport has it */
    bool held;       /* send: it has not begun (PEER-4) */
    bool waits;      /* send: for MATCHED; connect: for ANSWER; receive: for a message, it is in receives */
    mx_status_t status;
    struct match_item completion;
    uint64_t change; /* the endpoint's, with which it completed */
    struct match_claim claim;
    uint64_t deadline; /* ms; NEVER */
    TAILQ_ENTRY(request) of_endpoint;
    struct peer *peer; /* send, connect: in its list; NULL: none any more */
    TAILQ_ENTRY(request) of_peer;
    uint32_t number; /* what MATCHED and ANSWER name it by; 0: it needs none */
    union {
        struct wire_data data;
        struct wire_hello hello;
    } header;
    struct iovec *segments; /* one, or some of its own */
    struct iovec one;
    size_t count;
    uint64_t length;
    void *scratch; /* where the rest of a message goes that is too long */
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

/* A new one, somebody's; NULL: no memory. */
struct request *request_create(endpoint *, enum request_kind, uint64_t match_info, void *context);

/* Whether a list of segments is one. */
mx_return_t segments_check(const mx_segment_t *, uint32_t count);

/* Copies a list that is. */
mx_return_t request_segments(struct request *, const mx_segment_t *, uint32_t count);

/* Gives up what was never started, or has been taken back. */
void request_discard(struct request *);

/* It is over, with this code; the rest of the status is there. */
void request_complete(struct request *, mx_status_code_t);

/* The same for what is still with the transport: completed once the operation is over, which takes the request away. */
void request_operation_over(struct request *);

/* Its owner takes the completion, and with it the request. */
void request_take(struct request *, mx_status_t *);

/* It is no longer anybody's. */
void request_forget(struct request *);

/* Whether a time-out can end it: not once it is complete, nor a receive whose memory a message is on its way to. */
bool request_may_expire(const struct request *);

void request_set_timeout(struct request *, uint32_t milliseconds);

/* Completes those whose time is over. */
void requests_expire(endpoint *);

/* Frees the memory of all; the transport has none any more. */
void requests_close(endpoint *);

#endif

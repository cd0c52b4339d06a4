/*
 * A stand-in for a vendor's libmyriexpress.so, for tests of its callers. It exports those of the vendor's symbols that JFS
 * uses, with their versions, and no others. So it has no descriptor to poll. It checks the arguments and the order of
 * calls, and records the calls. It behaves like a card where that matters:
 *   - a board's id is longer than 32 bits;
 *   - the memory of every other send is read late;
 *   - a posted receive's memory holds spoilt bytes until its message is complete;
 *   - a long message waits at the sender for its receive;
 *   - a sender is held up while the other endpoint does not receive.
 * Messages are datagrams between Unix sockets in the fabric's folder.
 *
 * Its settings are those of calls.h. Errors are decimal; the default is MX_FAILURE. Beside the calls, "send" and "receive"
 * may be told to fail: the Nth one completes with the given status, by default MX_STATUS_ENDPOINT_UNREACHABLE, and its
 * bytes are dropped. A look for completions that finds none is not recorded. A completion is recorded as "send" or
 * "receive".
 *   STANDIN_API    the interface version of the stand-in, hexadecimal, instead of MX_API
 *
 * One lock guards all of it. Endpoints, peers and requests are never freed, so that one that has ended is recognised.
 */
#ifndef MX_STANDIN_H
#define MX_STANDIN_H

#include "calls.h"
#include "mx_extensions.h"

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/queue.h>

#define EXPORTED __attribute__((visibility("default")))

#define NIC UINT64_C(0x60dd47c0ffee)

enum {
    EAGER_MAX = 32768,      /* bytes; a longer message waits at the sender for its receive */
    UNEXPECTED_MAX = 1 << 18, /* bytes of messages that are kept until their receives are posted */
    ENDPOINTS = 64
};

/* A datagram between endpoints. A short message's bytes follow it; a long one's are in a file, whose descriptor goes along. */
struct letter {
    enum letter_kind { CONNECT, ANSWER, SHORT, LONG, TAKEN, NOTHING, BYE } kind;
    uint32_t from, from_session, to_session;
    uint32_t key;    /* CONNECT */
    uint32_t result; /* ANSWER, an mx_return_t */
    uint32_t number; /* CONNECT, ANSWER: of the CONNECT; LONG, TAKEN: of the send */
    uint32_t length;
    uint64_t match;
};

struct peer {
    struct mx_endpoint *endpoint;
    uint32_t id, session;
    bool connected, held_up;
    uint32_t number; /* of a CONNECT that has no answer yet, or 0 */
    mx_return_t answer;
    uint32_t answer_session;
    SLIST_ENTRY(peer) next;
};

struct request {
    enum { SEND, RECEIVE } kind;
    enum { QUEUED, POSTED, COMPLETE, OVER } state; /* a send is queued until its bytes have been read */
    struct peer *peer;
    char *memory;
    uint32_t length, number;
    uint64_t match, mask, sum;
    mx_status_t status;
    TAILQ_ENTRY(request) next;
};
TAILQ_HEAD(requests, request);

struct note { /* a letter that is still to be sent */
    struct letter letter;
    struct peer *to;
    TAILQ_ENTRY(note) next;
};

struct message { /* it has come before its receive was posted */
    struct letter letter;
    struct peer *from;
    int file; /* of a long message, or -1 */
    TAILQ_ENTRY(message) next;
    char bytes[];
};
TAILQ_HEAD(messages, message);

struct mx_endpoint {
    bool closed;
    uint32_t id, key, session;
    int socket, bell;
    unsigned users, sleepers, wakeups, last_number;
    SLIST_HEAD(, peer) peers;
    struct requests under_way, complete; /* sends and posted receives, in order */
    TAILQ_HEAD(, note) notes;
    struct messages unexpected;
    uint32_t unexpected_bytes;
};

/* library.c */
bool library_is_initialised(void);
mx_return_t library_report(const char *name, mx_return_t error);

/* record.c */
extern pthread_mutex_t lock;

/*
 * Begins a call: takes the lock, and returns whether the call goes on. If it does not, *error is the call's result, the
 * error is recorded and reported to the error handler, and the lock is free. The endpoint is NULL for calls without one.
 */
#define ENTER(endpoint, error) enter(__func__, (endpoint), (error))
bool enter(const char *name, struct mx_endpoint *, mx_return_t *error);

/* Ends a call: releases the lock, and returns the call's result. LEAVE_QUIETLY records errors only. */
#define LEAVE(endpoint, error)         leave(__func__, (endpoint), (error), true)
#define LEAVE_QUIETLY(endpoint, error) leave(__func__, (endpoint), (error), false)
mx_return_t leave(const char *name, struct mx_endpoint *, mx_return_t error, bool recorded);

void record(const char *name, unsigned error);
#define CHECK(well, text)                          \
    do {                                           \
        if (!(well))                               \
            calls_violation(__func__, (text));     \
    } while (0)

/* endpoint.c */
struct peer *peer_of(mx_endpoint_addr_t); /* NULL if it is no address; the violation is recorded */
struct peer *peer_find(struct mx_endpoint *, uint32_t id, uint32_t session); /* makes the peer if there is none */
mx_endpoint_addr_t peer_address(struct peer *);
void peer_lose(struct mx_endpoint *, struct peer *, mx_status_code_t); /* ends the sends to it */

/* fabric.c */
enum delivery { DELIVERED, HELD_UP, NOBODY };
int fabric_bind(uint32_t id); /* a socket, or -1: another endpoint has the id */
void fabric_unbind(uint32_t id);
enum delivery fabric_send(struct mx_endpoint *, struct peer *to, const struct letter *, const void *bytes, int file);
long fabric_receive(struct mx_endpoint *, struct letter *, char *bytes, int *file); /* number of bytes; -1: no letter */

/* progress.c */
void note(struct mx_endpoint *, struct peer *to, struct letter); /* queues the letter; progress() sends it */
void progress(struct mx_endpoint *);
/* Releases the lock, waits at most this long until something may have happened, and takes the lock again. */
void sleep_a_while(struct mx_endpoint *, int millis);
void ring(struct mx_endpoint *);

/* message.c */
void on_message(struct mx_endpoint *, const struct letter *, struct peer *from, const char *bytes, int file);
void message_taken(struct mx_endpoint *, struct peer *by, uint32_t number);
void request_read(struct mx_endpoint *, struct request *); /* reads a queued send's memory and sends it */
void request_complete(struct mx_endpoint *, struct request *, mx_status_code_t);
void requests_end(struct mx_endpoint *, struct peer *, mx_status_code_t); /* the sends to a lost peer */

#endif

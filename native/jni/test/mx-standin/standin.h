/*
 * A stand-in for a vendor's libmyriexpress.so, for tests of who uses one: the vendor's symbols and versions, of what JFS
 * uses, and no more. So there is no descriptor to poll. Arguments and order of calls are checked, calls are recorded, and it has a
 * card's habits where they matter: ids of boards are longer than 32 bits; the memory of every other send is read late;
 * a posted receive's memory is spoilt until its message is complete; long messages wait for their receive; senders are
 * held up where nobody receives. Messages are datagrams between sockets in the fabric's folder.
 *
 * Its settings are those of calls.h; errors are decimal, MX_FAILURE where none is named. Beside the calls, "send" and
 * "receive" may fail: the Nth one completes with that status, or MX_STATUS_ENDPOINT_UNREACHABLE, and its bytes go nowhere.
 * Looks that find nothing are not recorded; completions are, as "send" and "receive".
 *   STANDIN_API    the interface that it speaks, hexadecimal, instead of MX_API
 *
 * One lock guards all of it. An endpoint, a peer or a request is never freed: one that has ended is recognised.
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
    EAGER_MAX = 32768,      /* longer messages wait for a receive, at the sender's */
    UNEXPECTED_MAX = 1 << 18, /* bytes that are kept for receives to come */
    ENDPOINTS = 64
};

/* What goes from one endpoint to another; a short message's bytes follow, a long one's are in a file that comes along. */
struct letter {
    enum letter_kind { CONNECT, ANSWER, SHORT, LONG, TAKEN, NOTHING, BYE } kind;
    uint32_t from, from_session, to_session;
    uint32_t key;    /* CONNECT */
    uint32_t result; /* ANSWER, an mx_return_t */
    uint32_t number; /* CONNECT, ANSWER: the question's; LONG, TAKEN: the send's */
    uint32_t length;
    uint64_t match;
};

struct peer {
    struct mx_endpoint *endpoint;
    uint32_t id, session;
    bool connected, held_up;
    uint32_t number; /* of a question that has no answer yet, or 0 */
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

struct note { /* that is still to be sent */
    struct letter letter;
    struct peer *to;
    TAILQ_ENTRY(note) next;
};

struct message { /* that has come before its receive */
    struct letter letter;
    struct peer *from;
    int file; /* a long one's, or -1 */
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
 * Takes the lock. Whether this call goes on; if not *error is what it gives, and it is recorded, told to the error handler, and
 * the lock is free. The endpoint is NULL for calls without one.
 */
#define ENTER(endpoint, error) enter(__func__, (endpoint), (error))
bool enter(const char *name, struct mx_endpoint *, mx_return_t *error);

/* Gives the lock back, and what the call is to return. LEAVE_QUIETLY records errors only. */
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
struct peer *peer_of(mx_endpoint_addr_t); /* NULL, after a violation was recorded, if it is none */
struct peer *peer_find(struct mx_endpoint *, uint32_t id, uint32_t session); /* makes it, if need be */
mx_endpoint_addr_t peer_address(struct peer *);
void peer_lose(struct mx_endpoint *, struct peer *, mx_status_code_t); /* what is under way to it ends so */

/* fabric.c */
enum delivery { DELIVERED, HELD_UP, NOBODY };
int fabric_bind(uint32_t id); /* a socket, or -1: somebody has it */
void fabric_unbind(uint32_t id);
enum delivery fabric_send(struct mx_endpoint *, struct peer *to, const struct letter *, const void *bytes, int file);
long fabric_receive(struct mx_endpoint *, struct letter *, char *bytes, int *file); /* how many bytes; -1: nothing there */

/* progress.c */
void note(struct mx_endpoint *, struct peer *to, struct letter); /* sends it, now or later */
void progress(struct mx_endpoint *);
/* Waits without the lock until something may have happened, at most so long. */
void sleep_a_while(struct mx_endpoint *, int millis);
void ring(struct mx_endpoint *);

/* message.c */
void message_arrived(struct mx_endpoint *, const struct letter *, struct peer *from, const char *bytes, int file);
void message_taken(struct mx_endpoint *, struct peer *by, uint32_t number);
void request_read(struct mx_endpoint *, struct request *); /* a queued send's turn */
void request_complete(struct mx_endpoint *, struct request *, mx_status_code_t);
void requests_end(struct mx_endpoint *, struct peer *, mx_status_code_t); /* the sends to a peer that is gone */

#endif

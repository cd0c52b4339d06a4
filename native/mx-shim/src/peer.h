/*
 * A peer: an endpoint that we are or were connected with.
 *
 * PEER-1  It is in the endpoint's table, at the index in its label, from the first attempt to connect until mx_disconnect or
 *     until another takes the place of one that is gone; addresses that name it find it or nothing.
 * PEER-2  Its address is known (session) once it is connected; no DATA of it is matched before.
 * PEER-3  DATA is matched in the order of its sequence: what comes early waits.
 * PEER-4  From held on, the requests are sends that have not begun, in order. There are such only while the bound lets no message go
 *     (BOUND-1): so none begins before them.
 * PEER-5  An address is of one peer: when that is gone, no later one has it.
 * PEER-6  Where both have opened a link, ours may lead to another endpoint, which had the peer's place before it: until the answer
 *     over it is the peer's, its loss ends what waits for that, and nothing else. If it did lead to the peer, that one notices,
 *     and ends both. So does the loss of theirs.
 * PEER-7  What has our label counts only if it is of the connection that we have: an endpoint that was there before, or the peer's
 *     attempt before this one, may have been told the same label. Before we are connected DATA is kept (PEER-2), and the rest ignored.
 * PEER-8  Of two connections with whoever has the peer's place the newer one lasts: that of the endpoint that was opened later, or
 *     the same one's later attempt. For a HELLO may come late, from somebody who is dead by then. If the second one's clock was
 *     behind, as it was set back or is another host's, that one is refused until the end of the first one has been noticed.
 */
#ifndef SHIM_PEER_H
#define SHIM_PEER_H

#include "bound.h"
#include "endpoint.h"
#include "message.h"
#include "request.h"
#include "wire.h"

enum { PEER_LINKS = 2 /* each of the two may have opened one */ };

struct peer {
    endpoint *endpoint;
    enum { PEER_CONNECTING, PEER_CONNECTED, PEER_GONE } state;
    mx_status_code_t fate; /* gone: what becomes of messages to it */
    uint64_t nic;
    uint32_t eid, session;
    uint32_t former;     /* how many the endpoint had made before */
    uint32_t its_former; /* connected: how many the other one had made before */
    uint64_t its_born;   /* connected: when the other one was opened, clock_wall_us there */
    struct wire_label label; /* on what comes from it */
    struct wire_label to;    /* on what goes to it */
    struct link *links[PEER_LINKS]; /* the first one is for sending */
    struct link *unanswered;        /* the one of them that is ours, until it is answered: where it leads is not known; or NULL */
    uint64_t next_receive;
    struct bound_sender out; /* messages sent: the sequence of the next DATA */
    struct bound_receiver in;
    struct arrival_list early;
    struct request_list requests; /* sends and connects that aren't complete */
    struct request *held;         /* NULL: all have begun */
    bool leaves;                  /* has said BYE */
    bool has_all;                 /* has said BYE_SEEN */
    uint64_t last;                /* leaves: the sequence that will not come */
    bool speechless;              /* it waits for a word of ours that could not be sent */
    void *context;
};

mx_endpoint_addr_t peer_address(const struct peer *);

/* What a message to it begins with. */
struct wire_head peer_head(const struct peer *);

/* Whether a message that begins so is of the connection with it, which there is (PEER-7). */
bool peer_says(const struct peer *, const struct wire_head *);

/* NULL: it is not known, or not any more. */
struct peer *peer_of_address(const endpoint *, mx_endpoint_addr_t);
struct peer *peer_of_label(const endpoint *, struct wire_label);

/* Tells it that a receive has matched its message. */
void peer_tell_matched(struct peer *, uint32_t number);

/* The DATA that was due has been taken in. */
void peer_took_in(struct peer *);

/* A receive or the handler has taken a message of it. */
void peer_took(struct peer *, const struct payload *);

/* The one that is connected with this endpoint or about to be; NULL: none. */
struct peer *peer_live(const endpoint *, uint64_t nic, uint32_t eid);

/* A new one, in the place of one that is gone, so that the table doesn't grow with those who come and go. NULL: no memory. */
struct peer *peer_create(endpoint *, uint64_t nic, uint32_t eid);

/* One that it has opened, for sending from now on: ours may not be there yet. False: it has as many as there can be. */
bool peer_add_link(struct peer *, struct link *);

/* Its request that waits for an answer of that number; NULL: none. */
struct request *peer_request(const struct peer *, enum request_kind, uint32_t number);

/* Sends a message without payload, whose header is copied. */
void peer_send_note(endpoint *, struct link *, enum wire_kind, const void *header, size_t length);

/* The link that we have opened leads to another one, or nowhere; but it is connected over the one that it has opened (PEER-6). */
void peer_drop_unanswered(struct peer *, mx_status_code_t fate);

/* There is no connection to it any more: ends what there is. It stays in the table, gone. */
void peer_lose(struct peer *, mx_status_code_t fate);

/* Takes it out of the table and frees it. */
void peer_remove(struct peer *);

/* ---- send.c ---- */

/* Begins those that are held, as far as they may. */
void sends_go_on(struct peer *);

/* ---- connect.c ---- */

void connect_hello(endpoint *, struct link *, const struct wire_hello *);
void connect_answer(struct peer *, const struct wire_answer *);

/* A connect's time is over. */
void connect_expire(struct request *);

#endif

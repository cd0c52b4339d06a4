/*
 * A peer: an endpoint with which an endpoint of this process (our endpoint) is or was connected, or to which it is connecting.
 * The place of an endpoint is its board id and endpoint id. Several endpoints can have one place, one after the other.
 *
 * PEER-1  A peer is in our endpoint's table, at the index in its label, from the first attempt to connect until mx_disconnect,
 *     until the attempt fails, or until another peer takes the place of one that is gone. An address that names the peer finds
 *     it or nothing.
 * PEER-2  A peer's address is known (session) once it is connected. None of its DATA is matched before that.
 * PEER-3  DATA is matched in the order of its sequence. DATA that comes early waits.
 * PEER-4  The requests from held on are sends that have not begun, in order. There are such requests only while the bound lets
 *     no message go (BOUND-1), or while our endpoint is connecting with itself. So no send begins before them.
 * PEER-5  An address belongs to one peer. When that peer is gone, no later peer gets the address.
 * PEER-6  Where both ends have opened a link, our link may lead to another endpoint, which had the peer's place before. Until
 *     the peer itself answers over our link, the loss of our link ends only the requests that wait for that answer. If our link
 *     did lead to the peer, the peer notices the loss and ends both links. The loss of the peer's link ends both too.
 * PEER-7  A message with our label counts only if it belongs to the connection that we have. An endpoint that had the place
 *     before, or an earlier attempt of the peer, may have been told the same label. Before the peer is connected, DATA is kept
 *     (PEER-2), and the rest is ignored.
 * PEER-8  Of two connections with endpoints at the peer's place the newer one lasts: that of the endpoint that was opened
 *     later, or the later attempt of the same endpoint. The reason: a HELLO may come late, from an endpoint that is dead by
 *     then. If the clock of the second endpoint is behind, because it was set back or is another host's, the second endpoint
 *     is refused until the end of the first one has been noticed.
 */
#ifndef SHIM_CORE_PEER_H
#define SHIM_CORE_PEER_H

#include "core/arrival.h"
#include "core/bound.h"
#include "core/endpoint.h"
#include "core/request.h"
#include "core/wire.h"

enum { PEER_LINKS = 2 /* each of the two endpoints may have opened one */ };

struct peer {
    endpoint *endpoint;
    enum { PEER_CONNECTING, PEER_CONNECTED, PEER_GONE } state;
    mx_status_code_t fate; /* PEER_GONE: the status of messages to it */
    uint64_t nic;
    uint32_t eid, session;
    uint32_t former;     /* how many peers our endpoint had made before this one */
    uint32_t its_former; /* connected: how many peers the other endpoint had made before */
    uint64_t its_born;   /* connected: when the other endpoint was opened, by its clock_wall_us */
    struct wire_label label; /* on messages from the peer */
    struct wire_label to;    /* on messages to the peer */
    struct link *links[PEER_LINKS]; /* the first one is for sending */
    struct link *unanswered;        /* our link, until an answer shows where it leads; or NULL */
    uint64_t next_receive;
    struct bound_sender out; /* its sent.messages is the sequence of the next DATA */
    struct bound_receiver in;
    struct arrival_list early;
    struct request_queue queue; /* sends and connects that aren't complete */
    bool said_bye;              /* the peer has sent BYE */
    bool seen_bye;              /* the peer has sent BYE_SEEN */
    uint64_t bye_sequence;      /* said_bye: the first sequence that will not come */
    bool send_failed;           /* a message that the peer waits for could not be sent */
    void *context;
};

/* The peer whose queue this request is in; NULL: it is in none. */
struct peer *peer_of_request(const struct request *);

/* The endpoint's own address, and the address of a peer. */
mx_endpoint_addr_t peer_own_address(const endpoint *);
mx_endpoint_addr_t peer_address(const struct peer *);

/* What an address consists of. session 0: it is no address. */
struct peer_place {
    uint64_t nic;
    uint32_t eid, session;
    uint16_t slot; /* of the endpoint that has given it out */
};
struct peer_place peer_place_of(mx_endpoint_addr_t);

/* The head of messages to the peer. */
struct wire_head peer_head(const struct peer *);

/* Whether a message with this head belongs to the connection with the peer, which must be connected (PEER-7). */
bool peer_says(const struct peer *, const struct wire_head *);

/*
 * Finds a peer. NULL: it is not known, or not any more. Only the peer of our own address may be PEER_CONNECTING.
 */
struct peer *peer_of_address(const endpoint *, mx_endpoint_addr_t);
bool peer_is_own_address(const endpoint *, mx_endpoint_addr_t);
struct peer *peer_of_label(const endpoint *, struct wire_label);

/* The peer at this place that is connected or connecting; NULL: none. */
struct peer *peer_live(const endpoint *, uint64_t nic, uint32_t eid);

/* Creates a peer. It replaces a peer at this place that is gone, so that the table doesn't grow for ever. NULL: no memory. */
struct peer *peer_create(endpoint *, uint64_t nic, uint32_t eid);

/* Adds a link that the peer has opened, and sends over it from now on: our link may not be made yet. False: too many links. */
bool peer_add_link(struct peer *, struct link *);

/* The request to the peer, of this kind, that waits for the answer with that number; NULL: none. */
struct request *peer_request(const struct peer *, enum request_kind, uint32_t number);

/*
 * Closes our link, which leads to another endpoint or nowhere, and ends the connects that wait for its answer. The peer stays
 * connected over its own link (PEER-6).
 */
void peer_drop_unanswered(struct peer *, mx_status_code_t fate);

/* A link of the peer has failed. Ends what depends on the link: the peer itself may be freed. refused: no process listens. */
void peer_lost_link(struct peer *, const struct link *, bool refused);

/* Ends the connection with the peer, its links and its requests. The peer stays in the table, as PEER_GONE. */
void peer_lose(struct peer *, mx_status_code_t fate);

/* Ends the connection, takes the peer out of the table and frees it. */
void peer_remove(struct peer *);

/* Ends the connections with peers for which a message could not be sent. Called if send_failed is set. */
void peers_lose_unsendable(endpoint *);

/* Removes and frees all peers. */
void peers_close(endpoint *);

#endif

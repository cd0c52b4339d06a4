/* Connecting: by HELLO and ANSWER. */
#ifndef SHIM_CORE_CONNECT_H
#define SHIM_CORE_CONNECT_H

#include "core/peer.h"

/*
 * Tries to connect for a request. The place is valid: board_is_id(nic), and eid is below BOARD_ENDPOINTS. Completes the request
 * at once if the peer is connected, or if the attempt can't begin.
 */
void connect_begin(struct request *, uint64_t nic, uint32_t eid, uint32_t key);

/*
 * The peer that this address names; NULL: none. If it is the endpoint's own address, and the endpoint is not connected with
 * itself, begins to connect: the peer is then PEER_CONNECTING, and its sends are held (PEER-4).
 */
struct peer *connect_named(endpoint *, mx_endpoint_addr_t);

/* Ends a connect whose time is over. */
void connect_expire(struct request *);

/* A HELLO has come over a link, or an ANSWER with a label of this peer. */
void connect_hello(endpoint *, struct link *, const struct wire_hello *);
void connect_answer(struct peer *, const struct wire_answer *);

#endif

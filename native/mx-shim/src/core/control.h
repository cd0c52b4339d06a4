/*
 * Control messages: what endpoints tell each other beside the program's data. They have no payload. None of these functions
 * waits, and none ends a connection: if a message can't be sent, send_failed is set at its peer, and progress ends the connection
 * later (peers_lose_unsendable).
 */
#ifndef SHIM_CORE_CONTROL_H
#define SHIM_CORE_CONTROL_H

#include "core/peer.h"

/* Sends a message over a link. Copies the header. Closes a link that has no owner if the message can't be sent. */
void control_send(endpoint *, struct link *, enum wire_kind, const void *header, size_t length);

/* Tells the peer that a receive has matched its message. */
void control_send_matched(struct peer *, uint32_t number);

/* Tells the peer, which is connected, that our endpoint closes. No DATA may follow. */
void control_send_bye(struct peer *);

/* DATA or BYE has been taken in. Sends BYE_SEEN if the peer has sent BYE and all of its DATA has been taken in. */
void control_answer_bye(struct peer *);

/* A receive or the unexpected handler has taken a message of the peer. Tells the peer so if it is time (bound.h). */
void control_count_taken(struct peer *, const struct payload *);

#endif

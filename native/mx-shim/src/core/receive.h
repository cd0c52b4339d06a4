/* Receiving: how the messages that have arrived meet the receives of the program. */
#ifndef SHIM_CORE_RECEIVE_H
#define SHIM_CORE_RECEIVE_H

#include "core/peer.h"

/* Handles a message of this peer that has arrived. True if the payload was kept. */
bool receive_message(struct peer *, const struct wire_data *, const struct payload *);

/*
 * To be called when the peer is connected. Of the DATA that came before, drops what belongs to another connection (PEER-7), and
 * takes in the rest in its turn.
 */
void receive_begin(struct peer *);

/* Begins a receive: gives it the first message that fits, or lets it wait for one. The request has its segments. */
void receive_post(struct request *, uint64_t match_info, uint64_t match_mask);

#endif

/* Sending to a peer, as far as the bound on what the peer has to keep lets messages go (bound.h). */
#ifndef SHIM_CORE_SEND_H
#define SHIM_CORE_SEND_H

#include "core/peer.h"

enum { EAGER_MAX = 32768 /* the bytes of longer messages are sent when a receive has matched them */ };

/* Whether the next message can go at once, with all of its bytes if they are no more than EAGER_MAX. */
bool send_has_room(const struct peer *);

/* Begins a send to a peer that is not gone, or holds it until the peer is connected and the bound lets it go. */
void send_post(struct peer *, struct request *);

/* Begins the sends of a connected peer that were held, as far as the bound lets them go. */
void send_held(struct peer *);

#endif

/* Sending to a peer, as far as the bound on what the peer has to keep lets messages go (bound.h). */
#ifndef SHIM_CORE_SEND_H
#define SHIM_CORE_SEND_H

#include "core/peer.h"

/* Bytes. The bytes of longer messages are sent when a receive has matched them. */
enum {
    EAGER_MAX = 32768,
    /*
     * Through shared memory. Bytes that are sent later take three turns of the two processes: the receiver reads of the message,
     * the sender sends the bytes, the receiver takes them. A turn costs a wake-up, or where both share a core a switch of
     * processes. A copy of the bytes costs less, up to about this length. They are half of what UCX's queue between two
     * processes holds, 64 pieces of 8 KB (UCX_POSIX_FIFO_SIZE), so a sender seldom has to wait for the receiver in between.
     */
    EAGER_SHARED_MAX = 262144
};

/* Whether the next message can go at once, with all of its bytes unless it is too long for that on any link. */
bool send_has_room(const struct peer *);

/* Begins a send to a peer that is not gone, or holds it until the peer is connected and the bound lets it go. */
void send_post(struct peer *, struct request *);

/* Begins the sends of a connected peer that were held, as far as the bound lets them go. */
void send_held(struct peer *);

#endif

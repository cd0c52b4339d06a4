/*
 * The bound of what a receiver has to keep of one sender, as an algorithm: it knows numbers, not messages. Both count: the
 * sender what it has sent, the receiver what of it has been taken, by a receive or an unexpected handler, and tells that now
 * and then, in totals. Bytes are those that were sent with their message, without being asked for (eager).
 *
 * BOUND-1  A sender has no more than BOUND_MESSAGES and BOUND_BYTES out that it has not been told of as taken: further bytes stay
 *     with it until they are asked for, further messages until it is told.
 * BOUND-2  A receiver tells when a quarter of either has been taken since it told last. So a message waits only while three
 *     quarters of BOUND_MESSAGES are in truth not taken, and no longer than that.
 * BOUND-3  What a sender knows the receiver has told: so one that keeps BOUND-1 never exceeds the bound in the receiver's eyes either. One
 *     that does so grossly, by twice, is no endpoint of ours.
 */
#ifndef SHIM_BOUND_H
#define SHIM_BOUND_H

#include <stdbool.h>
#include <stdint.h>

enum { BOUND_MESSAGES = 1 << 16, BOUND_BYTES = 16 << 20 };

/* Totals since the connection began. */
struct volume {
    uint64_t messages, bytes;
};

struct bound_sender {
    struct volume sent, taken; /* taken: as told */
};

struct bound_receiver {
    struct volume arrived, taken, told;
};

/* Whether a message may be sent, with or without its bytes; and with that many. */
static inline bool bound_lets_message(const struct bound_sender *sender)
{
    return sender->sent.messages - sender->taken.messages < BOUND_MESSAGES;
}

static inline bool bound_lets_bytes(const struct bound_sender *sender, uint64_t bytes)
{
    return sender->sent.bytes - sender->taken.bytes + bytes <= BOUND_BYTES;
}

/* The receiver tells. What can't be is ignored, and what a later word has overtaken. */
static inline void bound_told(struct bound_sender *sender, struct volume taken)
{
    if (taken.messages > sender->sent.messages || taken.messages < sender->taken.messages)
        return;
    sender->taken.messages = taken.messages;
    sender->taken.bytes = taken.bytes < sender->sent.bytes ? taken.bytes : sender->sent.bytes;
}

/* A message has arrived. False: the sender doesn't keep to the bound (BOUND-3). */
static inline bool bound_arrived(struct bound_receiver *receiver, uint64_t bytes)
{
    receiver->arrived.messages++;
    receiver->arrived.bytes += bytes;
    return receiver->arrived.messages - receiver->told.messages <= 2 * BOUND_MESSAGES
           && receiver->arrived.bytes - receiver->told.bytes <= 2 * BOUND_BYTES;
}

/* One that has arrived is another sender's, and will not be taken. */
static inline void bound_uncount(struct bound_receiver *receiver, uint64_t bytes)
{
    receiver->arrived.messages--;
    receiver->arrived.bytes -= bytes;
}

/* A message has been taken. True if the sender is to be told so (BOUND-2). */
static inline bool bound_taken(struct bound_receiver *receiver, uint64_t bytes)
{
    receiver->taken.messages++;
    receiver->taken.bytes += bytes;
    if (receiver->taken.messages - receiver->told.messages < BOUND_MESSAGES / 4
        && receiver->taken.bytes - receiver->told.bytes < BOUND_BYTES / 4)
        return false;
    receiver->told = receiver->taken;
    return true;
}

#endif

/*
 * The bound on what a receiver has to keep of one sender, as an algorithm: it knows numbers, not messages. Both ends count. The
 * sender counts what it has sent. The receiver counts what a receive or an unexpected handler has taken of it, and now and then
 * tells the sender the totals. Of bytes, only those count that were sent with their message, without a request for them
 * (eager).
 *
 * BOUND-1  A sender has at most BOUND_MESSAGES messages and BOUND_BYTES bytes out that it has not been told of as taken.
 *     Further bytes stay with the sender until the receiver asks for them. Further messages stay until the sender is told.
 * BOUND-2  A receiver tells the sender when a quarter of either limit has been taken since it last told. So a message waits
 *     only while at least three quarters of BOUND_MESSAGES are really not taken, and no longer.
 * BOUND-3  A sender knows only what the receiver has told it. So a sender that keeps BOUND-1 never exceeds the bound by the
 *     receiver's count either. A sender that exceeds it by a factor of two is no endpoint of this library.
 */
#ifndef SHIM_CORE_BOUND_H
#define SHIM_CORE_BOUND_H

#include <stdbool.h>
#include <stdint.h>

enum { BOUND_MESSAGES = 1 << 16, BOUND_BYTES = 16 << 20 };

/* Totals since the connection began. */
struct volume {
    uint64_t messages, bytes;
};

struct bound_sender {
    struct volume sent, taken; /* taken: as the receiver told */
};

struct bound_receiver {
    struct volume received, taken, told;
};

/* Whether a message may be sent, with or without its bytes; and whether so many bytes may go with it. */
static inline bool bound_lets_message(const struct bound_sender *sender)
{
    return sender->sent.messages - sender->taken.messages < BOUND_MESSAGES;
}

static inline bool bound_lets_bytes(const struct bound_sender *sender, uint64_t bytes)
{
    return sender->sent.bytes - sender->taken.bytes + bytes <= BOUND_BYTES;
}

/* The receiver has told its totals. Ignores impossible totals, and old ones that a later message has overtaken. */
static inline void bound_told(struct bound_sender *sender, struct volume taken)
{
    if (taken.messages > sender->sent.messages || taken.messages < sender->taken.messages)
        return;
    sender->taken.messages = taken.messages;
    sender->taken.bytes = taken.bytes < sender->sent.bytes ? taken.bytes : sender->sent.bytes;
}

/* Counts a message that has arrived. False: the sender doesn't keep to the bound (BOUND-3). */
static inline bool bound_count_received(struct bound_receiver *receiver, uint64_t bytes)
{
    receiver->received.messages++;
    receiver->received.bytes += bytes;
    return receiver->received.messages - receiver->told.messages <= 2 * BOUND_MESSAGES
           && receiver->received.bytes - receiver->told.bytes <= 2 * BOUND_BYTES;
}

/* Takes a message that has arrived out of the count: it belongs to another sender, and will not be taken. */
static inline void bound_uncount(struct bound_receiver *receiver, uint64_t bytes)
{
    receiver->received.messages--;
    receiver->received.bytes -= bytes;
}

/* Counts a message that has been taken. True if the receiver has to tell the sender now (BOUND-2). */
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

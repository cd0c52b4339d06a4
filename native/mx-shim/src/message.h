/* Messages that have arrived, and how they meet a receive. */
#ifndef SHIM_MESSAGE_H
#define SHIM_MESSAGE_H

#include "endpoint.h"
#include "wire.h"

struct peer;

/* A message that is kept because its turn has not come, or because no receive has matched it. */
struct arrival {
    struct match_item item;
    uint64_t change; /* the endpoint's count of changes at which it could be found */
    TAILQ_ENTRY(arrival) of_peer;
    mx_endpoint_addr_t source;
    struct wire_data header;
    struct payload payload;
    unsigned char bytes[]; /* the payload, if it was PAYLOAD_PASSING */
};

TAILQ_HEAD(arrival_list, arrival);

static inline struct arrival *arrival_of(struct match_item *item)
{
    return (struct arrival *)(void *)((char *)item - offsetof(struct arrival, item));
}

/* The bytes that came with their message, without being asked for. */
static inline uint64_t eager_bytes(const struct payload *payload)
{
    return payload->place == PAYLOAD_REMOTE ? 0 : payload->length;
}

/* Handles a message of this peer that has arrived. True if the payload was kept. */
bool message_arrived(struct peer *, const struct wire_data *, const struct payload *);

/*
 * To be called when the peer is connected. Of the DATA that came before, drops what belongs to another connection (PEER-7), and
 * takes in the rest in its turn.
 */
void messages_begin(struct peer *);

/* Takes in the messages that came early, as far as their turn has come. */
void messages_catch_up(struct peer *);

/* To be called when the peer is gone. Drops the messages that came early, and those that can't be fetched any more. */
void messages_lose(struct peer *);

/* Drops all unexpected messages that are kept. */
void messages_close(endpoint *);

#endif

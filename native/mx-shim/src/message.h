/*
 * Messages: what has arrived, and how it meets a receive.
 */
#ifndef SHIM_MESSAGE_H
#define SHIM_MESSAGE_H

#include "endpoint.h"
#include "wire.h"

struct peer;

/* A message that is kept: before its turn, or because no receive has matched it. */
struct arrival {
    struct match_item item;
    uint64_t change; /* the endpoint's, with which it could be found */
    TAILQ_ENTRY(arrival) of_peer;
    mx_endpoint_addr_t source;
    struct wire_data header;
    struct payload payload;
    unsigned char bytes[]; /* where the payload is, if it was passing */
};

TAILQ_HEAD(arrival_list, arrival);

static inline struct arrival *arrival_of(struct match_item *item)
{
    return (struct arrival *)(void *)((char *)item - offsetof(struct arrival, item));
}

/* What of a message came without being asked for. */
static inline uint64_t eager_bytes(const struct payload *payload)
{
    return payload->place == PAYLOAD_REMOTE ? 0 : payload->length;
}

/* A message of this peer has come; true if the payload was kept. */
bool message_arrived(struct peer *, const struct wire_data *, const struct payload *);

/* The peer is connected: of what came before that, what is another's goes (PEER-7), the rest has its turn. */
void messages_begin(struct peer *);

/* Lets those that came early have their turn, as far as it has come. */
void messages_catch_up(struct peer *);

/* The peer is gone: drops what came early, and what can't be fetched any more. */
void messages_lose(struct peer *);

/* Drops all that is kept. */
void messages_close(endpoint *);

#endif

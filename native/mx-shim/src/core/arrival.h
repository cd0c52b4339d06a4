/* Messages that are kept: they have arrived, and have not met a receive. */
#ifndef SHIM_CORE_ARRIVAL_H
#define SHIM_CORE_ARRIVAL_H

#include "core/endpoint.h"
#include "core/wire.h"

/* A message that is kept because its turn has not come, or because no receive has matched it. */
struct arrival {
    struct match_item item;
    uint64_t change; /* the endpoint's count of changes at which it could be found */
    TAILQ_ENTRY(arrival) of_early; /* in a list of early messages of one peer */
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

/*
 * Keeps a message. A payload that is PAYLOAD_PASSING is copied; any other one belongs to the arrival from here on. NULL: no
 * memory. The message is then lost, and so is the order of those that follow.
 */
struct arrival *arrival_keep(const struct wire_data *, const struct payload *);

/* Releases the payload, and frees the arrival. It is in no list any more. */
void arrival_drop(endpoint *, struct arrival *);

/* Drops all messages of a list of early ones. */
void arrivals_drop_early(endpoint *, struct arrival_list *early);

/* Drops the unexpected messages from this source whose payload is still at the sender, because it can't be fetched any more. */
void arrivals_drop_remote(endpoint *, mx_endpoint_addr_t source);

/* Drops all unexpected messages. */
void arrivals_drop_unexpected(endpoint *);

#endif

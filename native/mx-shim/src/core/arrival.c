#include "core/arrival.h"

#include <stdlib.h>
#include <string.h>

void arrival_drop(endpoint *ep, struct arrival *arrival)
{
    if (arrival->payload.place != PAYLOAD_PASSING)
        payload_drop(ep->transport, &arrival->payload);
    free(arrival);
}

struct arrival *arrival_keep(const struct wire_data *header, const struct payload *payload)
{
    size_t copied = payload->place == PAYLOAD_PASSING ? payload->length : 0;
    struct arrival *arrival = malloc(sizeof *arrival + copied);
    if (arrival == NULL)
        return NULL;
    arrival->header = *header;
    arrival->payload = *payload;
    if (copied > 0)
        arrival->payload.data = memcpy(arrival->bytes, payload->data, copied);
    return arrival;
}

void arrivals_drop_early(endpoint *ep, struct arrival_list *early)
{
    for (struct arrival *arrival; (arrival = TAILQ_FIRST(early)) != NULL;) {
        TAILQ_REMOVE(early, arrival, of_early);
        arrival_drop(ep, arrival);
    }
}

void arrivals_drop_remote(endpoint *ep, mx_endpoint_addr_t source)
{
    for (struct match_item *item = match_items_first(&ep->unexpected); item != NULL;) {
        struct match_item *next = TAILQ_NEXT(item, in_order);
        struct arrival *arrival = arrival_of(item);
        if (arrival->payload.place == PAYLOAD_REMOTE && memcmp(&arrival->source, &source, sizeof source) == 0) {
            match_items_remove(&ep->unexpected, item);
            arrival_drop(ep, arrival);
        }
        item = next;
    }
}

void arrivals_drop_unexpected(endpoint *ep)
{
    for (struct match_item *item; (item = match_items_first(&ep->unexpected)) != NULL;) {
        match_items_remove(&ep->unexpected, item);
        arrival_drop(ep, arrival_of(item));
    }
}

#include "core/receive.h"

#include <stdlib.h>
#include <string.h>

#include "core/arrival.h"
#include "core/control.h"

enum {
    SCRATCH_BYTES = 1 << 20,
    HELD_MIN = 4096 /* a held payload takes a buffer of the transport, 8 KB in UCX, whatever its length: shorter ones are copied */
};

/* What has happened to the payload of a message that was taken in. */
enum outcome { DONE_WITH, FETCHING, KEPT };

static void scatter(const struct request *request, const unsigned char *bytes, size_t length)
{
    for (size_t i = 0; length > 0; i++) {
        size_t part = length < request->segments[i].iov_len ? length : request->segments[i].iov_len;
        memcpy(request->segments[i].iov_base, bytes, part);
        bytes += part;
        length -= part;
    }
}

/*
 * Makes the segments of a receive as long as the message. The part of a message that is too long for the receive goes to a
 * scratch area, again and again to the same one: the sender decides how long the message is, but not how much memory that costs
 * here. False: no memory.
 */
static bool fit(struct request *request, uint64_t length)
{
    if (request->length > length) {
        size_t i = 0;
        for (uint64_t left = length; left > 0; left -= request->segments[i++].iov_len)
            if (request->segments[i].iov_len > left)
                request->segments[i].iov_len = (size_t)left;
        request->count = i;
    } else if (request->length < length) {
        uint64_t rest = length - request->length;
        size_t more = (size_t)((rest + SCRATCH_BYTES - 1) / SCRATCH_BYTES);
        struct iovec *segments = malloc((request->count + more) * sizeof *segments);
        request->scratch = malloc(rest < SCRATCH_BYTES ? (size_t)rest : SCRATCH_BYTES);
        if (segments == NULL || request->scratch == NULL) {
            free(segments);
            return false;
        }
        memcpy(segments, request->segments, request->count * sizeof *segments);
        if (request->segments != &request->one)
            free(request->segments);
        request->segments = segments;
        for (; rest > 0; rest -= segments[request->count++].iov_len)
            segments[request->count] = (struct iovec){ request->scratch, rest < SCRATCH_BYTES ? (size_t)rest : SCRATCH_BYTES };
    }
    return true;
}

static void fetched(struct operation *operation, bool well)
{
    struct request *request = (struct request *)(void *)operation;
    request_operation_over(request);
    if (!well)
        request->status.xfer_length = 0;
    request_complete(request, !well                                                      ? MX_STATUS_ENDPOINT_UNREACHABLE
                              : request->status.xfer_length < request->status.msg_length ? MX_STATUS_TRUNCATED
                                                                                         : MX_STATUS_SUCCESS);
}

/* Delivers a message to its receive. peer is the sender, or NULL if that peer is gone. */
static enum outcome deliver(struct request *request, struct peer *peer, mx_endpoint_addr_t source,
                            const struct wire_data *header, const struct payload *payload)
{
    endpoint *ep = request->endpoint;
    if (request->waits)
        match_claims_remove(&ep->receives, &request->claim);
    request->waits = false;
    request->status.source = source;
    request->status.match_info = request->completion.match_info = header->match_info;
    request->status.msg_length = (uint32_t)payload->length;
    request->status.xfer_length = (uint32_t)(request->length < payload->length ? request->length : payload->length);
    if (peer != NULL && header->sync != 0)
        control_send_matched(peer, header->sync);
    if (peer != NULL)
        control_count_taken(peer, payload);
    if (payload->place != PAYLOAD_REMOTE) {
        scatter(request, payload->data, request->status.xfer_length);
        request_complete(request, request->length < payload->length ? MX_STATUS_TRUNCATED : MX_STATUS_SUCCESS);
        return DONE_WITH;
    }
    if (!fit(request, payload->length)) {
        request->status.xfer_length = 0;
        request_complete(request, MX_STATUS_NO_RESOURCES);
        return DONE_WITH;
    }
    request_set_timeout(request, 0);
    request->under_way = true;
    request->operation.done = fetched;
    enum submitted result = payload_fetch(ep->transport, payload, request->segments, request->count, &request->operation);
    if (result == SUBMITTED_UNDER_WAY)
        ep->needs_progress = true;
    else
        fetched(&request->operation, result == SUBMITTED_DONE);
    return FETCHING;
}

static struct request *receive_for(endpoint *ep, uint64_t match_info)
{
    struct match_claim *claim = match_claims_find(&ep->receives, match_info);
    return claim == NULL ? NULL : REQUEST_OF(claim, claim);
}

static bool handled(endpoint *ep, mx_endpoint_addr_t source, const struct wire_data *header, const struct payload *payload)
{
    void *data = payload->place == PAYLOAD_REMOTE && payload->length > 0 ? NULL : payload->data;
    ep->in_handler = true;
    mx_unexp_handler_action_t action =
        ep->handler(ep->handler_context, source, header->match_info, (uint32_t)payload->length, data);
    ep->in_handler = false;
    struct peer *peer = action == MX_RECV_FINISHED && header->sync != 0 ? peer_of_address(ep, source) : NULL;
    if (peer != NULL)
        control_send_matched(peer, header->sync);
    return action == MX_RECV_FINISHED;
}

/* Takes in a message whose turn has come. earlier: where it has been kept until now, or NULL. */
static enum outcome take_in(struct peer *peer, const struct wire_data *header, const struct payload *payload,
                            struct arrival *earlier)
{
    endpoint *ep = peer->endpoint;
    mx_endpoint_addr_t source = peer_address(peer);
    peer->next_receive++;
    struct request *request = receive_for(ep, header->match_info);
    if (request == NULL && ep->handler != NULL) {
        if (handled(ep, source, header, payload)) {
            control_count_taken(peer, payload);
            return DONE_WITH;
        }
        request = receive_for(ep, header->match_info);
    }
    if (request != NULL)
        return deliver(request, peer, source, header, payload);
    struct arrival *arrival = earlier != NULL ? earlier : arrival_keep(header, payload);
    if (arrival == NULL) {
        peer_lose(peer, MX_STATUS_NO_RESOURCES);
        return DONE_WITH;
    }
    arrival->source = source;
    arrival->item.match_info = header->match_info;
    match_items_add(&ep->unexpected, &arrival->item);
    arrival->change = ++ep->changes;
    return KEPT;
}

/* Finds the place of an early message: in front of *before, or at the end if that is NULL. False: the list has it already. */
static bool place_of(const struct peer *peer, uint64_t sequence, struct arrival **before)
{
    struct arrival *last = TAILQ_LAST(&peer->early, arrival_list);
    *before = NULL;
    if (last == NULL || last->header.sequence < sequence)
        return true;
    TAILQ_FOREACH(*before, &peer->early, of_early)
        if ((*before)->header.sequence >= sequence)
            break;
    return (*before)->header.sequence != sequence;
}

static enum outcome keep_early(struct peer *peer, const struct wire_data *header, const struct payload *payload)
{
    struct arrival *before;
    if (header->sequence < peer->next_receive || !place_of(peer, header->sequence, &before))
        return DONE_WITH; /* no endpoint of this library gives a number twice */
    struct arrival *arrival = arrival_keep(header, payload);
    if (arrival == NULL) {
        peer_lose(peer, MX_STATUS_NO_RESOURCES);
        return DONE_WITH;
    }
    if (before == NULL)
        TAILQ_INSERT_TAIL(&peer->early, arrival, of_early);
    else
        TAILQ_INSERT_BEFORE(before, arrival, of_early);
    return KEPT;
}

/* Takes in the messages that came early, as far as their turn has come. */
static void catch_up(struct peer *peer)
{
    struct arrival *arrival;
    while (peer->state == PEER_CONNECTED && (arrival = TAILQ_FIRST(&peer->early)) != NULL
           && arrival->header.sequence == peer->next_receive) {
        TAILQ_REMOVE(&peer->early, arrival, of_early);
        enum outcome outcome = take_in(peer, &arrival->header, &arrival->payload, arrival);
        if (outcome == DONE_WITH)
            arrival_drop(peer->endpoint, arrival);
        else if (outcome == FETCHING)
            free(arrival);
    }
    control_answer_bye(peer);
}

bool receive_message(struct peer *peer, const struct wire_data *header, const struct payload *received)
{
    if (received->length > UINT32_MAX)
        return false;
    struct payload payload = *received;
    if (payload.length == 0 || (payload.place == PAYLOAD_HELD && payload.length < HELD_MIN))
        payload.place = PAYLOAD_PASSING; /* nothing has to be released later */
    if (!bound_count_received(&peer->in, eager_bytes(&payload))) {
        peer_lose(peer, MX_STATUS_ENDPOINT_UNREACHABLE);
        return false;
    }
    enum outcome outcome;
    if (peer->state == PEER_CONNECTED && header->sequence == peer->next_receive) {
        outcome = take_in(peer, header, &payload, NULL);
        catch_up(peer);
    } else {
        outcome = keep_early(peer, header, &payload);
    }
    return outcome == FETCHING || (outcome == KEPT && payload.place != PAYLOAD_PASSING);
}

void receive_begin(struct peer *peer)
{
    for (struct arrival *arrival = TAILQ_FIRST(&peer->early), *next; arrival != NULL; arrival = next) {
        next = TAILQ_NEXT(arrival, of_early);
        if (peer_says(peer, &arrival->header.head))
            continue;
        TAILQ_REMOVE(&peer->early, arrival, of_early);
        bound_uncount(&peer->in, eager_bytes(&arrival->payload));
        arrival_drop(peer->endpoint, arrival); /* this tells its sender that it has been taken, but that connection has ended */
    }
    catch_up(peer);
}

void receive_post(struct request *request, uint64_t match_info, uint64_t match_mask)
{
    endpoint *ep = request->endpoint;
    struct match_item *item = match_items_find(&ep->unexpected, match_info, match_mask);
    if (item == NULL) {
        request->claim.match = match_info;
        request->claim.mask = match_mask;
        request->waits = true;
        match_claims_add(&ep->receives, &request->claim);
        return;
    }
    struct arrival *arrival = arrival_of(item);
    match_items_remove(&ep->unexpected, item);
    if (deliver(request, peer_of_address(ep, arrival->source), arrival->source, &arrival->header, &arrival->payload) == FETCHING)
        free(arrival);
    else
        arrival_drop(ep, arrival);
}

#include "core/control.h"

#include <stdlib.h>
#include <string.h>

/* A message that is under way. */
struct control {
    struct operation operation;
    union {
        struct wire_answer answer;
        struct wire_matched matched;
        struct wire_taken taken;
        struct wire_bye bye;
    } header;
};

static void control_sent(struct operation *operation, bool well)
{
    (void)well; /* if it was not sent, the link reports its loss itself */
    free(operation);
}

static enum submitted submit(struct link *link, enum wire_kind kind, const void *header, size_t length)
{
    struct control *control = malloc(sizeof *control);
    if (control == NULL)
        return SUBMITTED_FAILED;
    control->operation.done = control_sent;
    memcpy(&control->header, header, length);
    enum submitted submitted = link_send(link, kind, &control->header, length, NULL, 0, 0, &control->operation);
    if (submitted != SUBMITTED_UNDER_WAY)
        free(control);
    return submitted;
}

void control_send(endpoint *ep, struct link *link, enum wire_kind kind, const void *header, size_t length)
{
    struct peer *peer = link_owner(link);
    enum submitted submitted = submit(link, kind, header, length);
    if (submitted == SUBMITTED_FAILED && peer == NULL)
        link_close(link);
    else if (submitted == SUBMITTED_FAILED)
        peer->send_failed = ep->send_failed = true; /* the connection does not end here: the caller still uses the peer */
    ep->needs_progress |= submitted != SUBMITTED_DONE;
}

void control_send_matched(struct peer *peer, uint32_t number)
{
    struct wire_matched matched = { .head = peer_head(peer), .sync = number };
    if (peer->state == PEER_CONNECTED)
        control_send(peer->endpoint, peer->links[0], WIRE_MATCHED, &matched, sizeof matched);
}

static void send_bye(struct peer *peer, enum wire_kind kind, uint64_t sequence)
{
    struct wire_bye bye = { .head = peer_head(peer), .sequence = sequence };
    control_send(peer->endpoint, peer->links[0], kind, &bye, sizeof bye);
}

void control_count_taken(struct peer *peer, const struct payload *payload)
{
    if (!bound_taken(&peer->in, eager_bytes(payload)) || peer->state != PEER_CONNECTED)
        return;
    struct wire_taken taken = { .head = peer_head(peer), .messages = peer->in.told.messages, .bytes = peer->in.told.bytes };
    control_send(peer->endpoint, peer->links[0], WIRE_TAKEN, &taken, sizeof taken);
}

void control_answer_bye(struct peer *peer)
{
    if (!peer->said_bye || peer->state != PEER_CONNECTED || peer->next_receive != peer->bye_sequence)
        return;
    send_bye(peer, WIRE_BYE_SEEN, peer->bye_sequence);
}

void control_send_bye(struct peer *peer)
{
    send_bye(peer, WIRE_BYE, peer->out.sent.messages);
}

#include "core/dispatch.h"

#include <string.h>

#include "core/connect.h"
#include "core/control.h"
#include "core/receive.h"
#include "core/send.h"

static void on_matched(struct peer *peer, const struct wire_matched *matched)
{
    struct request *request = peer_request(peer, REQUEST_SEND, matched->sync);
    if (request == NULL)
        return;
    request->waits = false;
    if (!request->under_way) /* else the transport still needs its memory */
        request_complete(request, MX_STATUS_SUCCESS);
}

static void on_taken(struct peer *peer, const struct wire_taken *taken)
{
    bound_told(&peer->out, (struct volume){ taken->messages, taken->bytes });
    send_held(peer);
}

static void on_bye(struct peer *peer, const struct wire_bye *bye)
{
    peer->said_bye = true;
    peer->bye_sequence = bye->sequence;
    control_answer_bye(peer);
}

union message {
    struct {
        uint32_t magic, version;
    } first; /* of HELLO and ANSWER */
    struct wire_head head;
    struct wire_hello hello;
    struct wire_answer answer;
    struct wire_data data;
    struct wire_matched matched;
    struct wire_taken taken;
    struct wire_bye bye;
};

/* Copies a header, which may have any alignment. False: it is no message of an endpoint. */
static bool read_header(union message *message, unsigned int kind, const void *header, size_t length)
{
    static const size_t lengths[] = {
        [WIRE_HELLO] = sizeof(struct wire_hello),     [WIRE_ANSWER] = sizeof(struct wire_answer),
        [WIRE_DATA] = sizeof(struct wire_data),       [WIRE_MATCHED] = sizeof(struct wire_matched),
        [WIRE_BYE] = sizeof(struct wire_bye),         [WIRE_BYE_SEEN] = sizeof(struct wire_bye),
        [WIRE_TAKEN] = sizeof(struct wire_taken),
    };
    if (kind >= sizeof lengths / sizeof *lengths)
        return false;
    if (length == lengths[kind]) {
        memcpy(message, header, length);
        return true;
    }
    if (length < (kind == WIRE_HELLO ? WIRE_HELLO_LEAST : kind == WIRE_ANSWER ? WIRE_ANSWER_LEAST : SIZE_MAX))
        return false;
    memset(message, 0, sizeof *message);
    memcpy(message, header, length < sizeof *message ? length : sizeof *message);
    return message->first.version != WIRE_VERSION; /* a message of our version must be whole */
}

static bool on_message(void *ep, struct link *link, unsigned int kind, const void *header, size_t length,
                       const struct payload *payload)
{
    union message message;
    if (!read_header(&message, kind, header, length))
        return false;
    if (kind == WIRE_HELLO) {
        connect_hello(ep, link, &message.hello);
        return false;
    }
    struct peer *peer = peer_of_label(ep, kind == WIRE_ANSWER ? message.answer.label : message.head.label);
    if (peer == NULL)
        return false;
    if (kind == WIRE_ANSWER) {
        connect_answer(peer, &message.answer);
        return false;
    }
    if (peer->state == PEER_CONNECTED ? !peer_says(peer, &message.head) : kind != WIRE_DATA)
        return false; /* (PEER-7) */
    switch (kind) {
    case WIRE_DATA:
        return receive_message(peer, &message.data, payload);
    case WIRE_MATCHED:
        on_matched(peer, &message.matched);
        break;
    case WIRE_TAKEN:
        on_taken(peer, &message.taken);
        break;
    case WIRE_BYE:
        on_bye(peer, &message.bye);
        break;
    case WIRE_BYE_SEEN:
        peer->seen_bye = true;
        break;
    }
    return false;
}

static void on_link_lost(void *ep, struct link *link, void *peer, bool refused)
{
    (void)ep;
    peer_lost_link(peer, link, refused);
}

const struct transport_events dispatch_events = { .received = on_message, .lost = on_link_lost };

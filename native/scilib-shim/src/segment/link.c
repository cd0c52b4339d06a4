#include "segment/link.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/handles.h"
#include "base/service.h"
#include "segment/events.h"
#include "system/clock.h"
#include "system/peers.h"
#include "system/wire.h"

/*
 * A connector sends its request right after connecting. So a link that is half open for long has a slow or hostile
 * connector. Beyond the limit the oldest half open link is dropped: a connector that holds many does not keep others out.
 */
enum { HALF_OPEN_LIMIT = 32, REQUEST_MS = 2000 };

static struct link_list half_open = TAILQ_HEAD_INITIALIZER(half_open); /* oldest first */
static unsigned int half_open_count;

static void leave_half_open(struct link *link)
{
    TAILQ_REMOVE(&half_open, link, in_half_open);
    half_open_count--;
}

/* tell: whether to tell the remote that this is a disconnection; not if the remote has ended. */
static void drop(struct link *link, bool tell)
{
    if (!link->established)
        leave_half_open(link);
    TAILQ_REMOVE(&link->segment->links, link, in_segment);
    service_unwatch(link->socket);
    if (link->established && tell)
        wire_say_bye(link->socket);
    close(link->socket);
    handle_drop(&link->object);
    free(link);
}

void link_forget(struct link *link)
{
    close(link->socket);
}

void links_forget_half_open(void)
{
    TAILQ_INIT(&half_open);
    half_open_count = 0;
}

/* Sends the answer that carries no memory. It may get lost: that concerns only the connector. */
static void refuse(int socket, sci_error_t status)
{
    struct wire_answer answer = { .head = wire_head(WIRE_ANSWER), .status = status };
    wire_send(socket, &answer, sizeof answer, -1);
}

static struct link *admit(struct local_segment *segment, int socket)
{
    struct link *link = calloc(1, sizeof *link);
    if (link == NULL || !handle_add(&link->object, KIND_LINK)) {
        free(link);
        close(socket);
        return NULL;
    }
    if (service_watch(socket, &link->object) != SCI_ERR_OK) {
        handle_drop(&link->object);
        free(link);
        close(socket);
        return NULL;
    }
    if (half_open_count == HALF_OPEN_LIMIT)
        drop(TAILQ_FIRST(&half_open), true);
    link->segment = segment;
    link->socket = socket;
    link->deadline = clock_now() + REQUEST_MS;
    TAILQ_INSERT_TAIL(&segment->links, link, in_segment);
    TAILQ_INSERT_TAIL(&half_open, link, in_half_open);
    half_open_count++;
    return link;
}

struct link *link_accept(struct local_segment *segment)
{
    /* One at a time: the next one causes another event, and finding that there is none costs as much as accepting it. */
    int socket = accept4(segment->listener, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
    if (socket < 0) {
        segment->starved = errno != EAGAIN && errno != ECONNABORTED && errno != EINTR;
    } else if (peer_socket_allowed(socket)) {
        return admit(segment, socket);
    } else {
        refuse(socket, SCI_ERR_CONNECTION_REFUSED);
        close(socket);
    }
    return NULL;
}

uint64_t link_expire(void)
{
    uint64_t now = clock_now();
    struct link *oldest;
    while ((oldest = TAILQ_FIRST(&half_open)) != NULL && oldest->deadline <= now)
        drop(oldest, true);
    return oldest != NULL ? oldest->deadline : UINT64_MAX;
}

void link_drop_all(struct local_segment *segment, bool established_too)
{
    struct link *link = TAILQ_FIRST(&segment->links);
    while (link != NULL) {
        struct link *next = TAILQ_NEXT(link, in_segment);
        if (established_too || !link->established)
            drop(link, true);
        link = next;
    }
}

/* Reports an event. This must be the last step for it: afterwards segment and link may have been freed. */
static void announce(struct local_segment *segment, sci_segment_cb_reason_t reason, unsigned int node,
                     unsigned int adapter)
{
    if (!segment->has_callback) {
        events_add(&segment->events, (struct event){ .reason = reason, .node = node, .adapter = adapter });
        return;
    }
    sci_cb_local_segment_t callback = segment->callback;
    if (callback == NULL)
        return;
    void *arg = segment->callback_arg;
    sci_local_segment_t handle = handle_value(&segment->object);
    service_enter_callback(segment->object.handle);
    sci_callback_action_t action = callback(arg, handle, reason, node, adapter, SCI_ERR_OK);
    segment = service_leave_callback();
    if (segment != NULL && action == SCI_CALLBACK_CANCEL)
        segment->callback = NULL;
}

static void establish(struct link *link, const struct wire_request *request)
{
    struct local_segment *segment = link->segment;
    if (segment->admits_one && segment->connections > 0) {
        refuse(link->socket, SCI_ERR_CONNECTION_REFUSED);
        drop(link, false);
        return;
    }
    struct wire_answer answer = { .head = wire_head(WIRE_ANSWER), .status = SCI_ERR_OK,
                                  .size = segment->memory.size };
    if (!wire_send(link->socket, &answer, sizeof answer, segment->memory.fd)) {
        drop(link, true);
        return;
    }
    leave_half_open(link);
    segment->connections++;
    link->established = true;
    link->node = request->node;
    link->adapter = request->adapter;
    announce(segment, SCI_CB_CONNECT, link->node, link->adapter);
}

static void half_open_event(struct link *link)
{
    union wire_packet packet;
    enum wire_event event = wire_receive_bare(link->socket, &packet);
    if (event == WIRE_PACKET && packet.head.kind == WIRE_REQUEST) {
        establish(link, &packet.request);
    } else if (event != WIRE_NOTHING) {
        if (event == WIRE_OTHER_VERSION)
            refuse(link->socket, SCI_ERR_INCONSISTENT_VERSIONS);
        drop(link, true);
    }
}

void link_event(struct link *link)
{
    if (!link->established) {
        half_open_event(link);
        return;
    }
    union wire_packet packet;
    enum wire_event event = wire_receive_bare(link->socket, &packet);
    if (event == WIRE_NOTHING)
        return;
    bool farewell = event == WIRE_PACKET && packet.head.kind == WIRE_BYE;
    struct local_segment *segment = link->segment;
    unsigned int node = link->node, adapter = link->adapter;
    drop(link, !farewell && event != WIRE_END);
    announce(segment, farewell ? SCI_CB_DISCONNECT : SCI_CB_LOST, node, adapter);
}

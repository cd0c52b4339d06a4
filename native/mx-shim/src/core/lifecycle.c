#include "core/lifecycle.h"

#include <stdlib.h>

#include "core/arrival.h"
#include "core/board.h"
#include "core/clock.h"
#include "core/control.h"
#include "core/dispatch.h"
#include "core/random.h"
#include "core/registry.h"
#include "core/request.h"
#include "core/wait.h"

enum { FAREWELL_MS = 500 /* for peers to take in what was sent before the endpoint closes */ };

/* ---- opening ---- */

void lifecycle_destroy(endpoint *ep)
{
    waiting_close(ep);
    pthread_mutex_destroy(&ep->lock);
    free(ep);
}

endpoint *lifecycle_create(void)
{
    endpoint *ep = calloc(1, sizeof *ep);
    if (ep == NULL)
        return NULL;
    ep->lock = (pthread_mutex_t)PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP; /* LOCK-1 */
    match_claims_init(&ep->receives);
    match_items_init(&ep->unexpected);
    match_items_init(&ep->completed);
    TAILQ_INIT(&ep->requests);
    TAILQ_INIT(&ep->spare);
    ep->next_deadline = NEVER;
    ep->session = random_number();
    if (waiting_open(ep))
        return ep;
    lifecycle_destroy(ep);
    return NULL;
}

static mx_return_t open_at(endpoint *ep, const char *interface, uint32_t eid)
{
    switch (transport_open((uint32_t)ep->nic, interface, board_port(eid), &dispatch_events, ep, &ep->transport)) {
    case TRANSPORT_OPEN:
        ep->eid = eid;
        ep->born = clock_wall_us(); /* an earlier endpoint at this place is gone by now (PEER-8) */
        return MX_SUCCESS;
    case TRANSPORT_ADDRESS_IN_USE:
        return MX_BUSY;
    case TRANSPORT_NO_INTERFACE:
        return MX_NIC_DEAD;
    default:
        return MX_NO_RESOURCES;
    }
}

static mx_return_t open_transport(endpoint *ep, const char *interface, uint32_t eid)
{
    if (eid != MX_ANY_ENDPOINT)
        return eid < BOARD_ENDPOINTS ? open_at(ep, interface, eid) : MX_BAD_ENDPOINT_ID;
    for (eid = 0; eid < BOARD_ENDPOINTS; eid++) {
        mx_return_t result = open_at(ep, interface, eid);
        if (result != MX_BUSY)
            return result;
    }
    return MX_NO_RESOURCES;
}

mx_return_t lifecycle_open(endpoint *ep, uint32_t board_number, uint32_t eid)
{
    struct board board;
    if (!board_find(board_number == MX_ANY_NIC ? 0 : board_number, &board))
        return MX_BOARD_UNKNOWN;
    if (!board.running)
        return MX_NIC_DEAD;
    ep->nic = board.nic;
    mx_return_t refused = open_transport(ep, board.interface, eid);
    if (refused != MX_SUCCESS)
        return refused;
    if (waiting_watch(ep) && registry_add(ep))
        return MX_SUCCESS;
    transport_close(ep->transport);
    return MX_NO_RESOURCES;
}

/* ---- closing ---- */

static bool all_have_seen_bye(endpoint *ep, void *nothing)
{
    (void)nothing;
    for (uint32_t i = 0; i < ep->peers_size; i++)
        if (ep->peers[i] != NULL && ep->peers[i]->state == PEER_CONNECTED && !ep->peers[i]->seen_bye)
            return false;
    return true;
}

/* Sends BYE to all peers, and waits for a limited time until they have taken in what was sent. */
static void say_bye(endpoint *ep)
{
    for (uint32_t i = 0; i < ep->peers_size; i++) {
        struct peer *peer = ep->peers[i];
        if (peer == NULL || peer->state != PEER_CONNECTED)
            continue;
        peer->queue.held = NULL; /* held sends don't begin any more: no DATA may come after BYE */
        control_send_bye(peer);
    }
    wait_with_others(ep, clock_ms() + FAREWELL_MS, all_have_seen_bye, NULL);
}

void lifecycle_close(endpoint *ep)
{
    ep->handler = NULL;
    ep->progression_disabled = false;
    say_bye(ep);
    pthread_mutex_unlock(&ep->lock);
    registry_remove(ep); /* from here on no other thread finds it, makes progress on it and accepts a peer */
    peers_close(ep);
    arrivals_drop_unexpected(ep);
    transport_close(ep->transport);
    requests_close(ep);
    lifecycle_destroy(ep);
}

#include "core/progress.h"

#include "core/connect.h"

void progress(endpoint *ep)
{
    if (ep->in_progress || ep->progression_disabled)
        return;
    ep->in_progress = true;
    if (transport_progress(ep->transport))
        ep->needs_progress = true; /* the transport may now have more to do: a sleeping thread has to arm it again */
    if (ep->send_failed)
        peers_lose_unsendable(ep);
    requests_expire(ep, connect_expire);
    ep->in_progress = false;
}

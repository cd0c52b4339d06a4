/* A descriptor at which a program waits for events of an endpoint, beside events of its own (mx_shim.h). */
#include <poll.h>
#include <string.h>

#include "api/call.h"
#include "core/wait.h"
#include "mx_shim.h"

EXPORTED int mx_shim_descriptor(mx_endpoint_t ep)
{
    return ep == NULL ? -1 : ep->outer_descriptor;
}

EXPORTED int mx_shim_arm(mx_endpoint_t ep)
{
    if (call_enter(ep) != MX_SUCCESS)
        return MX_SHIM_LOOK_AGAIN;
    int result = waiting_arm_outer(ep) ? MX_SHIM_ARMED : MX_SHIM_LOOK_AGAIN;
    call_leave(ep, __func__, MX_SUCCESS);
    return result;
}

EXPORTED int mx_shim_wait(mx_endpoint_t ep, struct pollfd *others, unsigned int count, int milliseconds)
{
    enum { OUTER, TRANSPORT, OWN = TRANSPORT + TRANSPORT_DESCRIPTORS };
    struct pollfd all[OWN + MX_SHIM_OTHERS_MAX];
    int of_transport[TRANSPORT_DESCRIPTORS];
    bool readable[TRANSPORT_DESCRIPTORS];
    if (count > MX_SHIM_OTHERS_MAX || call_enter(ep) != MX_SUCCESS)
        return MX_SHIM_LOOK_FIRST;
    if (!waiting_arm_outer(ep)) {
        call_leave(ep, __func__, MX_SUCCESS);
        return MX_SHIM_LOOK_FIRST;
    }
    transport_descriptors(ep->transport, of_transport);
    all[OUTER] = (struct pollfd){ .fd = ep->outer.fd, .events = POLLIN };
    for (unsigned int i = 0; i < TRANSPORT_DESCRIPTORS; i++)
        all[TRANSPORT + i] = (struct pollfd){ .fd = ep->progression_disabled ? -1 : of_transport[i], .events = POLLIN };
    if (count > 0)
        memcpy(all + OWN, others, count * sizeof *others);
    call_leave(ep, __func__, MX_SUCCESS);

    int result = 0;
    bool waited = poll(all, OWN + count, milliseconds) >= 0;
    for (unsigned int i = 0; i < count; i++) {
        others[i].revents = waited ? all[OWN + i].revents : 0;
        result += others[i].revents != 0;
    }
    for (unsigned int i = 0; i < TRANSPORT_DESCRIPTORS; i++)
        readable[i] = !waited || all[TRANSPORT + i].revents != 0;
    pthread_mutex_lock(&ep->lock);
    ep->outer.armed = false; /* else an event that this thread finds would ring it */
    transport_waited(ep->transport, readable);
    pthread_mutex_unlock(&ep->lock);
    return result;
}

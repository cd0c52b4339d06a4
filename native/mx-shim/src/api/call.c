#include "api/call.h"

#include "api/library.h"
#include "core/wait.h"

mx_return_t call_enter(endpoint *ep)
{
    mx_return_t refused = library_check();
    if (refused != MX_SUCCESS)
        return refused;
    if (ep == NULL)
        return MX_BAD_ENDPOINT;
    pthread_mutex_lock(&ep->lock);
    return MX_SUCCESS;
}

mx_return_t call_enter_outside(endpoint *ep)
{
    mx_return_t refused = call_enter(ep);
    if (refused == MX_SUCCESS && ep->in_handler) { /* this thread holds the lock, so it is the handler's thread */
        pthread_mutex_unlock(&ep->lock);
        return MX_CLOSE_IN_HANDLER;
    }
    return refused;
}

mx_return_t call_leave(endpoint *ep, const char *call, mx_return_t result)
{
    announce(ep);
    pthread_mutex_unlock(&ep->lock);
    return result == MX_SUCCESS ? result : report(ep, call, result);
}

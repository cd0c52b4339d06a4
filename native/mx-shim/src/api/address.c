/* Addresses of endpoints: the own one, what an address consists of, and a value that the program keeps with a peer. */
#include "api/call.h"
#include "api/library.h"
#include "core/connect.h"
#include "core/registry.h"
#include "core/wait.h"

EXPORTED mx_return_t mx_get_endpoint_addr(mx_endpoint_t ep, mx_endpoint_addr_t *endpoint_addr)
{
    ENTER(ep);
    *endpoint_addr = peer_own_address(ep);
    return LEAVE(ep, MX_SUCCESS);
}

EXPORTED mx_return_t mx_decompose_endpoint_addr2(mx_endpoint_addr_t address, uint64_t *nic_id, uint32_t *endpoint_id,
                                                 uint32_t *session_id)
{
    const struct peer_place place = peer_place_of(address);
    mx_return_t refused = library_check();
    if (refused == MX_SUCCESS && place.session == 0)
        refused = MX_BAD_BAD_BAD;
    if (refused != MX_SUCCESS)
        return report(NULL, __func__, refused);
    if (nic_id != NULL)
        *nic_id = place.nic;
    if (endpoint_id != NULL)
        *endpoint_id = place.eid;
    if (session_id != NULL)
        *session_id = place.session;
    return MX_SUCCESS;
}

EXPORTED mx_return_t mx_decompose_endpoint_addr(mx_endpoint_addr_t address, uint64_t *nic_id, uint32_t *endpoint_id)
{
    return mx_decompose_endpoint_addr2(address, nic_id, endpoint_id, NULL);
}

static mx_return_t context_call(mx_endpoint_addr_t address, void **get, void *const *set)
{
    endpoint *ep = registry_find(peer_place_of(address).slot);
    mx_return_t refused = ep == NULL && library_check() == MX_SUCCESS ? MX_BAD_BAD_BAD : call_enter(ep);
    if (refused != MX_SUCCESS)
        return refused;
    struct peer *peer = connect_named(ep, address);
    if (peer != NULL && set != NULL)
        peer->context = *set;
    if (peer != NULL && get != NULL)
        *get = peer->context;
    announce(ep); /* connect_named may have begun something */
    pthread_mutex_unlock(&ep->lock);
    return peer != NULL ? MX_SUCCESS : MX_BAD_BAD_BAD;
}

EXPORTED mx_return_t mx_set_endpoint_addr_context(mx_endpoint_addr_t address, void *context)
{
    mx_return_t result = context_call(address, NULL, &context);
    return result == MX_SUCCESS ? result : report(NULL, __func__, result);
}

EXPORTED mx_return_t mx_get_endpoint_addr_context(mx_endpoint_addr_t address, void **context)
{
    mx_return_t result = context_call(address, context, NULL);
    return result == MX_SUCCESS ? result : report(NULL, __func__, result);
}

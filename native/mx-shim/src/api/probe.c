/* Whether MX can be used here, and over what (mx_shim.h). */
#include "api/errors.h"
#include "core/board.h"
#include "core/transport.h"
#include "mx_shim.h"

EXPORTED int mx_shim_probe(char *reason)
{
    return boards_check(reason, MX_SHIM_REASON_BYTES) && transport_find(reason) ? 0 : -1;
}

_Static_assert(TRANSPORT_REASON_BYTES == MX_SHIM_REASON_BYTES, "a reason is handed on as it is");

EXPORTED unsigned int mx_shim_transports(void)
{
    char reason[MX_SHIM_REASON_BYTES];
    if (mx_shim_probe(reason) != 0)
        return 0;
    struct reach reach = transport_reach();
    return (reach.rdma ? MX_SHIM_RDMA : 0u) | (reach.tcp ? MX_SHIM_TCP : 0u);
}

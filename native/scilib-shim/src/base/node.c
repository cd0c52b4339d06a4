#include "base/node.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/handles.h"
#include "base/library.h"
#include "exports.h"
#include "system/wire.h"

enum { DEFAULT_NODE = 4, HIGHEST_NODE = 65535, ADAPTERS = 1, HIGHEST_ADAPTER = 15 };

/*
 * A process of a node holds one of this many names, the first that is free. A process that finds no free name needs none,
 * because the other processes make the node visible. The kernel frees a name when its process ends, so no process has to
 * be asked.
 */
enum { NAMES = 256 };

static int beacon = -1; /* the socket with this process's name; -1: none */

sci_error_t check_adapter(unsigned int adapter)
{
    if (adapter > HIGHEST_ADAPTER)
        return SCI_ERR_ILLEGAL_ADAPTERNO;
    return adapter < ADAPTERS ? SCI_ERR_OK : SCI_ERR_NO_SUCH_ADAPTERNO;
}

sci_error_t check_node(unsigned int node)
{
    return node >= 1 && node <= HIGHEST_NODE ? SCI_ERR_OK : SCI_ERR_ILLEGAL_NODEID;
}

static bool read_node(unsigned int *node)
{
    const char *text = getenv("SISCI_SHIM_NODE");
    if (text == NULL) {
        *node = DEFAULT_NODE;
        return true;
    }
    char *end;
    errno = 0;
    unsigned long value = strtoul(text, &end, 10);
    /* strtoul itself would let white space and a sign pass. */
    if (text[0] < '0' || text[0] > '9' || *end != '\0' || errno != 0 || value < 1 || value > HIGHEST_NODE)
        return false;
    *node = (unsigned int)value;
    return true;
}

/* Makes a socket with one of the node's names: others can connect to it but send nothing. -1 if that isn't possible. */
static int open_beacon(void)
{
    int fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    if (fd < 0)
        return -1;
    shutdown(fd, SHUT_RD);
    errno = EADDRINUSE;
    for (unsigned int i = 0; i < NAMES && errno == EADDRINUSE; i++) {
        struct sockaddr_un address;
        socklen_t length = wire_node_name(&address, library.node, i);
        if (bind(fd, (struct sockaddr *)&address, length) == 0)
            return fd;
    }
    close(fd);
    return -1;
}

/* A process that can't get a name joins all the same: it is only harder to see, and the cause may be temporary. */
sci_error_t node_join(void)
{
    if (!read_node(&library.node))
        return SCI_ERR_ILLEGAL_NODEID;
    beacon = open_beacon();
    return SCI_ERR_OK;
}

void node_leave(void)
{
    if (beacon >= 0)
        close(beacon);
    beacon = -1;
}

/* Whether any process of the node holds a name. */
static sci_error_t find_node(unsigned int node)
{
    int fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    if (fd < 0)
        return failed("socket", SCI_ERR_SYSTEM);
    sci_error_t status = SCI_ERR_NO_SUCH_NODEID;
    for (unsigned int i = 0; i < NAMES && status == SCI_ERR_NO_SUCH_NODEID; i++) {
        struct sockaddr_un address;
        socklen_t length = wire_node_name(&address, node, i);
        if (connect(fd, (struct sockaddr *)&address, length) == 0)
            status = SCI_ERR_OK;
        else if (errno != ECONNREFUSED && errno != EPERM) /* no such name; or a connected socket has it, which no beacon is */
            status = failed("connect", SCI_ERR_SYSTEM);
    }
    close(fd);
    return status;
}

static sci_error_t local_node(unsigned int adapter, unsigned int *node, unsigned int flags)
{
    if (flags != 0)
        return SCI_ERR_ILLEGAL_FLAG;
    if (node == NULL)
        return SCI_ERR_ILLEGAL_PARAMETER;
    sci_error_t status = check_adapter(adapter);
    if (status == SCI_ERR_OK)
        *node = library.node;
    return status;
}

void SCIGetLocalNodeId(unsigned int adapterNo, unsigned int *nodeId, unsigned int flags, sci_error_t *error)
{
    report(error, LIBRARY_LOCKED(local_node(adapterNo, nodeId, flags)));
}
SHIM_EXPORT(SCIGetLocalNodeId);

static sci_error_t probe_node(sci_desc_t sd, unsigned int adapter, unsigned int node, unsigned int flags)
{
    if (flags != 0)
        return SCI_ERR_ILLEGAL_FLAG;
    if (handle_find(sd, KIND_DESCRIPTOR) == NULL)
        return SCI_ERR_ILLEGAL_PARAMETER;
    sci_error_t status = check_adapter(adapter);
    if (status == SCI_ERR_OK)
        status = check_node(node);
    return status == SCI_ERR_OK && node != library.node ? find_node(node) : status;
}

int SCIProbeNode(sci_desc_t sd, unsigned int localAdapterNo, unsigned int nodeId, unsigned int flags,
                 sci_error_t *error)
{
    sci_error_t status = LIBRARY_LOCKED(probe_node(sd, localAdapterNo, nodeId, flags));
    report(error, status);
    return status == SCI_ERR_OK;
}
SHIM_EXPORT(SCIProbeNode);

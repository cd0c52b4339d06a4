/* Initialising and ending the library, virtual devices, nodes. */
#include "library.h"

#include <errno.h>
#include <stdlib.h>

#include "exports.h"
#include "service.h"

enum { DEFAULT_NODE = 4, HIGHEST_NODE = 65535, ADAPTERS = 1, HIGHEST_ADAPTER = 15 };

struct library library = {
    .lock = PTHREAD_MUTEX_INITIALIZER,
    .settled = PTHREAD_COND_INITIALIZER,
};

static unsigned int initialized; /* SCIInitialize less SCITerminate */
static bool terminating;

bool library_enter(void)
{
    pthread_mutex_lock(&library.lock);
    if (initialized > 0)
        return true;
    pthread_mutex_unlock(&library.lock);
    return false;
}

sci_error_t library_leave(sci_error_t status)
{
    pthread_mutex_unlock(&library.lock);
    return status;
}

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

static sci_error_t initialize(unsigned int flags)
{
    if (flags != 0)
        return SCI_ERR_ILLEGAL_FLAG;
    if (initialized == 0 && !read_node(&library.node))
        return SCI_ERR_ILLEGAL_NODEID;
    initialized++;
    return SCI_ERR_OK;
}

void SCIInitialize(unsigned int flags, sci_error_t *error)
{
    pthread_mutex_lock(&library.lock);
    while (terminating)
        pthread_cond_wait(&library.settled, &library.lock);
    report(error, library_leave(initialize(flags)));
}
SHIM_EXPORT(SCIInitialize);

static void free_map(void *map)
{
    handle_drop(map);
    free(map);
}

static void free_descriptor(void *descriptor)
{
    handle_drop(descriptor);
    free(descriptor);
}

static void destroy_everything(void)
{
    void *object;
    /* The memory stays mapped: another thread may be reading it. */
    handle_each(KIND_MAP, free_map);
    while ((object = handle_any(KIND_REMOTE_SEGMENT)) != NULL)
        remote_segment_destroy(object);
    while ((object = handle_any(KIND_LOCAL_SEGMENT)) != NULL)
        local_segment_destroy(object);
    while ((object = handle_any(KIND_REMOTE_INTERRUPT)) != NULL)
        remote_interrupt_destroy(object);
    while ((object = handle_any(KIND_LOCAL_INTERRUPT)) != NULL)
        local_interrupt_destroy(object);
    handle_each(KIND_DESCRIPTOR, free_descriptor);
    trigger_socket_close();
}

void SCITerminate(void)
{
    if (!library_enter())
        return;
    if (!service_is_caller() && --initialized == 0) {
        terminating = true;
        service_stop();
        destroy_everything();
        terminating = false;
        pthread_cond_broadcast(&library.settled);
    }
    library_leave(SCI_ERR_OK);
}
SHIM_EXPORT(SCITerminate);

static sci_error_t open_descriptor(sci_desc_t *sd, unsigned int flags)
{
    if (flags != 0)
        return SCI_ERR_ILLEGAL_FLAG;
    if (sd == NULL)
        return SCI_ERR_ILLEGAL_PARAMETER;
    struct descriptor *descriptor = calloc(1, sizeof *descriptor);
    if (descriptor == NULL || !handle_add(&descriptor->object, KIND_DESCRIPTOR)) {
        free(descriptor);
        return SCI_ERR_SYSTEM;
    }
    *sd = handle_value(&descriptor->object);
    return SCI_ERR_OK;
}

void SCIOpen(sci_desc_t *sd, unsigned int flags, sci_error_t *error)
{
    report(error, LIBRARY_LOCKED(open_descriptor(sd, flags)));
}
SHIM_EXPORT(SCIOpen);

static sci_error_t close_descriptor(sci_desc_t sd, unsigned int flags)
{
    if (flags != 0)
        return SCI_ERR_ILLEGAL_FLAG;
    struct descriptor *descriptor = handle_find(sd, KIND_DESCRIPTOR);
    if (descriptor == NULL)
        return SCI_ERR_ILLEGAL_PARAMETER;
    if (descriptor->children > 0)
        return SCI_ERR_BUSY;
    free_descriptor(descriptor);
    return SCI_ERR_OK;
}

void SCIClose(sci_desc_t sd, unsigned int flags, sci_error_t *error)
{
    report(error, LIBRARY_LOCKED(close_descriptor(sd, flags)));
}
SHIM_EXPORT(SCIClose);

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
    if (status == SCI_ERR_OK && node != library.node)
        status = SCI_ERR_NO_SUCH_NODEID;
    return status;
}

int SCIProbeNode(sci_desc_t sd, unsigned int localAdapterNo, unsigned int nodeId, unsigned int flags,
                 sci_error_t *error)
{
    sci_error_t status = LIBRARY_LOCKED(probe_node(sd, localAdapterNo, nodeId, flags));
    report(error, status);
    return status == SCI_ERR_OK;
}
SHIM_EXPORT(SCIProbeNode);

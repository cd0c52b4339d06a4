/* SCIInitialize and SCITerminate. */
#include <stdlib.h>

#include "base/handles.h"
#include "base/library.h"
#include "base/node.h"
#include "base/service.h"
#include "dma/dma_engine.h"
#include "dma/dma.h"
#include "exports.h"
#include "interrupt/interrupt_doorbell.h"
#include "interrupt/interrupt_local.h"
#include "interrupt/interrupt_number.h"
#include "interrupt/interrupt_remote.h"
#include "lifecycle/dispatch.h"
#include "lifecycle/fork.h"
#include "segment/memory.h"
#include "segment/segment_local.h"
#include "segment/segment_remote.h"
#include "segment/sequence.h"
#include "system/discard.h"

static sci_error_t initialize(unsigned int flags)
{
    if (flags != 0)
        return SCI_ERR_ILLEGAL_FLAG;
    if (!forks_noticed())
        return failed("pthread_atfork", SCI_ERR_SYSTEM);
    service_set_handlers(&dispatch_handlers);
    sci_error_t status = library.initialized == 0 ? node_join() : SCI_ERR_OK;
    if (status == SCI_ERR_OK)
        library.initialized++;
    return status;
}

void SCIInitialize(unsigned int flags, sci_error_t *error)
{
    pthread_mutex_lock(&library.lock);
    while (library.terminating && !service_is_caller())
        pthread_cond_wait(&library.settled, &library.lock);
    /* SCITerminate waits for a callback, so a callback can't wait for SCITerminate. */
    report(error, library_leave(library.terminating ? SCI_ERR_ILLEGAL_OPERATION : initialize(flags)));
}
SHIM_EXPORT(SCIInitialize);

static void free_object(void *object)
{
    handle_drop(object);
    free(object);
}

static void free_map(void *map)
{
    map_destroy(map);
}

static void cancel_waits(void *interrupt)
{
    local_interrupt_cancel(interrupt);
}

static void cancel_dma_waits(void *queue)
{
    dma_queue_cancel(queue);
}

static void destroy_everything(void)
{
    void *object;
    while ((object = handle_any(KIND_DMA_QUEUE)) != NULL)
        dma_queue_destroy(object);
    /* The memory stays mapped: another thread may be reading it. */
    handle_each(KIND_SEQUENCE, sequence_destroy);
    handle_each(KIND_MAP, free_map);
    while ((object = handle_any(KIND_REMOTE_SEGMENT)) != NULL)
        remote_segment_destroy(object);
    while ((object = handle_any(KIND_LOCAL_SEGMENT)) != NULL)
        local_segment_destroy(object);
    while ((object = handle_any(KIND_REMOTE_INTERRUPT)) != NULL ||
           (object = handle_any(KIND_REMOTE_DATA_INTERRUPT)) != NULL)
        remote_interrupt_destroy(object);
    while ((object = handle_any(KIND_LOCAL_INTERRUPT)) != NULL ||
           (object = handle_any(KIND_LOCAL_DATA_INTERRUPT)) != NULL)
        local_interrupt_destroy(object);
    handle_each(KIND_DESCRIPTOR, free_object);
    doorbell_socket_close();
    number_finder_close();
    node_leave();
}

void SCITerminate(void)
{
    if (!library_enter())
        return;
    if (!service_is_caller() && --library.initialized == 0) {
        library.terminating = true;
        handle_each(KIND_LOCAL_INTERRUPT, cancel_waits); /* a callback may wait for one, too */
        handle_each(KIND_LOCAL_DATA_INTERRUPT, cancel_waits);
        handle_each(KIND_DMA_QUEUE, cancel_dma_waits);
        service_stop();
        dma_engine_stop();
        destroy_everything();
        discard_retry();
        library.terminating = false;
        pthread_cond_broadcast(&library.settled);
    }
    library_leave(SCI_ERR_OK);
}
SHIM_EXPORT(SCITerminate);

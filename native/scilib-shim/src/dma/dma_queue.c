#include "dma/dma.h"

#include <stdlib.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "base/library.h"
#include "base/node.h"
#include "base/service.h"
#include "dma/dma_engine.h"
#include "exports.h"
#include "system/clock.h"

static sci_error_t create(sci_desc_t sd, sci_dma_queue_t *handle, unsigned int adapter, unsigned int limit,
                          unsigned int flags)
{
    if (flags == SCI_FLAG_DMA_PHDMA)
        return SCI_ERR_NOT_SUPPORTED; /* physical addresses */
    if (flags != 0)
        return SCI_ERR_ILLEGAL_FLAG;
    struct descriptor *owner = handle_find(sd, KIND_DESCRIPTOR);
    if (owner == NULL || handle == NULL)
        return SCI_ERR_ILLEGAL_PARAMETER;
    sci_error_t status = check_adapter(adapter);
    if (status != SCI_ERR_OK)
        return status;
    struct dma_queue *queue = calloc(1, sizeof *queue);
    if (queue == NULL || !handle_add(&queue->object, KIND_DMA_QUEUE)) {
        free(queue);
        return failed("malloc", SCI_ERR_SYSTEM);
    }
    pthread_condattr_t attributes;
    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC); /* the clock of deadlines */
    pthread_cond_init(&queue->changed, &attributes);
    pthread_condattr_destroy(&attributes);
    queue->state = SCI_DMAQUEUE_IDLE;
    queue->limit = limit;
    queue->notice = -1;
    LIST_INIT(&queue->waits);
    queue->owner = owner;
    owner->children++;
    *handle = handle_value(&queue->object);
    return SCI_ERR_OK;
}

void SCICreateDMAQueue(sci_desc_t sd, sci_dma_queue_t *dq, unsigned int localAdapterNo, unsigned int maxEntries,
                       unsigned int flags, sci_error_t *error)
{
    report(error, LIBRARY_LOCKED(create(sd, dq, localAdapterNo, maxEntries, flags)));
}
SHIM_EXPORT(SCICreateDMAQueue);

void dma_queue_cancel(struct dma_queue *queue)
{
    queue->removed = true;
    pthread_cond_broadcast(&queue->changed);
}

static void free_queue(struct dma_queue *queue)
{
    if (queue->notice >= 0)
        close(queue->notice);
    free(queue->copies);
    queue->notice = -1;
    queue->copies = NULL;
}

void dma_queue_destroy(struct dma_queue *queue)
{
    uint64_t handle = queue->object.handle;
    queue->object.kind = KIND_REMOVED_DMA_QUEUE; /* if the process forks meanwhile, the child still finds the descriptor */
    dma_queue_cancel(queue);
    if (queue->state == SCI_DMAQUEUE_POSTED) {
        dma_engine_withdraw(queue);
        queue->state = SCI_DMAQUEUE_ABORTED;
    }
    while (queue->users > 0)
        pthread_cond_wait(&library.settled, &library.lock);
    handle_drop(&queue->object);
    if (queue->notice >= 0)
        service_unwatch(queue->notice);
    queue->owner->children--;
    pthread_cond_destroy(&queue->changed);
    free_queue(queue);
    free(queue);
    service_settle(handle);
}

void dma_queue_forget(struct dma_queue *queue)
{
    free_queue(queue);
}

static sci_error_t remove_queue(sci_dma_queue_t handle, unsigned int flags)
{
    if (flags != 0)
        return SCI_ERR_ILLEGAL_FLAG;
    struct dma_queue *queue = handle_find(handle, KIND_DMA_QUEUE);
    if (queue == NULL)
        return SCI_ERR_ILLEGAL_PARAMETER;
    if (dma_queue_state(queue) == SCI_DMAQUEUE_POSTED)
        return SCI_ERR_ILLEGAL_OPERATION;
    dma_queue_destroy(queue);
    return SCI_ERR_OK;
}

void SCIRemoveDMAQueue(sci_dma_queue_t dq, unsigned int flags, sci_error_t *error)
{
    report(error, LIBRARY_LOCKED(remove_queue(dq, flags)));
}
SHIM_EXPORT(SCIRemoveDMAQueue);

sci_dma_queue_state_t SCIDMAQueueState(sci_dma_queue_t handle)
{
    if (!library_enter())
        return SCI_DMAQUEUE_ERROR;
    const struct dma_queue *queue = handle_find(handle, KIND_DMA_QUEUE);
    sci_dma_queue_state_t state = queue != NULL ? dma_queue_state(queue) : SCI_DMAQUEUE_ERROR;
    library_leave(SCI_ERR_OK);
    return state;
}
SHIM_EXPORT(SCIDMAQueueState);

static sci_error_t wait_for_queue(sci_dma_queue_t handle, uint64_t deadline, unsigned int flags, sci_dma_queue_state_t *state)
{
    if (flags != 0)
        return SCI_ERR_ILLEGAL_FLAG;
    struct dma_queue *queue = handle_find(handle, KIND_DMA_QUEUE);
    if (queue == NULL)
        return SCI_ERR_ILLEGAL_PARAMETER;
    *state = queue->state;
    if (queue->state == SCI_DMAQUEUE_IDLE || queue->state == SCI_DMAQUEUE_GATHER)
        return SCI_ERR_ILLEGAL_OPERATION; /* nothing is posted */
    return dma_queue_await(queue, deadline, state);
}

sci_dma_queue_state_t SCIWaitForDMAQueue(sci_dma_queue_t dq, unsigned int timeout, unsigned int flags, sci_error_t *error)
{
    sci_dma_queue_state_t state = SCI_DMAQUEUE_ERROR;
    uint64_t deadline = clock_deadline(timeout);
    report(error, LIBRARY_LOCKED(wait_for_queue(dq, deadline, flags, &state)));
    return state;
}
SHIM_EXPORT(SCIWaitForDMAQueue);

static sci_error_t abort_queue(sci_dma_queue_t handle, unsigned int flags)
{
    if (flags != 0)
        return SCI_ERR_ILLEGAL_FLAG;
    struct dma_queue *queue = handle_find(handle, KIND_DMA_QUEUE);
    if (queue == NULL)
        return SCI_ERR_ILLEGAL_PARAMETER;
    if (queue->state != SCI_DMAQUEUE_POSTED)
        return SCI_ERR_ILLEGAL_OPERATION;
    queue->users++;
    dma_engine_withdraw(queue);
    if (queue->state == SCI_DMAQUEUE_POSTED)
        dma_queue_finish(queue, SCI_DMAQUEUE_ABORTED);
    if (--queue->users == 0 && queue->removed)
        pthread_cond_broadcast(&library.settled);
    return SCI_ERR_OK;
}

void SCIAbortDMAQueue(sci_dma_queue_t dq, unsigned int flags, sci_error_t *error)
{
    report(error, LIBRARY_LOCKED(abort_queue(dq, flags)));
}
SHIM_EXPORT(SCIAbortDMAQueue);

static sci_error_t reset(sci_dma_queue_t handle, unsigned int flags)
{
    if (flags != 0)
        return SCI_ERR_ILLEGAL_FLAG;
    struct dma_queue *queue = handle_find(handle, KIND_DMA_QUEUE);
    if (queue == NULL)
        return SCI_ERR_ILLEGAL_PARAMETER;
    if (dma_queue_state(queue) == SCI_DMAQUEUE_POSTED)
        return SCI_ERR_ILLEGAL_OPERATION;
    queue->count = 0;
    queue->state = SCI_DMAQUEUE_IDLE;
    return SCI_ERR_OK;
}

void SCIResetDMAQueue(sci_dma_queue_t dq, unsigned int flags, sci_error_t *error)
{
    report(error, LIBRARY_LOCKED(reset(dq, flags)));
}
SHIM_EXPORT(SCIResetDMAQueue);

bool dma_queue_has_room(struct dma_queue *queue, unsigned int more)
{
    unsigned int wanted = queue->count + more;
    if (wanted <= queue->room)
        return true;
    if (wanted < 2 * queue->room)
        wanted = 2 * queue->room;
    struct dma_copy *copies = realloc(queue->copies, wanted * sizeof *copies);
    if (copies == NULL)
        return false;
    queue->copies = copies;
    queue->room = wanted;
    return true;
}

sci_error_t dma_queue_post(struct dma_queue *queue, sci_cb_dma_t callback, void *callback_arg)
{
    if (callback != NULL && queue->notice < 0) {
        queue->notice = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
        if (queue->notice < 0)
            return failed("eventfd", SCI_ERR_SYSTEM);
        sci_error_t status = service_watch(queue->notice, &queue->object);
        if (status != SCI_ERR_OK) {
            close(queue->notice);
            queue->notice = -1;
            return status;
        }
    }
    sci_error_t status = dma_engine_post(queue);
    if (status != SCI_ERR_OK)
        return status;
    queue->callback = callback;
    queue->callback_arg = callback_arg;
    queue->state = SCI_DMAQUEUE_POSTED;
    return SCI_ERR_OK;
}

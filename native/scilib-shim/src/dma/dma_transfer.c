/* The calls that give copies to a DMA queue, and their checks. */
#include <stdlib.h>

#include "base/library.h"
#include "base/service.h"
#include "dma/dma.h"
#include "exports.h"
#include "segment/segment.h"

static unsigned int kinds_of_engine(void)
{
    return SCI_FLAG_DMA_GLOBAL | SCI_FLAG_DMA_SYSDMA | SCI_FLAG_DMA_ADAPTER;
}

static bool has_range(size_t total, size_t offset, size_t size)
{
    return offset <= total && size <= total - offset;
}

/* SCI_FLAG_BROADCAST if that flag is allowed: with the segment of a broadcast group. */
static unsigned int broadcast_flag(sci_remote_segment_t handle)
{
    const struct remote_segment *remote = handle_find(handle, KIND_REMOTE_SEGMENT);
    return remote != NULL && remote->memory.group_size != 0 ? SCI_FLAG_BROADCAST : 0;
}

/* The checks of one copy, whose segments are the same for all copies of a vector. */
static sci_error_t check_copy(const struct dma_copy *copy)
{
    const struct local_segment *local = handle_find(copy->local, KIND_LOCAL_SEGMENT);
    const struct remote_segment *remote = handle_find(copy->remote, KIND_REMOTE_SEGMENT);
    if (local == NULL || remote == NULL || copy->size == 0)
        return SCI_ERR_ILLEGAL_PARAMETER;
    if (!local->prepared)
        return SCI_ERR_SEGMENT_NOT_PREPARED;
    if (remote->socket < 0)
        return SCI_ERR_SEGMENT_NOT_CONNECTED;
    if (!memory_has_window(&local->memory) || !memory_has_window(&remote->memory))
        return SCI_ERR_ILLEGAL_OPERATION; /* an empty segment, or one that was mapped for the last time before any transfer */
    return has_range(local->memory.size, copy->local_offset, copy->size) &&
                   has_range(remote->memory.size, copy->remote_offset, copy->size)
               ? SCI_ERR_OK
               : SCI_ERR_OUT_OF_RANGE;
}

static sci_error_t enqueue(sci_dma_queue_t handle, struct dma_copy copy, unsigned int flags, sci_dma_queue_state_t *state)
{
    if ((flags & ~(SCI_FLAG_DMA_READ | kinds_of_engine() | broadcast_flag(copy.remote))) != 0)
        return SCI_ERR_ILLEGAL_FLAG;
    struct dma_queue *queue = handle_find(handle, KIND_DMA_QUEUE);
    if (queue == NULL)
        return SCI_ERR_ILLEGAL_PARAMETER;
    *state = dma_queue_state(queue);
    if (*state != SCI_DMAQUEUE_IDLE && *state != SCI_DMAQUEUE_GATHER)
        return SCI_ERR_ILLEGAL_OPERATION;
    if (queue->count >= queue->limit)
        return SCI_ERR_MAX_ENTRIES;
    copy.reads = (flags & SCI_FLAG_DMA_READ) != 0;
    sci_error_t status = check_copy(&copy);
    if (status != SCI_ERR_OK)
        return status;
    if (!dma_queue_has_room(queue, 1))
        return failed("malloc", SCI_ERR_SYSTEM);
    queue->copies[queue->count++] = copy;
    *state = queue->state = SCI_DMAQUEUE_GATHER;
    return SCI_ERR_OK;
}

sci_dma_queue_state_t SCIEnqueueDMATransfer(sci_dma_queue_t dq, sci_local_segment_t localSegment,
                                            sci_remote_segment_t remoteSegment, size_t localOffset, size_t remoteOffset,
                                            size_t size, unsigned int flags, sci_error_t *error)
{
    sci_dma_queue_state_t state = SCI_DMAQUEUE_ERROR;
    struct dma_copy copy = { .local = localSegment, .remote = remoteSegment, .local_offset = localOffset,
                             .remote_offset = remoteOffset, .size = size };
    report(error, LIBRARY_LOCKED(enqueue(dq, copy, flags, &state)));
    return state;
}
SHIM_EXPORT(SCIEnqueueDMATransfer);

static sci_error_t post(sci_dma_queue_t handle, sci_cb_dma_t callback, void *callback_arg, unsigned int flags)
{
    if ((flags & ~SCI_FLAG_USE_CALLBACK) != 0)
        return SCI_ERR_ILLEGAL_FLAG;
    struct dma_queue *queue = handle_find(handle, KIND_DMA_QUEUE);
    bool use_callback = (flags & SCI_FLAG_USE_CALLBACK) != 0;
    if (queue == NULL || (use_callback && callback == NULL))
        return SCI_ERR_ILLEGAL_PARAMETER;
    if (dma_queue_state(queue) != SCI_DMAQUEUE_GATHER)
        return SCI_ERR_ILLEGAL_OPERATION;
    return dma_queue_post(queue, use_callback ? callback : NULL, callback_arg);
}

void SCIPostDMAQueue(sci_dma_queue_t dq, sci_cb_dma_t callback, void *callbackArg, unsigned int flags, sci_error_t *error)
{
    report(error, LIBRARY_LOCKED(post(dq, callback, callbackArg, flags)));
}
SHIM_EXPORT(SCIPostDMAQueue);

/* What both calls that start a transfer have in common. */
struct transfer {
    sci_dma_queue_t queue;
    sci_local_segment_t local;
    sci_remote_segment_t remote;
    const dis_dma_vec_t *vector; /* NULL: the one copy is "one" */
    struct dma_copy one;
    unsigned int length;
    sci_cb_dma_t callback;
    void *callback_arg;
    unsigned int flags;
};

static struct dma_copy copy_of(const struct transfer *transfer, unsigned int i)
{
    struct dma_copy copy = transfer->one;
    if (transfer->vector != NULL) {
        copy.local_offset = transfer->vector[i].local_offset;
        copy.remote_offset = transfer->vector[i].remote_offset;
        copy.size = transfer->vector[i].size;
    }
    copy.local = transfer->local;
    copy.remote = transfer->remote;
    copy.reads = (transfer->flags & SCI_FLAG_DMA_READ) != 0;
    return copy;
}

static sci_error_t check_transfer(const struct transfer *transfer)
{
    if (transfer->length > DIS_DMA_MAX_VECLEN)
        return SCI_ERR_MAX_ENTRIES;
    sci_error_t status = SCI_ERR_OK;
    for (unsigned int i = 0; i < transfer->length && status == SCI_ERR_OK; i++) {
        struct dma_copy copy = copy_of(transfer, i);
        status = transfer->vector != NULL && transfer->vector[i].flags != 0 ? SCI_ERR_ILLEGAL_FLAG : check_copy(&copy);
    }
    return status;
}

static sci_error_t start(const struct transfer *transfer)
{
    const unsigned int flags = transfer->flags;
    const unsigned int known = SCI_FLAG_USE_CALLBACK | SCI_FLAG_DMA_WAIT | SCI_FLAG_DMA_READ | kinds_of_engine() |
                               broadcast_flag(transfer->remote);
    if ((flags & ~known) != 0)
        return SCI_ERR_ILLEGAL_FLAG;
    bool use_callback = (flags & SCI_FLAG_USE_CALLBACK) != 0;
    struct dma_queue *queue = handle_find(transfer->queue, KIND_DMA_QUEUE);
    if (queue == NULL || transfer->length == 0 || (use_callback && transfer->callback == NULL))
        return SCI_ERR_ILLEGAL_PARAMETER;
    sci_dma_queue_state_t state = dma_queue_state(queue);
    if (state == SCI_DMAQUEUE_POSTED || state == SCI_DMAQUEUE_GATHER)
        return SCI_ERR_ILLEGAL_OPERATION;
    sci_error_t status = check_transfer(transfer);
    if (status != SCI_ERR_OK)
        return status;
    queue->count = 0;
    if (!dma_queue_has_room(queue, transfer->length))
        return failed("malloc", SCI_ERR_SYSTEM);
    for (unsigned int i = 0; i < transfer->length; i++)
        queue->copies[queue->count++] = copy_of(transfer, i);
    status = dma_queue_post(queue, use_callback ? transfer->callback : NULL, transfer->callback_arg);
    if (status != SCI_ERR_OK)
        queue->count = 0; /* else SCIEnqueueDMATransfer would add to these copies, if the queue is IDLE */
    else if ((flags & SCI_FLAG_DMA_WAIT) != 0)
        status = dma_queue_await(queue, UINT64_MAX, &state);
    return status;
}

void SCIStartDmaTransfer(sci_dma_queue_t dq, sci_local_segment_t localSegment, sci_remote_segment_t remoteSegment,
                         size_t localOffset, size_t size, size_t remoteOffset, sci_cb_dma_t callback, void *callbackArg,
                         unsigned int flags, sci_error_t *error)
{
    const struct transfer transfer = { .queue = dq, .local = localSegment, .remote = remoteSegment, .length = 1,
                                       .one = { .local_offset = localOffset, .remote_offset = remoteOffset, .size = size },
                                       .callback = callback, .callback_arg = callbackArg, .flags = flags };
    report(error, LIBRARY_LOCKED(start(&transfer)));
}
SHIM_EXPORT(SCIStartDmaTransfer);

void SCIStartDmaTransferVec(sci_dma_queue_t dq, sci_local_segment_t localSegment, sci_remote_segment_t remoteSegment,
                            size_t vecLength, dis_dma_vec_t *disDmaVec, sci_cb_dma_t callback, void *callbackArg,
                            unsigned int flags, sci_error_t *error)
{
    const struct transfer transfer = { .queue = dq, .local = localSegment, .remote = remoteSegment, .vector = disDmaVec,
                                       .length = disDmaVec == NULL              ? 0
                                                 : vecLength > DIS_DMA_MAX_VECLEN ? DIS_DMA_MAX_VECLEN + 1
                                                                                  : (unsigned int)vecLength,
                                       .callback = callback, .callback_arg = callbackArg, .flags = flags };
    report(error, LIBRARY_LOCKED(start(&transfer)));
}
SHIM_EXPORT(SCIStartDmaTransferVec);

/* The state of a DMA queue: how it ends, who waits for that, and its callback. */
#include <unistd.h>

#include "base/library.h"
#include "base/service.h"
#include "dma/dma.h"

sci_dma_queue_state_t dma_queue_state(const struct dma_queue *queue)
{
    return queue->calling ? SCI_DMAQUEUE_POSTED : queue->state;
}

/* What the end of the copies means for a call that has waited for it, and for the callback. */
static sci_error_t outcome(sci_dma_queue_state_t state)
{
    return state == SCI_DMAQUEUE_DONE ? SCI_ERR_OK : state == SCI_DMAQUEUE_ERROR ? SCI_ERR_TRANSFER_FAILED : SCI_ERR_CANCELLED;
}

/* Tells the threads that wait how the copies have ended: those in callbacks alone, or all. */
static void end_waits(struct dma_queue *queue, bool all)
{
    struct dma_wait *wait;
    LIST_FOREACH(wait, &queue->waits, others)
        if (wait->state == SCI_DMAQUEUE_POSTED && (all || wait->in_callback))
            wait->state = queue->state;
    pthread_cond_broadcast(&queue->changed);
}

void dma_queue_finish(struct dma_queue *queue, sci_dma_queue_state_t state)
{
    queue->state = state;
    if (queue->callback != NULL) {
        uint64_t one = 1;
        queue->calling = true;
        ssize_t written = write(queue->notice, &one, sizeof one); /* the counter is 0, so there is room */
        (void)written;
    }
    end_waits(queue, queue->callback == NULL);
}

void dma_queue_event(struct dma_queue *queue)
{
    uint64_t count;
    if (read(queue->notice, &count, sizeof count) != (ssize_t)sizeof count || !queue->calling)
        return;
    sci_cb_dma_t callback = queue->callback;
    void *arg = queue->callback_arg;
    sci_dma_queue_t handle = handle_value(&queue->object);
    sci_error_t status = outcome(queue->state);
    queue->calling = false;
    end_waits(queue, true);
    service_enter_callback(queue->object.handle);
    callback(arg, handle, status); /* what it returns doesn't matter: each callback is asked for by itself */
    service_leave_callback();
}

/* Waits without the lock. False when the time is up. */
static bool wait_for_change(struct dma_queue *queue, uint64_t deadline)
{
    if (deadline == UINT64_MAX)
        return pthread_cond_wait(&queue->changed, &library.lock) == 0;
    struct timespec until = { .tv_sec = (time_t)(deadline / 1000), .tv_nsec = (long)(deadline % 1000) * 1000000 };
    return pthread_cond_timedwait(&queue->changed, &library.lock, &until) == 0;
}

sci_error_t dma_queue_await(struct dma_queue *queue, uint64_t deadline, sci_dma_queue_state_t *state)
{
    bool in_callback = service_is_caller();
    struct dma_wait wait = { in_callback ? queue->state : dma_queue_state(queue), in_callback, { 0 } };
    queue->users++;
    LIST_INSERT_HEAD(&queue->waits, &wait, others);
    while (!queue->removed && wait.state == SCI_DMAQUEUE_POSTED)
        if (!wait_for_change(queue, deadline))
            break;
    LIST_REMOVE(&wait, others);
    *state = wait.state;
    sci_error_t status = wait.state != SCI_DMAQUEUE_POSTED ? outcome(wait.state)
                         : queue->removed                  ? SCI_ERR_CANCELLED
                                                           : SCI_ERR_TIMEOUT;
    if (--queue->users == 0 && queue->removed)
        pthread_cond_broadcast(&library.settled);
    return status;
}

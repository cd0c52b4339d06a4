/*
 * DMA queues: lists of copies between local and remote segments, which a thread of the library makes. Callers hold the
 * library's lock.
 *
 *              SCIEnqueueDMATransfer      SCIPostDMAQueue                     all copies made
 *        IDLE -----------------------> GATHER --------------> POSTED -------------------------> DONE
 *         ^                                                    ^  |   an end has gone
 *         |                       SCIStartDmaTransfer (Vec)    |  +---------------------------> ERROR
 *         |                  IDLE, DONE, ERROR, ABORTED -------'  |   SCIAbortDMAQueue
 *         |                                                       +---------------------------> ABORTED
 *         '------------------------ SCIResetDMAQueue: from each state but POSTED
 */
#ifndef SHIM_DMA_H
#define SHIM_DMA_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/queue.h>

#include "base/descriptor.h"
#include "base/handles.h"
#include "sisci_api.h"

/* One copy. It names its segments by their handles, so that it finds out when one has gone. */
struct dma_copy {
    sci_local_segment_t local;
    sci_remote_segment_t remote;
    size_t local_offset;
    size_t remote_offset;
    size_t size; /* bytes that are left to copy */
    bool reads;  /* from the remote segment to the local one */
};

/* A thread that waits for the end of what is posted now: the queue may have been posted again before the thread wakes. */
struct dma_wait {
    sci_dma_queue_state_t state; /* POSTED until that end */
    bool in_callback;            /* it does not wait for the queue's callback */
    LIST_ENTRY(dma_wait) others;
};

struct dma_queue {
    struct object object;
    struct descriptor *owner;
    pthread_cond_t changed; /* the state has changed, or the queue is being removed */
    sci_dma_queue_state_t state;
    struct dma_copy *copies; /* room for "room" of them; the first "count" are in use */
    unsigned int room;
    unsigned int count;
    unsigned int done;        /* how many of them are made */
    unsigned int limit;       /* most that SCIEnqueueDMATransfer accepts */
    unsigned int users;       /* threads that wait for an end, or abort; the removal waits for them */
    LIST_HEAD(, dma_wait) waits;
    bool copying;             /* the library's thread copies now, without the lock */
    bool aborting;            /* it is to stop */
    bool removed;             /* threads that wait must leave */
    int notice;               /* an eventfd that tells the service thread to run the callback; -1 until one is needed */
    bool calling;             /* the callback has not begun yet */
    sci_cb_dma_t callback;    /* of the copies that are posted; NULL: none */
    void *callback_arg;
    TAILQ_ENTRY(dma_queue) posted; /* while the state is POSTED */
};

/* The state as the program sees it: a queue is posted until its callback has begun. Nobody may change it before. */
sci_dma_queue_state_t dma_queue_state(const struct dma_queue *queue);

/* Makes room for more copies; false when there is no memory. */
bool dma_queue_has_room(struct dma_queue *queue, unsigned int more);

/* Posts the copies of a queue; callback: NULL for none. Errors: SCI_ERR_SYSTEM, and nothing has happened. */
sci_error_t dma_queue_post(struct dma_queue *queue, sci_cb_dma_t callback, void *callback_arg);

/*
 * Waits for the end of the copies that are posted now, without the lock, and gives the state that they have left. In a
 * callback it does not wait for the queue's own callback, which comes afterwards. Errors: SCI_ERR_TIMEOUT;
 * SCI_ERR_TRANSFER_FAILED if the state is ERROR; SCI_ERR_CANCELLED if it is ABORTED, or the queue was removed.
 */
sci_error_t dma_queue_await(struct dma_queue *queue, uint64_t deadline, sci_dma_queue_state_t *state);

/* Destroys and frees a queue, whatever its state. May release the lock meanwhile. */
void dma_queue_destroy(struct dma_queue *queue);

/* Makes the threads that wait for a queue leave; the library is being terminated. */
void dma_queue_cancel(struct dma_queue *queue);

/* Called in the child of a fork: closes the child's copy of the descriptor, and frees what belongs to the queue. */
void dma_queue_forget(struct dma_queue *queue);

/* Called by the service thread when the callback is due. Releases the lock for it. */
void dma_queue_event(struct dma_queue *queue);

/* Called by the thread that copies: the copies of a posted queue have ended in this state. */
void dma_queue_finish(struct dma_queue *queue, sci_dma_queue_state_t state);

#endif

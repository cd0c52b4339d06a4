/*
 * The thread that copies ("sisci-dma"). It starts with the first queue that is posted, and ends in SCITerminate. It takes
 * the posted queues in turn, a piece of each at a time, so that no long copy keeps the other queues waiting. It maps
 * the segments for itself (memory_window), so a program need not have mapped them, and may unmap them. Callers hold the
 * library's lock.
 */
#ifndef SHIM_DMA_ENGINE_H
#define SHIM_DMA_ENGINE_H

#include "dma/dma.h"

/* Gives a queue's copies to the thread. SCI_ERR_SYSTEM when the system has no thread: nothing has happened then. */
sci_error_t dma_engine_post(struct dma_queue *queue);

/*
 * Takes a posted queue from the thread, and returns when the thread does not touch it any more. Releases the lock
 * meanwhile: if another thread does the same, the queue may have been finished by then.
 */
void dma_engine_withdraw(struct dma_queue *queue);

/* Ends the thread and waits for its end; releases the lock meanwhile. No queue may be posted any more. */
void dma_engine_stop(void);

/* Called in the child of a fork, which has no such thread. */
void dma_engine_forget(void);

#endif

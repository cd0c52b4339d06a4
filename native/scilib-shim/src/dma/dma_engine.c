#include "dma/dma_engine.h"

#include <string.h>

#include "base/library.h"
#include "segment/segment.h"
#include "system/thread.h"

enum { PIECE = 1 << 20 /* bytes; the lock is taken, and an abort heeded, between two of them */ };

static struct {
    TAILQ_HEAD(, dma_queue) posted;
    pthread_cond_t work; /* a queue was posted, or the thread is to end */
    pthread_cond_t idle; /* a piece is over */
    pthread_t thread;
    struct window *here, *there; /* of the piece that is copied now, without the lock; else NULL */
    bool running;
    bool stopping;
} engine = {
    .posted = TAILQ_HEAD_INITIALIZER(engine.posted),
    .work = PTHREAD_COND_INITIALIZER,
    .idle = PTHREAD_COND_INITIALIZER,
};

static void close_ends(void)
{
    if (engine.here != NULL)
        window_release(engine.here);
    if (engine.there != NULL)
        window_release(engine.there);
    engine.here = engine.there = NULL;
}

/* Takes the windows of both ends of a copy. False if an end has gone, or can't be mapped. */
static bool open_ends(const struct dma_copy *copy)
{
    struct local_segment *local = handle_find(copy->local, KIND_LOCAL_SEGMENT);
    struct remote_segment *remote = handle_find(copy->remote, KIND_REMOTE_SEGMENT);
    if (local == NULL || remote == NULL || remote->socket < 0)
        return false;
    engine.here = memory_window(&local->memory);
    engine.there = memory_window(&remote->memory);
    if (engine.here != NULL && engine.there != NULL)
        return true;
    close_ends();
    return false;
}

/* Copies the next piece of a queue, without the lock. False if that is not possible. */
static bool copy_piece(struct dma_queue *queue)
{
    struct dma_copy *copy = &queue->copies[queue->done];
    size_t size = copy->size < PIECE ? copy->size : PIECE;
    if (!open_ends(copy))
        return false;
    char *local = engine.here->bytes + copy->local_offset, *remote = engine.there->bytes + copy->remote_offset;
    queue->copying = true;
    pthread_mutex_unlock(&library.lock);
    memcpy(copy->reads ? local : remote, copy->reads ? remote : local, size);
    atomic_thread_fence(memory_order_seq_cst); /* before anything says that the copy is made */
    pthread_mutex_lock(&library.lock);
    queue->copying = false;
    close_ends();
    copy->local_offset += size;
    copy->remote_offset += size;
    copy->size -= size;
    if (copy->size == 0)
        queue->done++;
    pthread_cond_broadcast(&engine.idle);
    return true;
}

static void take_a_turn(struct dma_queue *queue)
{
    TAILQ_REMOVE(&engine.posted, queue, posted);
    TAILQ_INSERT_TAIL(&engine.posted, queue, posted);
    bool possible = copy_piece(queue);
    if (queue->aborting || (possible && queue->done < queue->count))
        return; /* the thread that aborts takes it away */
    TAILQ_REMOVE(&engine.posted, queue, posted);
    dma_queue_finish(queue, possible ? SCI_DMAQUEUE_DONE : SCI_DMAQUEUE_ERROR);
}

static void *copy_all(void *unused)
{
    (void)unused;
    pthread_mutex_lock(&library.lock);
    while (!engine.stopping) {
        struct dma_queue *queue = TAILQ_FIRST(&engine.posted);
        if (queue == NULL || queue->aborting)
            pthread_cond_wait(&engine.work, &library.lock);
        else
            take_a_turn(queue);
    }
    pthread_mutex_unlock(&library.lock);
    return NULL;
}

sci_error_t dma_engine_post(struct dma_queue *queue)
{
    if (!engine.running && !thread_start(&engine.thread, "sisci-dma", copy_all, NULL))
        return failed("pthread_create", SCI_ERR_SYSTEM);
    engine.running = true;
    queue->done = 0;
    TAILQ_INSERT_TAIL(&engine.posted, queue, posted);
    pthread_cond_signal(&engine.work);
    return SCI_ERR_OK;
}

void dma_engine_withdraw(struct dma_queue *queue)
{
    queue->aborting = true;
    while (queue->copying)
        pthread_cond_wait(&engine.idle, &library.lock);
    queue->aborting = false;
    if (queue->state == SCI_DMAQUEUE_POSTED)
        TAILQ_REMOVE(&engine.posted, queue, posted);
    pthread_cond_signal(&engine.work); /* the thread may have found this queue first, and waited */
}

void dma_engine_stop(void)
{
    if (!engine.running)
        return;
    engine.stopping = true;
    pthread_cond_signal(&engine.work);
    pthread_mutex_unlock(&library.lock);
    pthread_join(engine.thread, NULL);
    pthread_mutex_lock(&library.lock);
    engine.running = engine.stopping = false;
}

void dma_engine_forget(void)
{
    close_ends(); /* of the piece that the parent's thread copies */
    TAILQ_INIT(&engine.posted);
    engine.work = engine.idle = (pthread_cond_t)PTHREAD_COND_INITIALIZER;
    engine.running = engine.stopping = false;
}

/* The sending end. */
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "exports.h"
#include "queue.h"

enum { RETRY_NANOS = 1000000 };

/* Connects to the receiver's segment. While the segment isn't there it tries again, until the time is up. */
static sci_error_t connect_when_there(struct sci_msq_queue *queue, sci_desc_t sd, unsigned int id, uint64_t deadline)
{
    for (;;) {
        sci_error_t status =
            end_connect(&queue->end, sd, INBOX_QUEUE_ID | id, queue->window, queue_millis_left(deadline));
        if ((status != SCI_ERR_NO_SUCH_SEGMENT && status != SCI_ERR_TIMEOUT) || queue_now() >= deadline)
            return status;
        end_let_go(&queue->end); /* the library may have failed after it had connected */
        nanosleep(&(struct timespec){ .tv_nsec = RETRY_NANOS }, NULL);
    }
}

/* Makes the segment that the receiver writes to, under any id that is free on this node. */
static sci_error_t export_under_free_id(struct sci_msq_queue *queue, sci_desc_t sd, unsigned int *id)
{
    static atomic_uint count;
    sci_error_t status;
    do {
        *id = INBOX_SENDER_ID | ((((unsigned int)getpid() << 8) + atomic_fetch_add(&count, 1)) & INBOX_ID_MAX);
        status = end_export(&queue->end, sd, *id, 0, queue->end.theirs->nonce);
    } while (status == SCI_ERR_SEGMENTID_USED);
    return status;
}

/* The only word that several ends may write. A sender that finds it 0 gets the queue; its id leads the receiver to it. */
static sci_error_t claim(struct inbox *theirs, unsigned int id)
{
    unsigned int nobody = 0;
    return atomic_compare_exchange_strong(&theirs->sender, &nobody, id) ? SCI_ERR_OK : SCI_ERR_BUSY;
}

static sci_error_t connect_queue(struct sci_msq_queue *queue, unsigned int id, unsigned int timeout)
{
    sci_desc_t sd = scilib_device();
    unsigned int own_id = 0;
    uint64_t deadline = queue_deadline(timeout);
    sci_error_t status = connect_when_there(queue, sd, id, deadline);
    if (status == SCI_ERR_OK)
        status = end_find_bell(&queue->end, sd, queue_millis_left(deadline));
    if (status == SCI_ERR_OK)
        status = export_under_free_id(queue, sd, &own_id);
    if (status == SCI_ERR_OK)
        status = claim(queue->end.theirs, own_id);
    if (status != SCI_ERR_OK)
        return status;
    ring_sender_init(&queue->ring.sender, queue->end.theirs, queue->end.mine, queue->window);
    queue->ring.sender.posted = queue->end.posted;
    posted_fence(&queue->end.posted);
    end_ring(&queue->end); /* a receiver that sleeps already had no way to say so */
    return SCI_ERR_OK;
}

sci_error_t SCILConnectMsgQueue(sci_msq_queue_t *msq, unsigned int localAdapterNo, unsigned int remoteNodeId,
                                unsigned int msqId, unsigned int maxMsgCount, unsigned int maxMsgSize,
                                unsigned int timeout, unsigned int flags)
{
    struct sci_msq_queue *queue;
    sci_error_t status = queue_new(msq, localAdapterNo, remoteNodeId, msqId, maxMsgCount, maxMsgSize, flags, &queue);
    if (status != SCI_ERR_OK)
        return status;
    status = connect_queue(queue, msqId, timeout);
    if (status == SCI_ERR_OK)
        *msq = queue;
    else
        queue_end(&queue);
    return status;
}
SHIM_EXPORT_AS(_SCIL_PUBLIC_FUNC_, SCILConnectMsgQueue);

static bool receiver_gone(struct sci_msq_queue *queue)
{
    return atomic_load_explicit(&queue->end.gone, memory_order_acquire) ||
           (atomic_load_explicit(&queue->end.mine->receiver, memory_order_acquire) & INBOX_CLOSED) != 0;
}

/* Called after a send. */
static inline void wake_receiver(struct sci_msq_queue *queue)
{
    queue_wake(queue, &queue->end.mine->reader_asleep);
    ring_zero_ahead(&queue->ring.sender);
}

sci_error_t SCILSendMsg(sci_msq_queue_t msq, void *msg, unsigned int size, unsigned int *sizeFree, unsigned int flags)
{
    sci_error_t status = queue_check(msq, false, msg, size, flags);
    if (status != SCI_ERR_OK)
        return status;
    if (size > msq->limit)
        return SCI_ERR_OUT_OF_RANGE;
    if (receiver_gone(msq))
        return SCI_ERR_NOT_CONNECTED;
    int fits = ring_fits(&msq->ring.sender, size);
    if (fits > 0) {
        ring_send(&msq->ring.sender, msg, size);
        wake_receiver(msq);
    }
    int64_t room = sizeFree != NULL ? ring_room(&msq->ring.sender) : 0;
    if (fits < 0 || room < 0)
        return queue_failed(msq);
    if (sizeFree != NULL)
        *sizeFree = (unsigned int)room;
    return fits > 0 ? SCI_ERR_OK : SCI_ERR_EWOULD_BLOCK;
}
SHIM_EXPORT_AS(_SCIL_PUBLIC_FUNC_, SCILSendMsg);

sci_error_t sender_fits(struct sci_msq_queue *queue, unsigned int size, unsigned int *sizeFree)
{
    if (receiver_gone(queue))
        return SCI_ERR_NOT_CONNECTED;
    int fits = ring_fits(&queue->ring.sender, size);
    if (fits > 0)
        return SCI_ERR_OK;
    int64_t room = sizeFree != NULL ? ring_room(&queue->ring.sender) : 0;
    if (fits < 0 || room < 0)
        return queue_failed(queue);
    if (sizeFree != NULL)
        *sizeFree = (unsigned int)room;
    return SCI_ERR_EWOULD_BLOCK;
}

/* Whether there is news for a sender that waits for room: there is room, or there never will be (RING_CORRUPT). */
static bool has_room(struct sci_msq_queue *queue)
{
    return ring_fits(&queue->ring.sender, 1) != 0;
}

static bool may_go_on(struct sci_msq_queue *queue)
{
    return has_room(queue) || receiver_gone(queue);
}

/* Not inlined, so that the short way has hardly any registers to save and restore. */
static __attribute__((noinline)) sci_error_t send_all(struct sci_msq_queue *queue, const char *msg, size_t size,
                                                      size_t *done, unsigned int timeout)
{
    uint64_t deadline = 0; /* most messages need none */
    for (;;) {
        if (receiver_gone(queue))
            return SCI_ERR_NOT_CONNECTED;
        int64_t sent = ring_send(&queue->ring.sender, msg + *done, size - *done);
        if (sent < 0)
            return queue_failed(queue);
        *done += (size_t)sent;
        if (sent > 0)
            wake_receiver(queue);
        if (*done == size)
            return SCI_ERR_OK;
        if (deadline == 0)
            deadline = queue_deadline(timeout);
        const struct wait room = { .condition = may_go_on, .asleep = &queue->end.theirs->writer_asleep };
        if (!queue_poll(queue, has_room, may_go_on) && !queue_sleep(queue, &room, deadline))
            return SCI_ERR_TIMEOUT;
    }
}

sci_error_t SCILSendMsgWait(sci_msq_queue_t msq, const void *msg, size_t size, size_t *done, unsigned int timeout,
                            unsigned int flags)
{
    size_t sent = 0;
    sci_error_t status = queue_check(msq, false, msg, size, flags);
    if (status == SCI_ERR_OK && !receiver_gone(msq) && ring_send_line(&msq->ring.sender, msg, size)) {
        sent = size;
        wake_receiver(msq);
    } else if (status == SCI_ERR_OK) {
        status = send_all(msq, msg, size, &sent, timeout);
    }
    if (done != NULL)
        *done = sent;
    return status;
}
SHIM_EXPORT_AS(_SCIL_PUBLIC_FUNC_, SCILSendMsgWait);

sci_error_t SCILDisconnectMsgQueue(sci_msq_queue_t *msq, unsigned int flags)
{
    if (flags != 0)
        return SCI_ERR_ILLEGAL_FLAG;
    if (msq == NULL || *msq == NULL || (*msq)->receives)
        return SCI_ERR_ILLEGAL_PARAMETER;
    struct sci_msq_queue *queue = *msq;
    if (queue->end.theirs != NULL) { /* it is NULL when the call is made again after SCI_ERR_BUSY */
        posted_order(&queue->end.posted);
        atomic_store_explicit(&queue->end.theirs->ended, INBOX_FIN, memory_order_release);
        queue_wake(queue, &queue->end.mine->reader_asleep);
    }
    return queue_end(msq);
}
SHIM_EXPORT_AS(_SCIL_PUBLIC_FUNC_, SCILDisconnectMsgQueue);

/* The receiving end. */
#include "exports.h"
#include "queue.h"

enum { ANSWER_MILLIS = 10 };

static sci_error_t create_queue(struct sci_msq_queue *queue, unsigned int id, unsigned int count)
{
    queue->receives = true;
    queue->limit *= count;
    queue->nonce = queue_nonce();
    sci_error_t status =
        end_export(&queue->end, scilib_device(), INBOX_QUEUE_ID | id, queue->window, queue->nonce);
    if (status == SCI_ERR_OK)
        ring_receiver_init(&queue->ring.receiver, queue->end.mine, queue->window);
    return status;
}

sci_error_t SCILCreateMsgQueue(sci_msq_queue_t *msq, unsigned int localAdapterNo, unsigned int remoteNodeId,
                               unsigned int msqId, unsigned int maxMsgCount, unsigned int maxMsgSize,
                               unsigned int timeout, unsigned int flags)
{
    (void)timeout; /* the call does not wait for the sender */
    struct sci_msq_queue *queue;
    sci_error_t status = queue_new(msq, localAdapterNo, remoteNodeId, msqId, maxMsgCount, maxMsgSize, flags, &queue);
    if (status != SCI_ERR_OK)
        return status;
    status = create_queue(queue, msqId, maxMsgCount);
    if (status == SCI_ERR_OK)
        *msq = queue;
    else
        queue_end(&queue);
    return status;
}
SHIM_EXPORT_AS(_SCIL_PUBLIC_FUNC_, SCILCreateMsgQueue);

static bool sender_gone(const struct sci_msq_queue *queue)
{
    return atomic_load_explicit(&queue->end.gone, memory_order_acquire);
}

/* Whether no more bytes will come. A look at the ring after this call sees all bytes that came before. */
static bool is_over(const struct sci_msq_queue *queue)
{
    return atomic_load_explicit(&queue->end.mine->ended, memory_order_acquire) != 0 || sender_gone(queue);
}

static bool is_attached(const struct sci_msq_queue *queue)
{
    return queue->ring.receiver.remote != NULL;
}

/* Whether a sender has connected to which this end has not connected yet. */
static bool has_new_sender(const struct sci_msq_queue *queue)
{
    return !is_attached(queue) && !sender_gone(queue) &&
           atomic_load_explicit(&queue->end.mine->sender, memory_order_acquire) != 0;
}

/* If the head has been published, wakes a sender that sleeps because there was no room. */
static void wake_sender(struct sci_msq_queue *queue)
{
    if (ring_take_published(&queue->ring.receiver))
        queue_wake(queue, &queue->end.mine->writer_asleep);
}

static sci_error_t connect_sender(struct sci_msq_queue *queue, unsigned int id)
{
    uint64_t deadline = queue_deadline(ANSWER_MILLIS); /* of both connections */
    sci_error_t status = end_connect(&queue->end, scilib_device(), id, 0, ANSWER_MILLIS);
    if (status == SCI_ERR_OK && queue->end.theirs->nonce != queue->nonce)
        status = SCI_ERR_CONNECTION_REFUSED; /* it belongs to another queue */
    return status == SCI_ERR_OK ? end_find_bell(&queue->end, scilib_device(), queue_millis_left(deadline)) : status;
}

/* Connects to the sender that has just connected. Sets *later if it did not answer; receiving is possible all the same. */
static sci_error_t attach(struct sci_msq_queue *queue, bool *later)
{
    unsigned int id = atomic_load_explicit(&queue->end.mine->sender, memory_order_acquire);
    sci_error_t status = connect_sender(queue, id);
    *later = status == SCI_ERR_TIMEOUT;
    if (status == SCI_ERR_OK) {
        queue->ring.receiver.posted = queue->end.posted;
        ring_receiver_attach(&queue->ring.receiver, queue->end.theirs);
        wake_sender(queue);
        return SCI_ERR_OK;
    }
    end_let_go(&queue->end);
    switch (status) {
    case SCI_ERR_TIMEOUT:
        return SCI_ERR_OK;
    case SCI_ERR_SYSTEM:
    case SCI_ERR_NOSPC:
    case SCI_ERR_API_NOSPC:
        return status;
    default: /* the sender isn't there any more, or its segment isn't a sender's */
        atomic_store(&queue->end.gone, true);
        return SCI_ERR_OK;
    }
}

sci_error_t SCILReceiveMsg(sci_msq_queue_t msq, void *msg, unsigned int size, unsigned int *sizeLeft,
                           unsigned int flags)
{
    sci_error_t status = queue_check(msq, true, msg, size, flags);
    if (status == SCI_ERR_OK && size > msq->limit)
        status = SCI_ERR_OUT_OF_RANGE;
    bool later;
    if (status == SCI_ERR_OK && has_new_sender(msq))
        status = attach(msq, &later);
    if (status != SCI_ERR_OK)
        return status;

    struct ring_receiver *ring = &msq->ring.receiver;
    int64_t enough = sizeLeft != NULL ? INT64_MAX : size;
    int64_t there = ring_available(ring, enough);
    if (there >= 0 && there < size) {
        status = SCI_ERR_EWOULD_BLOCK;
        if (is_over(msq)) {
            there = ring_available(ring, enough);
            status = SCI_ERR_NOT_CONNECTED;
        }
    }
    if (there >= size) {
        if (ring_receive(ring, msg, size) != size)
            return queue_failed(msq); /* the bytes were there a moment ago */
        wake_sender(msq);
        there -= size;
        status = SCI_ERR_OK;
    }
    if (there < 0)
        return queue_failed(msq);
    if (sizeLeft != NULL)
        *sizeLeft = (unsigned int)there;
    return status;
}
SHIM_EXPORT_AS(_SCIL_PUBLIC_FUNC_, SCILReceiveMsg);

/* Whether there is news for a receiver that waits. */
static bool has_news(struct sci_msq_queue *queue)
{
    return ring_has_news(&queue->ring.receiver);
}

static bool may_go_on(struct sci_msq_queue *queue)
{
    return has_news(queue) || is_over(queue) || has_new_sender(queue);
}

/* Not inlined, so that the short way has hardly any registers to save and restore. */
static __attribute__((noinline)) sci_error_t receive_all(struct sci_msq_queue *queue, char *msg, size_t size,
                                                         size_t *done, unsigned int timeout)
{
    uint64_t deadline = 0; /* not needed if all bytes are there at once */
    for (;;) {
        bool later = false, over = false;
        sci_error_t status = has_new_sender(queue) ? attach(queue, &later) : SCI_ERR_OK;
        if (status != SCI_ERR_OK)
            return status;
        int64_t received = ring_receive(&queue->ring.receiver, msg + *done, size - *done);
        if (received == 0 && (over = is_over(queue)))
            received = ring_receive(&queue->ring.receiver, msg + *done, size - *done);
        if (received < 0)
            return queue_failed(queue);
        *done += (size_t)received;
        wake_sender(queue);
        if (*done == size)
            return SCI_ERR_OK;
        if (received == 0 && over)
            return SCI_ERR_NOT_CONNECTED;
        if (deadline == 0)
            deadline = queue_deadline(timeout);
        if (queue_poll(queue, has_news, may_go_on) && !later)
            continue;
        const struct wait news = { .condition = may_go_on,
                                   .asleep = is_attached(queue) ? &queue->end.theirs->reader_asleep : NULL };
        if (!queue_sleep(queue, &news, deadline) || (later && queue_now() >= deadline))
            return SCI_ERR_TIMEOUT;
    }
}

/*
 * The short way, inline: receives a message of one line that comes within a first moment. Most answers do so, and then each
 * nanosecond counts. False if nothing was received.
 */
static inline bool receive_line(struct sci_msq_queue *queue, void *msg, size_t size)
{
    for (int i = 0; i < POLL_ROUNDS && size <= RING_IN_LINE && is_attached(queue); i++) {
        if (has_news(queue))
            return ring_receive_line(&queue->ring.receiver, msg, size);
        queue_pause();
    }
    return false;
}

sci_error_t SCILReceiveMsgWait(sci_msq_queue_t msq, void *msg, size_t size, size_t *done, unsigned int timeout,
                               unsigned int flags)
{
    size_t received = 0;
    sci_error_t status = queue_check(msq, true, msg, size, flags);
    if (status == SCI_ERR_OK && receive_line(msq, msg, size))
        received = size;
    else if (status == SCI_ERR_OK)
        status = receive_all(msq, msg, size, &received, timeout);
    if (done != NULL)
        *done = received;
    return status;
}
SHIM_EXPORT_AS(_SCIL_PUBLIC_FUNC_, SCILReceiveMsgWait);

sci_error_t SCILRemoveMsgQueue(sci_msq_queue_t *msq, unsigned int flags)
{
    if (flags != 0)
        return SCI_ERR_ILLEGAL_FLAG;
    if (msq == NULL || *msq == NULL || !(*msq)->receives)
        return SCI_ERR_ILLEGAL_PARAMETER;
    struct sci_msq_queue *queue = *msq;
    if (queue->end.theirs != NULL) {
        atomic_store_explicit(&queue->end.theirs->receiver, INBOX_CLOSED, memory_order_release);
        queue_wake(queue, &queue->end.mine->writer_asleep);
    }
    return queue_end(msq);
}
SHIM_EXPORT_AS(_SCIL_PUBLIC_FUNC_, SCILRemoveMsgQueue);

/* A queue's two kinds of end, and what their calls share. */
#ifndef SCILIB_QUEUE_H
#define SCILIB_QUEUE_H

#include "end.h"
#include "ring.h"
#include "scilib.h"

struct sci_msq_queue {
    bool receives;
    bool failed; /* only the call that ends the queue works any more */
    uint32_t window;
    uint64_t limit; /* most bytes of one call: maxMsgSize, of a receiver maxMsgCount times that */
    uint64_t nonce; /* of a receiver: its sender's segment must have the same one */
    union {
        struct ring_sender sender;
        struct ring_receiver receiver;
    } ring;
    struct end end;
};

/* The device of all queues; NULL without SCILInit. */
sci_desc_t scilib_device(void);

/* Makes the checks that SCILCreateMsgQueue and SCILConnectMsgQueue have in common, and a new queue. */
sci_error_t queue_new(sci_msq_queue_t *msq, unsigned int adapter, unsigned int node, unsigned int id,
                      unsigned int count, unsigned int size, unsigned int flags, struct sci_msq_queue **queue);

/* Closes the queue's end, frees the queue and sets *msq to NULL, unless the close gives SCI_ERR_BUSY. */
sci_error_t queue_end(sci_msq_queue_t *msq);

/* The other end has written an invalid value. Returns SCI_ERR_TRANSFER_FAILED, as every call does from now on. */
sci_error_t queue_failed(struct sci_msq_queue *queue);

/*
 * Whether SCILSendMsg could send a message of "size" bytes now: SCI_ERR_OK, else what SCILSendMsg would return. *sizeFree, unless
 * it is NULL, is set with SCI_ERR_EWOULD_BLOCK only. The caller has made the checks of SCILSendMsg's arguments.
 */
sci_error_t sender_fits(struct sci_msq_queue *queue, unsigned int size, unsigned int *sizeFree);

#define QUEUE_FLAGS 0x3u /* those that a transfer may have: SCIL_FLAG_FULL_ERROR_CHECK */

/* The checks that all calls of an end have in common. */
static inline sci_error_t queue_check(const struct sci_msq_queue *queue, bool receives, const void *buffer, size_t size,
                                      unsigned int flags)
{
    if ((flags & ~QUEUE_FLAGS) != 0)
        return SCI_ERR_ILLEGAL_FLAG;
    if (queue == NULL || queue->receives != receives || (buffer == NULL && size > 0))
        return SCI_ERR_ILLEGAL_PARAMETER;
    return queue->failed ? SCI_ERR_TRANSFER_FAILED : SCI_ERR_OK;
}

/* CLOCK_MONOTONIC, nanoseconds; and the time "timeout" milliseconds from now, UINT64_MAX for SCI_INFINITE_TIMEOUT. */
uint64_t queue_now(void);
uint64_t queue_deadline(unsigned int timeout);

/* The time until the deadline as SISCI's calls take it, rounded up; 0 if it has passed. */
unsigned int queue_millis_left(uint64_t deadline);

/* A number that no earlier queue is likely to have had. */
uint64_t queue_nonce(void);

/* What a thread waits for, and how the other end is told that the thread sleeps. */
struct wait {
    bool (*condition)(struct sci_msq_queue *queue);
    _Atomic int32_t *asleep; /* in the other end's memory; NULL: the other end rings without being told */
};

enum {
    POLL_NANOS = 80000,
    POLL_ROUNDS = 64 /* between two looks at the clock: some microseconds */
};

/* Called between two looks at what the other end writes. */
static inline void queue_pause(void)
{
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ volatile("isb");
#endif
}

/* Polls for a moment: "likely" all the time, and "condition", which looks at everything, now and then. */
static inline bool queue_poll(struct sci_msq_queue *queue, bool (*likely)(struct sci_msq_queue *queue),
                              bool (*condition)(struct sci_msq_queue *queue))
{
    uint64_t end = 0;
    do {
        for (int i = 0; i < POLL_ROUNDS; i++) {
            if (likely(queue))
                return true;
            queue_pause();
        }
        if (condition(queue))
            return true;
        if (end == 0)
            end = queue_now() + POLL_NANOS;
    } while (queue_now() < end);
    return false;
}

/* Sleeps until wait->condition is true. False when the deadline comes before. */
bool queue_sleep(struct sci_msq_queue *queue, const struct wait *wait, uint64_t deadline);

/*
 * Wakes the other end if it sleeps, after something was published for it. What was published is visible to the other end
 * before this end looks at the other end's asleep word, which is in this end's memory (ORDER-1). The word is cleared by an
 * exchange, so that the other end is rung once.
 */
static inline void queue_wake(struct sci_msq_queue *queue, _Atomic int32_t *asleep)
{
    posted_fence(&queue->end.posted);
    if (__builtin_expect(atomic_load_explicit(asleep, memory_order_acquire) != 0, 0) &&
        atomic_exchange(asleep, 0) != 0)
        end_ring(&queue->end);
}

#endif

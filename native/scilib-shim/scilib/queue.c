#include "queue.h"

#include <pthread.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "exports.h"

/* The longest sleep at a time: a card's interrupts may get lost (CARD-1). Tests have a longer one. */
#ifndef SLEEP_MILLIS
#define SLEEP_MILLIS 1000
#endif

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static unsigned int initialized; /* calls of SCILInit minus calls of SCILDestroy */
static sci_desc_t device;

SHIM_EXPORTED const unsigned int SCIL_FLAG_ERROR_CHECK_DATA = 0x1;
SHIM_EXPORTED const unsigned int SCIL_FLAG_ERROR_CHECK_PROT = 0x2;
SHIM_EXPORTED const unsigned int SCIL_FLAG_FULL_ERROR_CHECK = QUEUE_FLAGS;
SHIM_EXPORTED const unsigned int SCIL_FLAG_MSG_FLUSH = 0x10;
SHIM_EXPORTED const unsigned int SCIL_FLAG_SEND_RECEIVE_PAIRS_ONLY = 0x20;

sci_error_t SCILInit(unsigned int flags)
{
    if (flags != 0)
        return SCI_ERR_ILLEGAL_FLAG;
    sci_error_t status = SCI_ERR_OK;
    pthread_mutex_lock(&lock);
    if (initialized == 0) {
        SCIInitialize(0, &status);
        if (status == SCI_ERR_OK) {
            SCIOpen(&device, 0, &status);
            if (status != SCI_ERR_OK)
                SCITerminate();
        }
    }
    if (status == SCI_ERR_OK)
        initialized++;
    pthread_mutex_unlock(&lock);
    return status;
}
SHIM_EXPORT_AS(_SCIL_PUBLIC_FUNC_, SCILInit);

sci_error_t SCILDestroy(unsigned int flags)
{
    if (flags != 0)
        return SCI_ERR_ILLEGAL_FLAG;
    sci_error_t status = SCI_ERR_OK;
    pthread_mutex_lock(&lock);
    if (initialized == 0)
        status = SCI_ERR_NOT_INITIALIZED;
    else if (initialized == 1)
        SCIClose(device, 0, &status);
    if (status == SCI_ERR_OK && --initialized == 0) {
        device = NULL;
        SCITerminate();
    }
    pthread_mutex_unlock(&lock);
    return status;
}
SHIM_EXPORT_AS(_SCIL_PUBLIC_FUNC_, SCILDestroy);

sci_desc_t scilib_device(void)
{
    pthread_mutex_lock(&lock);
    sci_desc_t it = device;
    pthread_mutex_unlock(&lock);
    return it;
}

sci_error_t queue_new(sci_msq_queue_t *msq, unsigned int adapter, unsigned int node, unsigned int id,
                      unsigned int count, unsigned int size, unsigned int flags, struct sci_msq_queue **queue)
{
    if (flags != 0)
        return SCI_ERR_ILLEGAL_FLAG;
    if (msq == NULL || *msq != NULL)
        return SCI_ERR_ILLEGAL_PARAMETER;
    sci_desc_t sd = scilib_device();
    if (sd == NULL)
        return SCI_ERR_NOT_INITIALIZED;
    uint32_t window = ring_window(count, size);
    if (window == 0 || id > INBOX_ID_MAX)
        return SCI_ERR_OUT_OF_RANGE;
    struct sci_msq_queue *made = aligned_alloc(INBOX_LINE, (sizeof *made + INBOX_LINE - 1) / INBOX_LINE * INBOX_LINE);
    if (made == NULL)
        return SCI_ERR_SYSTEM;
    *made = (struct sci_msq_queue){ .window = window, .limit = size };
    sci_error_t status = end_open(&made->end, sd, adapter, node);
    if (status == SCI_ERR_OK)
        *queue = made;
    else
        queue_end(&made);
    return status;
}

sci_error_t queue_end(sci_msq_queue_t *msq)
{
    struct sci_msq_queue *queue = *msq;
    queue->failed = true;
    sci_error_t status = end_close(&queue->end);
    if (status != SCI_ERR_OK)
        return status;
    free(queue);
    *msq = NULL;
    return SCI_ERR_OK;
}

sci_error_t queue_failed(struct sci_msq_queue *queue)
{
    queue->failed = true;
    return SCI_ERR_TRANSFER_FAILED;
}

uint64_t queue_now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

uint64_t queue_deadline(unsigned int timeout)
{
    return timeout == SCI_INFINITE_TIMEOUT ? UINT64_MAX : queue_now() + timeout * UINT64_C(1000000);
}

unsigned int queue_millis_left(uint64_t deadline)
{
    if (deadline == UINT64_MAX)
        return SCI_INFINITE_TIMEOUT;
    uint64_t now = queue_now();
    return now < deadline ? (unsigned int)((deadline - now + 999999) / 1000000) : 0;
}

uint64_t queue_nonce(void)
{
    return queue_now() ^ (uint64_t)getpid() << 40;
}

bool queue_sleep(struct sci_msq_queue *queue, const struct wait *wait, uint64_t deadline)
{
    for (;;) {
        uint64_t now = queue_now();
        if (now >= deadline)
            return wait->condition(queue);
        uint64_t millis = (deadline - now + 999999) / 1000000;
        /*
         * This thread says that it sleeps, then looks once more. The other end publishes, then looks whether a thread
         * sleeps. Both have a full fence between the two steps (ORDER-1), so one of them sees the other's store.
         */
        if (wait->asleep != NULL)
            atomic_store_explicit(wait->asleep, 1, memory_order_release);
        posted_fence(&queue->end.posted);
        bool met = wait->condition(queue);
        if (!met)
            end_wait(&queue->end, millis < SLEEP_MILLIS ? (unsigned int)millis : SLEEP_MILLIS);
        if (wait->asleep != NULL)
            atomic_store_explicit(wait->asleep, 0, memory_order_release);
        if (met || wait->condition(queue))
            return true;
    }
}

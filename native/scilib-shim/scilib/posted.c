#include "posted.h"

#include <stddef.h>

/* Weak: a library whose memory is coherent need not have these calls. */
extern __typeof__(SCICreateMapSequence) SCICreateMapSequence __attribute__((weak));
extern __typeof__(SCIRemoveSequence) SCIRemoveSequence __attribute__((weak));
extern __typeof__(SCIStoreBarrier) SCIStoreBarrier __attribute__((weak));
extern __typeof__(SCIFlush) SCIFlush __attribute__((weak));

/* Only the shim has this symbol. A test is built with another symbol, so that the sequences are used. */
#ifndef COHERENT_MARK
#define COHERENT_MARK "SCIShimFailure"
#endif
extern const char *coherent(void) __asm__(COHERENT_MARK) __attribute__((weak));

sci_error_t posted_open(struct posted *posted, sci_map_t map)
{
    posted->sequence = NULL;
    if (coherent != NULL)
        return SCI_ERR_OK;
    if (SCICreateMapSequence == NULL || SCIRemoveSequence == NULL || SCIStoreBarrier == NULL || SCIFlush == NULL)
        return SCI_ERR_NOT_IMPLEMENTED;
    sci_error_t status = SCI_ERR_OK;
    SCICreateMapSequence(map, &posted->sequence, 0, &status);
    return status;
}

void posted_close(struct posted *posted)
{
    if (posted->sequence == NULL)
        return;
    sci_error_t ignored;
    SCIRemoveSequence(posted->sequence, 0, &ignored);
    posted->sequence = NULL;
}

void posted_store_barrier(const struct posted *posted)
{
    SCIStoreBarrier(posted->sequence, 0);
}

void posted_flush(const struct posted *posted)
{
    SCIFlush(posted->sequence, 0);
}

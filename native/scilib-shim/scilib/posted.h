/*
 * Stores into another node's memory through a card are posted: they wait in buffers and may overtake each other. A
 * sequence of the SISCI library orders and flushes them. If the library is the shim, both processes are on one host: memory
 * is coherent, and the fences of C do both.
 */
#ifndef SCILIB_POSTED_H
#define SCILIB_POSTED_H

#include <stdatomic.h>

#include "sisci_api.h"

struct posted {
    sci_sequence_t sequence; /* NULL: coherent memory */
};

/* Prepares for stores into a remote map. */
sci_error_t posted_open(struct posted *posted, sci_map_t map);
void posted_close(struct posted *posted);

void posted_store_barrier(const struct posted *posted);
void posted_flush(const struct posted *posted);

/* Stores before this call become visible before stores after it; the later ones must be releasing stores. */
static inline void posted_order(const struct posted *posted)
{
    if (__builtin_expect(posted->sequence != NULL, 0))
        posted_store_barrier(posted);
}

/* Stores before this call are visible to the other end before any load after it is made (ORDER-1). */
static inline void posted_fence(const struct posted *posted)
{
    if (__builtin_expect(posted->sequence != NULL, 0))
        posted_flush(posted);
    atomic_thread_fence(memory_order_seq_cst);
}

#endif

/*
 * One end of a queue as SISCI sees it: a segment of our own, the other end's segment, an interrupt of our own that is
 * our bell, the other end's bell, and whether the other end is still there. Each end writes only into the other's
 * segment and reads only its own; but for what is checked at the start, and the word by which a sender takes a queue.
 *
 * Used by one thread at a time; but for gone, which the SISCI library's own thread sets.
 */
#ifndef SCILIB_END_H
#define SCILIB_END_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "inbox.h"
#include "posted.h"

struct end {
    unsigned int adapter;
    unsigned int node; /* the other end's */

    sci_local_interrupt_t bell;
    sci_remote_interrupt_t own_bell; /* so that we can wake ourselves */
    unsigned int bell_number;
    sci_remote_interrupt_t their_bell;

    sci_local_segment_t own;
    sci_map_t own_map;
    struct inbox *mine;

    sci_remote_segment_t other;
    sci_map_t other_map;
    struct inbox *theirs;
    struct posted posted; /* of the stores into theirs */

    atomic_bool gone; /* the other end has disconnected, or its process has ended */
};

/* A fresh end with its bell. After a failure of this or any of the next three the caller closes it. */
sci_error_t end_open(struct end *end, sci_desc_t sd, unsigned int adapter, unsigned int node);

/* Makes our segment, with the inbox's first words, and lets others connect to it. window: bytes of the ring. */
sci_error_t end_offer(struct end *end, sci_desc_t sd, unsigned int id, uint32_t window, uint64_t nonce);

/*
 * Connects to the other end's segment and maps it, if it is a queue's whose ring has so many bytes. Waits for at most
 * timeout ms for an answer, but not for the segment to appear.
 * Errors: SCIConnectSegment's; SCI_ERR_INCONSISTENT_VERSIONS; SCI_ERR_ILLEGAL_PARAMETER for another window.
 */
sci_error_t end_connect(struct end *end, sci_desc_t sd, unsigned int id, uint32_t window, unsigned int timeout);

/* Reaches the other end's bell. */
sci_error_t end_find_bell(struct end *end, sci_desc_t sd);

/* Frees what belongs to the other end: its segment and its bell. */
void end_let_go(struct end *end);

/*
 * Frees all there is, in the order SISCI wants. SCI_ERR_BUSY when a card's library does not let go of the segment as
 * long as the other end holds it: then call again.
 */
sci_error_t end_close(struct end *end);

/* Wakes the other end's thread, if one waits. */
void end_ring(const struct end *end);

/* Waits for our bell, for at most so many milliseconds. */
void end_wait(const struct end *end, unsigned int timeout);

#endif

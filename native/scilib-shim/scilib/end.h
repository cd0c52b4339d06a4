/*
 * One end of a queue as SISCI sees it: this end's segment, the other end's segment, this end's bell, which is an interrupt,
 * the other end's bell, and whether the other end is still there. Each end writes only into the other end's segment and
 * reads only its own. The exceptions are what is checked at the start, and the word by which a sender takes a queue.
 *
 * One thread at a time uses an end; only "gone" is set by the SISCI library's own thread.
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
    sci_remote_interrupt_t own_bell; /* by which this end wakes its own thread */
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

/* Makes a new end with its bell. If this call or one of the next three fails, the caller closes the end. */
sci_error_t end_open(struct end *end, sci_desc_t sd, unsigned int adapter, unsigned int node);

/* Makes this end's segment, with the inbox's first words, and lets others connect to it. window: bytes of the ring. */
sci_error_t end_export(struct end *end, sci_desc_t sd, unsigned int id, uint32_t window, uint64_t nonce);

/*
 * Connects to the other end's segment, and maps it if it belongs to a queue whose ring has "window" bytes. Waits at most
 * timeout ms for an answer, but does not wait for the segment to appear.
 * Errors: SCIConnectSegment's; SCI_ERR_INCONSISTENT_VERSIONS; SCI_ERR_ILLEGAL_PARAMETER for another window.
 */
sci_error_t end_connect(struct end *end, sci_desc_t sd, unsigned int id, uint32_t window, unsigned int timeout);

/* Connects to the other end's bell. Waits at most timeout ms for an answer, but at least 1: a library may not take 0. */
sci_error_t end_find_bell(struct end *end, sci_desc_t sd, unsigned int timeout);

/* Frees what belongs to the other end: its segment and its bell. The next one to connect to may be another process. */
void end_let_go(struct end *end);

/*
 * Frees everything, in the order that SISCI requires. SCI_ERR_BUSY when a card's library keeps the segment as long as the
 * other end is connected to it: the caller then calls again.
 */
sci_error_t end_close(struct end *end);

/* Wakes the other end's thread, if one waits. */
void end_ring(const struct end *end);

/* Waits for this end's bell, for at most timeout milliseconds. */
void end_wait(const struct end *end, unsigned int timeout);

#endif

/* An exporter's end of connections. Callers hold the library's lock. */
#ifndef SHIM_LINK_H
#define SHIM_LINK_H

#include "segment/segment.h"

/*
 * Accepts a waiting connector and returns its link; NULL if there is none, or it is refused. Sets segment->starved if the
 * system has no descriptor for it.
 */
struct link *link_accept(struct local_segment *segment);

/* Drops connectors whose request has not come in time. Returns when the next one is due, UINT64_MAX for never. */
uint64_t link_expire(void);

/* Drops a segment's half open connections, or the established ones too: the remotes of these get DISCONNECT. */
void link_drop_all(struct local_segment *segment, bool established_too);

/* Called in the child of a fork: closes the child's copy of the link's descriptor, and does nothing else. */
void link_forget(struct link *link);

/* Called in the child of a fork, which has no half open connections. */
void links_forget_half_open(void);

/* Called by the library's thread when the remote has sent a packet or closed. Releases the lock for callbacks. */
void link_event(struct link *link);

#endif

/* An exporter's end of connections. Callers hold the library's lock. */
#ifndef SHIM_LINK_H
#define SHIM_LINK_H

#include "library.h"

/*
 * Takes a waiting connector, if there is one, and gives it, unless it is refused; segment->starved tells that the system
 * has no descriptor for it.
 */
struct link *link_accept(struct local_segment *segment);

/* Drops connectors that were too slow with their request; returns when the next one will be, UINT64_MAX for never. */
uint64_t link_expire(void);

/* Drops a segment's half open connections, or the established ones too: those remotes get DISCONNECT. */
void link_drop_all(struct local_segment *segment, bool established_too);

/* In the child of a fork: there are none. */
void links_forget_half_open(void);

/* True when a remote is connected and has not left yet. */
bool link_any_connected(const struct local_segment *segment);

#endif

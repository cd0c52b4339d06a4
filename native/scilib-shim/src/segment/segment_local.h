/* Segments of this process. Callers hold the library's lock. */
#ifndef SHIM_SEGMENT_LOCAL_H
#define SHIM_SEGMENT_LOCAL_H

#include "segment/segment.h"

/* Destroys and frees a segment, as SCITerminate does with those that are left. May release the lock meanwhile. */
void local_segment_destroy(struct local_segment *segment);

/* Called in the child of a fork: closes the child's copies of the segment's descriptors, and does nothing else. */
void local_segment_forget(struct local_segment *segment);

/*
 * Called by the library's thread when connectors or other members of the group wait, or when descriptors may be free again.
 * Releases the lock for callbacks.
 */
void local_segment_event(struct local_segment *segment);

#endif

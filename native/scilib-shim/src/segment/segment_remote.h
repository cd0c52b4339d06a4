/* Connections to segments, the connector's end. Callers hold the library's lock. */
#ifndef SHIM_SEGMENT_REMOTE_H
#define SHIM_SEGMENT_REMOTE_H

#include "segment/segment.h"

/* Destroys and frees a segment, as SCITerminate does with those that are left. May release the lock meanwhile. */
void remote_segment_destroy(struct remote_segment *segment);

/* Called in the child of a fork: closes the child's copies of descriptors, and does nothing else. */
void remote_segment_forget(struct remote_segment *segment);

/*
 * Called by the library's thread when the exporter has sent a packet or closed, or when another member of the group wants the
 * memory, or when descriptors may be free again. Releases the lock for callbacks.
 */
void remote_segment_event(struct remote_segment *segment);

#endif

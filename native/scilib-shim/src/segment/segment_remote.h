/* Connections to segments, the connector's end. Callers hold the library's lock. */
#ifndef SHIM_SEGMENT_REMOTE_H
#define SHIM_SEGMENT_REMOTE_H

#include "segment/segment.h"

/* Destroys and frees a segment, as SCITerminate does with those that are left. May release the lock meanwhile. */
void remote_segment_destroy(struct remote_segment *segment);

/* Called in the child of a fork: close the child's copies of descriptors, and do nothing else. */
void remote_segment_forget(struct remote_segment *segment);
void remote_segments_forget_attaching(void);

/* Called by the library's thread when the exporter has sent a packet or closed. Releases the lock for callbacks. */
void remote_segment_event(struct remote_segment *segment);

#endif

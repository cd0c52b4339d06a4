/*
 * The two ends of a segment: a local segment, with its connections (links), and a remote segment. The library's lock guards them.
 */
#ifndef SHIM_SEGMENT_H
#define SHIM_SEGMENT_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/queue.h>

#include "base/descriptor.h"
#include "base/handles.h"
#include "segment/events.h"
#include "segment/memory.h"

TAILQ_HEAD(link_list, link);

struct local_segment {
    struct object object;
    struct descriptor *owner;
    struct memory memory;
    unsigned int id;
    int listener; /* holds the id, or a place of the broadcast group; -1: private, or made unavailable */
    bool is_private;
    bool prepared;
    bool available;
    unsigned int connections; /* how many connectors have got the memory */
    bool admits_one; /* only one connector gets the memory */
    bool starved; /* no descriptor was free to accept with; tried again later */
    bool has_callback;
    sci_cb_local_segment_t callback; /* NULL after it has cancelled */
    void *callback_arg;
    struct events events; /* used if there is no callback */
    struct link_list links;
};

/* An exporter's end of a connection; half open until the connector's request has been answered. */
struct link {
    struct object object;
    struct local_segment *segment;
    int socket;
    bool established;
    uint64_t deadline; /* by which the request must come */
    unsigned int node; /* of the connector, as its request says */
    unsigned int adapter;
    TAILQ_ENTRY(link) in_segment;
    TAILQ_ENTRY(link) in_half_open;
};

struct remote_segment {
    struct object object;
    struct descriptor *owner;
    struct memory memory;
    unsigned int node; /* of the exporter, with the id that it was connected by */
    unsigned int id;
    int socket; /* the link, or a place of the broadcast group; -1 once the other side is gone */
    bool starved; /* as of a local segment: for a broadcast group's members */
    bool has_callback;
    sci_cb_remote_segment_t callback;
    void *callback_arg;
    struct events events; /* used if there is no callback */
};

#endif

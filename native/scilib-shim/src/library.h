/*
 * The library as a whole: its one lock, its state, and the objects behind the handles.
 *
 * One lock guards all of it. It is held for a few system calls that don't block, never while a callback runs or a
 * thread waits.
 */
#ifndef SHIM_LIBRARY_H
#define SHIM_LIBRARY_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/queue.h>

#include "events.h"
#include "handles.h"
#include "memory.h"
#include "sisci_api.h"

struct descriptor {
    struct object object;
    unsigned int children; /* segments and interrupts made through it */
};

TAILQ_HEAD(link_list, link);

struct local_segment {
    struct object object;
    struct descriptor *owner;
    struct memory memory;
    unsigned int id;
    int listener; /* holds the id; -1: private, or made unavailable */
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
    int socket; /* the link; -1 once the other side is gone */
    bool has_callback;
    sci_cb_remote_segment_t callback;
    void *callback_arg;
    struct events events; /* used if there is no callback */
};

struct library {
    pthread_mutex_t lock;
    pthread_cond_t settled; /* signalled when a callback has ended, the last waiting thread has left, or SCITerminate is done */
    unsigned int node;
};

extern struct library library;

/* Takes the lock. If the library is not initialised, returns false without the lock. */
bool library_enter(void);

/* Releases the lock; returns its argument. */
sci_error_t library_leave(sci_error_t status);

/* Makes a call, which returns a sci_error_t, with the lock held. */
#define LIBRARY_LOCKED(call) (library_enter() ? library_leave(call) : SCI_ERR_NOT_INITIALIZED)

/* Records for SCIShimFailure that this system call failed for the reason in errno; returns the status. */
sci_error_t failed(const char *call, sci_error_t status);

/* Writes the result of a call to *error, unless error is NULL. */
static inline void report(sci_error_t *error, sci_error_t status)
{
    if (error != NULL)
        *error = status;
}

sci_error_t check_adapter(unsigned int adapter);
sci_error_t check_node(unsigned int node);

/* Makes this process a member of the node that the environment names. Other processes see it until node_leave. */
sci_error_t node_join(void);
void node_leave(void);

/* Destroy an object, as SCITerminate does with those that are left. They free the object, and may release the lock meanwhile. */
void local_segment_destroy(struct local_segment *segment);
void remote_segment_destroy(struct remote_segment *segment);

/* Called in the child of a fork: close the child's copies of the object's descriptors, and do nothing else. */
void local_segment_forget(struct local_segment *segment);
void link_forget(struct link *link);
void remote_segment_forget(struct remote_segment *segment);
void remote_segments_forget_attaching(void);

/* The same for the library as a whole: afterwards it is not initialised. */
void library_forget(void);

/* Whether the library is notified of forks; if not, errno has the reason. */
bool forks_noticed(void);

/* The library's thread calls these, with the lock, when a descriptor is ready. They release the lock only for callbacks. */
void local_segment_event(struct local_segment *segment);
void link_event(struct link *link);
void remote_segment_event(struct remote_segment *segment);

#endif

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
    unsigned int connections; /* how many have been given the memory */
    bool admits_one; /* that many and no more */
    bool starved; /* could not accept for want of descriptors; tried again later */
    bool has_callback;
    sci_cb_local_segment_t callback; /* NULL once it is not wanted any more */
    void *callback_arg;
    struct events events; /* without a callback */
    struct link_list links;
};

/* An exporter's end of a connection; half open until the connector's request has been answered. */
struct link {
    struct object object;
    struct local_segment *segment;
    int socket;
    bool established;
    uint64_t deadline; /* for the request */
    unsigned int node; /* of the connector, by its own word */
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
    struct events events; /* without a callback */
};

struct library {
    pthread_mutex_t lock;
    pthread_cond_t settled; /* a callback has ended, a reader of an interrupt has left, SCITerminate is done */
    unsigned int node;
};

extern struct library library;

/* Takes the lock; false, and not taken, when the library is not initialised. */
bool library_enter(void);

/* Gives it back; hands its argument on. */
sci_error_t library_leave(sci_error_t status);

/* Evaluates a call, which gives a sci_error_t, under the lock. */
#define LIBRARY_LOCKED(call) (library_enter() ? library_leave(call) : SCI_ERR_NOT_INITIALIZED)

/* Notes for SCIShimFailure that this system call failed, for the reason in errno; hands the status on. */
sci_error_t failed(const char *call, sci_error_t status);

/* Writes the result of a call to where the caller wants it, if anywhere. */
static inline void report(sci_error_t *error, sci_error_t status)
{
    if (error != NULL)
        *error = status;
}

sci_error_t check_adapter(unsigned int adapter);
sci_error_t check_node(unsigned int node);

/* Makes this process one of the node that the environment names; others can tell until it leaves. */
sci_error_t node_join(void);
void node_leave(void);

/* What SCITerminate does to what is left; the object is freed, the lock may be let go meanwhile. */
void local_segment_destroy(struct local_segment *segment);
void remote_segment_destroy(struct remote_segment *segment);

/* What fork does in the child: closes the object's descriptors, which it shares with the parent's; no more than that. */
void local_segment_forget(struct local_segment *segment);
void link_forget(struct link *link);
void remote_segment_forget(struct remote_segment *segment);
void remote_segments_forget_attaching(void);

/* The same for the library as a whole: as if it had never been initialised. */
void library_forget(void);

/* Whether it is told of forks; if not, errno says why. */
bool forks_noticed(void);

/* What the library's thread calls when a descriptor is ready; with the lock, letting it go for callbacks only. */
void local_segment_event(struct local_segment *segment);
void link_event(struct link *link);
void remote_segment_event(struct remote_segment *segment);

#endif

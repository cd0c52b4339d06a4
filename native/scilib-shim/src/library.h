/*
 * The library as a whole: its one lock, its state, and the objects behind the handles.
 *
 * One lock guards all of it. It is held for a few system calls that don't block, never while a callback runs or a
 * thread waits.
 */
#ifndef SHIM_LIBRARY_H
#define SHIM_LIBRARY_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/queue.h>
#include <sys/socket.h>
#include <sys/un.h>

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
    bool starved; /* could not accept for want of descriptors; tried again later */
    sci_cb_local_segment_t callback; /* NULL: not wanted */
    void *callback_arg;
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
    sci_cb_remote_segment_t callback; /* NULL: not wanted */
    void *callback_arg;
};

struct local_interrupt {
    struct object object;
    struct descriptor *owner;
    int socket;
    bool counting;
    bool has_callback;           /* only the library's thread reads the socket */
    bool watched;                /* it still does: the callback has not cancelled */
    unsigned int users;          /* threads that read the socket without the lock */
    atomic_bool removed;         /* tells them to leave */
    atomic_uint foreign;         /* messages of strangers since the queue was last seen empty */
    unsigned int queue_length;   /* most messages that can wait in the socket */
    sci_cb_interrupt_t callback;
    void *callback_arg;
};

struct remote_interrupt {
    struct object object;
    struct descriptor *owner;
    struct sockaddr_un address;
    socklen_t address_length;
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

/* Writes the result of a call to where the caller wants it, if anywhere. */
static inline void report(sci_error_t *error, sci_error_t status)
{
    if (error != NULL)
        *error = status;
}

sci_error_t check_adapter(unsigned int adapter);
sci_error_t check_node(unsigned int node);

/* What SCITerminate does to what is left; the object is freed, the lock may be let go meanwhile. */
void local_segment_destroy(struct local_segment *segment);
void remote_segment_destroy(struct remote_segment *segment);
void local_interrupt_destroy(struct local_interrupt *interrupt);
void remote_interrupt_destroy(struct remote_interrupt *interrupt);
void trigger_socket_close(void);

/* What the library's thread calls when a descriptor is ready; with the lock, letting it go for callbacks only. */
void local_segment_event(struct local_segment *segment);
void link_event(struct link *link);
void remote_segment_event(struct remote_segment *segment);
void local_interrupt_event(struct local_interrupt *interrupt);

#endif

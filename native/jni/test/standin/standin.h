/*
 * A stand-in for a vendor's libsisci.so, for tests of its callers. It exports the vendor's symbols and no others. It checks
 * the arguments and the order of calls, and records the calls. It behaves like a card where that matters:
 *   - a segment can't be removed while a peer is connected;
 *   - stores into a remote segment are posted: they arrive only when a caller waits for them, in the worst order;
 *   - when a segment, a connection or an interrupt has been removed, its callback is made once more, late.
 *
 * Its settings are those of calls.h, and STANDIN_SLOW: how many milliseconds each connect takes. Errors are hexadecimal; the
 * default is SCI_ERR_SYSTEM. STANDIN_DIR also contains the segments, one file each, and the registry.
 *
 * Lock order: standin_callbacks (held while a callback runs), then the registry's lock.
 */
#ifndef STANDIN_H
#define STANDIN_H

#define _REENTRANT /* the functions are defined under their names for multi-threaded callers */
#include "calls.h"
#include "sisci_api.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

enum { NODE = 4, PROCESSES = 16, SEGMENTS = 256, CONNECTIONS = 256, INTERRUPTS = 256 };

/* The state that all processes share. Guarded by its lock. An entry is free where its process is 0. */
struct registry {
    pthread_mutex_t lock;
    bool ready;
    unsigned serial; /* the last one given out; none is given out twice */
    struct process {
        pid_t process;
        atomic_uint bell; /* a futex: changes when its monitor has something to do */
    } processes[PROCESSES];
    struct shared_segment {
        pid_t process;
        unsigned id, serial;
        size_t size;
        bool available;
    } segments[SEGMENTS];
    struct connection {
        pid_t process;   /* the process that has connected */
        unsigned serial; /* of the segment */
        bool announced, ended, lost;
    } connections[CONNECTIONS];
    struct shared_interrupt {
        pid_t process;
        unsigned number;
        unsigned pending;
    } interrupts[INTERRUPTS];
};

/* A handle of this process. Handles are never freed, so that one that has ended is recognised. */
enum kind { DEVICE = 1, LOCAL, REMOTE, MAP, SEQUENCE, LOCAL_INTERRUPT, REMOTE_INTERRUPT };

struct handle {
    enum kind kind;
    bool ended;
    struct handle *next;  /* in the list of all handles */
    struct handle *owner; /* a map's segment, a sequence's map */
    unsigned users;       /* maps of a segment, sequences of a map */
    unsigned index;       /* in the registry */
    unsigned serial;
    size_t size;
    bool prepared;
    void *callback, *argument;
    bool told;                       /* a remote segment: its end has been reported */
    bool late;                       /* it has ended, and its last callback is still to be made */
    char *real, *shadow, *delivered; /* a map: the segment; if that is remote: the caller's copy, what has arrived */
};

extern struct registry *standin_registry;
extern struct handle *standin_handles; /* guarded by the registry's lock */
extern pthread_mutex_t standin_callbacks;

/* library.c: takes STANDIN_SLOW milliseconds. False if the time-out is shorter; then it takes that. */
bool standin_answers(unsigned timeout);

/* registry.c */
int standin_begin(void);  /* joins the fabric and starts this process's monitor; 0, or -1 */
void standin_end(void);
void standin_lock(void);
void standin_unlock(void);
void standin_ring(pid_t process);
void standin_segment_path(char path[PATH_BYTES], unsigned serial);

/* monitor.c: callbacks, and what dead processes leave. */
void standin_monitor_start(void);
void standin_monitor_stop(void);
bool standin_is_monitor(void);

/* record.c */
#define RECORD(name, error) standin_record(#name, (error))
void standin_record(const char *name, sci_error_t error);
void standin_violation(const char *name, const char *text);
/* Checks what all calls have in common, and returns whether the call goes on. If not, *error is its result and recorded. */
#define ENTER(name, error, flags, allowed) standin_enter(#name, (error), (flags), (allowed))
bool standin_enter(const char *name, sci_error_t *error, unsigned flags, unsigned allowed);
/* The handle. NULL if it is not a valid one of this kind: then the violation is recorded and *error is set. */
struct handle *standin_check(const char *name, void *handle, enum kind kind, sci_error_t *error);
struct handle *standin_handle(enum kind kind);
void standin_finish(const char *name, sci_error_t *error, sci_error_t result);

/* maps.c: delivers the stores into a map to its segment. The caller holds the registry's lock. */
void standin_deliver(struct handle *map);

/* The name for single-threaded callers is the same function. */
#define BOTH_NAMES(name)                                                                                          \
    extern __typeof__(_SISCI_PUBLIC_FUNC_MT_##name) _SISCI_PUBLIC_FUNC_ST_##name                                  \
        __attribute__((alias("_SISCI_PUBLIC_FUNC_MT_" #name), copy(_SISCI_PUBLIC_FUNC_MT_##name)))

#endif

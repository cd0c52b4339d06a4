/*
 * The library as a whole: its one lock and its state.
 *
 * One lock guards all of it. It is held for a few system calls that don't block, never while a callback runs or a
 * thread waits.
 */
#ifndef SHIM_LIBRARY_H
#define SHIM_LIBRARY_H

#include <pthread.h>
#include <stdbool.h>

#include "base/errors.h"

struct library {
    pthread_mutex_t lock;
    pthread_cond_t settled; /* signalled when a callback has ended, the last waiting thread has left, or SCITerminate is done */
    unsigned int node;        /* of this process; constant while the library is initialised */
    unsigned int initialized; /* calls of SCIInitialize minus calls of SCITerminate */
    bool terminating;         /* SCITerminate waits, without the lock */
};

extern struct library library;

/* Takes the lock. If the library is not initialised, returns false without the lock. */
bool library_enter(void);

/* Releases the lock; returns its argument. */
sci_error_t library_leave(sci_error_t status);

/* Makes a call, which returns a sci_error_t, with the lock held. */
#define LIBRARY_LOCKED(call) (library_enter() ? library_leave(call) : SCI_ERR_NOT_INITIALIZED)

/* Called in the child of a fork, with the lock: afterwards the library is not initialised. */
void library_forget(void);

#endif

/* Interrupts of this process, with data or without: making them, waiting, callbacks, removal. */
#ifndef SHIM_INTERRUPT_LOCAL_H
#define SHIM_INTERRUPT_LOCAL_H

#include "interrupt/interrupt.h"

/* Ends all waits for an interrupt, which must be destroyed afterwards. */
void local_interrupt_cancel(struct local_interrupt *interrupt);

/* Destroys and frees an interrupt, as SCITerminate does with those that are left. May release the lock meanwhile. */
void local_interrupt_destroy(struct local_interrupt *interrupt);

/* Called in the child of a fork: closes the child's copies of the interrupt's descriptors, and does nothing else. */
void local_interrupt_forget(struct local_interrupt *interrupt);

/*
 * Called by the library's thread when a watched descriptor is ready, and to try a starved interrupt again. Releases the lock for
 * callbacks.
 */
void local_interrupt_event(struct local_interrupt *interrupt);

#endif

/* Interrupts of other processes, or of this one, with data or without: connecting, triggering, disconnecting. */
#ifndef SHIM_INTERRUPT_REMOTE_H
#define SHIM_INTERRUPT_REMOTE_H

#include "interrupt/interrupt.h"

/* Destroys and frees an interrupt, as SCITerminate does with those that are left. */
void remote_interrupt_destroy(struct remote_interrupt *interrupt);

/* Called in the child of a fork: closes the child's copies of the interrupt's descriptors, and does nothing else. */
void remote_interrupt_forget(struct remote_interrupt *interrupt);

#endif

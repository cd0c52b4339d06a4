/* The interrupts of this process, by which a SISCI library wakes threads that sleep. */
#ifndef JFS_SISCI_INTERRUPT_H
#define JFS_SISCI_INTERRUPT_H

#include "sisci_library.h"

/*
 * An interrupt of this process. The process can also signal it itself: through its event, which the interrupt's triggers
 * signal too, or by triggering it.
 */
struct interrupt {
    sci_local_interrupt_t handle;
    unsigned number;
    void *ticket;
    int event;                   /* an eventfd; -1: the library has a descriptor of its own */
    sci_remote_interrupt_t self; /* to trigger it where there is no event; NULL before connectSelf */
};

/*
 * Wakes what sleeps at the interrupt. Does not block. Any thread may call. The interrupt must not be removed meanwhile: a
 * callback calls between callbacks_enter and callbacks_leave.
 */
void signal_interrupt(const struct interrupt *interrupt);

#endif

/*
 * Doorbells. The owner only looks whether there is a datagram, and which user has sent it, which the kernel tells. Each
 * remote has the doorbell's address. All remotes of a process send their triggers from one socket.
 */
#ifndef SHIM_INTERRUPT_DOORBELL_H
#define SHIM_INTERRUPT_DOORBELL_H

#include "interrupt/interrupt.h"

/* Takes all triggers of a doorbell: SCI_ERR_TIMEOUT when none is pending. */
sci_error_t doorbell_take(struct local_interrupt *interrupt);

/* The same without a look at the senders. The caller doesn't hold the lock, and is counted in interrupt->users. */
void doorbell_drain(const struct local_interrupt *interrupt);

/* How many datagrams can wait at a socket that is made now. */
unsigned int doorbell_length(void);

/* The socket from which this process triggers doorbells, made when it is first needed; negative on failure. Any thread. */
int doorbell_socket(void);

void doorbell_socket_close(void);

/* Sends a trigger, without the lock, after doorbell_socket has succeeded. Errors: SCI_ERR_NOT_CONNECTED, SCI_ERR_SYSTEM. */
sci_error_t doorbell_ring(const struct doorbell *target);

#endif

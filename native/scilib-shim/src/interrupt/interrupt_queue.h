/*
 * Queues. At the owner's end only threads that take triggers, or the library's thread for a callback, admit remotes and
 * read what they send. Until then connections and packets stay in the kernel.
 */
#ifndef SHIM_INTERRUPT_QUEUE_H
#define SHIM_INTERRUPT_QUEUE_H

#include "interrupt/interrupt.h"

/* Makes a queue of the listening socket. */
sci_error_t queue_open(struct local_interrupt *interrupt);

/* Ends all connections and closes the epoll; the socket stays open. */
void queue_close(struct local_interrupt *interrupt);

/*
 * Takes one trigger of a queue, and its data if length isn't NULL: *length is the room at data, and becomes the number of
 * bytes. Errors: SCI_ERR_NOSPC if there are more bytes than room: the trigger stays; SCI_ERR_SYSTEM when a remote can't be
 * admitted.
 */
sci_error_t queue_take(struct local_interrupt *interrupt, void *data, unsigned int *length);

/* Called in the child of a fork: closes the child's copies of the descriptors, and frees the list of remotes. */
void queue_forget(struct local_interrupt *interrupt);

/*
 * Sends a trigger to the interrupt with the number, or to all interrupts that share it. Connects first to those that it is
 * not connected to; with length 0 it only connects. Returns the error of one that failed: SCI_ERR_OVERFLOW; SCI_ERR_BUSY:
 * too many remotes wait there to be admitted; SCI_ERR_SYSTEM. If none failed so: SCI_ERR_OK if it has reached any
 * interrupt; SCI_ERR_CONNECTION_REFUSED if all that it found belong to users that aren't allowed; SCI_ERR_NOT_CONNECTED if
 * it found none.
 */
sci_error_t queue_send(struct remote_interrupt *interrupt, const void *data, unsigned int length);

/* Ends all connections. */
void queue_disconnect(struct remote_interrupt *interrupt);

#endif

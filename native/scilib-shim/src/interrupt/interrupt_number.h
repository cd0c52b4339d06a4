/* Numbers of interrupts: the names of their sockets, and how numbers are bound and found. */
#ifndef SHIM_INTERRUPT_NUMBER_H
#define SHIM_INTERRUPT_NUMBER_H

#include "interrupt/interrupt.h"

/* The type of the sockets of a sort. */
int sort_socket_type(enum sort sort);

/* The address of a number, or of this place of it if it is shared. */
socklen_t number_address(const struct number *number, unsigned int place, struct sockaddr_un *address);

/*
 * Binds the socket to number->value if that is fixed, otherwise to a free number, which is written there. The socket of a
 * queue then listens. Errors: SCI_ERR_INTNO_USED; SCI_ERR_NOSPC: all places of a shared number are taken; SCI_ERR_SYSTEM.
 */
sci_error_t number_bind(struct number *number, bool fixed, int socket);

/*
 * Looks for an interrupt with number->value: first as the number says, then of any sort with the same numbers, shared or
 * not. Writes what it has found: sort and shared. Errors: SCI_ERR_NO_SUCH_INTNO, SCI_ERR_SYSTEM.
 */
sci_error_t number_find(struct number *number);

/* Closes the socket that number_find keeps to find doorbells. */
void number_finder_close(void);

#endif

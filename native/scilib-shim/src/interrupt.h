/*
 * Interrupts: numbers, and the two ways in which triggers travel. A number is a name in the abstract namespace, so the
 * kernel keeps it unique and forgets it with its process.
 *
 * A doorbell is a datagram socket, and a trigger a datagram of one byte that says nothing. It costs its owner one
 * descriptor and remotes none. Few datagrams fit, but who finds it full knows that it will be heard.
 *
 * A queue is for what must not get lost or must reach several: a listening SEQPACKET socket, to which each remote keeps
 * a connection. A trigger is a packet, which waits there until it is taken; a remote that finds its connection full is
 * told so. Both sides know by the connection whom they talk to, which data needs.
 *
 * Callers hold the library's lock unless it says otherwise.
 */
#ifndef SHIM_INTERRUPT_H
#define SHIM_INTERRUPT_H

#include <stdatomic.h>
#include <stdbool.h>
#include <sys/queue.h>
#include <sys/socket.h>
#include <sys/un.h>

#include "library.h"

enum {
    SHARERS = 8,       /* most interrupts under one number */
    DATA_LIMIT = 8192, /* most bytes of a data interrupt */
};

/* Each sort has names of its own. The first three share their numbers, so a number says which of them it is. */
enum sort {
    SORT_DOORBELL,
    SORT_SHARED,   /* a queue, because several hear it */
    SORT_COUNTING, /* a queue, shared or not */
    SORT_DATA,     /* a queue, shared or not, with numbers of its own */
    SORTS
};

/* What can be bound: a number, or one of the places at a number that is shared. */
struct number {
    enum sort sort;
    bool shared;
    unsigned int node;
    unsigned int adapter;
    unsigned int value;
};

struct local_interrupt {
    struct object object; /* of either kind of local interrupt */
    struct descriptor *owner;
    int socket;              /* holds the number */
    int epoll;               /* of a queue: polls readable when there is something to take, or to admit; else -1 */
    LIST_HEAD(, caller) callers; /* of a queue: the remotes that are connected */
    struct caller *arriving; /* one that could not be watched yet; else NULL */
    bool counting;           /* a wait or callback takes one trigger */
    bool starved;            /* could not admit for want of descriptors; tried again later */
    bool watched;            /* by the library's thread, alone, and the callback has not cancelled */
    bool has_callback;
    bool removed;            /* tells those who wait to leave */
    unsigned int users;      /* how many wait, or take without the lock; its removal waits for them */
    unsigned int foreign;    /* a doorbell's messages of strangers since it was last seen empty */
    unsigned int queue_length; /* most messages that can wait at a doorbell */
    union {
        sci_cb_interrupt_t plain;
        sci_cb_data_interrupt_t data;
    } callback;
    void *callback_arg;
};

struct doorbell {
    struct sockaddr_un address;
    socklen_t length;
};

struct remote_interrupt {
    struct object object; /* of either kind of remote interrupt */
    struct descriptor *owner;
    struct number number;
    struct doorbell doorbell; /* if it is one */
    int connections[SHARERS]; /* to a queue: of each place, or the first alone; -1 while there is none */
};

/* ---- Numbers: interrupt_number.c ---- */

/* The type of the sockets of a sort. */
int sort_socket_type(enum sort sort);

/* The address of a number, or of this place at it if it is shared. */
socklen_t number_address(const struct number *number, unsigned int place, struct sockaddr_un *address);

/*
 * Binds the socket: to number->value if that is fixed, else to one that is written there; a queue then listens.
 * SCI_ERR_INTNO_USED, SCI_ERR_NOSPC: all places of a shared number are taken, SCI_ERR_SYSTEM.
 */
sci_error_t number_bind(struct number *number, bool fixed, int socket);

/*
 * Looks for an interrupt under number->value, of that sort and, but for data, the others, and writes what it is: sort
 * and shared. SCI_ERR_NO_SUCH_INTNO, SCI_ERR_SYSTEM.
 */
sci_error_t number_find(struct number *number);

/* Closes the socket by which numbers are found, which is kept. */
void number_finder_close(void);

/* ---- What a local interrupt has been sent: SCI_ERR_TIMEOUT when nothing is there ---- */

/* Takes all triggers of a doorbell (interrupt_doorbell.c). */
sci_error_t doorbell_take(struct local_interrupt *interrupt);

/* The same for who doesn't ask whose triggers they are. Without the lock, while the interrupt has a user. */
void doorbell_drain(const struct local_interrupt *interrupt);

/* How many datagrams the kernel lets wait at a socket made now. */
unsigned int doorbell_length(void);

/* Makes the socket, which listens, a queue (interrupt_queue.c). */
sci_error_t queue_open(struct local_interrupt *interrupt);

/* Ends all connections; not the socket. */
void queue_close(struct local_interrupt *interrupt);

/*
 * Takes one trigger of a queue; its data if length isn't NULL: *length is the room at data and becomes what there is.
 * SCI_ERR_NOSPC if that is more, and it stays; SCI_ERR_SYSTEM when a remote can't be admitted.
 */
sci_error_t queue_take(struct local_interrupt *interrupt, void *data, unsigned int *length);

/* ---- Triggering ---- */

/* The socket from which doorbells are rung, made when it is first needed; negative if it can't be had. Any thread. */
int doorbell_socket(void);

void doorbell_socket_close(void);

/* Without the lock; doorbell_socket has been had. SCI_ERR_NOT_CONNECTED, SCI_ERR_SYSTEM. */
sci_error_t doorbell_ring(const struct doorbell *target);

/*
 * Sends it to the number, or to all that share it, connecting to those that have come since; with length 0 only connects.
 * The worst that has happened, else SCI_ERR_OK if it has reached any: SCI_ERR_OVERFLOW, SCI_ERR_BUSY: one can't be
 * connected to as too many wait for that; SCI_ERR_NOT_CONNECTED: nobody is there, SCI_ERR_CONNECTION_REFUSED: nobody
 * whom we trust; SCI_ERR_SYSTEM.
 */
sci_error_t queue_send(struct remote_interrupt *interrupt, const void *data, unsigned int length);

/* Ends all connections. */
void queue_disconnect(struct remote_interrupt *interrupt);

/* ---- For the library as a whole ---- */

/* Sends those who wait away; to be destroyed after. */
void local_interrupt_cancel(struct local_interrupt *interrupt);

void local_interrupt_destroy(struct local_interrupt *interrupt);
void remote_interrupt_destroy(struct remote_interrupt *interrupt);

/* As local_segment_forget. */
void local_interrupt_forget(struct local_interrupt *interrupt);
void remote_interrupt_forget(struct remote_interrupt *interrupt);
void queue_forget(struct local_interrupt *interrupt);

/* The library's thread found something at the descriptor it watches, or tries a starved one again. */
void local_interrupt_event(struct local_interrupt *interrupt);

#endif

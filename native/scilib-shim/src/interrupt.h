/*
 * Interrupts: their numbers, and the two ways in which triggers travel. A number is an abstract Unix socket name, so the
 * kernel keeps it unique and frees it when its process ends.
 *
 * A doorbell is a datagram socket, and a trigger is a datagram of one byte without a meaning. It takes one descriptor of
 * its owner and none of a remote. Few datagrams fit, but a sender that finds the doorbell full knows that a trigger is
 * pending already.
 *
 * A queue is for triggers that must not get lost, or that must reach several interrupts. It is a listening SEQPACKET
 * socket, to which each remote keeps a connection. A trigger is a packet, which waits there until it is taken. A remote
 * whose connection is full gets an error. The connection tells each side the other side's user, which data interrupts
 * need.
 *
 * Callers hold the library's lock unless a comment says otherwise.
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

/* Each sort has names of its own. The first three share one range of numbers: a number belongs to one of them only. */
enum sort {
    SORT_DOORBELL,
    SORT_SHARED,   /* a queue, because each trigger goes to several interrupts */
    SORT_COUNTING, /* a queue, shared or not */
    SORT_DATA,     /* a queue, shared or not, with numbers of its own */
    SORTS
};

/* A number. An interrupt binds the number itself or, if it is shared, one of its places. */
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
    int socket;              /* bound to the number */
    int epoll;               /* of a queue: polls readable when there is a trigger to take or a remote to admit; else -1 */
    LIST_HEAD(, caller) callers; /* of a queue: the remotes that are connected */
    struct caller *arriving; /* a remote that could not be watched yet; else NULL */
    bool counting;           /* a wait or callback takes one trigger */
    bool starved;            /* no descriptor was free to admit a remote; tried again later */
    bool watched;            /* by the library's thread only, and the callback has not cancelled */
    bool has_callback;
    bool removed;            /* threads that wait must leave */
    unsigned int users;      /* threads that wait, or take without the lock; the removal waits for them */
    unsigned int foreign;    /* a doorbell's messages of users that aren't allowed, since it was last empty */
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
    struct doorbell doorbell; /* if the number is a doorbell's */
    int connections[SHARERS]; /* to a queue: one for each place, or only the first one; -1: none */
};

/* ---- Numbers: interrupt_number.c ---- */

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

/* ---- Taking the triggers of a local interrupt: SCI_ERR_TIMEOUT when none is pending ---- */

/* Takes all triggers of a doorbell (interrupt_doorbell.c). */
sci_error_t doorbell_take(struct local_interrupt *interrupt);

/* The same without a look at the senders. The caller doesn't hold the lock, and is counted in interrupt->users. */
void doorbell_drain(const struct local_interrupt *interrupt);

/* How many datagrams can wait at a socket that is made now. */
unsigned int doorbell_length(void);

/* Makes a queue of the listening socket (interrupt_queue.c). */
sci_error_t queue_open(struct local_interrupt *interrupt);

/* Ends all connections and closes the epoll; the socket stays open. */
void queue_close(struct local_interrupt *interrupt);

/*
 * Takes one trigger of a queue, and its data if length isn't NULL: *length is the room at data, and becomes the number of
 * bytes. Errors: SCI_ERR_NOSPC if there are more bytes than room: the trigger stays; SCI_ERR_SYSTEM when a remote can't be
 * admitted.
 */
sci_error_t queue_take(struct local_interrupt *interrupt, void *data, unsigned int *length);

/* ---- Triggering ---- */

/* The socket from which this process triggers doorbells, made when it is first needed; negative on failure. Any thread. */
int doorbell_socket(void);

void doorbell_socket_close(void);

/* Sends a trigger, without the lock, after doorbell_socket has succeeded. Errors: SCI_ERR_NOT_CONNECTED, SCI_ERR_SYSTEM. */
sci_error_t doorbell_ring(const struct doorbell *target);

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

/* ---- For the library as a whole ---- */

/* Ends all waits for an interrupt, which must be destroyed afterwards. */
void local_interrupt_cancel(struct local_interrupt *interrupt);

void local_interrupt_destroy(struct local_interrupt *interrupt);
void remote_interrupt_destroy(struct remote_interrupt *interrupt);

/* As local_segment_forget. */
void local_interrupt_forget(struct local_interrupt *interrupt);
void remote_interrupt_forget(struct remote_interrupt *interrupt);
void queue_forget(struct local_interrupt *interrupt);

/* Called by the library's thread when a watched descriptor is ready, and to try a starved interrupt again. */
void local_interrupt_event(struct local_interrupt *interrupt);

#endif

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
 * In all headers of this layer: callers hold the library's lock unless a comment says otherwise.
 */
#ifndef SHIM_INTERRUPT_H
#define SHIM_INTERRUPT_H

#include <stdatomic.h>
#include <stdbool.h>
#include <sys/queue.h>
#include <sys/socket.h>
#include <sys/un.h>

#include "base/descriptor.h"
#include "base/handles.h"
#include "sisci_api.h"

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
    bool stalled;             /* a data trigger has waited for room in vain, and none has found room since */
    unsigned long dropped;    /* data triggers that found no room */
};

#endif

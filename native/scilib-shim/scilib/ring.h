/*
 * The ring of an inbox, the same as jfs.ring.RingSender and RingReceiver in Java. Its records, their order and its
 * invariants RING-1, RING-2 and RING-5 are explained there. A message queue is bounded, so a sender never spills. The two
 * lines that RING-3 keeps free stay free all the same, because a sender in Java counts them. A record that says SPILLED is
 * corrupt.
 *
 * A pure algorithm: it makes no system call, and no SISCI call except those that order posted stores. One thread at a time
 * uses each half, and no call blocks. A value of shared memory is copied once and then checked. RING_CORRUPT says that the
 * other end has written a value that no end writes.
 */
#ifndef SCILIB_RING_H
#define SCILIB_RING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "inbox.h"
#include "posted.h"

enum { RING_CORRUPT = -1 };

enum {
    RING_HEADER = 8,                             /* bytes of a record's header, its length */
    RING_IN_LINE = INBOX_LINE - RING_HEADER,     /* most bytes of a record that takes one line */
    RING_SLACK = 2,                              /* RING-3, lines */
    RING_PAGE_LINES = INBOX_PAGE / INBOX_LINE    /* RING-5: how far the published head may lag behind at most */
};

struct ring_sender {
    struct inbox *remote;      /* this end writes it, the other end reads it */
    const struct inbox *local; /* the other end writes its head there */
    struct posted posted;      /* of the stores into remote */
    uint32_t window;           /* bytes, a multiple of INBOX_PAGE */
    uint32_t at;               /* tail within the ring, bytes */
    int64_t lines;
    int64_t chunk;             /* longest record's bytes; with its header it fills whole lines */
    int64_t tail;              /* lines ever written */
    int64_t known_head;
    int64_t zeroed;            /* a line behind the tail whose header is 0 already */
};

struct ring_receiver {
    struct inbox *local;
    struct inbox *remote; /* the head goes there; NULL as long as no sender reads it */
    struct posted posted; /* of the stores into remote */
    uint32_t window;
    uint32_t at;            /* head within the ring, bytes */
    int64_t lines;
    int64_t lag;            /* lines that a short receive leaves unpublished at most */
    int64_t head;           /* lines ever given back */
    int64_t published_head;
    int64_t record_length;  /* of the record at the head; 0: not opened yet */
    int64_t consumed;       /* of that record */
    bool published;         /* a head, since ring_take_published */
};

/* The smallest window for count messages of size bytes, and for the lines by which the head may lag; 0 if too large. */
uint32_t ring_window(unsigned int count, unsigned int size);

void ring_sender_init(struct ring_sender *sender, struct inbox *remote, const struct inbox *local, uint32_t window);

/* Whether a message of so many bytes fits whole now: 1 or 0, or RING_CORRUPT. */
int ring_fits(struct ring_sender *sender, int64_t bytes);

/* The bytes of the longest message that fits now, or RING_CORRUPT. */
int64_t ring_room(struct ring_sender *sender);

/* What ring_send and ring_receive do where their short way does not apply. */
int64_t ring_send_any(struct ring_sender *sender, const void *from, size_t length);
int64_t ring_receive_any(struct ring_receiver *receiver, void *into, size_t length);

/* Copies as memcpy does, whose call would take as long as all the rest of a short message. */
static inline void ring_copy(void *into, const void *from, size_t length)
{
    unsigned char *to = into;
    const unsigned char *bytes = from;
    if (length > 16) {
        memcpy(to, bytes, length);
    } else if (length >= 8) { /* its first and last 8 bytes, which overlap */
        uint64_t first, last;
        memcpy(&first, bytes, sizeof first);
        memcpy(&last, bytes + length - 8, sizeof last);
        memcpy(to, &first, sizeof first);
        memcpy(to + length - 8, &last, sizeof last);
    } else {
        for (size_t i = 0; i < length; i++)
            to[i] = bytes[i];
    }
}

static inline uint32_t ring_next_line(uint32_t at, uint32_t window)
{
    return at + INBOX_LINE == window ? 0 : at + INBOX_LINE;
}

static inline _Atomic int64_t *ring_header(struct inbox *inbox, uint32_t at)
{
    return (_Atomic int64_t *)(void *)(inbox->ring + at);
}

/*
 * The short way, inline: sends a message of one line if the sender already knows that there is room, and the next header
 * behind the message is 0 already (RING-1). If not, it returns false and sends nothing.
 */
static inline bool ring_send_line(struct ring_sender *sender, const void *from, size_t length)
{
    if (length - 1 >= RING_IN_LINE || sender->tail + 1 != sender->zeroed ||
        sender->lines - (sender->tail - sender->known_head) <= RING_SLACK || sender->posted.sequence != NULL)
        return false;
    uint32_t at = sender->at;
    ring_copy(sender->remote->ring + at + RING_HEADER, from, length);
    atomic_store_explicit(ring_header(sender->remote, at), (int64_t)length, memory_order_release);
    sender->tail++;
    sender->at = ring_next_line(at, sender->window);
    return true;
}

/* Sends as much as fits. Returns the bytes sent, 0 if there is no room, or RING_CORRUPT. */
static inline int64_t ring_send(struct ring_sender *sender, const void *from, size_t length)
{
    return ring_send_line(sender, from, length) ? (int64_t)length : ring_send_any(sender, from, length);
}

/*
 * Zeroes, in advance, the header behind the next message's (RING-1). Every send leaves the slack free, so that line is free,
 * too. Called after a send, when the other end has been woken: the line is in the other core's cache, and the fence would
 * wait for it. Without this call the next message just can't go the short way.
 */
static inline void ring_zero_ahead(struct ring_sender *sender)
{
    sender->zeroed = sender->tail + 1;
    atomic_store_explicit(ring_header(sender->remote, ring_next_line(sender->at, sender->window)), 0,
                          memory_order_relaxed);
}

void ring_receiver_init(struct ring_receiver *receiver, struct inbox *local, uint32_t window);

/* From now on the receiver publishes its head there. */
void ring_receiver_attach(struct ring_receiver *receiver, struct inbox *remote);

/* Whether there is a record to look at. Cheap, for polling. */
static inline bool ring_has_news(const struct ring_receiver *receiver)
{
    return receiver->record_length > 0 ||
           atomic_load_explicit(ring_header(receiver->local, receiver->at), memory_order_acquire) != 0;
}

/* The number of bytes that are there, counted until "enough" is reached; or RING_CORRUPT. Changes nothing. */
int64_t ring_available(const struct ring_receiver *receiver, int64_t enough);

/*
 * The short way, inline: takes a record of one line if its length is just what the caller asks for, and the head need not
 * be published after it. If not, it returns false and takes nothing. The header is read once. It needs no other check than
 * that it equals the caller's own number.
 */
static inline bool ring_receive_line(struct ring_receiver *receiver, void *into, size_t length)
{
    uint32_t at = receiver->at;
    if (length - 1 >= RING_IN_LINE || receiver->record_length != 0 ||
        receiver->head + 1 - receiver->published_head >= receiver->lag ||
        atomic_load_explicit(ring_header(receiver->local, at), memory_order_acquire) != (int64_t)length)
        return false;
    ring_copy(into, receiver->local->ring + at + RING_HEADER, length);
    receiver->head++;
    receiver->at = ring_next_line(at, receiver->window);
    return true;
}

/* Takes what is there. Returns the bytes received, 0 if there are none now, or RING_CORRUPT. */
static inline int64_t ring_receive(struct ring_receiver *receiver, void *into, size_t length)
{
    return ring_receive_line(receiver, into, length) ? (int64_t)length : ring_receive_any(receiver, into, length);
}

/* Whether a head has been published since the last call: a sender that sleeps may have room now. */
static inline bool ring_take_published(struct ring_receiver *receiver)
{
    bool was = receiver->published;
    receiver->published = false;
    return was;
}

#endif

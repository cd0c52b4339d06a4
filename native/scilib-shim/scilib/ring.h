/*
 * The ring of an inbox, as jfs.ring.RingSender and RingReceiver have it in Java: its records, their order and its
 * invariants I1, I2 and I5 are argued there. A message queue is bounded, so nothing ever spills: the two lines that I3
 * keeps free stay free, since a sender in Java counts them, and a record that says SPILLED is corrupt.
 *
 * Pure: no call of the system or of SISCI but what orders posted stores. Each half is used by one thread at a time and
 * never blocks. All that is read from shared memory is copied once and then checked; RING_CORRUPT says that the other
 * end has written what no end writes.
 */
#ifndef SCILIB_RING_H
#define SCILIB_RING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "inbox.h"
#include "posted.h"

enum { RING_CORRUPT = -1 };

struct ring_sender {
    struct inbox *remote;      /* where the other end reads; we write it */
    const struct inbox *local; /* where it writes its head */
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
    struct inbox *remote; /* for the head; NULL as long as no sender is there to read it */
    struct posted posted; /* of the stores into remote */
    uint32_t window;
    uint32_t at;            /* head within the ring, bytes */
    int64_t lines;
    int64_t head;           /* lines ever given back */
    int64_t published_head;
    int64_t record_length;  /* of the record at the head; 0: not opened yet */
    int64_t consumed;       /* of that record */
    bool published;         /* since ring_take_published */
};

/* The smallest window in which count messages of size bytes fit, with what the head may lag behind; 0 if too large. */
uint32_t ring_window(unsigned int count, unsigned int size);

void ring_sender_init(struct ring_sender *sender, struct inbox *remote, const struct inbox *local, uint32_t window);

/* Whether a message of so many bytes would be taken whole now: 1 or 0, or RING_CORRUPT. */
int ring_fits(struct ring_sender *sender, int64_t bytes);

/* The longest message that would be. Or RING_CORRUPT. */
int64_t ring_room(struct ring_sender *sender);

/* Sends as much as fits. Gives the bytes taken, 0 if there is no room, or RING_CORRUPT. */
int64_t ring_send(struct ring_sender *sender, const void *from, size_t length);

void ring_receiver_init(struct ring_receiver *receiver, struct inbox *local, uint32_t window);

/* From now on the head goes there. */
void ring_receiver_attach(struct ring_receiver *receiver, struct inbox *remote);

/* Whether there is something to look at: cheap, for polling. */
static inline bool ring_has_news(const struct ring_receiver *receiver)
{
    const _Atomic int64_t *header = (const void *)(receiver->local->ring + receiver->at);
    return receiver->record_length > 0 || atomic_load_explicit(header, memory_order_acquire) != 0;
}

/* Bytes that are there, as far as enough is reached; or RING_CORRUPT. Changes nothing. */
int64_t ring_available(const struct ring_receiver *receiver, int64_t enough);

/* Takes what is there. Gives the bytes received, 0 if there are none now, or RING_CORRUPT. */
int64_t ring_receive(struct ring_receiver *receiver, void *into, size_t length);

/* Whether a head has been published since the last call: a sender that sleeps may have room now. */
static inline bool ring_take_published(struct ring_receiver *receiver)
{
    bool was = receiver->published;
    receiver->published = false;
    return was;
}

#endif

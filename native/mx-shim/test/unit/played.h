/* A transport that the test plays: the test sees what the library sends, and decides what arrives. */
#ifndef MX_UNIT_PLAYED_H
#define MX_UNIT_PLAYED_H

#include "core/transport.h"

/* The latest message that was sent. */
struct played_message {
    unsigned int kind;
    unsigned char header[64];
    size_t header_length;
    size_t length;     /* of the payload */
    const void *data; /* its first segment; NULL: it has none */
    unsigned int flags;
    struct link *link;
};
extern struct played_message played_sent;
extern unsigned int played_sent_count;

/* How many links and payloads of the test the library still has. */
extern int played_links, played_payloads;

/* Makes a link that comes from that address. It has no owner yet. */
struct link *played_accept(uint32_t address);

/* While this is set, no message can be sent. */
extern bool played_fails;

/* While this is set, links say that they go through shared memory. */
extern bool played_shares_memory;

/*
 * While this is set, operations stay under way: a message until its link is closed, a payload that is being fetched until
 * played_fetched is called.
 */
extern bool played_takes_long;
void played_fetched(void);

/*
 * While played_happens is set, transport_progress says that something happened. played_arms is how often the transport has been
 * armed. Both are accessed atomically.
 */
extern bool played_happens;
extern unsigned int played_arms;

/* transport_progress calls this function, unless it is NULL. */
extern void (*played_progress)(void);

/* The link that was opened last. */
extern struct link *played_opened;

/* A message arrives. Its payload is passing (PAYLOAD_PASSING), can be kept, or has to be fetched, as place says. */
void played_arrive(struct link *, unsigned int kind, const void *header, size_t header_length, int place, const void *data,
                   size_t length);

/* The link fails. */
void played_lose(struct link *, bool refused);

#endif

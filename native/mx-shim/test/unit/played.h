/* A transport that the test plays: it sees what the library sends, and says what arrives. */
#ifndef MX_UNIT_PLAYED_H
#define MX_UNIT_PLAYED_H

#include "transport.h"

/* The latest message that was sent. */
struct played_message {
    unsigned int kind;
    unsigned char header[64];
    size_t header_length;
    size_t length; /* of the payload */
    unsigned int flags;
    struct link *link;
};
extern struct played_message played_sent;
extern unsigned int played_sent_count;

/* What the library keeps of what the test gave it. */
extern int played_links, played_payloads;

/* A link from that address, without an owner yet. */
struct link *played_accept(uint32_t address);

/* While it is set, no message can be sent. */
extern bool played_fails;

/* While it is set, operations stay under way: a message until its link is closed, a payload that is fetched until played_fetched. */
extern bool played_takes_long;
void played_fetched(void);

/* While it is set, transport_progress says that something happened. How often the transport has been armed. Atomic. */
extern bool played_happens;
extern unsigned int played_arms;

/* Called by transport_progress; NULL: nothing is. */
extern void (*played_progress)(void);

/* The link that was opened last. */
extern struct link *played_opened;

/* A message arrives: its payload passing (PAYLOAD_PASSING), to be kept, or to be fetched. */
void played_arrive(struct link *, unsigned int kind, const void *header, size_t header_length, int place, const void *data,
                   size_t length);

/* The link fails. */
void played_lose(struct link *, bool refused);

#endif

/*
 * An endpoint over a transport that the test plays, and a peer that the test plays too: how a conversation begins on both
 * sides. One thread uses these functions; other threads may only make calls of the library.
 */
#ifndef MX_UNIT_CONVERSATION_H
#define MX_UNIT_CONVERSATION_H

#include <string.h>

#include "check.h"
#include "core/endpoint.h"
#include "mx_extensions.h"
#include "played.h"
#include "core/wire.h"

enum { KEY = 77, EID = 3, PEER_EID = 5, SESSION = 1234, PEER = 0x0a000002 /* 10.0.0.2 */, BORN = 1000 };

#define OK(call) CHECK((call) == MX_SUCCESS)

extern mx_endpoint_t ep;

/* Opens the endpoint; and closes it, with all that is left. */
void begin(void);
void end(void);

/* The peer's HELLO, and the ANSWER that the library gives to a HELLO. */
struct wire_hello hello(void);
struct wire_answer answer_to(struct link *, struct wire_hello);

/* The peer connects, over *link. Returns the label for its DATA. */
struct wire_label connected(struct link **link);

/*
 * DATA arrives. place is that of its struct payload. After a text that is held there are zeros. The message belongs to the
 * connection of hello(), or with data_of to the one that is given.
 */
void data(struct wire_label, uint64_t sequence, uint64_t match_info, int place, const char *text);
void data_of(uint32_t connection, struct wire_label, uint64_t sequence, uint64_t match_info, int place, const char *text);

/* What a receive of any message gets, until the next call; "" if there is none. */
const char *received(mx_status_t *);
void expect(const char *text);

#endif

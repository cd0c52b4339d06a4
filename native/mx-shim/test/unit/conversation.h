/*
 * An endpoint over a transport that the test plays, and a peer whose part it speaks: what both sides of a conversation begin
 * with. By one thread, but for calls of the library's own.
 */
#ifndef MX_UNIT_CONVERSATION_H
#define MX_UNIT_CONVERSATION_H

#include <string.h>

#include "check.h"
#include "endpoint.h"
#include "mx_extensions.h"
#include "played.h"
#include "wire.h"

enum { KEY = 77, EID = 3, PEER_EID = 5, SESSION = 1234, PEER = 0x0a000002 /* 10.0.0.2 */, BORN = 1000 };

#define OK(call) CHECK((call) == MX_SUCCESS)

extern mx_endpoint_t ep;

/* Opens it; and closes it, with all that is left. */
void begin(void);
void end(void);

/* What the peer says first, and what it hears. */
struct wire_hello hello(void);
struct wire_answer answer_to(struct link *, struct wire_hello);

/* The peer connects, by *link; what it puts on its DATA. */
struct wire_label connected(struct link **link);

/* DATA comes; place: as of a struct payload. After the text of one that is held there are zeros. It is of the connection of
 * hello() or of that one. */
void data(struct wire_label, uint64_t sequence, uint64_t match_info, int place, const char *text);
void data_of(uint32_t connection, struct wire_label, uint64_t sequence, uint64_t match_info, int place, const char *text);

/* What a receive of any message gets, until the next call; "" if there is none. */
const char *received(mx_status_t *);
void expect(const char *text);

#endif

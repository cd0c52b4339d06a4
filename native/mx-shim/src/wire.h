/*
 * What endpoints say to each other. A message is one of UCX's active messages, whose id is the kind, with one of these as
 * its header; numbers are little-endian. Only DATA has a payload.
 *
 * Who connects sends HELLO over a link it has opened and gets ANSWER over the same. Either end then sends DATA over any
 * link between the two: each tells the other a label, which it wants to see on what is meant to come from there, and says on
 * everything which of its connections it is of. DATA is counted, for UCX may deliver messages of different lengths out of order.
 */
#ifndef SHIM_WIRE_H
#define SHIM_WIRE_H

#include <assert.h>
#include <stddef.h>
#include <stdint.h>

#if __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "headers are little-endian"
#endif

#define WIRE_MAGIC   0x5748584du /* "MXHW" */
#define WIRE_VERSION 4

/* HELLO and ANSWER begin alike in all versions from 4 on, as far as this, so that those of another one can be refused, and told so. */
enum { WIRE_HELLO_LEAST = 56, WIRE_ANSWER_LEAST = 24 };

enum wire_kind { WIRE_HELLO, WIRE_ANSWER, WIRE_DATA, WIRE_MATCHED, WIRE_BYE, WIRE_BYE_SEEN, WIRE_TAKEN };

/*
 *  0       4       8      12      16
 *  | index | check |                    how the receiver of a message finds who sent it: the place in its table, and a
 *                                       number that the entry has had since it was made
 */
struct wire_label {
    uint32_t index, check;
};

/*
 *  0       4       8      12      16
 *  | magic |version|    label      |    what to put on DATA for us
 *  | from: nic     | eid   |session|
 *  | to: nic       | eid   | key   |
 *  |connect|former |     born      |    number of this attempt, for its ANSWER; the age of this connection: how many the sender
 *                                       had made before, and when the sender was opened, microseconds of its wall clock
 */
struct wire_hello {
    uint32_t magic, version;
    struct wire_label label;
    uint64_t from_nic;
    uint32_t from_eid, from_session;
    uint64_t to_nic;
    uint32_t to_eid, key;
    uint32_t connect;
    uint32_t former;
    uint64_t born;
};
static_assert(sizeof(struct wire_hello) == 64, "64 bytes");

enum wire_verdict { WIRE_WELCOME, WIRE_NO_SUCH_ENDPOINT, WIRE_WRONG_KEY, WIRE_OTHER_VERSION, WIRE_NO_RESOURCES, WIRE_SUPERSEDED };

/*
 *  0       4       8      12      16
 *  | magic |version|    label      |    the asker's own, from HELLO
 *  |connect|verdict|    to_label   |    welcome: what to put on DATA for who answers
 *  |session|former |     born      |    welcome: of who answers, and the age of its connection
 */
struct wire_answer {
    uint32_t magic, version;
    struct wire_label label;
    uint32_t connect, verdict;
    struct wire_label to_label;
    uint32_t session;
    uint32_t former;
    uint64_t born;
};
static_assert(sizeof(struct wire_answer) == 48, "48 bytes");

/*
 * What all the others begin with.
 *
 *  0       4       8      12      16
 *  |    label      |connec.|          for whom, and from whom: a label is told before it is known who hears it
 */
struct wire_head {
    struct wire_label label;
    uint32_t connection; /* the sender's session and former of its HELLO or ANSWER, added */
};
static_assert(sizeof(struct wire_head) == 12, "12 bytes");

/*
 *  0       4       8      12      16
 *  |    label      |connec.| sync  |    sync: the number to give in MATCHED when a receive has matched; 0: none
 *  | match_info    |  sequence     |
 */
struct wire_data {
    struct wire_head head;
    uint32_t sync;
    uint64_t match_info;
    uint64_t sequence;
};
static_assert(sizeof(struct wire_data) == 32, "32 bytes");

/*
 *  0       4       8      12      16
 *  |    label      |connec.| sync  |
 */
struct wire_matched {
    struct wire_head head;
    uint32_t sync;
};
static_assert(sizeof(struct wire_matched) == 16, "16 bytes");

/*
 * What the receiver has taken since the connection began (bound.h).
 *
 *  0       4       8      12      16
 *  |    label      |connec.|unused |
 *  | messages      | bytes         |    bytes: of those messages whose payload came with them
 */
struct wire_taken {
    struct wire_head head;
    uint32_t unused;
    uint64_t messages, bytes;
};
static_assert(sizeof(struct wire_taken) == 32, "32 bytes");

/*
 * The sender closes. BYE_SEEN with the same content says that all of its DATA has been taken in.
 *
 *  0       4       8      12      16
 *  |    label      |connec.|unused |
 *  |  sequence     |                    of the DATA that would come next
 */
struct wire_bye {
    struct wire_head head;
    uint32_t unused;
    uint64_t sequence;
};
static_assert(sizeof(struct wire_bye) == 24, "24 bytes");

#endif

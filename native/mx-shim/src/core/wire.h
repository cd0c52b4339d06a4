/*
 * The messages between endpoints. Each is a UCX active message: its id is the kind, and its header is one of the structures
 * below. Numbers are little-endian. Only DATA has a payload.
 *
 * An endpoint that connects sends HELLO over a link that it has opened, and gets ANSWER over the same link. Then either end
 * sends DATA over any link between the two. Each end tells the other one a label, which must be on the messages that it gets
 * from there. Each message also says to which connection of its sender it belongs. DATA is numbered, because UCX may deliver
 * messages of different lengths out of order.
 */
#ifndef SHIM_CORE_WIRE_H
#define SHIM_CORE_WIRE_H

#include <assert.h>
#include <stddef.h>
#include <stdint.h>

#if __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "headers are little-endian"
#endif

#define WIRE_MAGIC   0x5748584du /* "MXHW" */
#define WIRE_VERSION 4

/*
 * In all versions from 4 on HELLO and ANSWER begin with the same fields, up to these lengths. So an endpoint can refuse those
 * of another version, and tell the other end so.
 */
enum { WIRE_HELLO_LEAST = 56, WIRE_ANSWER_LEAST = 24 };

enum wire_kind { WIRE_HELLO, WIRE_ANSWER, WIRE_DATA, WIRE_MATCHED, WIRE_BYE, WIRE_BYE_SEEN, WIRE_TAKEN };

/*
 *  0       4       8      12      16
 *  | index | check |                    how the receiver of a message finds the sender: its index in the receiver's table, and
 *                                       a number that the table entry has had since it was made
 */
struct wire_label {
    uint32_t index, check;
};

/*
 *  0       4       8      12      16
 *  | magic |version|    label      |    the label to put on messages to the sender of this HELLO
 *  | from: nic     | eid   |session|
 *  | to: nic       | eid   | key   |
 *  |connect|former |     born      |    number of this attempt, for its ANSWER; the age of this connection: how many peers the
 *                                       sender had made before, and when the sender was opened, microseconds of its wall clock
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
 *  | magic |version|    label      |    the label from HELLO
 *  |connect|verdict|    to_label   |    welcome: the label to put on messages to the sender of this ANSWER
 *  |session|former |     born      |    welcome: the session of this sender, and the age of its connection
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
 * The head of all other messages.
 *
 *  0       4       8      12      16
 *  |    label      |connec.|          the receiver's label for the sender, and the sender's connection: an endpoint tells its
 *                                     label before it knows which endpoint gets it
 */
struct wire_head {
    struct wire_label label;
    uint32_t connection; /* the sum of session and former in the sender's HELLO or ANSWER */
};
static_assert(sizeof(struct wire_head) == 12, "12 bytes");

/*
 *  0       4       8      12      16
 *  |    label      |connec.| sync  |    sync: the number that MATCHED gives when a receive has matched; 0: no MATCHED
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
 * TAKEN: what the receiver has taken since the connection began (bound.h).
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
 * BYE: the sender closes its endpoint. BYE_SEEN answers with the same sequence: all of that sender's DATA has been taken in.
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

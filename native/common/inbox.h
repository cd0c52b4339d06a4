/*
 * The inbox: memory that one end reads and the other end writes. It is drawn, and each word explained, beside the
 * offsets in Java (java/src/main/java/jfs/ring/InboxLayout.java); here it is a struct for C, with the offsets asserted.
 * Words are in the machine's byte order.
 */
#ifndef JFS_INBOX_H
#define JFS_INBOX_H

#include <assert.h>
#include <stdalign.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

enum { INBOX_LINE = 64, INBOX_PAGE = 4096, INBOX_WINDOW_MIN = 2 * INBOX_PAGE, INBOX_WINDOW_MAX = 64 << 20 };

#define INBOX_MAGIC 0x4a4653696e626f78u /* "JFSinbox" */

enum { INBOX_FIN = 1 };    /* ended */
enum { INBOX_CLOSED = 4 }; /* receiver */

/* Of a message queue: the version of its protocol, and the ids of its segments: the receiver's, and the sender's. */
enum {
    INBOX_QUEUE_VERSION = 1,
    INBOX_QUEUE_ID = 0x10000000,
    INBOX_SENDER_ID = 0x18000000,
    INBOX_ID_MAX = 0x07ffffff
};

struct inbox {
    _Atomic uint64_t magic;
    int32_t version;
    int32_t window;
    int32_t overflow;
    uint64_t nonce;
    alignas(128) _Atomic int64_t switched;
    _Atomic int32_t ended;
    alignas(128) _Atomic int64_t overflow_tail;
    _Atomic int64_t overflow_end;
    alignas(128) _Atomic int32_t receiver;
    alignas(128) _Atomic int64_t head;
    _Atomic int64_t overflow_head;
    alignas(128) _Atomic int32_t reader_asleep;
    _Atomic int32_t writer_asleep;
    alignas(128) uint32_t doorbell;
    _Atomic uint32_t sender;
    alignas(INBOX_PAGE) unsigned char ring[];
};

static_assert(offsetof(struct inbox, magic) == 0, "layout");
static_assert(offsetof(struct inbox, version) == 8, "layout");
static_assert(offsetof(struct inbox, window) == 12, "layout");
static_assert(offsetof(struct inbox, overflow) == 16, "layout");
static_assert(offsetof(struct inbox, nonce) == 24, "layout");
static_assert(offsetof(struct inbox, switched) == 128, "layout");
static_assert(offsetof(struct inbox, ended) == 136, "layout");
static_assert(offsetof(struct inbox, overflow_tail) == 256, "layout");
static_assert(offsetof(struct inbox, overflow_end) == 264, "layout");
static_assert(offsetof(struct inbox, receiver) == 384, "layout");
static_assert(offsetof(struct inbox, head) == 512, "layout");
static_assert(offsetof(struct inbox, overflow_head) == 520, "layout");
static_assert(offsetof(struct inbox, reader_asleep) == 640, "layout");
static_assert(offsetof(struct inbox, writer_asleep) == 644, "layout");
static_assert(offsetof(struct inbox, doorbell) == 768, "layout");
static_assert(offsetof(struct inbox, sender) == 772, "layout");
static_assert(offsetof(struct inbox, ring) == INBOX_PAGE && sizeof(struct inbox) == INBOX_PAGE, "layout");
static_assert(sizeof(_Atomic int64_t) == 8 && sizeof(_Atomic int32_t) == 4 && ATOMIC_LLONG_LOCK_FREE == 2,
              "the words are plain words");

#endif

/*
 * Matching, as an algorithm: it knows 64-bit numbers and lists, not messages or endpoints.
 *
 * An item is a message or a completed request, found by (match_info & mask) == match. A claim is a receive, which takes such an
 * item. Items are found in the order in which they were added. Claims are found in the order in which they were made, also
 * where some ask for one number and others, by a mask, for many. Exact look-ups take constant time, however many items and
 * claims there are.
 */
#ifndef SHIM_CORE_MATCH_H
#define SHIM_CORE_MATCH_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/queue.h>

#define MATCH_EXACT UINT64_MAX /* the mask that compares all bits */

enum { MATCH_BUCKETS = 256 };

struct match_item {
    uint64_t match_info;
    TAILQ_ENTRY(match_item) in_order, in_bucket;
};

TAILQ_HEAD(match_item_list, match_item);

/* MATCH-1: each item is in the list of all and in the bucket of its number, in the same order. */
struct match_items {
    struct match_item_list all;
    struct match_item_list buckets[MATCH_BUCKETS];
};

void match_items_init(struct match_items *);
void match_items_add(struct match_items *, struct match_item *);
void match_items_remove(struct match_items *, struct match_item *);

/* The first item that fits; NULL if there is none. */
struct match_item *match_items_find(const struct match_items *, uint64_t match, uint64_t mask);
struct match_item *match_items_first(const struct match_items *);
struct match_item *match_items_last(const struct match_items *);

struct match_claim {
    uint64_t match, mask;
    uint64_t turn;
    TAILQ_ENTRY(match_claim) entry;
};

TAILQ_HEAD(match_claim_list, match_claim);

/*
 * MATCH-2: an exact claim is in the bucket of its number, any other claim in open. Each list is in the order of turn, and no
 * two claims have the same turn.
 */
struct match_claims {
    struct match_claim_list open;
    struct match_claim_list buckets[MATCH_BUCKETS];
    uint64_t next_turn;
};

void match_claims_init(struct match_claims *);
void match_claims_add(struct match_claims *, struct match_claim *);
void match_claims_remove(struct match_claims *, struct match_claim *);

/* Of the claims that fit, the one that was made first; NULL if there is none. */
struct match_claim *match_claims_find(const struct match_claims *, uint64_t match_info);

#endif

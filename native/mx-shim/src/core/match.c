#include "core/match.h"

#include <stddef.h>

/*
 * Programs may use any of the 64 bits for their numbers. The upper bits of the product depend on all of them (Knuth's
 * multiplicative hash).
 */
static unsigned int bucket(uint64_t match_info)
{
    match_info ^= match_info >> 32;
    return (unsigned int)((match_info * UINT64_C(0x9e3779b97f4a7c15)) >> 56);
}
_Static_assert(MATCH_BUCKETS == 1 << 8, "what bucket gives");

void match_items_init(struct match_items *items)
{
    TAILQ_INIT(&items->all);
    for (unsigned int i = 0; i < MATCH_BUCKETS; i++)
        TAILQ_INIT(&items->buckets[i]);
}

void match_items_add(struct match_items *items, struct match_item *item)
{
    TAILQ_INSERT_TAIL(&items->all, item, in_order);
    TAILQ_INSERT_TAIL(&items->buckets[bucket(item->match_info)], item, in_bucket);
}

void match_items_remove(struct match_items *items, struct match_item *item)
{
    TAILQ_REMOVE(&items->all, item, in_order);
    TAILQ_REMOVE(&items->buckets[bucket(item->match_info)], item, in_bucket);
}

struct match_item *match_items_find(const struct match_items *items, uint64_t match, uint64_t mask)
{
    struct match_item *item;
    if (mask == MATCH_EXACT) {
        TAILQ_FOREACH(item, &items->buckets[bucket(match)], in_bucket)
            if (item->match_info == match)
                return item;
        return NULL;
    }
    TAILQ_FOREACH(item, &items->all, in_order)
        if ((item->match_info & mask) == match)
            return item;
    return NULL;
}

struct match_item *match_items_first(const struct match_items *items)
{
    return TAILQ_FIRST(&items->all);
}

struct match_item *match_items_last(const struct match_items *items)
{
    return TAILQ_LAST(&items->all, match_item_list);
}

void match_claims_init(struct match_claims *claims)
{
    claims->next_turn = 0;
    TAILQ_INIT(&claims->open);
    for (unsigned int i = 0; i < MATCH_BUCKETS; i++)
        TAILQ_INIT(&claims->buckets[i]);
}

static struct match_claim_list *list_of(struct match_claims *claims, const struct match_claim *claim)
{
    return claim->mask == MATCH_EXACT ? &claims->buckets[bucket(claim->match)] : &claims->open;
}

void match_claims_add(struct match_claims *claims, struct match_claim *claim)
{
    claim->turn = claims->next_turn++;
    TAILQ_INSERT_TAIL(list_of(claims, claim), claim, entry);
}

void match_claims_remove(struct match_claims *claims, struct match_claim *claim)
{
    TAILQ_REMOVE(list_of(claims, claim), claim, entry);
}

struct match_claim *match_claims_find(const struct match_claims *claims, uint64_t match_info)
{
    struct match_claim *exact, *open;
    TAILQ_FOREACH(exact, &claims->buckets[bucket(match_info)], entry)
        if (exact->match == match_info)
            break;
    TAILQ_FOREACH(open, &claims->open, entry)
        if ((match_info & open->mask) == open->match)
            break;
    if (exact == NULL || open == NULL)
        return exact == NULL ? open : exact;
    return exact->turn < open->turn ? exact : open;
}

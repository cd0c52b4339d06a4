/* Matching finds what a plain search through one list would find, in whatever order items and claims come and go. */
#include <stdbool.h>
#include <string.h>

#include "check.h"
#include "core/match.h"

enum { MOST = 64, ROUNDS = 200000 };

static const uint64_t masks[] = { MATCH_EXACT, 0, 1, 0xff, UINT64_C(1) << 63, UINT64_C(0xffffffff00000000) };

/* Only a few different numbers, so that many match; with bits at both ends. */
static uint64_t some_number(unsigned int *state)
{
    return (uint64_t)chance(state, 3) << 62 | (uint64_t)chance(state, 2) << 32 | chance(state, 3);
}

static uint64_t some_mask(unsigned int *state)
{
    return masks[chance(state, sizeof masks / sizeof *masks)];
}

/* The model: items and claims in the order in which they were added. */
static struct match_item *items_in_order[MOST];
static struct match_claim *claims_in_order[MOST];
static unsigned int item_count, claim_count;

static struct match_item *search_items(uint64_t match, uint64_t mask)
{
    for (unsigned int i = 0; i < item_count; i++)
        if ((items_in_order[i]->match_info & mask) == match)
            return items_in_order[i];
    return NULL;
}

static struct match_claim *search_claims(uint64_t match_info)
{
    for (unsigned int i = 0; i < claim_count; i++)
        if ((match_info & claims_in_order[i]->mask) == claims_in_order[i]->match)
            return claims_in_order[i];
    return NULL;
}

static void items(unsigned int *state)
{
    static struct match_items set;
    match_items_init(&set);
    CHECK(match_items_first(&set) == NULL);
    for (unsigned int round = 0; round < ROUNDS; round++) {
        uint64_t mask = some_mask(state), match = some_number(state) & mask;
        CHECK(match_items_find(&set, match, mask) == search_items(match, mask));
        CHECK(match_items_first(&set) == (item_count > 0 ? items_in_order[0] : NULL));
        if (item_count == MOST || (item_count > 0 && chance(state, 2) == 0)) {
            unsigned int i = chance(state, item_count);
            match_items_remove(&set, items_in_order[i]);
            free(items_in_order[i]);
            memmove(&items_in_order[i], &items_in_order[i + 1], (--item_count - i) * sizeof *items_in_order);
        } else {
            struct match_item *item = calloc(1, sizeof *item);
            CHECK(item != NULL);
            item->match_info = some_number(state);
            match_items_add(&set, item);
            items_in_order[item_count++] = item;
        }
    }
    while (item_count > 0)
        free(items_in_order[--item_count]);
}

static void claims(unsigned int *state)
{
    static struct match_claims set;
    match_claims_init(&set);
    for (unsigned int round = 0; round < ROUNDS; round++) {
        uint64_t number = some_number(state);
        CHECK(match_claims_find(&set, number) == search_claims(number));
        if (claim_count == MOST || (claim_count > 0 && chance(state, 2) == 0)) {
            unsigned int i = chance(state, claim_count);
            match_claims_remove(&set, claims_in_order[i]);
            free(claims_in_order[i]);
            memmove(&claims_in_order[i], &claims_in_order[i + 1], (--claim_count - i) * sizeof *claims_in_order);
        } else {
            struct match_claim *claim = calloc(1, sizeof *claim);
            CHECK(claim != NULL);
            claim->mask = some_mask(state);
            claim->match = some_number(state) & claim->mask;
            match_claims_add(&set, claim);
            claims_in_order[claim_count++] = claim;
        }
    }
    while (claim_count > 0)
        free(claims_in_order[--claim_count]);
}

int main(void)
{
    unsigned int state = 1;
    items(&state);
    claims(&state);
    return 0;
}

#include "callbacks.h"

#include <assert.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>

/*
 * A ticket:  63          32 31           0
 *           | slot's turn  | slot + 1     |
 */
static_assert(sizeof(void *) == 8, "a ticket fits an argument");

enum { AT_FIRST = 16, NONE = 0 };

/* A slot holds one object at a time. Its turn counts the tickets that it was given out for: the first ticket has turn 1. */
struct slot {
    uint32_t turn;
    uint32_t next; /* where this slot is free: the next free slot, counted from 1 as in a ticket; NONE: there is none */
    void *object;  /* NULL: the slot is free */
};

/* Guarded by the lock. Slots are reused, and the table never shrinks. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct slot *slots;
static uint32_t count, first_free = NONE;

static struct slot *find(void *ticket)
{
    uint32_t number = (uint32_t)(uintptr_t)ticket;
    if (number == NONE || number > count)
        return NULL;
    struct slot *slot = &slots[number - 1];
    return slot->object != NULL && slot->turn == (uint32_t)((uintptr_t)ticket >> 32) ? slot : NULL;
}

static int grow(void)
{
    uint32_t more = count == 0 ? AT_FIRST : 2 * count;
    struct slot *all = realloc(slots, more * sizeof *all);
    if (all == NULL)
        return -1;
    for (uint32_t i = count; i < more; i++)
        all[i] = (struct slot){.next = i + 1 < more ? i + 2 : NONE};
    first_free = count + 1;
    slots = all;
    count = more;
    return 0;
}

void *callbacks_ticket(void *object)
{
    void *ticket = NULL;
    pthread_mutex_lock(&lock);
    if (first_free != NONE || grow() == 0) {
        uint32_t number = first_free;
        struct slot *slot = &slots[number - 1];
        first_free = slot->next;
        *slot = (struct slot){.turn = slot->turn + 1, .object = object};
        ticket = (void *)((uintptr_t)slot->turn << 32 | number);
    }
    pthread_mutex_unlock(&lock);
    return ticket;
}

void callbacks_return(void *ticket)
{
    pthread_mutex_lock(&lock);
    struct slot *slot = find(ticket);
    if (slot != NULL) {
        *slot = (struct slot){.turn = slot->turn, .next = first_free};
        first_free = (uint32_t)(slot - slots) + 1;
    }
    pthread_mutex_unlock(&lock);
}

void callbacks_enter(void)
{
    pthread_mutex_lock(&lock);
}

void callbacks_leave(void)
{
    pthread_mutex_unlock(&lock);
}

void *callbacks_object(void *ticket)
{
    const struct slot *slot = find(ticket);
    return slot == NULL ? NULL : slot->object;
}

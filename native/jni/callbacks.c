#define _GNU_SOURCE
#include "callbacks.h"

#include <assert.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <unistd.h>

/*
 * A ticket:  63          32 31           0
 *           | slot's turn  | slot + 1     |
 */
static_assert(sizeof(void *) == 8, "a ticket fits an argument");

enum { AT_FIRST = 16, NONE = 0 };

/* Of the one whose turn it is; turns begin with 1. */
struct slot {
    uint32_t turn;
    uint32_t next; /* free slot, as in a ticket, where this one is free; NONE: the last */
    int used;
    jobject listener;
    int event;
    const void *owner;
};

/* Guarded by the lock. Slots are reused and never fewer. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct slot *slots;
static uint32_t count, first_free = NONE;

static struct slot *find(void *ticket)
{
    uint32_t number = (uint32_t)(uintptr_t)ticket;
    if (number == NONE || number > count)
        return NULL;
    struct slot *slot = &slots[number - 1];
    return slot->used && slot->turn == (uint32_t)((uintptr_t)ticket >> 32) ? slot : NULL;
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

void *callbacks_ticket(JNIEnv *env, jobject listener, int event)
{
    jobject kept = listener == NULL ? NULL : (*env)->NewGlobalRef(env, listener);
    if (listener != NULL && kept == NULL)
        return NULL;
    void *ticket = NULL;
    pthread_mutex_lock(&lock);
    if (first_free != NONE || grow() == 0) {
        uint32_t number = first_free;
        struct slot *slot = &slots[number - 1];
        first_free = slot->next;
        *slot = (struct slot){.turn = slot->turn + 1, .used = 1, .listener = kept, .event = event};
        ticket = (void *)((uintptr_t)slot->turn << 32 | number);
    }
    pthread_mutex_unlock(&lock);
    if (ticket == NULL && kept != NULL)
        (*env)->DeleteGlobalRef(env, kept);
    return ticket;
}

void callbacks_own(void *ticket, const void *owner)
{
    pthread_mutex_lock(&lock);
    find(ticket)->owner = owner;
    pthread_mutex_unlock(&lock);
}

/* Under the lock. */
static void release(JNIEnv *env, struct slot *slot)
{
    if (slot->listener != NULL)
        (*env)->DeleteGlobalRef(env, slot->listener);
    *slot = (struct slot){.turn = slot->turn, .next = first_free};
    first_free = (uint32_t)(slot - slots) + 1;
}

void callbacks_return(JNIEnv *env, void *ticket)
{
    pthread_mutex_lock(&lock);
    struct slot *slot = find(ticket);
    if (slot != NULL)
        release(env, slot);
    pthread_mutex_unlock(&lock);
}

void callbacks_return_owners(JNIEnv *env, const void *owner)
{
    pthread_mutex_lock(&lock);
    for (uint32_t i = 0; i < count; i++)
        if (slots[i].used && slots[i].owner == owner)
            release(env, &slots[i]);
    pthread_mutex_unlock(&lock);
}

jobject callbacks_listener(JNIEnv *env, void *ticket)
{
    pthread_mutex_lock(&lock);
    struct slot *slot = find(ticket);
    jobject listener = slot == NULL ? NULL : (*env)->NewLocalRef(env, slot->listener);
    pthread_mutex_unlock(&lock);
    return listener;
}

/* Writes under the lock, or the number could be another descriptor's by then; it does not block. */
void callbacks_signal(void *ticket)
{
    const uint64_t one = 1;
    pthread_mutex_lock(&lock);
    struct slot *slot = find(ticket);
    if (slot != NULL) {
        ssize_t written = write(slot->event, &one, sizeof one); /* full: it polls readable as it is */
        (void)written;
    }
    pthread_mutex_unlock(&lock);
}

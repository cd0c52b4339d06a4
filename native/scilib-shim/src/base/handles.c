#include "base/handles.h"

#include <stdatomic.h>
#include <stdlib.h>

_Static_assert(sizeof(void *) == sizeof(uint64_t), "a handle needs 64 bits");

struct slot {
    _Atomic(uint64_t) handle; /* 0: free */
    _Atomic(struct object *) object;
    uint32_t uses;
    uint32_t next_free; /* number of the next free slot, 0 ends the list */
};

/*
 * Slots come in chunks, each twice as large as the one before. A chunk is never moved or freed, so lookups need no lock.
 *
 * A slot's handle is stored with release after its object, and loaded with acquire before it. So a thread that reads the
 * handle it looks for reads the object that belongs to it, whichever thread has made that.
 */
enum { FIRST_CHUNK = 64, CHUNKS = 26 /* together they have 2^32 - 64 slots, so a number has 32 bits */ };

static _Atomic(struct slot *) chunks[CHUNKS];
static uint32_t chunk_count;
static uint32_t slot_count;
static uint32_t first_free;

/* The slot of a number, counted from 1; NULL when there is none. */
static struct slot *slot_of(uint32_t number)
{
    uint32_t index = number - 1;
    uint32_t chunk = 31 - (uint32_t)__builtin_clz(index / FIRST_CHUNK + 1);
    struct slot *slots = chunk < CHUNKS ? atomic_load_explicit(&chunks[chunk], memory_order_acquire) : NULL;
    return slots != NULL ? &slots[index - FIRST_CHUNK * ((1u << chunk) - 1)] : NULL;
}

static bool grow(void)
{
    uint32_t count = FIRST_CHUNK << chunk_count;
    struct slot *slots = chunk_count < CHUNKS ? calloc(count, sizeof *slots) : NULL;
    if (slots == NULL)
        return false;
    for (uint32_t i = 0; i < count; i++) {
        slots[i].next_free = first_free;
        first_free = ++slot_count;
    }
    atomic_store_explicit(&chunks[chunk_count++], slots, memory_order_release);
    return true;
}

bool handle_add(struct object *object, enum kind kind)
{
    if (first_free == 0 && !grow())
        return false;
    uint32_t number = first_free;
    struct slot *slot = slot_of(number);
    first_free = slot->next_free;
    slot->uses++;
    object->kind = kind;
    object->handle = (uint64_t)slot->uses << 32 | number;
    atomic_store_explicit(&slot->object, object, memory_order_relaxed);
    atomic_store_explicit(&slot->handle, object->handle, memory_order_release);
    return true;
}

void handle_drop(struct object *object)
{
    uint32_t number = (uint32_t)object->handle;
    struct slot *slot = slot_of(number);
    atomic_store_explicit(&slot->handle, 0, memory_order_relaxed);
    slot->next_free = first_free;
    first_free = number;
}

struct object *handle_lookup(uint64_t handle)
{
    struct slot *slot = slot_of((uint32_t)handle);
    if (slot == NULL || atomic_load_explicit(&slot->handle, memory_order_acquire) != handle)
        return NULL;
    return atomic_load_explicit(&slot->object, memory_order_relaxed);
}

void *handle_find(const void *handle, enum kind kind)
{
    struct object *object = handle_lookup((uintptr_t)handle);
    return object != NULL && object->kind == kind ? object : NULL;
}

static void *find_at(uint32_t number, enum kind kind)
{
    uint64_t handle = atomic_load_explicit(&slot_of(number)->handle, memory_order_relaxed);
    return handle_find((const void *)(uintptr_t)handle, kind);
}

void *handle_next(enum kind kind, const void *object)
{
    void *next = NULL;
    uint32_t number = object != NULL ? (uint32_t)((const struct object *)object)->handle : 0;
    while (next == NULL && number < slot_count)
        next = find_at(++number, kind);
    return next;
}

void *handle_any(enum kind kind)
{
    return handle_next(kind, NULL);
}

void handle_each(enum kind kind, void (*visit)(void *object))
{
    for (uint32_t number = 1; number <= slot_count; number++) {
        void *object = find_at(number, kind);
        if (object != NULL)
            visit(object);
    }
}

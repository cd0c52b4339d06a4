#include "handles.h"

#include <stdlib.h>

_Static_assert(sizeof(void *) == sizeof(uint64_t), "a handle needs 64 bits");

struct slot {
    struct object *object; /* NULL: free */
    uint32_t uses;
    uint32_t next_free; /* number + 1 of the next free slot, 0 ends the list */
};

static struct slot *slots;
static uint32_t slot_count;
static uint32_t first_free;

static bool grow(void)
{
    uint32_t count = slot_count == 0 ? 64 : slot_count * 2;
    struct slot *grown = count > slot_count ? realloc(slots, count * sizeof *grown) : NULL;
    if (grown == NULL)
        return false;
    for (uint32_t i = slot_count; i < count; i++) {
        grown[i] = (struct slot){ .next_free = first_free };
        first_free = i + 1;
    }
    slots = grown;
    slot_count = count;
    return true;
}

bool handle_add(struct object *object, enum kind kind)
{
    if (first_free == 0 && !grow())
        return false;
    uint32_t number = first_free;
    struct slot *slot = &slots[number - 1];
    first_free = slot->next_free;
    slot->object = object;
    slot->uses++;
    object->kind = kind;
    object->handle = (uint64_t)slot->uses << 32 | number;
    return true;
}

void handle_drop(struct object *object)
{
    uint32_t number = (uint32_t)object->handle;
    struct slot *slot = &slots[number - 1];
    slot->object = NULL;
    slot->next_free = first_free;
    first_free = number;
}

struct object *handle_lookup(uint64_t handle)
{
    uint32_t number = (uint32_t)handle;
    if (number == 0 || number > slot_count)
        return NULL;
    struct object *object = slots[number - 1].object;
    return object != NULL && object->handle == handle ? object : NULL;
}

void *handle_find(const void *handle, enum kind kind)
{
    struct object *object = handle_lookup((uintptr_t)handle);
    return object != NULL && object->kind == kind ? object : NULL;
}

void *handle_any(enum kind kind)
{
    for (uint32_t i = 0; i < slot_count; i++)
        if (slots[i].object != NULL && slots[i].object->kind == kind)
            return slots[i].object;
    return NULL;
}

void handle_each(enum kind kind, void (*visit)(void *object))
{
    for (uint32_t i = 0; i < slot_count; i++)
        if (slots[i].object != NULL && slots[i].object->kind == kind)
            visit(slots[i].object);
}

/*
 * Handles: names for objects that are checked at each use.
 *
 * A handle is a slot's number and the count of its uses, so that a stale one is never taken for what lives in the slot
 * now. Callers hold the library's lock, and an object found is theirs as long as they hold it. Lookups, handle_find too,
 * work without the lock for a caller who knows that what it finds isn't dropped meanwhile.
 */
#ifndef SHIM_HANDLES_H
#define SHIM_HANDLES_H

#include <stdbool.h>
#include <stdint.h>

enum kind {
    KIND_DESCRIPTOR = 1,
    KIND_LOCAL_SEGMENT,
    KIND_REMOTE_SEGMENT,
    KIND_MAP,
    KIND_SEQUENCE,
    KIND_LOCAL_INTERRUPT,
    KIND_REMOTE_INTERRUPT,
    KIND_LOCAL_DATA_INTERRUPT,
    KIND_REMOTE_DATA_INTERRUPT,
    KIND_REMOVED_INTERRUPT, /* a local one, until those who wait for it have left; users don't find it */
    KIND_LINK, /* an exporter's end of a connection; its handle serves epoll, users never see one */
    KINDS
};

/* The first member of everything that has a handle. */
struct object {
    uint64_t handle;
    enum kind kind;
};

/* Gives an object its handle; false when there is no memory. */
bool handle_add(struct object *object, enum kind kind);

/* Takes it away: nobody finds the object any more, its memory stays the caller's. */
void handle_drop(struct object *object);

/* The object of a handle, NULL when there is none. */
struct object *handle_lookup(uint64_t handle);

/* The same for a handle from a user, who says what it should be. */
void *handle_find(const void *handle, enum kind kind);

/* Any one object of a kind, NULL when none is left. */
void *handle_any(enum kind kind);

/* The same, one after the other: the object after this one, the first after NULL. */
void *handle_next(enum kind kind, const void *object);

/* Calls visit for each object of a kind, which may drop objects and make new ones. */
void handle_each(enum kind kind, void (*visit)(void *object));

/* What the user gets to see. */
static inline void *handle_value(const struct object *object)
{
    return (void *)(uintptr_t)object->handle;
}

#endif

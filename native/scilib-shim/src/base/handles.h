/*
 * Handles: names for objects, which are checked at each use.
 *
 * A handle is a slot's number and the count of the slot's uses. So a stale handle never leads to the object that is in the
 * slot now. Callers hold the library's lock, and an object that they have found stays valid as long as they hold it.
 * handle_lookup and handle_find also work without the lock if the caller knows that the object isn't dropped meanwhile.
 */
#ifndef SHIM_HANDLES_H
#define SHIM_HANDLES_H

#include <stdbool.h>
#include <stdint.h>

enum kind {
    KIND_DESCRIPTOR = 1,
    KIND_LOCAL_SEGMENT,
    KIND_REMOTE_SEGMENT,
    KIND_SEQUENCE, /* before maps: what destroys everything destroys a map's sequences first */
    KIND_MAP,
    KIND_LOCAL_INTERRUPT,
    KIND_REMOTE_INTERRUPT,
    KIND_LOCAL_DATA_INTERRUPT,
    KIND_REMOTE_DATA_INTERRUPT,
    KIND_REMOVED_INTERRUPT, /* a local one, until the threads that wait for it have left; users don't find it */
    KIND_DMA_QUEUE,
    KIND_REMOVED_DMA_QUEUE, /* as KIND_REMOVED_INTERRUPT */
    KIND_LINK, /* an exporter's end of a connection; its handle is for epoll, users never see it */
    KINDS
};

/* The first member of everything that has a handle. */
struct object {
    uint64_t handle;
    enum kind kind;
};

/* Gives an object its handle; false when there is no memory. */
bool handle_add(struct object *object, enum kind kind);

/* Takes the handle away: no call finds the object any more. Its memory stays the caller's. */
void handle_drop(struct object *object);

/* The object of a handle, NULL when there is none. */
struct object *handle_lookup(uint64_t handle);

/* The object of a user's handle; NULL when it isn't valid, or not of this kind. */
void *handle_find(const void *handle, enum kind kind);

/* Any one object of a kind, NULL when none is left. */
void *handle_any(enum kind kind);

/* Goes through the objects of a kind: the one after this object, the first one after NULL; NULL after the last one. */
void *handle_next(enum kind kind, const void *object);

/* Calls visit for each object of a kind. visit may drop objects and make new ones. */
void handle_each(enum kind kind, void (*visit)(void *object));

/* The handle as users see it. */
static inline void *handle_value(const struct object *object)
{
    return (void *)(uintptr_t)object->handle;
}

#endif

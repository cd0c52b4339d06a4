/*
 * The memory of a segment: a sealed memfd, and its mappings in this process. Callers hold the library's lock.
 *
 * The seals are exactly SHRINK, GROW and SEAL: neither side can take away pages that the other side has mapped, and
 * neither side can add a seal later.
 */
#ifndef SHIM_MEMORY_H
#define SHIM_MEMORY_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/queue.h>

#include "base/handles.h"
#include "sisci_api.h"

struct memory {
    int fd; /* -1: not needed any more, or never there */
    size_t size; /* as asked for; the file is this rounded up to pages, or group_size is */
    size_t group_size; /* of a broadcast group, as its first member asked for; 0: no such group */
    LIST_HEAD(, map) maps; /* those that are mapped */
    struct window *window; /* NULL until memory_window is called */
    bool handed_out; /* remotes may still ask for fd */
    bool last_map; /* no further mapping follows */
};

/*
 * What a map call made. The structure exists until the map is unmapped and has no sequence any more. Calls without the lock
 * read only what doesn't change, and severed.
 */
struct map {
    struct object object;
    struct memory *memory; /* exists as long as it has maps */
    char *address;
    size_t size;
    bool read_only;
    bool unmapped;       /* the program has unmapped it; only its sequences are left */
    atomic_bool severed; /* unmapped, or the other side has disconnected or is lost; set once, read without the lock */
    unsigned int sequences;
    LIST_ENTRY(map) others;
};

/* All bytes of a memory, mapped for the library's own copies. Exists until the memory is released and nobody uses it. */
struct window {
    char *bytes;
    size_t size;
    unsigned int users; /* the memory is one, until it is released */
};

sci_error_t memory_create(struct memory *memory, size_t size);

/* The same without any memory, for SCI_FLAG_EMPTY. */
void memory_create_empty(struct memory *memory, size_t size);

/*
 * Takes over a descriptor that another process sent. If it isn't what memory_create makes, this call refuses it, and the
 * caller keeps it: only base pages of tmpfs with these seals are safe to touch.
 */
sci_error_t memory_adopt(struct memory *memory, int fd, size_t size);

/*
 * Makes memory that was created or adopted that of a broadcast group's member: it is handed out, and has only the first "size"
 * bytes (0: all). SCI_ERR_OUT_OF_RANGE if it has fewer; then the memory is as before.
 */
sci_error_t memory_share(struct memory *memory, size_t size);

/* SCIMapLocalSegment and SCIMapRemoteSegment. */
sci_error_t memory_map(struct memory *memory, sci_map_t *map, size_t offset, size_t size, void *wish,
                       unsigned int flags, void **address);

/* The other side has disconnected or is lost. No map of this memory may be made afterwards. */
void memory_abandon(struct memory *memory);

/* A sequence of the map ends: frees the map if it was the last one, and the map is unmapped. */
void map_release(struct map *map);

/* Drops and frees a map that is not unmapped and has no sequences. Its pages stay mapped. */
void map_destroy(struct map *map);

/* Whether the map is unmapped or the other side has gone. Needs no lock, if the map isn't freed meanwhile. */
static inline bool map_is_severed(const struct map *map)
{
    return atomic_load_explicit(&map->severed, memory_order_acquire);
}

/*
 * The barrier promises: a process that sees a store made after it, with acquire, sees all stores made before it. C11
 * guarantees that for a release fence before an atomic store, and an acquire load that reads this store. A program's
 * stores to a mapping are volatile ones of whole aligned words. The compiler and the machine treat them like relaxed
 * atomic ones.
 *
 * A card also promises that the stores have arrived when the call returns. So a load that is made afterwards, of a flag by
 * which the other side says that it sleeps, comes after the stores. That takes a full fence. Both processes map the same
 * pages, and the caches are coherent, so a store can wait only in this processor's own store buffer.
 */
static inline void stores_arrive(void)
{
    atomic_thread_fence(memory_order_seq_cst);
}

/* No remote will ask for the descriptor any more: closes it if no further mapping needs it either. The window stays. */
void memory_withdraw(struct memory *memory);

/*
 * The window of the memory, which the caller now uses, too. The first call maps it. It remains until memory_release: a kernel
 * needs far longer to make and to remove the pages' entries than to copy their bytes. NULL with errno if it can't be mapped, or
 * is not there and the descriptor is closed.
 */
struct window *memory_window(struct memory *memory);

/* Whether the window is there, or the descriptor to map it. */
static inline bool memory_has_window(const struct memory *memory)
{
    return memory->window != NULL || memory->fd >= 0;
}

/* The caller does not use the window any more. The last user unmaps it. */
void window_release(struct window *window);

/* Closes the descriptor, and gives up the window. */
void memory_release(struct memory *memory);

#endif

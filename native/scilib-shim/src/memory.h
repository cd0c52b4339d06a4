/*
 * The memory of a segment: a sealed memfd, and its mappings in this process. Callers hold the library's lock.
 *
 * Seals are exactly SHRINK, GROW and SEAL: no side can take pages from under the other, and none can add a seal later.
 */
#ifndef SHIM_MEMORY_H
#define SHIM_MEMORY_H

#include <stdbool.h>
#include <stddef.h>

#include "sisci_api.h"

struct memory {
    int fd; /* -1 when not needed any more */
    size_t size; /* as asked for; the file is this rounded up to pages */
    unsigned int maps;
    bool handed_out; /* remotes may still ask for fd */
    bool last_map;   /* no further mapping follows */
};

sci_error_t memory_create(struct memory *memory, size_t size);

/*
 * Takes a descriptor that another process sent, which is closed if it isn't what memory_create makes: nothing but
 * base pages of tmpfs with those seals is safe to touch.
 */
sci_error_t memory_adopt(struct memory *memory, int fd, size_t size);

/* SCIMapLocalSegment and SCIMapRemoteSegment. */
sci_error_t memory_map(struct memory *memory, sci_map_t *map, size_t offset, size_t size, void *wish,
                       unsigned int flags, void **address);

/* Remotes won't ask for the descriptor any more: closes it if mapping doesn't need it either. */
void memory_withdraw(struct memory *memory);

/* Closes the descriptor. */
void memory_release(struct memory *memory);

#endif

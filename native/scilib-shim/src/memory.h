/*
 * The memory of a segment: a sealed memfd, and its mappings in this process. Callers hold the library's lock.
 *
 * Seals are exactly SHRINK, GROW and SEAL: no side can take pages from under the other, and none can add a seal later.
 */
#ifndef SHIM_MEMORY_H
#define SHIM_MEMORY_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

#include "handles.h"
#include "sisci_api.h"

struct memory {
    int fd; /* -1: not needed any more, or never there */
    size_t size; /* as asked for; the file is this rounded up to pages */
    unsigned int maps;
    bool handed_out; /* remotes may still ask for fd */
    bool last_map;   /* no further mapping follows */
    atomic_bool abandoned; /* the process that made it is gone, or has removed it; set once, read without the lock */
};

/* What a map call made. Nothing changes in it but the count of sequences. */
struct map {
    struct object object;
    struct memory *memory; /* stays while it has maps */
    char *address;
    size_t size;
    bool read_only;
    unsigned int sequences;
};

sci_error_t memory_create(struct memory *memory, size_t size);

/* The same without any memory, for SCI_FLAG_EMPTY. */
void memory_create_empty(struct memory *memory, size_t size);

/*
 * Takes over a descriptor that another process sent; refuses it, and it stays the caller's, if it isn't what
 * memory_create makes: nothing but base pages of tmpfs with those seals is safe to touch.
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

/*
 * Mappings, and the delay between a store and its arrival in a remote segment. For a remote segment the caller gets a copy
 * to write to. The words that have changed since the last delivery are copied to the segment only when a barrier waits for
 * them: a fabric may take that long. In each page the first changed word is copied some time before the others, because
 * in JFS's memory a word that publishes others lies before them. Without sequences a load is the only way to wait, and the
 * stand-in can't see a load. So then there is no copy (STANDIN_POSTS is 0).
 */
#include "standin.h"

#include <fcntl.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

enum { PAGE = 4096, PAUSE_NANOS = 20000 };

static char *private_copy(size_t size)
{
    char *it = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return it == MAP_FAILED ? NULL : it;
}

/* Delivers as one store, no wider than what was stored: the other half may be another word, which its owner changes. */
static void deliver_word(char *to, uint64_t value, uint64_t before)
{
    uint32_t low = (uint32_t)value, high = (uint32_t)(value >> 32);
    if (high == (uint32_t)(before >> 32))
        atomic_store((_Atomic uint32_t *)(void *)to, low);
    else if (low == (uint32_t)before)
        atomic_store((_Atomic uint32_t *)(void *)(to + sizeof low), high);
    else
        atomic_store((_Atomic uint64_t *)(void *)to, value);
}

/* Delivers one page of a map. The caller holds the lock. */
static void deliver_page(struct handle *map, size_t page)
{
    _Atomic uint64_t *shadow = (_Atomic uint64_t *)(void *)(map->shadow + page);
    uint64_t *delivered = (uint64_t *)(void *)(map->delivered + page);
    bool paused = false;
    for (unsigned i = 0; i < PAGE / sizeof *delivered; i++) {
        uint64_t value = atomic_load(&shadow[i]);
        if (value == delivered[i])
            continue;
        deliver_word(map->real + page + i * sizeof value, value, delivered[i]);
        delivered[i] = value;
        if (!paused) {
            paused = true;
            nanosleep(&(struct timespec){0, PAUSE_NANOS}, NULL);
        }
    }
}

void standin_deliver(struct handle *map)
{
    for (size_t page = 0; page < map->size; page += PAGE) {
        if (memcmp(map->shadow + page, map->delivered + page, PAGE) != 0)
            deliver_page(map, page);
    }
}

static sci_error_t map_segment(struct handle *segment, bool remote, size_t size, struct handle *map)
{
    char path[PATH_BYTES];
    standin_segment_path(path, segment->serial);
    int file = open(path, O_RDWR | O_CLOEXEC);
    if (file < 0)
        return SCI_ERR_SEGMENT_NOT_CONNECTED;
    char *real = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    close(file);
    if (real == MAP_FAILED)
        return SCI_ERR_SYSTEM;
    if (remote && STANDIN_POSTS) {
        map->shadow = private_copy(size);
        map->delivered = private_copy(size);
        if (map->shadow == NULL || map->delivered == NULL)
            return SCI_ERR_SYSTEM;
        memcpy(map->shadow, real, PAGE); /* the caller loads only words at the beginning; the rest is still zero */
        memcpy(map->delivered, map->shadow, PAGE);
    }
    map->size = size;
    map->real = real;
    map->owner = segment;
    segment->users++;
    return SCI_ERR_OK;
}

static void *map_it(const char *name, void *handle, enum kind kind, sci_map_t *map, size_t offset, size_t size,
                    const void *address, sci_error_t *error)
{
    struct handle *segment = standin_check(name, handle, kind, error);
    if (segment == NULL)
        return NULL;
    if (offset != 0 || size == 0 || size > segment->size || size % PAGE != 0 || address != NULL)
        standin_violation(name, "offset, size or address");
    struct handle *it = standin_handle(MAP);
    standin_lock();
    sci_error_t result = map_segment(segment, kind == REMOTE, size, it);
    it->ended = result != SCI_ERR_OK;
    standin_unlock();
    standin_finish(name, error, result);
    if (result != SCI_ERR_OK)
        return NULL;
    *map = (sci_map_t)it;
    return it->shadow != NULL ? it->shadow : it->real;
}

void *SCIMapLocalSegment(sci_local_segment_t segment, sci_map_t *map, size_t offset, size_t size, void *address,
                         unsigned int flags, sci_error_t *error)
{
    if (!ENTER(SCIMapLocalSegment, error, flags, 0))
        return NULL;
    return map_it("SCIMapLocalSegment", segment, LOCAL, map, offset, size, address, error);
}
BOTH_NAMES(SCIMapLocalSegment);

volatile void *SCIMapRemoteSegment(sci_remote_segment_t segment, sci_map_t *map, size_t offset, size_t size,
                                   void *address, unsigned int flags, sci_error_t *error)
{
    if (!ENTER(SCIMapRemoteSegment, error, flags, 0))
        return NULL;
    return map_it("SCIMapRemoteSegment", segment, REMOTE, map, offset, size, address, error);
}
BOTH_NAMES(SCIMapRemoteSegment);

void SCIUnmapSegment(sci_map_t map, unsigned int flags, sci_error_t *error)
{
    struct handle *it;
    if (!ENTER(SCIUnmapSegment, error, flags, 0) ||
        (it = standin_check("SCIUnmapSegment", map, MAP, error)) == NULL)
        return;
    if (it->users != 0)
        standin_violation("SCIUnmapSegment", "it has a sequence");
    standin_lock();
    it->ended = true;
    if (it->shadow != NULL)
        standin_deliver(it);
    standin_unlock();
    it->owner->users--;
    munmap(it->real, it->size);
    if (it->shadow != NULL) {
        munmap(it->shadow, it->size);
        munmap(it->delivered, it->size);
    }
    standin_finish("SCIUnmapSegment", error, SCI_ERR_OK);
}
BOTH_NAMES(SCIUnmapSegment);

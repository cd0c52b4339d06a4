/*
 * Copies from and to maps without a sequence. The calls take no lock, unless they fail: they find maps as sequences do
 * (sequence.c), and the caller must not unmap the memory meanwhile.
 */
#include <string.h>

#include "base/handles.h"
#include "base/library.h"
#include "exports.h"
#include "segment/memory.h"

/* The result of a call without the lock. A failed one takes it now: without SCIInitialize that is SCI_ERR_NOT_INITIALIZED. */
static void conclude(sci_error_t *error, sci_error_t status)
{
    report(error, status == SCI_ERR_OK ? status : LIBRARY_LOCKED(status));
}

static sci_error_t write_memory(const void *memory, volatile void *address, size_t size, unsigned int flags)
{
    if (flags != 0)
        return SCI_ERR_ILLEGAL_FLAG;
    if (memory == NULL || address == NULL)
        return SCI_ERR_ILLEGAL_PARAMETER;
    memcpy((void *)address, memory, size);
    stores_arrive();
    return SCI_ERR_OK;
}

void SCIMemWrite(void *memory, volatile void *remoteAddress, size_t size, unsigned int flags, sci_error_t *error)
{
    conclude(error, write_memory(memory, remoteAddress, size, flags));
}
SHIM_EXPORT(SCIMemWrite);

static bool has_range(const struct map *map, size_t offset, size_t size)
{
    return offset <= map->size && size <= map->size - offset;
}

static sci_error_t transfer(sci_map_t source, size_t source_offset, sci_map_t destination, size_t destination_offset,
                            size_t size, unsigned int flags)
{
    if (flags != 0)
        return SCI_ERR_ILLEGAL_FLAG;
    const struct map *from = handle_find(source, KIND_MAP), *to = handle_find(destination, KIND_MAP);
    if (from == NULL || to == NULL)
        return SCI_ERR_ILLEGAL_PARAMETER;
    if (!has_range(from, source_offset, size) || !has_range(to, destination_offset, size))
        return SCI_ERR_OUT_OF_RANGE;
    if (to->read_only)
        return SCI_ERR_ILLEGAL_OPERATION;
    atomic_thread_fence(memory_order_acquire); /* the copy comes after the caller's load of a flag */
    memmove(to->address + destination_offset, from->address + source_offset, size);
    stores_arrive();
    return map_is_severed(from) || map_is_severed(to) ? SCI_ERR_TRANSFER_FAILED : SCI_ERR_OK;
}

void SCITransferBlock(sci_map_t sourceMap, size_t sourceOffset, sci_map_t destinationMap, size_t destinationOffset,
                      size_t size, unsigned int flags, sci_error_t *error)
{
    conclude(error, transfer(sourceMap, sourceOffset, destinationMap, destinationOffset, size, flags));
}
SHIM_EXPORT(SCITransferBlock);

static sci_error_t sync_cache(sci_map_t handle, const char *address, size_t length, unsigned int flags)
{
    if ((flags & ~(SCI_FLAG_CACHE_FLUSH | SCI_FLAG_CACHE_INVALIDATE)) != 0)
        return SCI_ERR_ILLEGAL_FLAG;
    const struct map *map = handle_find(handle, KIND_MAP);
    if (address == NULL || flags == 0 || (handle != NULL && map == NULL))
        return SCI_ERR_ILLEGAL_PARAMETER;
    if (map != NULL && (address < map->address || !has_range(map, (size_t)(address - map->address), length)))
        return SCI_ERR_OUT_OF_RANGE;
    stores_arrive();
    return SCI_ERR_OK;
}

void SCICacheSync(sci_map_t map, void *address, size_t length, unsigned int flags, sci_error_t *error)
{
    conclude(error, sync_cache(map, address, length, flags));
}
SHIM_EXPORT(SCICacheSync);

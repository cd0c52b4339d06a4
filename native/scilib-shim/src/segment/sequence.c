/*
 * Sequences: they order and check the stores to a map.
 *
 * Only the calls that make and remove a sequence take the lock. The others may run between two stores, so they cost a
 * fence and a few loads. handle_find works without the lock (handles.h). A sequence keeps the structure of its map, even if
 * the map is unmapped. Of that structure the calls read only what doesn't change, and severed, which is atomic. The caller
 * must not remove a sequence at the same time. It must not unmap the memory while SCIMemCpy copies there.
 */
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "base/handles.h"
#include "base/library.h"
#include "exports.h"
#include "segment/memory.h"
#include "segment/sequence.h"

struct sequence {
    struct object object;
    struct map *map; /* its structure exists as long as it has sequences */
};

static sci_error_t create(sci_map_t map, sci_sequence_t *handle, unsigned int flags)
{
    if ((flags & ~SCI_FLAG_FAST_BARRIER) != 0)
        return SCI_ERR_ILLEGAL_FLAG;
    struct map *found = handle_find(map, KIND_MAP);
    if (found == NULL || handle == NULL)
        return SCI_ERR_ILLEGAL_PARAMETER;
    struct sequence *sequence = calloc(1, sizeof *sequence);
    if (sequence == NULL || !handle_add(&sequence->object, KIND_SEQUENCE)) {
        free(sequence);
        return failed("malloc", SCI_ERR_SYSTEM);
    }
    sequence->map = found;
    found->sequences++;
    *handle = handle_value(&sequence->object);
    return SCI_ERR_OK;
}

void SCICreateMapSequence(sci_map_t map, sci_sequence_t *sequence, unsigned int flags, sci_error_t *error)
{
    report(error, LIBRARY_LOCKED(create(map, sequence, flags)));
}
SHIM_EXPORT(SCICreateMapSequence);

void sequence_destroy(void *it)
{
    struct sequence *sequence = it;
    map_release(sequence->map);
    handle_drop(&sequence->object);
    free(sequence);
}

static sci_error_t remove_sequence(sci_sequence_t handle, unsigned int flags)
{
    if (flags != 0)
        return SCI_ERR_ILLEGAL_FLAG;
    struct sequence *sequence = handle_find(handle, KIND_SEQUENCE);
    if (sequence == NULL)
        return SCI_ERR_ILLEGAL_PARAMETER;
    sequence_destroy(sequence);
    return SCI_ERR_OK;
}

void SCIRemoveSequence(sci_sequence_t sequence, unsigned int flags, sci_error_t *error)
{
    report(error, LIBRARY_LOCKED(remove_sequence(sequence, flags)));
}
SHIM_EXPORT(SCIRemoveSequence);

/* The barrier needs no sequence, so any handle is accepted. */
void SCIStoreBarrier(sci_sequence_t sequence, unsigned int flags)
{
    (void)sequence, (void)flags;
    stores_arrive();
}
SHIM_EXPORT(SCIStoreBarrier);

void SCIFlush(sci_sequence_t sequence, unsigned int flags)
{
    (void)sequence, (void)flags;
    stores_arrive();
}
SHIM_EXPORT(SCIFlush);

void SCIFlushReadBuffers(sci_sequence_t sequence)
{
    (void)sequence;
    stores_arrive();
}
SHIM_EXPORT(SCIFlushReadBuffers);

/* The result of a failed call, which takes the lock only now: without SCIInitialize that is SCI_ERR_NOT_INITIALIZED. */
static sci_error_t refusal(sci_error_t status)
{
    return LIBRARY_LOCKED(status);
}

sci_sequence_status_t SCIStartSequence(sci_sequence_t sequence, unsigned int flags, sci_error_t *error)
{
    const struct sequence *found = handle_find(sequence, KIND_SEQUENCE);
    if (flags != 0 || found == NULL) {
        report(error, refusal(found != NULL ? SCI_ERR_ILLEGAL_FLAG : SCI_ERR_ILLEGAL_PARAMETER));
        return SCI_SEQ_NOT_RETRIABLE;
    }
    bool severed = map_is_severed(found->map);
    report(error, severed ? SCI_ERR_SEGMENT_NOT_CONNECTED : SCI_ERR_OK);
    return severed ? SCI_SEQ_NOT_RETRIABLE : SCI_SEQ_OK;
}
SHIM_EXPORT(SCIStartSequence);

sci_sequence_status_t SCICheckSequence(sci_sequence_t sequence, unsigned int flags, sci_error_t *error)
{
    const unsigned int without_barrier = SCI_FLAG_NO_FLUSH | SCI_FLAG_NO_STORE_BARRIER;
    const struct sequence *found = handle_find(sequence, KIND_SEQUENCE);
    if ((flags & ~without_barrier) != 0 || found == NULL) {
        report(error, refusal(found != NULL ? SCI_ERR_ILLEGAL_FLAG : SCI_ERR_ILLEGAL_PARAMETER));
        return SCI_SEQ_NOT_RETRIABLE;
    }
    if (flags != without_barrier)
        stores_arrive();
    report(error, SCI_ERR_OK);
    return map_is_severed(found->map) ? SCI_SEQ_NOT_RETRIABLE : SCI_SEQ_OK;
}
SHIM_EXPORT(SCICheckSequence);

/* map is NULL if the caller's handles are not valid. */
static sci_error_t copy(void *memory, const struct map *map, size_t offset, size_t size, unsigned int flags)
{
    if ((flags & ~(SCI_FLAG_ERROR_CHECK | SCI_FLAG_BLOCK_READ)) != 0)
        return SCI_ERR_ILLEGAL_FLAG;
    bool checked = (flags & SCI_FLAG_ERROR_CHECK) != 0, reads = (flags & SCI_FLAG_BLOCK_READ) != 0;
    if (map == NULL || memory == NULL)
        return SCI_ERR_ILLEGAL_PARAMETER;
    if (offset > map->size || size > map->size - offset)
        return SCI_ERR_OUT_OF_RANGE;
    if (reads) {
        atomic_thread_fence(memory_order_acquire); /* the copy comes after the caller's load of a flag */
        memcpy(memory, map->address + offset, size);
    } else if (map->read_only) {
        return SCI_ERR_ILLEGAL_OPERATION;
    } else {
        memcpy(map->address + offset, memory, size);
        stores_arrive();
    }
    return checked && map_is_severed(map) ? SCI_ERR_TRANSFER_FAILED : SCI_ERR_OK;
}

void SCIMemCpy(sci_sequence_t sequence, void *memory, sci_map_t remoteMap, size_t remoteOffset, size_t size,
               unsigned int flags, sci_error_t *error)
{
    const struct map *map = handle_find(remoteMap, KIND_MAP);
    const struct sequence *found = handle_find(sequence, KIND_SEQUENCE);
    bool fits = found != NULL ? found->map == map : sequence == NULL && (flags & SCI_FLAG_ERROR_CHECK) == 0;
    sci_error_t status = copy(memory, fits ? map : NULL, remoteOffset, size, flags);
    report(error, status == SCI_ERR_OK ? status : refusal(status));
}
SHIM_EXPORT(SCIMemCpy);

void SCIMemCopy(void *memory, sci_map_t remoteMap, size_t remoteOffset, size_t size, unsigned int flags, sci_error_t *error)
{
    sci_error_t status = copy(memory, handle_find(remoteMap, KIND_MAP), remoteOffset, size, flags);
    report(error, status == SCI_ERR_OK ? status : refusal(status));
}
SHIM_EXPORT(SCIMemCopy);

/* Sequences, under the names that the vendor's library exports. One variant of the stand-in has no sequences. */
#include "standin.h"

#define SEQUENCE_CALL(name)                                                                                       \
    extern __typeof__(standin_##name) standin_##name##_mt __asm__("_SISCI_PUBLIC_FUNC_MT_" #name)                 \
        __attribute__((alias("standin_" #name)));                                                                 \
    extern __typeof__(standin_##name) standin_##name##_st __asm__("_SISCI_PUBLIC_FUNC_ST_" #name)                 \
        __attribute__((alias("standin_" #name)))

enum { STATUS_OK = 0, STATUS_NOT_RETRIABLE = 2 };

void standin_SCICreateMapSequence(sci_map_t map, void **sequence, unsigned flags, sci_error_t *error)
{
    struct handle *on;
    if (!ENTER(SCICreateMapSequence, error, flags, 0) ||
        (on = standin_check("SCICreateMapSequence", map, MAP, error)) == NULL)
        return;
    if (on->shadow == NULL)
        standin_violation("SCICreateMapSequence", "of a local segment");
    struct handle *it = standin_handle(SEQUENCE);
    it->owner = on;
    on->users++;
    *sequence = it;
    standin_finish("SCICreateMapSequence", error, SCI_ERR_OK);
}
SEQUENCE_CALL(SCICreateMapSequence);

void standin_SCIRemoveSequence(void *sequence, unsigned flags, sci_error_t *error)
{
    struct handle *it;
    if (!ENTER(SCIRemoveSequence, error, flags, 0) ||
        (it = standin_check("SCIRemoveSequence", sequence, SEQUENCE, error)) == NULL)
        return;
    it->ended = true;
    it->owner->users--;
    standin_finish("SCIRemoveSequence", error, SCI_ERR_OK);
}
SEQUENCE_CALL(SCIRemoveSequence);

int standin_SCIStartSequence(void *sequence, unsigned flags, sci_error_t *error)
{
    struct handle *it;
    if (!ENTER(SCIStartSequence, error, flags, 0) ||
        (it = standin_check("SCIStartSequence", sequence, SEQUENCE, error)) == NULL)
        return STATUS_NOT_RETRIABLE;
    it->prepared = true;
    standin_finish("SCIStartSequence", error, SCI_ERR_OK);
    return STATUS_OK;
}
SEQUENCE_CALL(SCIStartSequence);

/* Called too often to be recorded. */
int standin_SCICheckSequence(void *sequence, unsigned flags, sci_error_t *error)
{
    struct handle *it;
    if (!ENTER(SCICheckSequence, error, flags, 0) ||
        (it = standin_check("SCICheckSequence", sequence, SEQUENCE, error)) == NULL)
        return STATUS_NOT_RETRIABLE;
    if (!it->prepared)
        standin_violation("SCICheckSequence", "not started");
    *error = SCI_ERR_OK;
    return STATUS_OK;
}
SEQUENCE_CALL(SCICheckSequence);

void standin_SCIStoreBarrier(void *sequence, unsigned flags)
{
    sci_error_t ignored;
    struct handle *it;
    if (!ENTER(SCIStoreBarrier, &ignored, flags, 0) ||
        (it = standin_check("SCIStoreBarrier", sequence, SEQUENCE, &ignored)) == NULL)
        return;
    standin_lock();
    standin_deliver(it->owner);
    standin_unlock();
}
SEQUENCE_CALL(SCIStoreBarrier);

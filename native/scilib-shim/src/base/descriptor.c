#include "base/descriptor.h"

#include <stdlib.h>

#include "base/handles.h"
#include "base/library.h"
#include "exports.h"

static sci_error_t open_descriptor(sci_desc_t *sd, unsigned int flags)
{
    if ((flags & ~SCI_FLAG_THREAD_SAFE) != 0)
        return SCI_ERR_ILLEGAL_FLAG;
    if (sd == NULL)
        return SCI_ERR_ILLEGAL_PARAMETER;
    struct descriptor *descriptor = calloc(1, sizeof *descriptor);
    if (descriptor == NULL || !handle_add(&descriptor->object, KIND_DESCRIPTOR)) {
        free(descriptor);
        return failed("malloc", SCI_ERR_SYSTEM);
    }
    *sd = handle_value(&descriptor->object);
    return SCI_ERR_OK;
}

void SCIOpen(sci_desc_t *sd, unsigned int flags, sci_error_t *error)
{
    report(error, LIBRARY_LOCKED(open_descriptor(sd, flags)));
}
SHIM_EXPORT(SCIOpen);

static sci_error_t close_descriptor(sci_desc_t sd, unsigned int flags)
{
    if (flags != 0)
        return SCI_ERR_ILLEGAL_FLAG;
    struct descriptor *descriptor = handle_find(sd, KIND_DESCRIPTOR);
    if (descriptor == NULL)
        return SCI_ERR_ILLEGAL_PARAMETER;
    if (descriptor->children > 0)
        return SCI_ERR_BUSY;
    handle_drop(&descriptor->object);
    free(descriptor);
    return SCI_ERR_OK;
}

void SCIClose(sci_desc_t sd, unsigned int flags, sci_error_t *error)
{
    report(error, LIBRARY_LOCKED(close_descriptor(sd, flags)));
}
SHIM_EXPORT(SCIClose);

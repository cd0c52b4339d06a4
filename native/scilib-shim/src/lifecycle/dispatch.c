#include "lifecycle/dispatch.h"

#include "base/handles.h"
#include "dma/dma.h"
#include "interrupt/interrupt_local.h"
#include "segment/link.h"
#include "segment/segment_local.h"
#include "segment/segment_remote.h"

static void ready(struct object *object)
{
    switch (object->kind) {
    case KIND_LOCAL_SEGMENT:   local_segment_event((struct local_segment *)object); break;
    case KIND_LINK:            link_event((struct link *)object); break;
    case KIND_DMA_QUEUE:       dma_queue_event((struct dma_queue *)object); break;
    case KIND_REMOTE_SEGMENT:  remote_segment_event((struct remote_segment *)object); break;
    case KIND_LOCAL_INTERRUPT:
    case KIND_LOCAL_DATA_INTERRUPT:
        local_interrupt_event((struct local_interrupt *)object);
        break;
    default:
        break; /* nothing else is watched */
    }
}

static void retry_segment(void *object)
{
    struct local_segment *segment = object;
    if (segment->starved)
        local_segment_event(segment);
}

static void retry_remote(void *object)
{
    struct remote_segment *segment = object;
    if (segment->starved)
        remote_segment_event(segment);
}

static void retry_interrupt(void *object)
{
    struct local_interrupt *interrupt = object;
    if (interrupt->starved)
        local_interrupt_event(interrupt);
}

static void retry(void)
{
    handle_each(KIND_LOCAL_SEGMENT, retry_segment);
    handle_each(KIND_REMOTE_SEGMENT, retry_remote);
    handle_each(KIND_LOCAL_INTERRUPT, retry_interrupt);
    handle_each(KIND_LOCAL_DATA_INTERRUPT, retry_interrupt);
}

const struct service_handlers dispatch_handlers = { .ready = ready, .retry = retry, .expire = link_expire };

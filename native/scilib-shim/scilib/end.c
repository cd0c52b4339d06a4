#include "end.h"

#include <stddef.h>

/* A card's library may have no such flag: then a segment is removed once the other end has left. */
extern const unsigned int force_remove __asm__("_SISCI_PUBLIC_CONST_SCI_FLAG_FORCE_REMOVE") __attribute__((weak));

static sci_callback_action_t other_has_gone(void *arg, sci_remote_segment_t segment, sci_segment_cb_reason_t reason,
                                            sci_error_t error)
{
    (void)segment, (void)error;
    struct end *end = arg;
    if (reason != SCI_CB_DISCONNECT && reason != SCI_CB_LOST)
        return SCI_CALLBACK_CONTINUE;
    atomic_store(&end->gone, true);
    sci_error_t ignored;
    SCITriggerInterrupt(end->own_bell, 0, &ignored);
    return SCI_CALLBACK_CONTINUE;
}

sci_error_t end_open(struct end *end, sci_desc_t sd, unsigned int adapter, unsigned int node)
{
    *end = (struct end){ .adapter = adapter, .node = node };
    sci_error_t status;
    unsigned int own_node = 0;
    SCIGetLocalNodeId(adapter, &own_node, 0, &status);
    if (status == SCI_ERR_OK)
        SCICreateInterrupt(sd, &end->bell, adapter, &end->bell_number, NULL, NULL, 0, &status);
    if (status == SCI_ERR_OK)
        SCIConnectInterrupt(sd, &end->own_bell, own_node, adapter, end->bell_number, SCI_INFINITE_TIMEOUT, 0, &status);
    return status;
}

sci_error_t end_export(struct end *end, sci_desc_t sd, unsigned int id, uint32_t window, uint64_t nonce)
{
    size_t size = INBOX_PAGE + (size_t)window;
    sci_error_t status;
    SCICreateSegment(sd, &end->own, id, size, NULL, NULL, 0, &status);
    if (status == SCI_ERR_OK)
        SCIPrepareSegment(end->own, end->adapter, 0, &status);
    if (status == SCI_ERR_OK)
        end->mine = SCIMapLocalSegment(end->own, &end->own_map, 0, size, NULL, 0, &status);
    if (status != SCI_ERR_OK)
        return status;
    end->mine->version = INBOX_QUEUE_VERSION;
    end->mine->window = (int32_t)window;
    end->mine->nonce = nonce;
    end->mine->doorbell = end->bell_number;
    atomic_store_explicit(&end->mine->magic, INBOX_MAGIC, memory_order_release);
    SCISetSegmentAvailable(end->own, end->adapter, 0, &status);
    return status;
}

static sci_error_t check(const struct inbox *inbox, uint32_t window)
{
    if (atomic_load_explicit(&inbox->magic, memory_order_acquire) != INBOX_MAGIC ||
        inbox->version != INBOX_QUEUE_VERSION)
        return SCI_ERR_INCONSISTENT_VERSIONS;
    return inbox->window == (int32_t)window ? SCI_ERR_OK : SCI_ERR_ILLEGAL_PARAMETER;
}

sci_error_t end_connect(struct end *end, sci_desc_t sd, unsigned int id, uint32_t window, unsigned int timeout)
{
    sci_error_t status;
    SCIConnectSegment(sd, &end->other, end->node, id, end->adapter, other_has_gone, end, timeout, SCI_FLAG_USE_CALLBACK,
                      &status);
    if (status != SCI_ERR_OK)
        return status;
    size_t size = INBOX_PAGE + (size_t)window;
    if (SCIGetRemoteSegmentSize(end->other) != size)
        return SCI_ERR_ILLEGAL_PARAMETER;
    end->theirs = (struct inbox *)SCIMapRemoteSegment(end->other, &end->other_map, 0, size, NULL, 0, &status);
    if (status == SCI_ERR_OK)
        status = check(end->theirs, window);
    return status == SCI_ERR_OK ? posted_open(&end->posted, end->other_map) : status;
}

sci_error_t end_find_bell(struct end *end, sci_desc_t sd, unsigned int timeout)
{
    sci_error_t status;
    SCIConnectInterrupt(sd, &end->their_bell, end->node, end->adapter, end->theirs->doorbell,
                        timeout > 0 ? timeout : 1, 0, &status);
    return status;
}

void end_let_go(struct end *end)
{
    sci_error_t status;
    posted_close(&end->posted);
    if (end->other_map != NULL)
        SCIUnmapSegment(end->other_map, 0, &status);
    end->other_map = NULL;
    end->theirs = NULL;
    if (end->other != NULL)
        SCIDisconnectSegment(end->other, 0, &status); /* also waits for the callback, which rings own_bell */
    end->other = NULL;
    if (end->their_bell != NULL)
        SCIDisconnectInterrupt(end->their_bell, 0, &status);
    end->their_bell = NULL;
    atomic_store(&end->gone, false);
}

sci_error_t end_close(struct end *end)
{
    sci_error_t status;
    end_let_go(end);
    if (end->own_map != NULL)
        SCIUnmapSegment(end->own_map, 0, &status);
    end->own_map = NULL;
    end->mine = NULL;
    if (end->own != NULL) {
        SCIRemoveSegment(end->own, &force_remove != NULL ? force_remove : 0, &status);
        if (status == SCI_ERR_BUSY)
            return status;
    }
    end->own = NULL;
    if (end->own_bell != NULL)
        SCIDisconnectInterrupt(end->own_bell, 0, &status);
    end->own_bell = NULL;
    if (end->bell != NULL)
        SCIRemoveInterrupt(end->bell, 0, &status);
    end->bell = NULL;
    return SCI_ERR_OK;
}

void end_ring(const struct end *end)
{
    sci_error_t ignored; /* the segment's callback reports an end that is gone */
    SCITriggerInterrupt(end->their_bell, 0, &ignored);
}

void end_wait(const struct end *end, unsigned int timeout)
{
    sci_error_t ignored; /* the caller looks at everything again */
    SCIWaitForInterrupt(end->bell, timeout, 0, &ignored);
}

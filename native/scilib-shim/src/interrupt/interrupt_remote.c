#include "interrupt/interrupt_remote.h"

#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "base/handles.h"
#include "base/library.h"
#include "base/node.h"
#include "base/service.h"
#include "exports.h"
#include "interrupt/interrupt.h"
#include "interrupt/interrupt_doorbell.h"
#include "interrupt/interrupt_number.h"
#include "interrupt/interrupt_queue.h"
#include "sisci_shim.h"
#include "system/clock.h"

enum { DATA_PATIENCE_MS = 1000 /* how long a data trigger without room waits for the owner */ };

/* Connects to the interrupt that number_find has found. */
static sci_error_t reach(struct remote_interrupt *interrupt)
{
    if (interrupt->number.sort == SORT_DOORBELL) {
        interrupt->doorbell.length = number_address(&interrupt->number, 0, &interrupt->doorbell.address);
        return doorbell_socket() < 0 ? failed("socket", SCI_ERR_SYSTEM) : SCI_ERR_OK;
    }
    sci_error_t status = queue_send(interrupt, NULL, 0);
    return status == SCI_ERR_NOT_CONNECTED ? SCI_ERR_NO_SUCH_INTNO : status;
}

static sci_error_t make(struct descriptor *owner, enum kind kind, const struct number *number,
                        struct remote_interrupt **made)
{
    struct remote_interrupt *interrupt = calloc(1, sizeof *interrupt);
    if (interrupt == NULL || !handle_add(&interrupt->object, kind)) {
        free(interrupt);
        return failed("malloc", SCI_ERR_SYSTEM);
    }
    interrupt->number = *number;
    for (unsigned int place = 0; place < SHARERS; place++)
        interrupt->connections[place] = -1;
    sci_error_t status = reach(interrupt);
    if (status != SCI_ERR_OK) {
        handle_drop(&interrupt->object);
        queue_disconnect(interrupt);
        free(interrupt);
        return status;
    }
    interrupt->owner = owner;
    owner->children++;
    *made = interrupt;
    return SCI_ERR_OK;
}

/* What both connects have in common. */
static sci_error_t connect_to(sci_desc_t sd, enum kind kind, unsigned int node, unsigned int adapter,
                              unsigned int value, unsigned int flags, struct remote_interrupt **made)
{
    if (flags != 0)
        return SCI_ERR_ILLEGAL_FLAG;
    struct descriptor *owner = handle_find(sd, KIND_DESCRIPTOR);
    if (owner == NULL)
        return SCI_ERR_ILLEGAL_PARAMETER;
    sci_error_t status = check_adapter(adapter);
    if (status == SCI_ERR_OK)
        status = check_node(node);
    if (status != SCI_ERR_OK)
        return status;
    struct number number = { .sort = kind == KIND_REMOTE_DATA_INTERRUPT ? SORT_DATA : SORT_DOORBELL, .node = node,
                             .adapter = adapter, .value = value };
    status = number_find(&number);
    return status == SCI_ERR_OK ? make(owner, kind, &number, made) : status;
}

static sci_error_t connect_plain(sci_desc_t sd, sci_remote_interrupt_t *handle, unsigned int node, unsigned int adapter,
                                 unsigned int number, unsigned int flags)
{
    struct remote_interrupt *made;
    sci_error_t status = handle == NULL
                             ? SCI_ERR_ILLEGAL_PARAMETER
                             : connect_to(sd, KIND_REMOTE_INTERRUPT, node, adapter, number, flags, &made);
    if (status == SCI_ERR_OK)
        *handle = handle_value(&made->object);
    return status;
}

static sci_error_t connect_data(sci_desc_t sd, sci_remote_data_interrupt_t *handle, unsigned int node,
                                unsigned int adapter, unsigned int number, unsigned int flags)
{
    struct remote_interrupt *made;
    sci_error_t status = handle == NULL
                             ? SCI_ERR_ILLEGAL_PARAMETER
                             : connect_to(sd, KIND_REMOTE_DATA_INTERRUPT, node, adapter, number, flags, &made);
    if (status == SCI_ERR_OK)
        *handle = handle_value(&made->object);
    return status;
}

void SCIConnectInterrupt(sci_desc_t sd, sci_remote_interrupt_t *interrupt, unsigned int nodeId,
                         unsigned int localAdapterNo, unsigned int interruptNo, unsigned int timeout,
                         unsigned int flags, sci_error_t *error)
{
    (void)timeout; /* the kernel knows at once */
    report(error, LIBRARY_LOCKED(connect_plain(sd, interrupt, nodeId, localAdapterNo, interruptNo, flags)));
}
SHIM_EXPORT(SCIConnectInterrupt);

void SCIConnectDataInterrupt(sci_desc_t sd, sci_remote_data_interrupt_t *interrupt, unsigned int nodeId,
                             unsigned int localAdapterNo, unsigned int interruptNo, unsigned int timeout,
                             unsigned int flags, sci_error_t *error)
{
    (void)timeout;
    report(error, LIBRARY_LOCKED(connect_data(sd, interrupt, nodeId, localAdapterNo, interruptNo, flags)));
}
SHIM_EXPORT(SCIConnectDataInterrupt);

void remote_interrupt_destroy(struct remote_interrupt *interrupt)
{
    handle_drop(&interrupt->object);
    queue_disconnect(interrupt);
    interrupt->owner->children--;
    free(interrupt);
}

void remote_interrupt_forget(struct remote_interrupt *interrupt)
{
    for (unsigned int place = 0; place < SHARERS; place++)
        if (interrupt->connections[place] >= 0)
            close(interrupt->connections[place]);
}

static sci_error_t disconnect(const void *handle, enum kind kind, unsigned int flags)
{
    if (flags != 0)
        return SCI_ERR_ILLEGAL_FLAG;
    struct remote_interrupt *interrupt = handle_find(handle, kind);
    if (interrupt == NULL)
        return SCI_ERR_ILLEGAL_PARAMETER;
    remote_interrupt_destroy(interrupt);
    return SCI_ERR_OK;
}

void SCIDisconnectInterrupt(sci_remote_interrupt_t interrupt, unsigned int flags, sci_error_t *error)
{
    report(error, LIBRARY_LOCKED(disconnect(interrupt, KIND_REMOTE_INTERRUPT, flags)));
}
SHIM_EXPORT(SCIDisconnectInterrupt);

void SCIDisconnectDataInterrupt(sci_remote_data_interrupt_t interrupt, unsigned int flags, sci_error_t *error)
{
    report(error, LIBRARY_LOCKED(disconnect(interrupt, KIND_REMOTE_DATA_INTERRUPT, flags)));
}
SHIM_EXPORT(SCIDisconnectDataInterrupt);

static sci_error_t send_to_queue(struct remote_interrupt *interrupt, const void *data, unsigned int length)
{
    sci_error_t status = queue_send(interrupt, data, length);
    return status == SCI_ERR_CONNECTION_REFUSED ? SCI_ERR_NOT_CONNECTED /* another user has the number by now */ : status;
}

/* A doorbell is copied and then triggered without the lock, so that several threads can trigger at the same time. */
static sci_error_t trigger(sci_remote_interrupt_t handle, unsigned int flags, struct doorbell *doorbell)
{
    static const char trigger = 1;
    if (flags != 0)
        return SCI_ERR_ILLEGAL_FLAG;
    struct remote_interrupt *interrupt = handle_find(handle, KIND_REMOTE_INTERRUPT);
    if (interrupt == NULL)
        return SCI_ERR_ILLEGAL_PARAMETER;
    if (interrupt->number.sort != SORT_DOORBELL)
        return send_to_queue(interrupt, &trigger, sizeof trigger);
    *doorbell = interrupt->doorbell;
    return SCI_ERR_OK;
}

void SCITriggerInterrupt(sci_remote_interrupt_t interrupt, unsigned int flags, sci_error_t *error)
{
    struct doorbell doorbell = { .length = 0 };
    sci_error_t status = LIBRARY_LOCKED(trigger(interrupt, flags, &doorbell));
    report(error, doorbell.length > 0 ? doorbell_ring(&doorbell) : status);
}
SHIM_EXPORT(SCITriggerInterrupt);

/*
 * Sends a data trigger. If there is no room for it, SCI_ERR_OVERFLOW asks the caller to try again for a while. With drop, or
 * if that would not help, the trigger is dropped: the owner is asleep or does not take triggers (DATA_PATIENCE_MS).
 */
static sci_error_t trigger_data(sci_remote_data_interrupt_t handle, const void *data, unsigned int length,
                                unsigned int flags, bool drop)
{
    if (flags != 0)
        return SCI_ERR_ILLEGAL_FLAG;
    struct remote_interrupt *interrupt = handle_find(handle, KIND_REMOTE_DATA_INTERRUPT);
    if (interrupt == NULL || data == NULL || length == 0)
        return SCI_ERR_ILLEGAL_PARAMETER;
    if (length > DATA_LIMIT)
        return SCI_ERR_OUT_OF_RANGE;
    sci_error_t status = send_to_queue(interrupt, data, length);
    if (status == SCI_ERR_OK)
        interrupt->stalled = false;
    if (status != SCI_ERR_OVERFLOW)
        return status;
    /* Of several interrupts those with room have got the trigger, and must not get it twice. A callback must not wait. */
    if (!drop && !interrupt->stalled && !interrupt->number.shared && !service_is_caller())
        return SCI_ERR_OVERFLOW;
    interrupt->stalled = true;
    interrupt->dropped++;
    return SCI_ERR_OK;
}

/* Repeats a trigger that has found no room, without the lock in between, until the owner takes one or the time is up. */
static sci_error_t insist(sci_remote_data_interrupt_t handle, const void *data, unsigned int length, unsigned int flags)
{
    const struct timespec pause = { .tv_nsec = 200000 };
    uint64_t deadline = clock_now() + DATA_PATIENCE_MS;
    sci_error_t status = SCI_ERR_OVERFLOW;
    while (status == SCI_ERR_OVERFLOW) {
        nanosleep(&pause, NULL);
        status = LIBRARY_LOCKED(trigger_data(handle, data, length, flags, clock_now() >= deadline));
    }
    return status;
}

void SCITriggerDataInterrupt(sci_remote_data_interrupt_t interrupt, void *data, unsigned int length, unsigned int flags,
                             sci_error_t *error)
{
    sci_error_t status = LIBRARY_LOCKED(trigger_data(interrupt, data, length, flags, false));
    report(error, status == SCI_ERR_OVERFLOW ? insist(interrupt, data, length, flags) : status);
}
SHIM_EXPORT(SCITriggerDataInterrupt);

SHIM_EXPORTED unsigned long SCIShimDroppedTriggers(sci_remote_data_interrupt_t handle)
{
    if (!library_enter())
        return 0;
    const struct remote_interrupt *interrupt = handle_find(handle, KIND_REMOTE_DATA_INTERRUPT);
    unsigned long dropped = interrupt != NULL ? interrupt->dropped : 0;
    library_leave(SCI_ERR_OK);
    return dropped;
}

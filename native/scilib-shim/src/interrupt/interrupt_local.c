#include "interrupt/interrupt_local.h"

#include <poll.h>
#include <stdlib.h>
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
#include "system/wire.h"

enum { TAKEN_AT_ONCE = 1 << 16 };

static int pollable(const struct local_interrupt *interrupt)
{
    return interrupt->epoll >= 0 ? interrupt->epoll : interrupt->socket;
}

static sci_error_t open_socket(struct number *number, bool fixed, int *fd)
{
    int made = socket(AF_UNIX, sort_socket_type(number->sort) | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (made < 0)
        return failed("socket", SCI_ERR_SYSTEM);
    wire_refuse_descriptors(made, true); /* any process can send here; accepted sockets inherit that */
    int on = 1;
    /* Credentials first: messages can come as soon as the name is bound. */
    sci_error_t status = number->sort == SORT_DOORBELL && setsockopt(made, SOL_SOCKET, SO_PASSCRED, &on, sizeof on) < 0
                             ? failed("setsockopt", SCI_ERR_SYSTEM)
                             : number_bind(number, fixed, made);
    if (status != SCI_ERR_OK)
        close(made);
    else
        *fd = made;
    return status;
}

static void release(struct local_interrupt *interrupt)
{
    if (interrupt->epoll >= 0)
        queue_close(interrupt);
    if (interrupt->socket >= 0)
        close(interrupt->socket);
    free(interrupt);
}

static enum sort sort_for(enum kind kind, unsigned int flags)
{
    return kind == KIND_LOCAL_DATA_INTERRUPT           ? SORT_DATA
           : (flags & SCI_FLAG_COUNTING_INT) != 0 ? SORT_COUNTING
           : (flags & SCI_FLAG_SHARED_INT) != 0   ? SORT_SHARED
                                                  : SORT_DOORBELL;
}

/* wish has the kind of object, and the callback with its argument. */
static sci_error_t create(sci_desc_t sd, const struct local_interrupt *wish, unsigned int adapter, unsigned int *value,
                          unsigned int flags, struct local_interrupt **made)
{
    enum kind kind = wish->object.kind;
    unsigned int known = SCI_FLAG_USE_CALLBACK | SCI_FLAG_FIXED_INTNO | SCI_FLAG_SHARED_INT |
                         (kind == KIND_LOCAL_INTERRUPT ? SCI_FLAG_COUNTING_INT : 0);
    if ((flags & ~known) != 0)
        return SCI_ERR_ILLEGAL_FLAG;
    struct descriptor *owner = handle_find(sd, KIND_DESCRIPTOR);
    bool use_callback = (flags & SCI_FLAG_USE_CALLBACK) != 0;
    if (owner == NULL || value == NULL || (use_callback && !wish->has_callback))
        return SCI_ERR_ILLEGAL_PARAMETER;
    sci_error_t status = check_adapter(adapter);
    if (status != SCI_ERR_OK)
        return status;

    struct local_interrupt *interrupt = calloc(1, sizeof *interrupt);
    if (interrupt == NULL)
        return failed("malloc", SCI_ERR_SYSTEM);
    *interrupt = *wish;
    if (!handle_add(&interrupt->object, kind)) {
        free(interrupt);
        return failed("malloc", SCI_ERR_SYSTEM);
    }
    interrupt->owner = owner;
    interrupt->socket = interrupt->epoll = -1;
    interrupt->has_callback = interrupt->watched = use_callback;
    interrupt->counting = (flags & SCI_FLAG_COUNTING_INT) != 0;
    struct number number = { .sort = sort_for(kind, flags), .shared = (flags & SCI_FLAG_SHARED_INT) != 0,
                             .node = library.node, .adapter = adapter, .value = *value };
    status = open_socket(&number, (flags & SCI_FLAG_FIXED_INTNO) != 0, &interrupt->socket);
    if (status == SCI_ERR_OK && number.sort == SORT_DOORBELL)
        interrupt->queue_length = doorbell_length();
    else if (status == SCI_ERR_OK)
        status = queue_open(interrupt);
    if (status == SCI_ERR_OK && use_callback)
        status = service_watch_once(pollable(interrupt), &interrupt->object);
    if (status != SCI_ERR_OK) {
        handle_drop(&interrupt->object);
        release(interrupt);
        return status;
    }
    owner->children++;
    *value = number.value;
    *made = interrupt;
    return SCI_ERR_OK;
}

/* create_plain and create_data write the handle with the lock held: the callback may run at once. */
static sci_error_t create_plain(sci_desc_t sd, sci_local_interrupt_t *handle, unsigned int adapter, unsigned int *number,
                                sci_cb_interrupt_t callback, void *arg, unsigned int flags)
{
    struct local_interrupt *made, wish = { .object.kind = KIND_LOCAL_INTERRUPT, .has_callback = callback != NULL,
                                           .callback.plain = callback, .callback_arg = arg };
    if (handle == NULL)
        return SCI_ERR_ILLEGAL_PARAMETER;
    sci_error_t status = create(sd, &wish, adapter, number, flags, &made);
    if (status == SCI_ERR_OK)
        *handle = handle_value(&made->object);
    return status;
}

static sci_error_t create_data(sci_desc_t sd, sci_local_data_interrupt_t *handle, unsigned int adapter,
                               unsigned int *number, sci_cb_data_interrupt_t callback, void *arg, unsigned int flags)
{
    struct local_interrupt *made, wish = { .object.kind = KIND_LOCAL_DATA_INTERRUPT, .has_callback = callback != NULL,
                                           .callback.data = callback, .callback_arg = arg };
    if (handle == NULL)
        return SCI_ERR_ILLEGAL_PARAMETER;
    sci_error_t status = create(sd, &wish, adapter, number, flags, &made);
    if (status == SCI_ERR_OK)
        *handle = handle_value(&made->object);
    return status;
}

void SCICreateInterrupt(sci_desc_t sd, sci_local_interrupt_t *interrupt, unsigned int localAdapterNo,
                        unsigned int *interruptNo, sci_cb_interrupt_t callback, void *callbackArg, unsigned int flags,
                        sci_error_t *error)
{
    report(error, LIBRARY_LOCKED(create_plain(sd, interrupt, localAdapterNo, interruptNo, callback, callbackArg, flags)));
}
SHIM_EXPORT(SCICreateInterrupt);

void SCICreateDataInterrupt(sci_desc_t sd, sci_local_data_interrupt_t *interrupt, unsigned int localAdapterNo,
                            unsigned int *interruptNo, sci_cb_data_interrupt_t callback, void *callbackArg,
                            unsigned int flags, sci_error_t *error)
{
    report(error, LIBRARY_LOCKED(create_data(sd, interrupt, localAdapterNo, interruptNo, callback, callbackArg, flags)));
}
SHIM_EXPORT(SCICreateDataInterrupt);

static void unwatch(struct local_interrupt *interrupt)
{
    if (interrupt->watched)
        service_unwatch(pollable(interrupt));
    interrupt->watched = interrupt->starved = false;
}

void local_interrupt_cancel(struct local_interrupt *interrupt)
{
    interrupt->removed = true;
    shutdown(interrupt->socket, SHUT_RDWR); /* wakes threads that poll the socket, or the epoll that watches it */
}

void local_interrupt_destroy(struct local_interrupt *interrupt)
{
    uint64_t handle = interrupt->object.handle;
    interrupt->object.kind = KIND_REMOVED_INTERRUPT; /* if the process forks meanwhile, the child still finds the descriptors */
    unwatch(interrupt);
    local_interrupt_cancel(interrupt);
    while (interrupt->users > 0)
        pthread_cond_wait(&library.settled, &library.lock);
    handle_drop(&interrupt->object);
    interrupt->owner->children--;
    release(interrupt);
    service_settle(handle);
}

void local_interrupt_forget(struct local_interrupt *interrupt)
{
    if (interrupt->epoll >= 0)
        queue_forget(interrupt);
    close(interrupt->socket);
}

static sci_error_t remove_interrupt(const void *handle, enum kind kind, unsigned int flags)
{
    if (flags != 0)
        return SCI_ERR_ILLEGAL_FLAG;
    struct local_interrupt *interrupt = handle_find(handle, kind);
    if (interrupt == NULL)
        return SCI_ERR_ILLEGAL_PARAMETER;
    local_interrupt_destroy(interrupt);
    return SCI_ERR_OK;
}

void SCIRemoveInterrupt(sci_local_interrupt_t interrupt, unsigned int flags, sci_error_t *error)
{
    report(error, LIBRARY_LOCKED(remove_interrupt(interrupt, KIND_LOCAL_INTERRUPT, flags)));
}
SHIM_EXPORT(SCIRemoveInterrupt);

void SCIRemoveDataInterrupt(sci_local_data_interrupt_t interrupt, unsigned int flags, sci_error_t *error)
{
    report(error, LIBRARY_LOCKED(remove_interrupt(interrupt, KIND_LOCAL_DATA_INTERRUPT, flags)));
}
SHIM_EXPORT(SCIRemoveDataInterrupt);

/* Finds an interrupt without a callback: threads of the program take its triggers. */
static sci_error_t find_readable(const void *handle, enum kind kind, struct local_interrupt **interrupt)
{
    *interrupt = handle_find(handle, kind);
    if (*interrupt == NULL)
        return SCI_ERR_ILLEGAL_PARAMETER;
    return (*interrupt)->has_callback ? SCI_ERR_ILLEGAL_OPERATION : SCI_ERR_OK;
}

/* Takes all pending triggers, but of a queue not more than TAKEN_AT_ONCE. */
static sci_error_t take_all(struct local_interrupt *interrupt)
{
    if (interrupt->epoll < 0)
        return doorbell_take(interrupt);
    sci_error_t status = queue_take(interrupt, NULL, NULL);
    for (int i = 1; status == SCI_ERR_OK && i < TAKEN_AT_ONCE; i++)
        if (queue_take(interrupt, NULL, NULL) != SCI_ERR_OK)
            break;
    return status;
}

/* Takes what one wait or callback takes; SCI_ERR_TIMEOUT when no trigger is pending. */
static sci_error_t take(struct local_interrupt *interrupt, void *data, unsigned int *length)
{
    if (interrupt->object.kind == KIND_LOCAL_DATA_INTERRUPT)
        return queue_take(interrupt, data, length);
    return interrupt->counting ? queue_take(interrupt, NULL, NULL) : take_all(interrupt);
}

/* Called by a thread that is counted in interrupt->users. */
static void leave(struct local_interrupt *interrupt)
{
    interrupt->users--;
    if (interrupt->removed)
        pthread_cond_broadcast(&library.settled);
}

static sci_error_t wait_to_take(const void *handle, enum kind kind, void *data, unsigned int *length,
                                unsigned int timeout, unsigned int flags)
{
    if (flags != 0)
        return SCI_ERR_ILLEGAL_FLAG;
    if (kind == KIND_LOCAL_DATA_INTERRUPT && (length == NULL || (data == NULL && *length > 0)))
        return SCI_ERR_ILLEGAL_PARAMETER;
    struct local_interrupt *interrupt;
    sci_error_t status = find_readable(handle, kind, &interrupt);
    if (status != SCI_ERR_OK)
        return status;
    struct pollfd state = { .fd = pollable(interrupt), .events = POLLIN };
    uint64_t deadline = clock_deadline(timeout);
    bool late = false;
    interrupt->users++; /* the removal waits for this thread */
    while ((status = interrupt->removed ? SCI_ERR_CANCELLED : take(interrupt, data, length)) == SCI_ERR_TIMEOUT && !late) {
        pthread_mutex_unlock(&library.lock);
        late = poll(&state, 1, clock_poll_time(deadline)) == 0 && clock_poll_time(deadline) == 0;
        pthread_mutex_lock(&library.lock);
    }
    leave(interrupt);
    return status;
}

void SCIWaitForInterrupt(sci_local_interrupt_t interrupt, unsigned int timeout, unsigned int flags,
                         sci_error_t *error)
{
    report(error, LIBRARY_LOCKED(wait_to_take(interrupt, KIND_LOCAL_INTERRUPT, NULL, NULL, timeout, flags)));
}
SHIM_EXPORT(SCIWaitForInterrupt);

void SCIWaitForDataInterrupt(sci_local_data_interrupt_t interrupt, void *data, unsigned int *length,
                             unsigned int timeout, unsigned int flags, sci_error_t *error)
{
    report(error, LIBRARY_LOCKED(wait_to_take(interrupt, KIND_LOCAL_DATA_INTERRUPT, data, length, timeout, flags)));
}
SHIM_EXPORT(SCIWaitForDataInterrupt);

SHIM_EXPORTED int SCIShimInterruptDescriptor(sci_local_interrupt_t handle)
{
    if (!library_enter())
        return -1;
    struct local_interrupt *interrupt;
    sci_error_t status = find_readable(handle, KIND_LOCAL_INTERRUPT, &interrupt);
    int fd = status == SCI_ERR_OK ? pollable(interrupt) : -1;
    library_leave(SCI_ERR_OK);
    return fd;
}

SHIM_EXPORTED void SCIShimAcknowledgeInterrupt(sci_local_interrupt_t handle)
{
    if (!library_enter())
        return;
    struct local_interrupt *interrupt;
    if (find_readable(handle, KIND_LOCAL_INTERRUPT, &interrupt) == SCI_ERR_OK) {
        if (interrupt->epoll >= 0) {
            take_all(interrupt);
        } else { /* without the lock, so that several threads can acknowledge at the same time */
            interrupt->users++;
            library_leave(SCI_ERR_OK);
            doorbell_drain(interrupt);
            pthread_mutex_lock(&library.lock);
            leave(interrupt);
        }
    }
    library_leave(SCI_ERR_OK);
}

/* Runs the callback. Returns the interrupt, NULL if it was removed meanwhile. */
static struct local_interrupt *call_back(struct local_interrupt *interrupt, void *data, unsigned int length)
{
    bool with_data = interrupt->object.kind == KIND_LOCAL_DATA_INTERRUPT;
    sci_cb_interrupt_t plain = with_data ? NULL : interrupt->callback.plain;
    sci_cb_data_interrupt_t receive = with_data ? interrupt->callback.data : NULL;
    void *arg = interrupt->callback_arg, *handle = handle_value(&interrupt->object);
    service_enter_callback(interrupt->object.handle);
    sci_callback_action_t action = with_data ? receive(arg, handle, data, length, SCI_ERR_OK)
                                             : plain(arg, handle, SCI_ERR_OK);
    interrupt = service_leave_callback();
    if (interrupt != NULL && action == SCI_CALLBACK_CANCEL)
        unwatch(interrupt);
    return interrupt;
}

void local_interrupt_event(struct local_interrupt *interrupt)
{
    char data[DATA_LIMIT];
    unsigned int length = sizeof data;
    sci_error_t status = take(interrupt, data, &length);
    interrupt->starved = status == SCI_ERR_SYSTEM;
    if (interrupt->starved)
        service_retry_later();
    else if (status == SCI_ERR_OK)
        interrupt = call_back(interrupt, data, length);
    if (interrupt != NULL && interrupt->watched && !interrupt->starved)
        service_rearm(pollable(interrupt), &interrupt->object);
}

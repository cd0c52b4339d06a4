/* Initialising and ending the library, virtual devices. */
#include "library.h"

#include <errno.h>
#include <stdlib.h>

#include "discard.h"
#include "exports.h"
#include "interrupt.h"
#include "service.h"

struct library library = {
    .lock = PTHREAD_MUTEX_INITIALIZER,
    .settled = PTHREAD_COND_INITIALIZER,
};

static unsigned int initialized; /* calls of SCIInitialize minus calls of SCITerminate */
static bool terminating;

bool library_enter(void)
{
    pthread_mutex_lock(&library.lock);
    if (initialized > 0)
        return true;
    pthread_mutex_unlock(&library.lock);
    return false;
}

sci_error_t library_leave(sci_error_t status)
{
    pthread_mutex_unlock(&library.lock);
    return status;
}

static sci_error_t initialize(unsigned int flags)
{
    if (flags != 0)
        return SCI_ERR_ILLEGAL_FLAG;
    if (!forks_noticed())
        return failed("pthread_atfork", SCI_ERR_SYSTEM);
    sci_error_t status = initialized == 0 ? node_join() : SCI_ERR_OK;
    if (status == SCI_ERR_OK)
        initialized++;
    return status;
}

void SCIInitialize(unsigned int flags, sci_error_t *error)
{
    pthread_mutex_lock(&library.lock);
    while (terminating && !service_is_caller())
        pthread_cond_wait(&library.settled, &library.lock);
    /* SCITerminate waits for a callback, so a callback can't wait for SCITerminate. */
    report(error, library_leave(terminating ? SCI_ERR_ILLEGAL_OPERATION : initialize(flags)));
}
SHIM_EXPORT(SCIInitialize);

static void free_object(void *object)
{
    handle_drop(object);
    free(object);
}

static void cancel_waits(void *interrupt)
{
    local_interrupt_cancel(interrupt);
}

static void destroy_everything(void)
{
    void *object;
    /* The memory stays mapped: another thread may be reading it. */
    handle_each(KIND_SEQUENCE, free_object);
    handle_each(KIND_MAP, free_object);
    while ((object = handle_any(KIND_REMOTE_SEGMENT)) != NULL)
        remote_segment_destroy(object);
    while ((object = handle_any(KIND_LOCAL_SEGMENT)) != NULL)
        local_segment_destroy(object);
    while ((object = handle_any(KIND_REMOTE_INTERRUPT)) != NULL ||
           (object = handle_any(KIND_REMOTE_DATA_INTERRUPT)) != NULL)
        remote_interrupt_destroy(object);
    while ((object = handle_any(KIND_LOCAL_INTERRUPT)) != NULL ||
           (object = handle_any(KIND_LOCAL_DATA_INTERRUPT)) != NULL)
        local_interrupt_destroy(object);
    handle_each(KIND_DESCRIPTOR, free_object);
    doorbell_socket_close();
    number_finder_close();
    node_leave();
}

void SCITerminate(void)
{
    if (!library_enter())
        return;
    if (!service_is_caller() && --initialized == 0) {
        terminating = true;
        handle_each(KIND_LOCAL_INTERRUPT, cancel_waits); /* a callback may wait for one, too */
        handle_each(KIND_LOCAL_DATA_INTERRUPT, cancel_waits);
        service_stop();
        destroy_everything();
        discard_retry();
        terminating = false;
        pthread_cond_broadcast(&library.settled);
    }
    library_leave(SCI_ERR_OK);
}
SHIM_EXPORT(SCITerminate);

void library_forget(void)
{
    initialized = 0;
    terminating = false;
    library.settled = (pthread_cond_t)PTHREAD_COND_INITIALIZER; /* the threads that wait do not exist in the child */
}

static sci_error_t open_descriptor(sci_desc_t *sd, unsigned int flags)
{
    if (flags != 0)
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
    free_object(descriptor);
    return SCI_ERR_OK;
}

void SCIClose(sci_desc_t sd, unsigned int flags, sci_error_t *error)
{
    report(error, LIBRARY_LOCKED(close_descriptor(sd, flags)));
}
SHIM_EXPORT(SCIClose);

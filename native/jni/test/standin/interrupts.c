/* Interrupts. */
#include "standin.h"

#include <unistd.h>

static struct shared_interrupt *shared(struct handle *it)
{
    return &standin_registry->interrupts[it->index];
}

void SCICreateInterrupt(sci_desc_t sd, sci_local_interrupt_t *interrupt, unsigned int adapter, unsigned int *number,
                        sci_cb_interrupt_t callback, void *argument, unsigned int flags, sci_error_t *error)
{
    if (!ENTER(SCICreateInterrupt, error, flags, SCI_FLAG_USE_CALLBACK) ||
        standin_check("SCICreateInterrupt", sd, DEVICE, error) == NULL)
        return;
    if (adapter != 0 || (flags != 0) != (callback != NULL))
        standin_violation("SCICreateInterrupt", "adapter, or a callback without its flag");
    sci_error_t result = SCI_ERR_HW_NOSPC;
    struct handle *it = standin_handle(LOCAL_INTERRUPT);
    standin_lock();
    for (unsigned i = 0; i < INTERRUPTS && result != SCI_ERR_OK; i++) {
        struct shared_interrupt *entry = &standin_registry->interrupts[i];
        if (entry->process == 0) {
            *entry = (struct shared_interrupt){.number = ++standin_registry->serial};
            entry->process = getpid();
            it->index = i;
            it->serial = entry->number;
            it->argument = argument;
            it->callback = (void *)callback;
            result = SCI_ERR_OK;
        }
    }
    it->ended = result != SCI_ERR_OK;
    standin_unlock();
    if (result == SCI_ERR_OK) {
        *interrupt = (sci_local_interrupt_t)it;
        *number = it->serial;
    }
    standin_finish("SCICreateInterrupt", error, result);
}
BOTH_NAMES(SCICreateInterrupt);

void SCIRemoveInterrupt(sci_local_interrupt_t interrupt, unsigned int flags, sci_error_t *error)
{
    struct handle *it;
    if (!ENTER(SCIRemoveInterrupt, error, flags, 0) ||
        (it = standin_check("SCIRemoveInterrupt", interrupt, LOCAL_INTERRUPT, error)) == NULL)
        return;
    pthread_mutex_lock(&standin_callbacks);
    standin_lock();
    it->ended = it->late = true;
    shared(it)->process = 0;
    standin_ring(getpid());
    standin_unlock();
    pthread_mutex_unlock(&standin_callbacks);
    standin_finish("SCIRemoveInterrupt", error, SCI_ERR_OK);
}
BOTH_NAMES(SCIRemoveInterrupt);

/* The registry's entry of an interrupt number, or NULL. The caller holds the lock. */
static struct shared_interrupt *find(unsigned number)
{
    for (unsigned i = 0; i < INTERRUPTS; i++) {
        struct shared_interrupt *it = &standin_registry->interrupts[i];
        if (it->process != 0 && it->number == number)
            return it;
    }
    return NULL;
}

void SCIConnectInterrupt(sci_desc_t sd, sci_remote_interrupt_t *interrupt, unsigned int node, unsigned int adapter,
                         unsigned int number, unsigned int timeout, unsigned int flags, sci_error_t *error)
{
    if (!ENTER(SCIConnectInterrupt, error, flags, 0) ||
        standin_check("SCIConnectInterrupt", sd, DEVICE, error) == NULL)
        return;
    if (adapter != 0 || timeout == 0)
        standin_violation("SCIConnectInterrupt", "adapter, or no time-out");
    bool answers = standin_answers(timeout);
    standin_lock();
    bool found = node == NODE && find(number) != NULL;
    bool ours = found && find(number)->process == getpid();
    standin_unlock();
    if (ours)
        standin_violation("SCIConnectInterrupt", "to one's own: not every card can");
    sci_error_t result = !answers ? SCI_ERR_TIMEOUT : found ? SCI_ERR_OK : SCI_ERR_NO_SUCH_INTNO;
    if (result == SCI_ERR_OK) {
        struct handle *it = standin_handle(REMOTE_INTERRUPT);
        it->serial = number;
        *interrupt = (sci_remote_interrupt_t)it;
    }
    standin_finish("SCIConnectInterrupt", error, result);
}
BOTH_NAMES(SCIConnectInterrupt);

void SCIDisconnectInterrupt(sci_remote_interrupt_t interrupt, unsigned int flags, sci_error_t *error)
{
    struct handle *it;
    if (!ENTER(SCIDisconnectInterrupt, error, flags, 0) ||
        (it = standin_check("SCIDisconnectInterrupt", interrupt, REMOTE_INTERRUPT, error)) == NULL)
        return;
    it->ended = true;
    standin_finish("SCIDisconnectInterrupt", error, SCI_ERR_OK);
}
BOTH_NAMES(SCIDisconnectInterrupt);

/* Called too often to be recorded. */
void SCITriggerInterrupt(sci_remote_interrupt_t interrupt, unsigned int flags, sci_error_t *error)
{
    struct handle *it;
    if (!ENTER(SCITriggerInterrupt, error, flags, 0) ||
        (it = standin_check("SCITriggerInterrupt", interrupt, REMOTE_INTERRUPT, error)) == NULL)
        return;
    standin_lock();
    struct shared_interrupt *entry = find(it->serial);
    if (entry != NULL) {
        entry->pending++;
        standin_ring(entry->process);
    }
    standin_unlock();
    *error = entry != NULL ? SCI_ERR_OK : SCI_ERR_NOT_CONNECTED;
}
BOTH_NAMES(SCITriggerInterrupt);

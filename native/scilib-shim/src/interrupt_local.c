/*
 * Interrupts of this process: datagram sockets with a name. A trigger is a datagram of one byte that says nothing; what
 * counts is whether there is one, and by the kernel's word whose it is.
 */
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <unistd.h>

#include "exports.h"
#include "library.h"
#include "peers.h"
#include "service.h"
#include "sisci_shim.h"
#include "wire.h"

enum { NUMBER_ATTEMPTS = 100, LOWEST_RANDOM_NUMBER = 0x10000, HIGHEST_RANDOM_NUMBER = 0x7fffffff };

enum message { MESSAGE_NONE, MESSAGE_TRIGGER, MESSAGE_FOREIGN };

static enum message take_message(int socket)
{
    union {
        char bytes[CMSG_SPACE(sizeof(struct ucred))]; /* no room for descriptors: the kernel drops them */
        struct cmsghdr aligned;
    } control;
    char byte;
    struct iovec part = { .iov_base = &byte, .iov_len = sizeof byte };
    struct msghdr message = { .msg_iov = &part, .msg_iovlen = 1, .msg_control = control.bytes,
                              .msg_controllen = sizeof control.bytes };
    ssize_t got = recvmsg(socket, &message, MSG_DONTWAIT | MSG_CMSG_CLOEXEC);
    if (got < 0)
        return MESSAGE_NONE;
    struct cmsghdr *header = CMSG_FIRSTHDR(&message);
    if (header == NULL || header->cmsg_level != SOL_SOCKET || header->cmsg_type != SCM_CREDENTIALS)
        return got == 0 ? MESSAGE_NONE /* shut down */ : MESSAGE_FOREIGN;
    struct ucred sender;
    memcpy(&sender, CMSG_DATA(header), sizeof sender);
    return peer_user_allowed(sender.uid) ? MESSAGE_TRIGGER : MESSAGE_FOREIGN;
}

/* How many datagrams the kernel lets wait at a socket made now: it admits one beyond the limit. */
static unsigned int queue_length(void)
{
    unsigned int limit = 10; /* the kernel's default, where /proc isn't mounted */
    FILE *file = fopen("/proc/sys/net/unix/max_dgram_qlen", "re");
    if (file != NULL) {
        if (fscanf(file, "%u", &limit) != 1)
            limit = 10;
        fclose(file);
    }
    return limit + 1;
}

/*
 * Takes one trigger, or all that are pending, and tells whether there was any; looks at no more messages than can have
 * been there when it was called.
 *
 * Messages of strangers are skipped, but they fill the queue, and a sender who finds it full rightly believes that we
 * have something to wake up for. So a queue's worth of them in a row passes for one trigger: strangers can cause
 * a spurious wake-up that way but never make us miss a real one.
 */
static bool take_triggers(struct local_interrupt *interrupt, bool all)
{
    bool found = false;
    for (unsigned int i = 0; i < interrupt->queue_length; i++) {
        switch (take_message(interrupt->socket)) {
        case MESSAGE_NONE:
            interrupt->foreign = 0;
            return found;
        case MESSAGE_FOREIGN:
            if (++interrupt->foreign < interrupt->queue_length)
                continue;
            interrupt->foreign = 0;
            break;
        case MESSAGE_TRIGGER:
            break;
        }
        found = true;
        if (!all)
            return true;
    }
    return found;
}

static sci_error_t bind_number(int fd, unsigned int adapter, unsigned int number)
{
    struct sockaddr_un address;
    socklen_t length = wire_interrupt_name(&address, library.node, adapter, number);
    if (bind(fd, (struct sockaddr *)&address, length) == 0)
        return SCI_ERR_OK;
    return errno == EADDRINUSE ? SCI_ERR_INTNO_USED : SCI_ERR_SYSTEM;
}

/* Random rather than counted: processes need not know of each other, and a number isn't soon somebody else's. */
static sci_error_t bind_any_number(int fd, unsigned int adapter, unsigned int *number)
{
    sci_error_t status = SCI_ERR_INTNO_USED;
    for (int i = 0; i < NUMBER_ATTEMPTS && status == SCI_ERR_INTNO_USED; i++) {
        unsigned int random;
        if (getrandom(&random, sizeof random, 0) != (ssize_t)sizeof random)
            return SCI_ERR_SYSTEM;
        *number = LOWEST_RANDOM_NUMBER + random % (HIGHEST_RANDOM_NUMBER - LOWEST_RANDOM_NUMBER + 1);
        status = bind_number(fd, adapter, *number);
    }
    return status;
}

static sci_error_t open_socket(unsigned int adapter, unsigned int *number, bool fixed, int *fd)
{
    int made = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (made < 0)
        return SCI_ERR_SYSTEM;
    int on = 1;
    unsigned int bound = *number;
    /* Credentials first: with the name come messages. */
    sci_error_t status = setsockopt(made, SOL_SOCKET, SO_PASSCRED, &on, sizeof on) < 0 ? SCI_ERR_SYSTEM
                         : fixed ? bind_number(made, adapter, bound)
                                 : bind_any_number(made, adapter, &bound);
    if (status != SCI_ERR_OK) {
        close(made);
        return status;
    }
    *number = bound;
    *fd = made;
    return SCI_ERR_OK;
}

static sci_error_t create(sci_desc_t sd, sci_local_interrupt_t *handle, unsigned int adapter, unsigned int *number,
                          sci_cb_interrupt_t callback, void *callback_arg, unsigned int flags)
{
    if ((flags & SCI_FLAG_SHARED_INT) != 0)
        return SCI_ERR_FLAG_NOT_IMPLEMENTED;
    if ((flags & ~(SCI_FLAG_USE_CALLBACK | SCI_FLAG_FIXED_INTNO | SCI_FLAG_COUNTING_INT)) != 0)
        return SCI_ERR_ILLEGAL_FLAG;
    struct descriptor *owner = handle_find(sd, KIND_DESCRIPTOR);
    bool use_callback = (flags & SCI_FLAG_USE_CALLBACK) != 0;
    if (owner == NULL || handle == NULL || number == NULL || (use_callback && callback == NULL))
        return SCI_ERR_ILLEGAL_PARAMETER;
    sci_error_t status = check_adapter(adapter);
    if (status != SCI_ERR_OK)
        return status;

    struct local_interrupt *interrupt = calloc(1, sizeof *interrupt);
    if (interrupt == NULL || !handle_add(&interrupt->object, KIND_LOCAL_INTERRUPT)) {
        free(interrupt);
        return SCI_ERR_SYSTEM;
    }
    interrupt->owner = owner;
    interrupt->counting = (flags & SCI_FLAG_COUNTING_INT) != 0;
    interrupt->has_callback = use_callback;
    interrupt->queue_length = queue_length();
    interrupt->callback = use_callback ? callback : NULL;
    interrupt->callback_arg = callback_arg;
    unsigned int bound = *number;
    status = open_socket(adapter, &bound, (flags & SCI_FLAG_FIXED_INTNO) != 0, &interrupt->socket);
    if (status == SCI_ERR_OK && use_callback && !service_watch(interrupt->socket, &interrupt->object)) {
        close(interrupt->socket);
        status = SCI_ERR_SYSTEM;
    }
    if (status != SCI_ERR_OK) {
        handle_drop(&interrupt->object);
        free(interrupt);
        return status;
    }
    interrupt->watched = use_callback;
    owner->children++;
    *number = bound;
    *handle = handle_value(&interrupt->object);
    return SCI_ERR_OK;
}

void SCICreateInterrupt(sci_desc_t sd, sci_local_interrupt_t *interrupt, unsigned int localAdapterNo,
                        unsigned int *interruptNo, sci_cb_interrupt_t callback, void *callbackArg, unsigned int flags,
                        sci_error_t *error)
{
    report(error, LIBRARY_LOCKED(create(sd, interrupt, localAdapterNo, interruptNo, callback, callbackArg, flags)));
}
SHIM_EXPORT(SCICreateInterrupt);

static void unwatch(struct local_interrupt *interrupt)
{
    if (interrupt->watched)
        service_unwatch(interrupt->socket);
    interrupt->watched = false;
}

void local_interrupt_destroy(struct local_interrupt *interrupt)
{
    uint64_t handle = interrupt->object.handle;
    handle_drop(&interrupt->object);
    unwatch(interrupt);
    interrupt->removed = true;
    shutdown(interrupt->socket, SHUT_RDWR); /* wakes those who poll it */
    while (interrupt->users > 0)
        pthread_cond_wait(&library.settled, &library.lock);
    close(interrupt->socket);
    interrupt->owner->children--;
    free(interrupt);
    service_settle(handle);
}

static sci_error_t remove_interrupt(sci_local_interrupt_t handle, unsigned int flags)
{
    if (flags != 0)
        return SCI_ERR_ILLEGAL_FLAG;
    struct local_interrupt *interrupt = handle_find(handle, KIND_LOCAL_INTERRUPT);
    if (interrupt == NULL)
        return SCI_ERR_ILLEGAL_PARAMETER;
    local_interrupt_destroy(interrupt);
    return SCI_ERR_OK;
}

void SCIRemoveInterrupt(sci_local_interrupt_t interrupt, unsigned int flags, sci_error_t *error)
{
    report(error, LIBRARY_LOCKED(remove_interrupt(interrupt, flags)));
}
SHIM_EXPORT(SCIRemoveInterrupt);

/* Gets an interrupt for use without the lock: its removal waits for stop_using. */
static sci_error_t start_using(sci_local_interrupt_t handle, unsigned int flags, struct local_interrupt **interrupt)
{
    if (flags != 0)
        return SCI_ERR_ILLEGAL_FLAG;
    *interrupt = handle_find(handle, KIND_LOCAL_INTERRUPT);
    if (*interrupt == NULL)
        return SCI_ERR_ILLEGAL_PARAMETER;
    if ((*interrupt)->has_callback)
        return SCI_ERR_ILLEGAL_OPERATION;
    (*interrupt)->users++;
    return SCI_ERR_OK;
}

static void stop_using(struct local_interrupt *interrupt)
{
    pthread_mutex_lock(&library.lock); /* not library_enter: SCITerminate may be what we leave for */
    interrupt->users--;
    if (interrupt->removed)
        pthread_cond_broadcast(&library.settled);
    pthread_mutex_unlock(&library.lock);
}

static sci_error_t wait_for_trigger(struct local_interrupt *interrupt, uint64_t deadline)
{
    for (;;) {
        if (interrupt->removed)
            return SCI_ERR_CANCELLED;
        if (take_triggers(interrupt, !interrupt->counting))
            return SCI_ERR_OK;
        struct pollfd state = { .fd = interrupt->socket, .events = POLLIN };
        if (poll(&state, 1, clock_poll_time(deadline)) == 0 && clock_poll_time(deadline) == 0)
            return SCI_ERR_TIMEOUT;
    }
}

void SCIWaitForInterrupt(sci_local_interrupt_t interrupt, unsigned int timeout, unsigned int flags,
                         sci_error_t *error)
{
    struct local_interrupt *used = NULL;
    sci_error_t status = LIBRARY_LOCKED(start_using(interrupt, flags, &used));
    if (status == SCI_ERR_OK) {
        status = wait_for_trigger(used, clock_deadline(timeout));
        stop_using(used);
    }
    report(error, status);
}
SHIM_EXPORT(SCIWaitForInterrupt);

SHIM_EXPORTED int SCIShimInterruptDescriptor(sci_local_interrupt_t interrupt)
{
    if (!library_enter())
        return -1;
    const struct local_interrupt *found = handle_find(interrupt, KIND_LOCAL_INTERRUPT);
    int fd = found != NULL && !found->has_callback ? found->socket : -1;
    library_leave(SCI_ERR_OK);
    return fd;
}

SHIM_EXPORTED void SCIShimAcknowledgeInterrupt(sci_local_interrupt_t interrupt)
{
    struct local_interrupt *used = NULL;
    if (LIBRARY_LOCKED(start_using(interrupt, 0, &used)) != SCI_ERR_OK)
        return;
    take_triggers(used, true);
    stop_using(used);
}

/* The library's thread found messages. Takes one trigger at a time for a counting one: epoll reports the rest again. */
void local_interrupt_event(struct local_interrupt *interrupt)
{
    if (!take_triggers(interrupt, !interrupt->counting))
        return;
    sci_cb_interrupt_t callback = interrupt->callback;
    void *arg = interrupt->callback_arg;
    sci_local_interrupt_t handle = handle_value(&interrupt->object);
    service_enter_callback(interrupt->object.handle);
    sci_callback_action_t action = callback(arg, handle, SCI_ERR_OK);
    interrupt = service_leave_callback();
    if (interrupt != NULL && action == SCI_CALLBACK_CANCEL)
        unwatch(interrupt);
}

/*
 * Interrupts of other processes, or our own: an address each, and one socket for all, from which triggers are sent.
 */
#include <errno.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

#include "exports.h"
#include "library.h"
#include "wire.h"

static atomic_int trigger_socket = -1; /* made by the first trigger */

static int open_trigger_socket(void)
{
    return socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
}

static int shared_trigger_socket(void)
{
    int fd = atomic_load(&trigger_socket);
    if (fd >= 0)
        return fd;
    int made = open_trigger_socket();
    if (made >= 0 && !atomic_compare_exchange_strong(&trigger_socket, &fd, made)) {
        close(made); /* another thread was faster, fd is its socket */
        return fd;
    }
    return made;
}

void trigger_socket_close(void)
{
    int fd = atomic_exchange(&trigger_socket, -1);
    if (fd >= 0)
        close(fd);
}

/* Whether somebody has bound the name. Who, doesn't matter: a trigger carries nothing worth keeping from anybody. */
static sci_error_t find_name(const struct sockaddr_un *address, socklen_t length)
{
    int fd = open_trigger_socket();
    if (fd < 0)
        return SCI_ERR_SYSTEM;
    sci_error_t status = SCI_ERR_OK;
    if (connect(fd, (const struct sockaddr *)address, length) < 0)
        status = errno == ECONNREFUSED || errno == EPROTOTYPE ? SCI_ERR_NO_SUCH_INTNO : SCI_ERR_SYSTEM;
    close(fd);
    return status;
}

static sci_error_t connect_interrupt(sci_desc_t sd, sci_remote_interrupt_t *handle, unsigned int node,
                                     unsigned int adapter, unsigned int number, unsigned int flags)
{
    if (flags != 0)
        return SCI_ERR_ILLEGAL_FLAG;
    struct descriptor *owner = handle_find(sd, KIND_DESCRIPTOR);
    if (owner == NULL || handle == NULL)
        return SCI_ERR_ILLEGAL_PARAMETER;
    sci_error_t status = check_adapter(adapter);
    if (status == SCI_ERR_OK)
        status = check_node(node);
    if (status != SCI_ERR_OK)
        return status;

    struct sockaddr_un address;
    socklen_t length = wire_interrupt_name(&address, node, adapter, number);
    status = find_name(&address, length);
    if (status != SCI_ERR_OK)
        return status;
    struct remote_interrupt *interrupt = calloc(1, sizeof *interrupt);
    if (interrupt == NULL || !handle_add(&interrupt->object, KIND_REMOTE_INTERRUPT)) {
        free(interrupt);
        return SCI_ERR_SYSTEM;
    }
    interrupt->owner = owner;
    interrupt->address = address;
    interrupt->address_length = length;
    owner->children++;
    *handle = handle_value(&interrupt->object);
    return SCI_ERR_OK;
}

void SCIConnectInterrupt(sci_desc_t sd, sci_remote_interrupt_t *interrupt, unsigned int nodeId,
                         unsigned int localAdapterNo, unsigned int interruptNo, unsigned int timeout,
                         unsigned int flags, sci_error_t *error)
{
    (void)timeout; /* the kernel knows at once */
    report(error, LIBRARY_LOCKED(connect_interrupt(sd, interrupt, nodeId, localAdapterNo, interruptNo, flags)));
}
SHIM_EXPORT(SCIConnectInterrupt);

void remote_interrupt_destroy(struct remote_interrupt *interrupt)
{
    handle_drop(&interrupt->object);
    interrupt->owner->children--;
    free(interrupt);
}

static sci_error_t disconnect_interrupt(sci_remote_interrupt_t handle, unsigned int flags)
{
    if (flags != 0)
        return SCI_ERR_ILLEGAL_FLAG;
    struct remote_interrupt *interrupt = handle_find(handle, KIND_REMOTE_INTERRUPT);
    if (interrupt == NULL)
        return SCI_ERR_ILLEGAL_PARAMETER;
    remote_interrupt_destroy(interrupt);
    return SCI_ERR_OK;
}

void SCIDisconnectInterrupt(sci_remote_interrupt_t interrupt, unsigned int flags, sci_error_t *error)
{
    report(error, LIBRARY_LOCKED(disconnect_interrupt(interrupt, flags)));
}
SHIM_EXPORT(SCIDisconnectInterrupt);

static bool send_trigger(int fd, const struct remote_interrupt *target)
{
    static const char trigger = 1;
    return sendto(fd, &trigger, sizeof trigger, MSG_DONTWAIT | MSG_NOSIGNAL,
                  (const struct sockaddr *)&target->address, target->address_length) >= 0;
}

static sci_error_t trigger(const struct remote_interrupt *target)
{
    int fd = shared_trigger_socket();
    if (fd < 0)
        return SCI_ERR_SYSTEM;
    bool sent = send_trigger(fd, target);
    if (!sent && errno == EAGAIN) {
        /*
         * Either the receiver's queue is full, then a trigger is pending and this one adds nothing. Or our socket's
         * buffer is, with triggers that other receivers have not read, then this one would be lost. A new socket's
         * buffer is empty.
         */
        int fresh = open_trigger_socket();
        if (fresh < 0)
            return SCI_ERR_SYSTEM;
        sent = send_trigger(fresh, target) || errno == EAGAIN;
        int reason = errno;
        close(fresh);
        errno = reason;
    }
    if (sent)
        return SCI_ERR_OK;
    switch (errno) {
    case ECONNREFUSED: /* no such name */
    case ECONNRESET:
    case EPIPE: /* being removed right now */
    case EPROTOTYPE: /* the name belongs to something else now */
        return SCI_ERR_NOT_CONNECTED;
    default:
        return SCI_ERR_SYSTEM;
    }
}

static sci_error_t find_target(sci_remote_interrupt_t handle, unsigned int flags, struct remote_interrupt *target)
{
    if (flags != 0)
        return SCI_ERR_ILLEGAL_FLAG;
    const struct remote_interrupt *interrupt = handle_find(handle, KIND_REMOTE_INTERRUPT);
    if (interrupt == NULL)
        return SCI_ERR_ILLEGAL_PARAMETER;
    *target = *interrupt;
    return SCI_ERR_OK;
}

void SCITriggerInterrupt(sci_remote_interrupt_t interrupt, unsigned int flags, sci_error_t *error)
{
    struct remote_interrupt target; /* a copy, so that threads send side by side */
    sci_error_t status = LIBRARY_LOCKED(find_target(interrupt, flags, &target));
    report(error, status == SCI_ERR_OK ? trigger(&target) : status);
}
SHIM_EXPORT(SCITriggerInterrupt);

#include "interrupt/interrupt_doorbell.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/library.h"
#include "interrupt/interrupt.h"
#include "system/clock.h"
#include "system/peers.h"

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

unsigned int doorbell_length(void)
{
    /* Reading the file takes as long as all the rest of making an interrupt, so it is read at most once a second. */
    static unsigned int limit;
    static uint64_t stale_at;
    if (clock_now() < stale_at)
        return limit + 1;
    stale_at = clock_now() + 1000;
    limit = 10; /* the kernel's default, where /proc isn't mounted */
    FILE *file = fopen("/proc/sys/net/unix/max_dgram_qlen", "re");
    if (file != NULL) {
        if (fscanf(file, "%u", &limit) != 1)
            limit = 10;
        fclose(file);
    }
    return limit + 1; /* the kernel admits one beyond it */
}

/*
 * Looks at no more messages than can have been there when it was called.
 *
 * Messages of users that aren't allowed are skipped. But they fill the queue, and a sender that finds the queue full
 * assumes that a trigger is pending. So when as many of them as fit the queue come in a row, they count as one trigger. In
 * this way such users can cause a spurious wake-up, but they can't make the owner miss a trigger.
 */
sci_error_t doorbell_take(struct local_interrupt *interrupt)
{
    sci_error_t status = SCI_ERR_TIMEOUT;
    for (unsigned int i = 0; i < interrupt->queue_length; i++) {
        switch (take_message(interrupt->socket)) {
        case MESSAGE_NONE:
            interrupt->foreign = 0;
            return status;
        case MESSAGE_FOREIGN:
            if (++interrupt->foreign < interrupt->queue_length)
                continue;
            interrupt->foreign = 0;
            break;
        case MESSAGE_TRIGGER:
            break;
        }
        status = SCI_ERR_OK;
    }
    return status;
}

/* One system call if few messages wait. Looks at no more than can have been there when it was called, plus a batch. */
void doorbell_drain(const struct local_interrupt *interrupt)
{
    enum { BATCH = 8 };
    struct mmsghdr messages[BATCH] = { 0 }; /* with no room for a byte or a control message: the kernel drops both */
    unsigned int taken = 0;
    int got;
    do {
        got = recvmmsg(interrupt->socket, messages, BATCH, MSG_DONTWAIT, NULL);
        taken += BATCH;
    } while (got == BATCH && taken < interrupt->queue_length);
    if (got < 0 && (errno == ENOSYS || errno == EPERM)) /* a filter of system calls that doesn't know recvmmsg */
        for (taken = 0; taken < interrupt->queue_length && take_message(interrupt->socket) != MESSAGE_NONE; taken++)
            ;
}

/* ---- The remotes' end ---- */

static atomic_int trigger_socket = -1; /* made with the first remote interrupt, so that no trigger fails because it can't be made */

static int open_trigger_socket(void)
{
    return socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
}

int doorbell_socket(void)
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

void doorbell_socket_close(void)
{
    int fd = atomic_exchange(&trigger_socket, -1);
    if (fd >= 0)
        close(fd);
}

static bool send_trigger(int fd, const struct doorbell *target)
{
    static const char trigger = 1;
    return sendto(fd, &trigger, sizeof trigger, MSG_DONTWAIT | MSG_NOSIGNAL,
                  (const struct sockaddr *)&target->address, target->length) >= 0;
}

/* The result of a send. If the receiver's queue is full, a trigger is pending there, to which this one adds nothing. */
static sci_error_t outcome(bool sent)
{
    if (sent)
        return SCI_ERR_OK;
    switch (errno) {
    case EAGAIN:
        return SCI_ERR_OK;
    case ECONNREFUSED: /* no such name */
    case ECONNRESET:
    case EPIPE: /* being removed right now */
    case EPROTOTYPE: /* the name belongs to something else now */
        return SCI_ERR_NOT_CONNECTED;
    default:
        return failed("sendto", SCI_ERR_SYSTEM);
    }
}

/* Sends from the socket of any doorbell of this process: each has a socket of its own, and so a send buffer of its own. */
static sci_error_t trigger_from_own(const struct doorbell *target)
{
    struct local_interrupt *own = NULL;
    bool sent = false;
    errno = EMFILE; /* if there is no doorbell */
    while (!sent && (own = handle_next(KIND_LOCAL_INTERRUPT, own)) != NULL) {
        if (own->epoll >= 0)
            continue; /* a queue */
        sent = send_trigger(own->socket, target);
        if (!sent && errno != EAGAIN)
            break;
    }
    return outcome(sent);
}

sci_error_t doorbell_ring(const struct doorbell *target)
{
    bool sent = send_trigger(doorbell_socket(), target);
    if (sent || errno != EAGAIN)
        return outcome(sent);
    /*
     * Either the receiver's queue is full. Or the send buffer of this process's socket is full of triggers that other
     * receivers have not read; then this trigger would be lost. A new socket's buffer is empty.
     */
    int fresh = open_trigger_socket();
    if (fresh < 0)
        return LIBRARY_LOCKED(trigger_from_own(target));
    sci_error_t status = outcome(send_trigger(fresh, target));
    close(fresh);
    return status;
}

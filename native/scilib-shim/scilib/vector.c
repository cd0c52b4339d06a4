/* Messages in several parts: they are copied once more, so that a message is in the queue whole or not at all. */
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>

#include "exports.h"
#include "queue.h"

enum { ON_STACK = 2048 /* bytes of a message that needs no memory of the heap */ };

/* The two flags that say how a program uses its queue; they change nothing. */
static unsigned int other_flags(unsigned int flags)
{
    return flags & ~(SCIL_FLAG_MSG_FLUSH | SCIL_FLAG_SEND_RECEIVE_PAIRS_ONLY);
}

/* Whether the parts have room for size bytes. */
static bool has_parts(const sci_msg_t *msg, size_t size)
{
    if (msg == NULL || (msg->iov == NULL && msg->iovlen > 0))
        return false;
    size_t total = 0;
    for (size_t i = 0; i < msg->iovlen && total < size; i++) {
        if (msg->iov[i].iov_base == NULL && msg->iov[i].iov_len > 0)
            return false;
        size_t rest = size - total;
        total += msg->iov[i].iov_len < rest ? msg->iov[i].iov_len : rest;
    }
    return total >= size;
}

/* Copies the first size bytes of the parts to a buffer, or a buffer to the parts. */
static void copy(const sci_msg_t *msg, char *buffer, size_t size, bool into_parts)
{
    for (size_t i = 0, done = 0; done < size; i++) {
        size_t part = msg->iov[i].iov_len < size - done ? msg->iov[i].iov_len : size - done;
        if (part > 0 && into_parts)
            memcpy(msg->iov[i].iov_base, buffer + done, part);
        else if (part > 0)
            memcpy(buffer + done, msg->iov[i].iov_base, part);
        done += part;
    }
}

/* What both calls do: all bytes go in one transfer of one buffer, which is the first part if that is large enough. */
static sci_error_t transfer(sci_msq_queue_t msq, const sci_msg_t *msg, unsigned int size, unsigned int *left,
                            unsigned int flags, bool receives)
{
    char little[ON_STACK];
    sci_error_t status = queue_check(msq, receives, NULL, 0, flags);
    if (status == SCI_ERR_OK && !has_parts(msg, size))
        status = SCI_ERR_ILLEGAL_PARAMETER;
    if (status == SCI_ERR_OK && size > msq->limit)
        status = SCI_ERR_OUT_OF_RANGE;
    if (status != SCI_ERR_OK)
        return status;
    bool direct = size > 0 && msg->iov[0].iov_len >= size;
    if (!receives && !direct) { /* a program that sends until it fits must not pay for a copy each time */
        status = sender_fits(msq, size, left);
        if (status != SCI_ERR_OK)
            return status;
    }
    char *buffer = direct ? msg->iov[0].iov_base : size <= ON_STACK ? little : malloc(size);
    if (buffer == NULL)
        return SCI_ERR_SYSTEM;
    if (!receives && !direct)
        copy(msg, buffer, size, false);
    status = receives ? SCILReceiveMsg(msq, buffer, size, left, flags) : SCILSendMsg(msq, buffer, size, left, flags);
    if (receives && !direct && status == SCI_ERR_OK)
        copy(msg, buffer, size, true);
    if (!direct && buffer != little)
        free(buffer);
    return status;
}

sci_error_t SCILSendVMsg(sci_msq_queue_t msq, sci_msg_t *msg, unsigned int size, unsigned int *sizeFree, unsigned int flags)
{
    return transfer(msq, msg, size, sizeFree, other_flags(flags), false);
}
SHIM_EXPORT_AS(_SCIL_PUBLIC_FUNC_, SCILSendVMsg);

sci_error_t SCILReceiveVMsg(sci_msq_queue_t msq, sci_msg_t *msg, unsigned int *size, unsigned int *sizeLeft, unsigned int flags)
{
    return size == NULL ? SCI_ERR_ILLEGAL_PARAMETER : transfer(msq, msg, *size, sizeLeft, other_flags(flags), true);
}
SHIM_EXPORT_AS(_SCIL_PUBLIC_FUNC_, SCILReceiveVMsg);

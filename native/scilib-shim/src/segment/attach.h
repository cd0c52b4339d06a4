/*
 * Getting a segment's memory from another process. The caller doesn't hold the library's lock, unless a comment says so: these
 * calls wait.
 */
#ifndef SHIM_ATTACH_H
#define SHIM_ATTACH_H

#include <stdint.h>
#include <sys/queue.h>

#include "segment/memory.h"
#include "system/wire.h"

/*
 * Descriptors of a thread that connects, which belong to no object yet. From attach_open on a child of a fork closes its copies,
 * until attach_leave: the structure stays in place so long.
 */
struct attachment {
    int socket;
    bool connected; /* attach has reached a process, whatever came of it */
    uint32_t flags; /* of the answer, enum wire_answer_flag */
    struct memory memory; /* fd -1: none yet */
    LIST_ENTRY(attachment) others;
};

/* The name of a process's socket. */
struct attach_target {
    struct sockaddr_un address;
    socklen_t length;
};

/* Opens a socket, not connected and not blocking, and returns it; -1 with errno on failure. */
int attach_open(struct attachment *attachment);

/* The caller takes the descriptors over, or they are closed. */
void attach_leave(struct attachment *attachment);

/*
 * Connects to the target, sends the request (NULL: none) and gets the answer with its memory. With success socket is the
 * connection, which has a place reserved with discard(): wire_close ends it. With a failure nothing is left.
 * Errors: SCI_ERR_NO_SUCH_SEGMENT, SCI_ERR_TIMEOUT, SCI_ERR_CONNECTION_REFUSED, SCI_ERR_INCONSISTENT_VERSIONS, SCI_ERR_SYSTEM.
 */
sci_error_t attach(const struct attach_target *target, const struct wire_request *request, uint64_t deadline,
                   struct attachment *attachment);

/* Ends a successful attach: closes the connection, and memory.fd unless the caller has taken it and set it to -1. */
void attach_hang_up(struct attachment *attachment);

/* Called in the child of a fork: closes the child's copies of descriptors, and does nothing else. */
void attach_forget_all(void);

#endif

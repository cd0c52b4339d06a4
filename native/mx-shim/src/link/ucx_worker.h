/* A UCX worker, which moves the messages of links, with a context of its own. */
#ifndef SHIM_LINK_UCX_WORKER_H
#define SHIM_LINK_UCX_WORKER_H

#include "link/ucx.h"

enum { UCX_KINDS = 8 };

struct transport;

struct worker {
    struct transport *transport;
    ucp_context_h context;
    ucp_worker_h ucp; /* NULL: the worker is not open */
    int descriptor;   /* readable when the worker has something to do, if it has been armed */
    struct kind {
        struct worker *worker;
        unsigned int number;
    } kinds[UCX_KINDS];
};

/*
 * Opens a worker. received gets each message, with its struct kind as argument. interface: NULL, or the network interface that
 * the worker must be able to use. If the worker can't be opened, nothing of it is left.
 */
enum transport_error worker_open(struct worker *, struct transport *, enum ucx_transports, const char *interface,
                                 ucp_am_recv_callback_t received);

/* Closes a worker, if it is open. All of its endpoints are closed already. */
void worker_close(struct worker *);

#endif

/*
 * The port mapper of an endpoint. It listens at the well-known port of the endpoint. Another endpoint (a client) says there that
 * it wants to connect, and is told the port of UCX's listener. UCX's listener is open only while a client is expected: UCX ends
 * the process when it gets bytes that are not UCX's, and a stray connection to the well-known port must not have that effect.
 *
 * A port mapper is also the client of other port mappers: it asks them in queries of its own. One thread at a time uses it.
 *
 *  0       4       8
 *  | magic |version|           from the client
 *  | magic | port  |           the answer; port 0: not now
 *  |     host      |           and where the endpoint is (struct location). A build that is older than these 16 bytes does not
 *  |    network    |           send them, and does not read them
 */
#ifndef SHIM_LINK_PORTMAPPER_H
#define SHIM_LINK_PORTMAPPER_H

#include <stdbool.h>
#include <stdint.h>

struct portmapper;
struct query;

struct portmapper_events {
    /* A client wants to connect. Returns the port to tell it; 0: not now. */
    uint16_t (*expect)(void *user);
    /*
     * A query of our endpoint is over, and freed. port: the port to go to; 0: none, refused if no endpoint listens. apart: the
     * other endpoint is on this host, in another network namespace.
     */
    void (*answered)(void *user, void *owner, uint16_t port, bool refused, bool apart);
};

/* Opens a port mapper. Numbers are in the host's byte order. NULL: errno says why. */
struct portmapper *portmapper_open(uint32_t address, uint16_t port, const struct portmapper_events *, void *user);
void portmapper_close(struct portmapper *);

/* Readable when portmapper_step has something to do. */
int portmapper_descriptor(const struct portmapper *);

/* Does what can be done without waiting. True if there was something to do. Calls the events. */
bool portmapper_step(struct portmapper *);

/* Whether our endpoint is asking another port mapper. */
bool portmapper_is_asking(const struct portmapper *);

/* Starts a query to another port mapper. NULL: errno says why. */
struct query *query_start(struct portmapper *, uint32_t address, uint16_t port, void *owner);

/* Ends a query, without calling answered, and frees it. */
void query_end(struct query *);

#endif

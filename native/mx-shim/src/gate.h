/*
 * The gate of an endpoint: a port where another endpoint (a guest) says that it wants to connect, and is told the port of UCX's
 * listener. That listener is open only while a guest is expected: UCX ends the process when it gets bytes that are not UCX's,
 * and a stray connection to the well-known port must not have that effect.
 *
 *  0       4       8
 *  | magic |version|           from the guest
 *  | magic | port  |           the answer; port 0: not now
 */
#ifndef SHIM_GATE_H
#define SHIM_GATE_H

#include <stdbool.h>
#include <stdint.h>

struct gate;
struct visit;

struct gate_events {
    /* A guest wants to connect. Returns the port to tell it; 0: not now. */
    uint16_t (*admit)(void *user);
    /* A visit of our endpoint is over, and freed. port: the port to go to; 0: none, refused if no endpoint listens. */
    void (*answered)(void *user, void *owner, uint16_t port, bool refused);
};

/* Opens a gate. Numbers are in the host's byte order. NULL: errno says why. */
struct gate *gate_open(uint32_t address, uint16_t port, const struct gate_events *, void *user);
void gate_close(struct gate *);

/* Readable when gate_step has something to do. */
int gate_descriptor(const struct gate *);

/* Does what can be done without waiting. True if there was something to do. Calls the events. */
bool gate_step(struct gate *);

/* Whether our endpoint is visiting another gate. */
bool gate_is_visiting(const struct gate *);

/* Starts a visit to another gate. NULL: errno says why. */
struct visit *visit_start(struct gate *, uint32_t address, uint16_t port, void *owner);

/* Ends a visit, without calling answered, and frees it. */
void visit_end(struct visit *);

#endif

/*
 * The door to an endpoint: a port where whoever wants in says so, and is told the port of UCX's listener. That one is open
 * only while somebody is expected, since UCX ends the process over bytes that are not UCX's: a stray connection to the
 * well-known port must not have that effect.
 *
 *  0       4       8
 *  | magic |version|           the visitor's words
 *  | magic | port  |           the answer; port 0: not now
 */
#ifndef SHIM_GATE_H
#define SHIM_GATE_H

#include <stdbool.h>
#include <stdint.h>

struct gate;
struct visit;

struct gate_events {
    /* Somebody wants in: the port to tell. */
    uint16_t (*admit)(void *user);
    /* A visit of ours is over, and freed: the port to go to; 0: none, and whether because nobody listens. */
    void (*answered)(void *user, void *owner, uint16_t port, bool refused);
};

/* Numbers in the host's byte order. NULL: errno says why. */
struct gate *gate_open(uint32_t address, uint16_t port, const struct gate_events *, void *user);
void gate_close(struct gate *);

/* Readable when gate_step has something to do. */
int gate_descriptor(const struct gate *);

/* Does what can be done without waiting; true if there was something. The events come from here. */
bool gate_step(struct gate *);

/* Whether a visit of ours is under way. */
bool gate_is_visiting(const struct gate *);

/* Goes to another gate. NULL: errno says why. */
struct visit *visit_start(struct gate *, uint32_t address, uint16_t port, void *owner);

/* Turns back. */
void visit_end(struct visit *);

#endif

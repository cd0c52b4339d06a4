/*
 * Waiting. Of the threads that wait at an endpoint, one sleeps at the transport. The others wait for this thread, since it makes
 * their progress too. When it leaves, one of them takes its place. A program may also wait by itself, at a descriptor that is
 * the outer bell and the transport.
 *
 * The caller of each function holds the endpoint's lock, unless the function says otherwise.
 */
#ifndef SHIM_CORE_WAIT_H
#define SHIM_CORE_WAIT_H

#include "core/endpoint.h"

/* For an endpoint that is being opened or closed, without the lock. The second one needs the transport. False: no resources. */
bool waiting_open(endpoint *);
bool waiting_watch(endpoint *);
void waiting_close(endpoint *);

/* Wakes the sleeping threads if something has changed. To be called before the lock is released (LOCK-2). */
void announce(endpoint *);

/* If ready returns false, makes progress once and calls it again. Returns the last result of ready. */
bool look(endpoint *, bool (*ready)(endpoint *, void *), void *argument);

/*
 * The same for a call that does not wait, but that programs repeat until it finds something. If such a program has looked in vain
 * for some microseconds, lets other threads have the core once, and looks again (spin.h). Releases the lock meanwhile. Does not do
 * so in an unexpected handler, or if the program has a way of its own to wait (mx_shim_arm).
 */
bool look_yielding(endpoint *, bool (*ready)(endpoint *, void *), void *argument);

/*
 * Makes progress until ready returns true, the deadline (clock_ms) is over or mx_wakeup has been called. Returns the last
 * result of ready. Releases the lock meanwhile.
 */
bool wait_until(endpoint *, uint64_t deadline, bool (*ready)(endpoint *, void *), void *argument);

/*
 * The same, but makes progress on the other endpoints of this process too, because the last messages of this endpoint may go to
 * one of them.
 */
bool wait_with_others(endpoint *, uint64_t deadline, bool (*ready)(endpoint *, void *), void *argument);

/*
 * Makes progress, and arms the outer bell and the transport for a caller that polls their descriptors itself. False: they are
 * not armed, and the caller has to look first (ENDPOINT-2).
 */
bool waiting_arm_outer(endpoint *);

#endif

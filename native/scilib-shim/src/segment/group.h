/*
 * Broadcast groups: segments of several processes that are one piece of memory, so that each process sees what any of them
 * stores.
 *
 * A group's members are the processes that have created or connected to a segment with SCI_FLAG_BROADCAST and the group's
 * id. (A process that has done both counts twice.) Each member has the memory's descriptor, and a socket with one of the
 * names that are the group's places. It gives the memory to each process that connects to this name. So the group's memory
 * exists as long as any member does, whichever dies, and nothing is left after the last one: the kernel frees names and memory.
 *
 *     place 0 .. PLACES-1    a member's listening socket
 *     turn                   held by the process that is joining
 *
 * GROUP-1  A group has one memory. A process that joins holds the turn from before it looks for members until it listens at its
 *          place. It makes new memory only if no process listens at any place.
 * GROUP-2  A process listens at a place only while it has the memory. So each member can give it to another one.
 */
#ifndef SHIM_GROUP_H
#define SHIM_GROUP_H

#include "segment/attach.h"

/*
 * Joins the group with this id. Waits until the deadline for members that don't answer. The caller doesn't hold the lock.
 * size > 0: as an exporter, with so many bytes of the memory, which is made if there is no member. size 0: as a connector, with
 * all of the memory, from an exporter whose segment is available.
 * With success joined->socket listens at a place and joined->memory is the group's; the caller calls attach_leave or does it
 * under the lock. With a failure nothing is left.
 * Errors: SCI_ERR_NO_SUCH_SEGMENT for a connector; SCI_ERR_OUT_OF_RANGE when the memory is smaller than size; SCI_ERR_NOSPC when
 * all places are taken, or the size is beyond what the system can give; SCI_ERR_TIMEOUT; SCI_ERR_CONNECTION_REFUSED;
 * SCI_ERR_INCONSISTENT_VERSIONS; SCI_ERR_SYSTEM.
 */
sci_error_t group_join(unsigned int id, size_t size, uint64_t deadline, struct attachment *joined);

/* Takes a successful group_join back. */
void group_give_up(struct attachment *joined);

/*
 * Gives the memory to a process that has connected to a member's listening socket. Called with the lock; doesn't wait.
 * available: whether connectors may have it. Returns false if the system had no descriptor for that, or if too many descriptors
 * wait to be closed (discard.h): the process waits in the backlog then.
 */
bool group_answer(int listener, const struct memory *memory, bool available);

#endif

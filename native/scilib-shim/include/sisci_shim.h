/*
 * What this library offers beyond the SISCI interface. A program that must also run on a card's library looks these
 * functions up with dlsym, under their plain names, and uses the flag only where they exist.
 */
#ifndef SISCI_SHIM_H
#define SISCI_SHIM_H

#include <sys/types.h>

#include "sisci_types.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * A flag of SCIMapLocalSegment and SCIMapRemoteSegment: this process will not map the segment again. It saves a
 * descriptor: a remote segment's is closed at once, a local segment's as soon as the segment is mapped and was made
 * unavailable (or is private). To map the segment again, or to make such a local segment available again, gives
 * SCI_ERR_ILLEGAL_OPERATION.
 */
#define SCI_SHIM_FLAG_LAST_MAP 0x40000000u

/*
 * A descriptor that polls readable (POLLIN) while triggers are pending, for use with poll or epoll beside other
 * descriptors. It belongs to the library: don't read, close or change it, nor use it after SCIRemoveInterrupt.
 * A wake-up may be spurious. -1 for an invalid handle and for an interrupt with a callback.
 */
int SCIShimInterruptDescriptor(sci_local_interrupt_t interrupt);

/* Takes all pending triggers. Never blocks; any thread. Does nothing for an invalid handle or one with a callback. */
void SCIShimAcknowledgeInterrupt(sci_local_interrupt_t interrupt);

/*
 * How many processes have connected to a local segment so far, those that have left included: each of them may still
 * hold its memory. -1 for an invalid handle. Any thread.
 */
int SCIShimConnections(sci_local_segment_t segment);

/*
 * From now on, and for its whole life, a local segment's memory is given to at most one connector; a connector that got it
 * before counts. Later connectors get SCI_ERR_CONNECTION_REFUSED. Does nothing for an invalid handle. Any thread.
 */
void SCIShimAdmitOne(sci_local_segment_t segment);

/*
 * How many triggers of this handle found no room and were dropped (SCITriggerDataInterrupt). A program compares the number
 * before and after to learn what became of its triggers. 0 for an invalid handle. Never blocks; any thread.
 */
unsigned long SCIShimDroppedTriggers(sci_remote_data_interrupt_t interrupt);

/*
 * Lets processes of these effective users connect to this process's segments and trigger its interrupts, and lets this
 * process connect to theirs. Its own user is always allowed. The call replaces the former list (count 0: no user) and
 * copies uids. It needs no SCIInitialize, and the list outlives SCITerminate. Any thread. The overflow user 65534, which
 * may stand for any user, is never allowed. If there is no memory for the list, it is empty.
 */
void SCIShimAllowUsers(const uid_t *uids, size_t count);

/*
 * Tells which system call failed, and why ("memfd_create: Operation not permitted"), if this thread's last failed call of
 * the library gave SCI_ERR_SYSTEM or SCI_ERR_NOSPC. The text is valid until this thread's next such failure.
 */
const char *SCIShimFailure(void);

#ifdef __cplusplus
}
#endif

#endif

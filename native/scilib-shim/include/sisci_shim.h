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
 * For SCIMapLocalSegment and SCIMapRemoteSegment: this process will not map the segment again. Saves a descriptor:
 * a remote segment's is closed at once, a local segment's as soon as it is mapped and was made unavailable (or is
 * private). Mapping again, and making such a local segment available again, gives SCI_ERR_ILLEGAL_OPERATION.
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
 * From now on a local segment's memory is given to one connector at most, those of before counted: who comes later gets
 * SCI_ERR_CONNECTION_REFUSED. For the life of the segment. Does nothing for an invalid handle. Any thread.
 */
void SCIShimAdmitOne(sci_local_segment_t segment);

/*
 * Lets processes of these effective users connect to our segments and trigger our interrupts, and us connect to theirs,
 * beside those of our own. Replaces the former list (count 0: nobody); copies uids; needs no SCIInitialize and outlives
 * SCITerminate; any thread. The overflow user 65534, which stands for anybody, is never allowed.
 * If there is no memory for the list, nobody is on it.
 */
void SCIShimAllowUsers(const uid_t *uids, size_t count);

/*
 * Which system call failed, and why ("memfd_create: Operation not permitted"), when this thread's last call of the
 * library that failed did so with SCI_ERR_SYSTEM or SCI_ERR_NOSPC. The text is valid until this thread's next such failure.
 */
const char *SCIShimFailure(void);

#ifdef __cplusplus
}
#endif

#endif

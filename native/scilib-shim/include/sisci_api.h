/*
 * The SISCI interface: shared memory segments and interrupts.
 *
 * This library provides it between the processes of one Linux host (to be exact: of one network namespace).
 * A program written to this header runs unchanged on the library that comes with a card.
 *
 * Common to all calls
 *   Threads    Any call may be made by any thread at any time, with two exceptions. SCITerminate must not overlap with
 *              calls of other threads. A sequence must not be removed while a call uses it, nor a map while SCIMemCpy,
 *              SCITransferBlock or SCICacheSync uses it.
 *   Errors     *error is always written, SCI_ERR_OK on success; error may be NULL. Besides the errors named at a call,
 *              each can give SCI_ERR_NOT_INITIALIZED (no SCIInitialize), SCI_ERR_ILLEGAL_PARAMETER (a NULL result
 *              pointer, a handle that isn't valid), SCI_ERR_ILLEGAL_FLAG (a flag the call does not know) and
 *              SCI_ERR_SYSTEM (no descriptor, thread or memory left). A call that fails has changed nothing, unless
 *              its description says otherwise, and leaves result handles unwritten.
 *   Units      Sizes and offsets are bytes, time-outs milliseconds; SCI_INFINITE_TIMEOUT waits for ever.
 *   Blocking   Only the calls with a timeout block, and transfers with SCI_FLAG_DMA_WAIT. With timeout 0 calls don't, except
 *              SCIConnectSegment. SCICreateSegment with SCI_FLAG_BROADCAST may wait for 5 s, SCITriggerDataInterrupt for a
 *              second, SCIAbortDMAQueue for a copy of 1 MB. If a handle's callback is running in another thread, removing or
 *              disconnecting the handle waits for its end. So the caller must not hold a lock that the callback takes.
 *              When a segment that DMA transfers have used goes, the library unmaps it. Meanwhile other calls wait, except those
 *              of a sequence, SCIMemCpy and SCITransferBlock: the more bytes the transfers have touched, the longer.
 *   Ownership  A handle belongs to the caller until it is removed, disconnected, unmapped or closed.
 *   Adapters   The only adapter is number 0. Numbers 1 to 15 give SCI_ERR_NO_SUCH_ADAPTERNO, higher ones
 *              SCI_ERR_ILLEGAL_ADAPTERNO.
 *   Nodes      Ids are 1 to 65535, other values give SCI_ERR_ILLEGAL_NODEID. The id of this process's node is 4 unless
 *              the environment variable SISCI_SHIM_NODE has another one.
 *   Trust      Only processes of the same effective user can connect. SCIShimAllowUsers (sisci_shim.h) allows others.
 *   Fork       Descriptors are closed on exec. In a child process that goes on without exec the library is not
 *              initialised. All that the parent has made stays with the parent only; the two share only mapped memory.
 *              A child that is made in a callback ends when the callback returns.
 *
 * Callbacks
 *   Callbacks run one at a time on the library's own thread, with all signals blocked and a stack of 256 KiB. A callback
 *   may make any call with these exceptions: SCIConnectSegment, SCICreateSegment with SCI_FLAG_BROADCAST and the waits for
 *   segment events give SCI_ERR_ILLEGAL_OPERATION, and SCITerminate is ignored. It may also remove or disconnect the handle
 *   that it is called for. Once a handle's removal has returned, in any thread, its callback is not running (unless the
 *   callback itself has removed the handle) and is not called again. A callback that returns SCI_CALLBACK_CANCEL is not
 *   called again either: its handle stays valid, and later events are dropped.
 */
#ifndef SISCI_API_H
#define SISCI_API_H

#include <stddef.h>

#include "sisci_api_macros.h"
#include "sisci_types.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Library and virtual devices ---- */

/*
 * Initialises the library; must come before the other calls. It may be called several times: the library ends with the
 * same number of SCITerminate calls. flags: 0.
 * Errors: SCI_ERR_ILLEGAL_NODEID when SISCI_SHIM_NODE isn't a node id; SCI_ERR_ILLEGAL_OPERATION from a callback that
 * SCITerminate waits for.
 */
void SCIInitialize(unsigned int flags, sci_error_t *error);

/*
 * Ends what SCIInitialize began. The last such call disconnects and removes all that is left, cancels the waits of
 * threads and ends the library's thread. Mapped memory stays mapped. The call does nothing if the library is not
 * initialised, or if a callback makes it.
 */
void SCITerminate(void);

/* Opens a virtual device, the owner of segments and interrupts. flags: THREAD_SAFE (changes nothing: all calls are). */
void SCIOpen(sci_desc_t *sd, unsigned int flags, sci_error_t *error);

/* Closes a device. flags: 0. Errors: SCI_ERR_BUSY while a segment, interrupt or DMA queue that was made through it is left. */
void SCIClose(sci_desc_t sd, unsigned int flags, sci_error_t *error);

/* ---- Local segments ---- */

/*
 * Makes a segment of size bytes (> 0), all zero, under an id that is unique to the node. A page takes memory when it is
 * first touched. flags: USE_CALLBACK (callback gets CONNECT, DISCONNECT, LOST, with the remote's node and adapter),
 * AUTO_ID (segmentId is ignored: the library picks an id that is free, SCIGetLocalSegmentId), PRIVATE (the id is not
 * reserved, and means nothing to others), DMA_GLOBAL and DMA_SOURCE_ONLY (change nothing), EMPTY (the segment has no memory:
 * it takes its id and can be prepared and removed, but this library has no call that would give it memory, so it can't be
 * mapped or made available), BROADCAST (the segment is the memory of the broadcast group segmentId: every process that has
 * such a segment, on any node, sees what any of them stores; not with AUTO_ID, PRIVATE or EMPTY; the callback is not called).
 * Errors: SCI_ERR_SEGMENTID_USED; SCI_ERR_NOSPC when size is beyond what the system can give, or the group has 128 members;
 * with BROADCAST also SCI_ERR_OUT_OF_RANGE when the group's memory is smaller; SCI_ERR_TIMEOUT when no member of the group has
 * answered for 5 s; SCI_ERR_INCONSISTENT_VERSIONS; SCI_ERR_ILLEGAL_OPERATION from a callback.
 */
void SCICreateSegment(sci_desc_t sd, sci_local_segment_t *segment, unsigned int segmentId, size_t size,
                      sci_cb_local_segment_t callback, void *callbackArg, unsigned int flags, sci_error_t *error);

/* The id of a segment: the program's, or the one that AUTO_ID has picked; 0 when the handle isn't valid. */
unsigned int SCIGetLocalSegmentId(sci_local_segment_t segment);

/* The size that the segment was created with, 0 when the handle isn't valid. */
size_t SCIGetLocalSegmentSize(sci_local_segment_t segment);

/*
 * Makes a segment ready for an adapter; must precede SCISetSegmentAvailable and a DMA transfer. flags: DMA_SOURCE_ONLY (changes
 * nothing), BROADCAST (the same, for a segment of a broadcast group).
 */
void SCIPrepareSegment(sci_local_segment_t segment, unsigned int localAdapterNo, unsigned int flags,
                       sci_error_t *error);

/*
 * Lets remotes connect to a segment from now on. flags: 0. Nothing happens if it is available already.
 * Errors: SCI_ERR_SEGMENT_NOT_PREPARED; SCI_ERR_ILLEGAL_OPERATION for a private or empty segment, or one whose memory
 * can't be handed out any more (SCI_SHIM_FLAG_LAST_MAP); SCI_ERR_SEGMENTID_USED when it had been made unavailable and
 * another segment has taken its id since.
 */
void SCISetSegmentAvailable(sci_local_segment_t segment, unsigned int localAdapterNo, unsigned int flags,
                            sci_error_t *error);

/*
 * Ends new connections to a segment; existing ones go on. The id becomes free. flags: FORCE_DISCONNECT (existing
 * connections end too: the remotes get DISCONNECT), NOTIFY (changes nothing beside FORCE_DISCONNECT).
 * Errors: SCI_ERR_ILLEGAL_OPERATION when the segment isn't available; SCI_ERR_FLAG_NOT_IMPLEMENTED for NOTIFY alone.
 */
void SCISetSegmentUnavailable(sci_local_segment_t segment, unsigned int localAdapterNo, unsigned int flags,
                              sci_error_t *error);

/*
 * Maps size bytes (> 0) from offset (a multiple of the page size) and returns their address, NULL on failure.
 * The system tries to map at addr; with FIXED_MAP_ADDR it maps at addr or the call fails; NULL lets the system choose.
 * flags: FIXED_MAP_ADDR, READONLY_MAP, IO_MAP_IOSPACE (changes nothing), BROADCAST (the same, for a segment of a broadcast
 * group), SCI_SHIM_FLAG_LAST_MAP (sisci_shim.h).
 * Errors: SCI_ERR_OUT_OF_RANGE beyond the segment; SCI_ERR_OFFSET_ALIGNMENT; SCI_ERR_ILLEGAL_PARAMETER for a fixed addr
 * that is not free or aligned; SCI_ERR_NOSPC when there is no address space; SCI_ERR_ILLEGAL_OPERATION after LAST_MAP
 * and for an empty segment.
 */
void *SCIMapLocalSegment(sci_local_segment_t segment, sci_map_t *map, size_t offset, size_t size, void *addr,
                         unsigned int flags, sci_error_t *error);

/*
 * Removes a map that either map call made. The caller must not touch the memory any more. If the map has sequences they stay
 * until they are removed, but can't be started any more: their calls say the same as when the other side has gone. flags: 0.
 */
void SCIUnmapSegment(sci_map_t map, unsigned int flags, sci_error_t *error);

/*
 * Waits for the next event of a segment without a callback and returns its reason: CONNECT, DISCONNECT or LOST, with the
 * remote's node and adapter; 0 on failure. Each event goes to one thread, the oldest first. The library keeps 64 events.
 * flags: 0.
 * Errors: SCI_ERR_TIMEOUT; SCI_ERR_CANCELLED when the segment is removed (the removal waits until this call has
 * returned); SCI_ERR_OVERFLOW once when older events have been dropped: the next calls return those that are left;
 * SCI_ERR_ILLEGAL_OPERATION for a segment with a callback, and from a callback.
 */
sci_segment_cb_reason_t SCIWaitForLocalSegmentEvent(sci_local_segment_t segment, unsigned int *sourceNodeId,
                                                    unsigned int *localAdapterNo, unsigned int timeout,
                                                    unsigned int flags, sci_error_t *error);

/*
 * Removes a segment. Remotes that are connected are disconnected (they get DISCONNECT). What they have mapped stays mapped,
 * with its contents, until they unmap it: nobody else reads or writes it any more. The id becomes free.
 * flags: FORCE_REMOVE (the remotes are disconnected even if the call then gives SCI_ERR_BUSY).
 * Errors: SCI_ERR_BUSY while the segment is mapped in this process.
 */
void SCIRemoveSegment(sci_local_segment_t segment, unsigned int flags, sci_error_t *error);

/* ---- Remote segments ---- */

/*
 * Connects to a segment of a node of this host; the segment may belong to the caller's own process. Blocks for at most
 * timeout until the other process answers, but does not wait for a segment to appear. A timeout below 100 ms counts as 100 ms,
 * so that programs may call it with 0 until it succeeds. flags: USE_CALLBACK (callback gets DISCONNECT, LOST), BROADCAST
 * (connects to the broadcast group segmentId, if an exporter of it is available; nodeId must be
 * DIS_BROADCAST_NODEID_GROUP_ALL, other nodes give SCI_ERR_ILLEGAL_NODEID; there are no events).
 * Errors: SCI_ERR_NO_SUCH_SEGMENT, at once, when the segment doesn't exist or isn't available; SCI_ERR_TIMEOUT when it
 * exists but its process has not answered in time (it is stopped, or has too many connectors). The caller may try again
 * after either one, after SCI_ERR_NO_SUCH_SEGMENT with a pause. SCI_ERR_CONNECTION_REFUSED when one side does not trust
 * the other, or what it sent; SCI_ERR_INCONSISTENT_VERSIONS; SCI_ERR_ILLEGAL_OPERATION from a callback.
 */
void SCIConnectSegment(sci_desc_t sd, sci_remote_segment_t *segment, unsigned int nodeId, unsigned int segmentId,
                       unsigned int localAdapterNo, sci_cb_remote_segment_t callback, void *callbackArg,
                       unsigned int timeout, unsigned int flags, sci_error_t *error);

/* The size that the segment was created with, 0 when the handle isn't valid. */
size_t SCIGetRemoteSegmentSize(sci_remote_segment_t segment);

/* The id and the node that were given to SCIConnectSegment, 0 when the handle isn't valid. */
unsigned int SCIGetRemoteSegmentId(sci_remote_segment_t segment);
unsigned int SCIGetRemoteSegmentNodeId(sci_remote_segment_t segment);

/*
 * As SCIMapLocalSegment. A mapping stays valid after the other process has ended.
 * Errors: also SCI_ERR_SEGMENT_NOT_CONNECTED once the other side has disconnected or is lost.
 */
volatile void *SCIMapRemoteSegment(sci_remote_segment_t segment, sci_map_t *map, size_t offset, size_t size, void *addr,
                                   unsigned int flags, sci_error_t *error);

/*
 * Waits for the end of a connection without a callback and returns why it ended: DISCONNECT or LOST; 0 on failure. With
 * success *status becomes SCI_ERR_OK. flags: 0.
 * Errors: SCI_ERR_TIMEOUT; SCI_ERR_CANCELLED when this process disconnects the segment (SCIDisconnectSegment waits until
 * this call has returned); SCI_ERR_SEGMENT_NOT_CONNECTED when a wait has returned that event already;
 * SCI_ERR_ILLEGAL_OPERATION for a connection with a callback, and from a callback.
 */
sci_segment_cb_reason_t SCIWaitForRemoteSegmentEvent(sci_remote_segment_t segment, sci_error_t *status,
                                                     unsigned int timeout, unsigned int flags, sci_error_t *error);

/* Ends a connection; the other side gets DISCONNECT. flags: 0. Errors: SCI_ERR_BUSY while the segment is mapped. */
void SCIDisconnectSegment(sci_remote_segment_t segment, unsigned int flags, sci_error_t *error);

/* ---- Sequences ---- */

/*
 * Only the first two of these calls take a lock (the others only if they fail): the others are for use between stores.
 * Stores arrive without a sequence, too; a sequence tells whether the other side is still there to read them.
 */

/*
 * Makes a sequence for a map, local or remote. A map can have several sequences.
 * flags: FAST_BARRIER (changes nothing).
 */
void SCICreateMapSequence(sci_map_t map, sci_sequence_t *sequence, unsigned int flags, sci_error_t *error);

/* Removes a sequence. flags: 0. */
void SCIRemoveSequence(sci_sequence_t sequence, unsigned int flags, sci_error_t *error);

/*
 * Starts a sequence: before the first stores, and again after SCICheckSequence returned anything but SCI_SEQ_OK. Returns
 * SCI_SEQ_OK, or SCI_SEQ_NOT_RETRIABLE with an error. flags: 0.
 * Errors: SCI_ERR_SEGMENT_NOT_CONNECTED once the other side has disconnected or is lost, or the map is unmapped, which is
 * final.
 */
sci_sequence_status_t SCIStartSequence(sci_sequence_t sequence, unsigned int flags, sci_error_t *error);

/*
 * Tells whether the other side was still there to see what has been stored so far. Returns SCI_SEQ_OK;
 * SCI_SEQ_NOT_RETRIABLE without an error once the map is unmapped, or the library's thread has noticed that the other side
 * has disconnected or is lost; SCI_SEQ_NOT_RETRIABLE with an error when the call fails. For a sequence of a local map it
 * returns SCI_SEQ_OK until the map is unmapped.
 * The call first does what SCIStoreBarrier does, unless flags has both NO_FLUSH and NO_STORE_BARRIER.
 */
sci_sequence_status_t SCICheckSequence(sci_sequence_t sequence, unsigned int flags, sci_error_t *error);

/*
 * A full fence: when it returns, all earlier stores to mapped segments are visible to every process that looks. A process
 * that sees a store made after it, and then reads with acquire, sees all stores made before it. sequence and flags are
 * ignored.
 */
void SCIStoreBarrier(sci_sequence_t sequence, unsigned int flags);

/* These do the same: there are no other buffers to flush. SCIFlushReadBuffers is from the interface of 2001. */
void SCIFlush(sci_sequence_t sequence, unsigned int flags);
void SCIFlushReadBuffers(sci_sequence_t sequence);

/*
 * Copies size bytes (0 or more) from memory to a map, remoteOffset bytes from its start, then does what SCIStoreBarrier
 * does. memory and the map must not overlap. sequence: a sequence of the map, or NULL.
 * flags: ERROR_CHECK (needs a sequence), BLOCK_READ (copies from the map to memory instead; if the caller has seen a flag
 * in a segment before, it gets all that was stored before that flag).
 * Errors: SCI_ERR_OUT_OF_RANGE beyond the map; SCI_ERR_ILLEGAL_OPERATION into a read-only map; with ERROR_CHECK
 * SCI_ERR_TRANSFER_FAILED, after copying, once the other side has disconnected or is lost.
 */
void SCIMemCpy(sci_sequence_t sequence, void *memory, sci_map_t remoteMap, size_t remoteOffset, size_t size,
               unsigned int flags, sci_error_t *error);

/* The same without a sequence, from the interface of 2001. With ERROR_CHECK it looks at the map alone. */
void SCIMemCopy(void *memory, sci_map_t remoteMap, size_t remoteOffset, size_t size, unsigned int flags, sci_error_t *error);

/*
 * Copies size bytes (0 or more) from memory to remoteAddress, an address in a map, then does what SCIStoreBarrier does. The
 * two must not overlap. The library does not check the addresses: a wrong one has the effect that it has with memcpy. flags: 0.
 * Errors: SCI_ERR_ILLEGAL_PARAMETER for a NULL address.
 */
void SCIMemWrite(void *memory, volatile void *remoteAddress, size_t size, unsigned int flags, sci_error_t *error);

/*
 * Copies size bytes (0 or more) from one map, sourceOffset bytes from its start, to another or the same map, then does what
 * SCIStoreBarrier does. The maps may be of local or remote segments. The two places may overlap only within one map: in two
 * maps of one segment the library does not see that they do. Neither map may be unmapped meanwhile. flags: 0.
 * Errors: SCI_ERR_OUT_OF_RANGE beyond a map; SCI_ERR_ILLEGAL_OPERATION into a read-only map; SCI_ERR_TRANSFER_FAILED, after
 * copying, once the other side of one of the maps has disconnected or is lost.
 */
void SCITransferBlock(sci_map_t sourceMap, size_t sourceOffset, sci_map_t destinationMap, size_t destinationOffset,
                      size_t size, unsigned int flags, sci_error_t *error);

/*
 * For machines whose caches don't see what a card writes. Here all processors see the same memory, so the call does what
 * SCIStoreBarrier does. map: the map with the address, or NULL for an address that is not to be checked.
 * flags: CACHE_FLUSH, CACHE_INVALIDATE, or both.
 * Errors: SCI_ERR_OUT_OF_RANGE when the length bytes at address are not all in the map.
 */
void SCICacheSync(sci_map_t map, void *address, size_t length, unsigned int flags, sci_error_t *error);

/* ---- DMA queues: a thread of the library copies between local and remote segments, and no segment need be mapped ---- */

/*
 * Makes a queue. maxEntries (0 or more): most copies that SCIEnqueueDMATransfer accepts; it does not limit a vector. flags: 0.
 * Errors: SCI_ERR_NOT_SUPPORTED for SCI_FLAG_DMA_PHDMA.
 */
void SCICreateDMAQueue(sci_desc_t sd, sci_dma_queue_t *dq, unsigned int localAdapterNo, unsigned int maxEntries,
                       unsigned int flags, sci_error_t *error);

/* Removes a queue. flags: 0. Errors: SCI_ERR_ILLEGAL_OPERATION while it is POSTED: wait or abort first. */
void SCIRemoveDMAQueue(sci_dma_queue_t dq, unsigned int flags, sci_error_t *error);

/*
 * Starts one copy of size bytes (> 0), from the local segment to the remote one, and returns at once. If both are the same
 * segment, the two places must not overlap. The queue becomes POSTED, then DONE or ERROR. When it is DONE each process that
 * looks sees the bytes. The local segment must be prepared.
 * flags: DMA_READ (from the remote segment to the local one), USE_CALLBACK (callback runs once, at the end), DMA_WAIT (returns
 * when the copy is made or has failed, with the errors of SCIWaitForDMAQueue), DMA_GLOBAL, DMA_SYSDMA, DMA_ADAPTER (change
 * nothing), BROADCAST (the same, to a segment of a broadcast group).
 * Errors: SCI_ERR_ILLEGAL_OPERATION when the queue is POSTED or GATHER, and for a segment whose memory can't be mapped any more
 * (EMPTY, SCI_SHIM_FLAG_LAST_MAP); SCI_ERR_OUT_OF_RANGE beyond a segment; SCI_ERR_SEGMENT_NOT_PREPARED;
 * SCI_ERR_SEGMENT_NOT_CONNECTED once the other side has disconnected or is lost.
 */
void SCIStartDmaTransfer(sci_dma_queue_t dq, sci_local_segment_t localSegment, sci_remote_segment_t remoteSegment,
                         size_t localOffset, size_t size, size_t remoteOffset, sci_cb_dma_t callback, void *callbackArg,
                         unsigned int flags, sci_error_t *error);

/*
 * The same for several copies, which are made in the order of the vector. vecLength: 1 to DIS_DMA_MAX_VECLEN. The library does
 * not use the vector after the call.
 * Errors: also SCI_ERR_MAX_ENTRIES for a longer one; SCI_ERR_ILLEGAL_FLAG for an element with flags.
 */
void SCIStartDmaTransferVec(sci_dma_queue_t dq, sci_local_segment_t localSegment, sci_remote_segment_t remoteSegment,
                            size_t vecLength, dis_dma_vec_t *disDmaVec, sci_cb_dma_t callback, void *callbackArg,
                            unsigned int flags, sci_error_t *error);

/* The state of a queue; SCI_DMAQUEUE_ERROR when the handle isn't valid. */
sci_dma_queue_state_t SCIDMAQueueState(sci_dma_queue_t dq);

/*
 * Waits until the copies of a POSTED queue have ended, and returns the state that they have left, even if the queue is POSTED again
 * by then. If they have ended already the call returns at once. flags: 0.
 * Errors: SCI_ERR_TIMEOUT; SCI_ERR_TRANSFER_FAILED when the state is ERROR; SCI_ERR_CANCELLED when it is ABORTED, and by
 * SCITerminate; SCI_ERR_ILLEGAL_OPERATION when it is IDLE or GATHER.
 */
sci_dma_queue_state_t SCIWaitForDMAQueue(sci_dma_queue_t dq, unsigned int timeout, unsigned int flags, sci_error_t *error);

/*
 * Stops the copies of a POSTED queue, which becomes ABORTED. The call waits for the piece that is being copied, at most 1 MB.
 * Copies that have been made stay made. flags: 0. Errors: SCI_ERR_ILLEGAL_OPERATION when nothing is being copied (any more).
 */
void SCIAbortDMAQueue(sci_dma_queue_t dq, unsigned int flags, sci_error_t *error);

/*
 * Adds a copy to a queue that is IDLE or GATHER, and returns the new state, GATHER. SCIPostDMAQueue starts it. flags: DMA_READ,
 * DMA_GLOBAL, DMA_SYSDMA, DMA_ADAPTER. Mind the order of the offsets and the size, which is not that of SCIStartDmaTransfer.
 * Errors: as SCIStartDmaTransfer; SCI_ERR_MAX_ENTRIES when the queue is full; SCI_ERR_ILLEGAL_OPERATION in another state.
 */
sci_dma_queue_state_t SCIEnqueueDMATransfer(sci_dma_queue_t dq, sci_local_segment_t localSegment,
                                            sci_remote_segment_t remoteSegment, size_t localOffset, size_t remoteOffset,
                                            size_t size, unsigned int flags, sci_error_t *error);

/*
 * Starts the copies that were enqueued, which are made in their order. flags: USE_CALLBACK.
 * Errors: SCI_ERR_ILLEGAL_OPERATION unless the queue is GATHER.
 */
void SCIPostDMAQueue(sci_dma_queue_t dq, sci_cb_dma_t callback, void *callbackArg, unsigned int flags, sci_error_t *error);

/* Empties a queue, which becomes IDLE. flags: 0. Errors: SCI_ERR_ILLEGAL_OPERATION while it is POSTED. */
void SCIResetDMAQueue(sci_dma_queue_t dq, unsigned int flags, sci_error_t *error);

/* ---- Interrupts ---- */

/*
 * Makes an interrupt that remotes can trigger. Its number *interruptNo is unique to node and adapter. With FIXED_INTNO the
 * library reads the number; otherwise the library chooses one and writes it.
 * flags: USE_CALLBACK (callback at each delivery), FIXED_INTNO,
 * COUNTING_INT (a wait or callback takes one trigger; without the flag it takes all pending ones, and a trigger that finds
 * no room adds nothing to the pending ones),
 * SHARED_INT (up to 8 interrupts of this node, of one process or several, have the number; each trigger goes to all of
 * them. They must have the same flags except USE_CALLBACK and FIXED_INTNO).
 * Errors: SCI_ERR_INTNO_USED; SCI_ERR_NOSPC when 8 interrupts share the number.
 */
void SCICreateInterrupt(sci_desc_t sd, sci_local_interrupt_t *interrupt, unsigned int localAdapterNo,
                        unsigned int *interruptNo, sci_cb_interrupt_t callback, void *callbackArg, unsigned int flags,
                        sci_error_t *error);

/* Removes an interrupt. Threads that wait for it get SCI_ERR_CANCELLED; when this call returns they have left. flags: 0. */
void SCIRemoveInterrupt(sci_local_interrupt_t interrupt, unsigned int flags, sci_error_t *error);

/*
 * Blocks until the interrupt is triggered; returns at once if a trigger is pending. flags: 0.
 * Errors: SCI_ERR_TIMEOUT; SCI_ERR_CANCELLED; SCI_ERR_ILLEGAL_OPERATION for an interrupt with a callback.
 */
void SCIWaitForInterrupt(sci_local_interrupt_t interrupt, unsigned int timeout, unsigned int flags,
                         sci_error_t *error);

/*
 * Connects to an interrupt of a node. Never blocks; timeout is ignored. flags: 0.
 * Errors: SCI_ERR_NO_SUCH_INTNO; SCI_ERR_BUSY when too many processes connect to a counting or shared interrupt at once
 * (the caller may try again after either one); SCI_ERR_CONNECTION_REFUSED when a counting or shared interrupt belongs to a
 * user that this process does not trust.
 */
void SCIConnectInterrupt(sci_desc_t sd, sci_remote_interrupt_t *interrupt, unsigned int nodeId,
                         unsigned int localAdapterNo, unsigned int interruptNo, unsigned int timeout,
                         unsigned int flags, sci_error_t *error);

/* Disconnects from an interrupt; triggers that were sent stay pending. flags: 0. */
void SCIDisconnectInterrupt(sci_remote_interrupt_t interrupt, unsigned int flags, sci_error_t *error);

/*
 * Triggers an interrupt, without blocking. All stores made before are visible to the thread that is woken. flags: 0.
 * Errors: SCI_ERR_NOT_CONNECTED when the interrupt has been removed or its process has ended; SCI_ERR_OVERFLOW for a
 * counting interrupt when so many triggers of this handle are pending that this one found no room (over 200;
 * net.core.wmem_max sets the limit). If the number is shared, the interrupts that had room were triggered; SCI_ERR_BUSY
 * when one of them could not be connected to yet.
 */
void SCITriggerInterrupt(sci_remote_interrupt_t interrupt, unsigned int flags, sci_error_t *error);

/* ---- Data interrupts: each trigger carries up to 8192 bytes, and a wait or callback takes one ---- */

/* As SCICreateInterrupt; data interrupts have numbers of their own. flags: USE_CALLBACK, FIXED_INTNO, SHARED_INT. */
void SCICreateDataInterrupt(sci_desc_t sd, sci_local_data_interrupt_t *interrupt, unsigned int localAdapterNo,
                            unsigned int *interruptNo, sci_cb_data_interrupt_t callback, void *callbackArg,
                            unsigned int flags, sci_error_t *error);

/* As SCIRemoveInterrupt. */
void SCIRemoveDataInterrupt(sci_local_data_interrupt_t interrupt, unsigned int flags, sci_error_t *error);

/*
 * As SCIWaitForInterrupt; also copies the trigger's bytes to data. *length is the room at data, and becomes the number of
 * bytes that the trigger has. Triggers of one remote come in order.
 * Errors: also SCI_ERR_NOSPC when the trigger has more bytes than fit; *length is their number, and the trigger stays
 * pending.
 */
void SCIWaitForDataInterrupt(sci_local_data_interrupt_t interrupt, void *data, unsigned int *length,
                             unsigned int timeout, unsigned int flags, sci_error_t *error);

/* As SCIConnectInterrupt for a counting interrupt. */
void SCIConnectDataInterrupt(sci_desc_t sd, sci_remote_data_interrupt_t *interrupt, unsigned int nodeId,
                             unsigned int localAdapterNo, unsigned int interruptNo, unsigned int timeout,
                             unsigned int flags, sci_error_t *error);

/* As SCIDisconnectInterrupt. */
void SCIDisconnectDataInterrupt(sci_remote_data_interrupt_t interrupt, unsigned int flags, sci_error_t *error);

/*
 * Triggers an interrupt with length bytes (1 to 8192), which are copied. The call succeeds if nobody takes the
 * triggers; a card at times gives SCI_ERR_NOSPC then, which the public programs that look for it take for success. At
 * least 200 triggers of one byte can wait for each handle (net.core.wmem_max sets the limit). A trigger that finds no
 * room waits for the owner to take one, for at most a second. If the owner takes none, this trigger is dropped, and so
 * are all that follow, without waiting, until there is room again: those that are pending are the oldest ones.
 * SCIShimDroppedTriggers (sisci_shim.h) counts the dropped ones. A trigger never waits if the number is shared, or in a
 * callback: then it is dropped at once. flags: 0.
 * Errors: SCI_ERR_NOT_CONNECTED when the interrupt has been removed or its process has ended; SCI_ERR_BUSY as for
 * SCITriggerInterrupt; SCI_ERR_OUT_OF_RANGE for more bytes.
 */
void SCITriggerDataInterrupt(sci_remote_data_interrupt_t interrupt, void *data, unsigned int length,
                             unsigned int flags, sci_error_t *error);

/* ---- Nodes and errors ---- */

/* Writes the node id of this process. flags: 0. */
void SCIGetLocalNodeId(unsigned int adapterNo, unsigned int *nodeId, unsigned int flags, sci_error_t *error);

/*
 * Returns 1 if a process of this host (to be exact: of this network namespace) has initialised the library as that node,
 * otherwise 0. The process may belong to another user. If a node has more than 256 processes only 256 of them are seen.
 * flags: 0.
 * Errors: SCI_ERR_NO_SUCH_NODEID.
 */
int SCIProbeNode(sci_desc_t sd, unsigned int localAdapterNo, unsigned int nodeId, unsigned int flags,
                 sci_error_t *error);

/*
 * Answers a question. data is the structure that belongs to the command: sci_query_string_t for SCI_Q_VENDORID and SCI_Q_API,
 * otherwise the one beside the command above. flags: 0; for SCI_Q_DMA also DMA_GLOBAL, DMA_SYSDMA, DMA_ADAPTER (change nothing).
 * Errors: SCI_ERR_ILLEGAL_QUERY for a command or subcommand that isn't known; SCI_ERR_NOT_IMPLEMENTED for one about a card;
 * SCI_ERR_NOT_SUPPORTED for an address on a bus, which memory of one host does not have.
 */
void SCIQuery(unsigned int command, void *data, unsigned int flags, sci_error_t *error);

/* ---- What needs a card: these calls give SCI_ERR_NOT_SUPPORTED, whatever their other arguments are, and write nothing ---- */

/* Memory at a physical address, or of the program, as the memory of a segment that was made with EMPTY. */
void SCIAttachPhysicalMemory(sci_ioaddr_t ioaddress, void *address, unsigned int busNo, size_t size,
                             sci_local_segment_t segment, unsigned int flags, sci_error_t *error);
void SCIRegisterSegmentMemory(void *address, size_t size, sci_local_segment_t segment, unsigned int flags,
                              sci_error_t *error);

/* Devices on the bus of this host or of another one. */
void SCIRegisterPCIeRequester(sci_desc_t sd, unsigned int localAdapterNo, unsigned int bus, unsigned int devfn,
                              unsigned int flags, sci_error_t *error);
void SCIUnregisterPCIeRequester(sci_desc_t sd, unsigned int localAdapterNo, unsigned int bus, unsigned int devfn,
                                unsigned int flags, sci_error_t *error);
void SCIBorrowDevice(sci_desc_t sd, sci_smartio_device_t *device, unsigned long long fdid, unsigned int flags,
                     sci_error_t *error);
void SCIReturnDevice(sci_smartio_device_t device, unsigned int flags, sci_error_t *error);

/* A constant English text, never NULL; needs no SCIInitialize. */
const char *SCIGetErrorString(sci_error_t error);

#ifdef __cplusplus
}
#endif

#endif

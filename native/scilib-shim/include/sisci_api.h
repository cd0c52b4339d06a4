/*
 * The SISCI interface: shared memory segments and interrupts.
 *
 * This library provides it between the processes of one Linux host (to be exact: of one network namespace).
 * A program written to this header runs unchanged on the library that comes with a card.
 *
 * Common to all calls
 *   Threads    Any call may be made by any thread at any time, with two exceptions: SCITerminate must not overlap
 *              with calls of other threads, and the use of a sequence or of a map by SCIMemCpy not with its removal.
 *   Errors     *error is always written, SCI_ERR_OK on success; error may be NULL. Besides the errors named at a call,
 *              each can give SCI_ERR_NOT_INITIALIZED (no SCIInitialize), SCI_ERR_ILLEGAL_PARAMETER (a NULL result
 *              pointer, a handle that isn't valid), SCI_ERR_ILLEGAL_FLAG (a flag the call does not know) and
 *              SCI_ERR_SYSTEM (no descriptor, thread or memory left). A call that fails has changed nothing unless
 *              it says otherwise, and leaves result handles unwritten.
 *   Units      Sizes and offsets are bytes, time-outs milliseconds; SCI_INFINITE_TIMEOUT waits for ever.
 *   Blocking   Only the calls with a timeout block; 0 does not. Removing or disconnecting a handle waits for the end of
 *              its callback if that is running in another thread, so don't hold a lock then that the callback takes.
 *   Ownership  A handle belongs to the caller until it is removed, disconnected, unmapped or closed.
 *   Adapters   The only adapter is number 0. 1 to 15 give SCI_ERR_NO_SUCH_ADAPTERNO, more SCI_ERR_ILLEGAL_ADAPTERNO.
 *   Nodes      Ids are 1 to 65535, other values give SCI_ERR_ILLEGAL_NODEID. Ours is 4 unless the environment
 *              variable SISCI_SHIM_NODE says otherwise.
 *   Trust      Only processes of the same effective user can connect (more: SCIShimAllowUsers in sisci_shim.h).
 *   Fork       Descriptors are closed on exec. In a child that goes on without exec the library is as if it had never
 *              been initialised, whatever the parent has made stays the parent's alone, and only mapped memory is shared
 *              by both. A child made in a callback ends when that returns.
 *
 * Callbacks
 *   They run one at a time on the library's own thread, with all signals blocked and a stack of 256 KiB. They may make
 *   any call except SCIConnectSegment and the waits for segment events (SCI_ERR_ILLEGAL_OPERATION), and SCITerminate
 *   (ignored), also remove or disconnect the very handle they are called for. Once that removal has returned, in
 *   whichever thread, the callback is neither running (unless it is the caller) nor called again.
 *   One that returns SCI_CALLBACK_CANCEL is not called again either: its handle stays valid, later events are dropped.
 */
#ifndef SISCI_API_H
#define SISCI_API_H

#include <stddef.h>

#include "sisci_types.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * The exported symbols carry a prefix that tells single from multithreaded callers; here both are the same functions.
 * The plain names are exported too, for callers that look symbols up.
 */
#ifndef SISCI_PLAIN_NAMES
#ifdef _REENTRANT
#define SISCI_SYMBOL(name) _SISCI_PUBLIC_FUNC_MT_##name
#else
#define SISCI_SYMBOL(name) _SISCI_PUBLIC_FUNC_ST_##name
#endif
#define SCIInitialize            SISCI_SYMBOL(SCIInitialize)
#define SCITerminate             SISCI_SYMBOL(SCITerminate)
#define SCIOpen                  SISCI_SYMBOL(SCIOpen)
#define SCIClose                 SISCI_SYMBOL(SCIClose)
#define SCICreateSegment         SISCI_SYMBOL(SCICreateSegment)
#define SCIPrepareSegment        SISCI_SYMBOL(SCIPrepareSegment)
#define SCISetSegmentAvailable   SISCI_SYMBOL(SCISetSegmentAvailable)
#define SCISetSegmentUnavailable SISCI_SYMBOL(SCISetSegmentUnavailable)
#define SCIWaitForLocalSegmentEvent SISCI_SYMBOL(SCIWaitForLocalSegmentEvent)
#define SCIMapLocalSegment       SISCI_SYMBOL(SCIMapLocalSegment)
#define SCIUnmapSegment          SISCI_SYMBOL(SCIUnmapSegment)
#define SCIRemoveSegment         SISCI_SYMBOL(SCIRemoveSegment)
#define SCIConnectSegment        SISCI_SYMBOL(SCIConnectSegment)
#define SCIGetRemoteSegmentSize  SISCI_SYMBOL(SCIGetRemoteSegmentSize)
#define SCIMapRemoteSegment      SISCI_SYMBOL(SCIMapRemoteSegment)
#define SCIDisconnectSegment     SISCI_SYMBOL(SCIDisconnectSegment)
#define SCIWaitForRemoteSegmentEvent SISCI_SYMBOL(SCIWaitForRemoteSegmentEvent)
#define SCICreateMapSequence     SISCI_SYMBOL(SCICreateMapSequence)
#define SCIRemoveSequence        SISCI_SYMBOL(SCIRemoveSequence)
#define SCIStartSequence         SISCI_SYMBOL(SCIStartSequence)
#define SCICheckSequence         SISCI_SYMBOL(SCICheckSequence)
#define SCIStoreBarrier          SISCI_SYMBOL(SCIStoreBarrier)
#define SCIFlush                 SISCI_SYMBOL(SCIFlush)
#define SCIMemCpy                SISCI_SYMBOL(SCIMemCpy)
#define SCICreateInterrupt       SISCI_SYMBOL(SCICreateInterrupt)
#define SCIRemoveInterrupt       SISCI_SYMBOL(SCIRemoveInterrupt)
#define SCIWaitForInterrupt      SISCI_SYMBOL(SCIWaitForInterrupt)
#define SCIConnectInterrupt      SISCI_SYMBOL(SCIConnectInterrupt)
#define SCIDisconnectInterrupt   SISCI_SYMBOL(SCIDisconnectInterrupt)
#define SCITriggerInterrupt      SISCI_SYMBOL(SCITriggerInterrupt)
#define SCICreateDataInterrupt     SISCI_SYMBOL(SCICreateDataInterrupt)
#define SCIRemoveDataInterrupt     SISCI_SYMBOL(SCIRemoveDataInterrupt)
#define SCIWaitForDataInterrupt    SISCI_SYMBOL(SCIWaitForDataInterrupt)
#define SCIConnectDataInterrupt    SISCI_SYMBOL(SCIConnectDataInterrupt)
#define SCIDisconnectDataInterrupt SISCI_SYMBOL(SCIDisconnectDataInterrupt)
#define SCITriggerDataInterrupt    SISCI_SYMBOL(SCITriggerDataInterrupt)
#define SCIGetLocalNodeId        SISCI_SYMBOL(SCIGetLocalNodeId)
#define SCIProbeNode             SISCI_SYMBOL(SCIProbeNode)
#define SCIQuery                 SISCI_SYMBOL(SCIQuery)
#define SCIGetErrorString        SISCI_SYMBOL(SCIGetErrorString)
#endif

/* Flags, commands and SCI_INFINITE_TIMEOUT are variables of the library, not constants: that is the interface's ABI. */
#define SCI_FLAG_USE_CALLBACK   _SISCI_PUBLIC_CONST_SCI_FLAG_USE_CALLBACK   /* events go to the callback */
#define SCI_FLAG_FIXED_INTNO    _SISCI_PUBLIC_CONST_SCI_FLAG_FIXED_INTNO    /* the caller picks the number */
#define SCI_FLAG_SHARED_INT     _SISCI_PUBLIC_CONST_SCI_FLAG_SHARED_INT     /* others may have the number too */
#define SCI_FLAG_COUNTING_INT   _SISCI_PUBLIC_CONST_SCI_FLAG_COUNTING_INT   /* one wait, one trigger */
#define SCI_FLAG_EMPTY          _SISCI_PUBLIC_CONST_SCI_FLAG_EMPTY          /* a segment without memory */
#define SCI_FLAG_PRIVATE        _SISCI_PUBLIC_CONST_SCI_FLAG_PRIVATE        /* nobody can connect */
#define SCI_FLAG_FORCE_REMOVE   _SISCI_PUBLIC_CONST_SCI_FLAG_FORCE_REMOVE   /* disconnect the remotes first */
#define SCI_FLAG_FIXED_MAP_ADDR _SISCI_PUBLIC_CONST_SCI_FLAG_FIXED_MAP_ADDR /* map at addr or fail */
#define SCI_FLAG_READONLY_MAP   _SISCI_PUBLIC_CONST_SCI_FLAG_READONLY_MAP   /* stores fault */

#define SCI_FLAG_NOTIFY           _SISCI_PUBLIC_CONST_SCI_FLAG_NOTIFY           /* only with FORCE_DISCONNECT */
#define SCI_FLAG_FORCE_DISCONNECT _SISCI_PUBLIC_CONST_SCI_FLAG_FORCE_DISCONNECT /* disconnect the remotes too */
#define SCI_FLAG_FAST_BARRIER     _SISCI_PUBLIC_CONST_SCI_FLAG_FAST_BARRIER     /* they all are */
#define SCI_FLAG_NO_FLUSH         _SISCI_PUBLIC_CONST_SCI_FLAG_NO_FLUSH         /* check without SCIFlush ... */
#define SCI_FLAG_NO_STORE_BARRIER _SISCI_PUBLIC_CONST_SCI_FLAG_NO_STORE_BARRIER /* ... and without SCIStoreBarrier */
#define SCI_FLAG_ERROR_CHECK      _SISCI_PUBLIC_CONST_SCI_FLAG_ERROR_CHECK      /* check the sequence after copying */
#define SCI_FLAG_BLOCK_READ       _SISCI_PUBLIC_CONST_SCI_FLAG_BLOCK_READ       /* copy out of the segment */

extern const unsigned int SCI_FLAG_USE_CALLBACK;
extern const unsigned int SCI_FLAG_FIXED_INTNO;
extern const unsigned int SCI_FLAG_SHARED_INT;
extern const unsigned int SCI_FLAG_COUNTING_INT;
extern const unsigned int SCI_FLAG_EMPTY;
extern const unsigned int SCI_FLAG_PRIVATE;
extern const unsigned int SCI_FLAG_FORCE_REMOVE;
extern const unsigned int SCI_FLAG_FIXED_MAP_ADDR;
extern const unsigned int SCI_FLAG_READONLY_MAP;
extern const unsigned int SCI_FLAG_NOTIFY;
extern const unsigned int SCI_FLAG_FORCE_DISCONNECT;
extern const unsigned int SCI_FLAG_FAST_BARRIER;
extern const unsigned int SCI_FLAG_NO_FLUSH;
extern const unsigned int SCI_FLAG_NO_STORE_BARRIER;
extern const unsigned int SCI_FLAG_ERROR_CHECK;
extern const unsigned int SCI_FLAG_BLOCK_READ;

#define SCI_INFINITE_TIMEOUT _SISCI_PUBLIC_CONST_SCI_INFINITE_TIMEOUT /* 0xffffffff */

extern const unsigned int SCI_INFINITE_TIMEOUT;

/* What can be asked of SCIQuery. */
#define SCI_Q_VENDORID                 _SISCI_PUBLIC_CONST_SCI_Q_VENDORID /* whose library this is, as a text */
#define SCI_Q_API                      _SISCI_PUBLIC_CONST_SCI_Q_API      /* which interface, as a text */
#define SCI_Q_ADAPTER                  _SISCI_PUBLIC_CONST_SCI_Q_ADAPTER  /* with one of these subcommands: */
#define SCI_Q_ADAPTER_NODEID           _SISCI_PUBLIC_CONST_SCI_Q_ADAPTER_NODEID           /* our node id */
#define SCI_Q_ADAPTER_CONFIGURED       _SISCI_PUBLIC_CONST_SCI_Q_ADAPTER_CONFIGURED       /* 1 */
#define SCI_Q_ADAPTER_LINK_OPERATIONAL _SISCI_PUBLIC_CONST_SCI_Q_ADAPTER_LINK_OPERATIONAL /* 1 */
#define SCI_Q_ADAPTER_SERIAL_NUMBER    _SISCI_PUBLIC_CONST_SCI_Q_ADAPTER_SERIAL_NUMBER    /* not implemented */
#define SCI_Q_ADAPTER_CARD_TYPE        _SISCI_PUBLIC_CONST_SCI_Q_ADAPTER_CARD_TYPE        /* not implemented */

extern const unsigned int SCI_Q_VENDORID;
extern const unsigned int SCI_Q_API;
extern const unsigned int SCI_Q_ADAPTER;
extern const unsigned int SCI_Q_ADAPTER_NODEID;
extern const unsigned int SCI_Q_ADAPTER_CONFIGURED;
extern const unsigned int SCI_Q_ADAPTER_LINK_OPERATIONAL;
extern const unsigned int SCI_Q_ADAPTER_SERIAL_NUMBER;
extern const unsigned int SCI_Q_ADAPTER_CARD_TYPE;

/* ---- Library and virtual devices ---- */

/*
 * Before anything else. May be called several times; only as many SCITerminate end it. flags: 0.
 * Errors: SCI_ERR_ILLEGAL_NODEID when SISCI_SHIM_NODE isn't a node id; SCI_ERR_ILLEGAL_OPERATION from a callback that
 * SCITerminate waits for.
 */
void SCIInitialize(unsigned int flags, sci_error_t *error);

/*
 * Ends what SCIInitialize began: the last one disconnects and removes all that is left, cancels waiting threads and
 * ends the library's thread. Mapped memory stays mapped. Does nothing when not initialised or called from a callback.
 */
void SCITerminate(void);

/* Opens a virtual device, the owner of segments and interrupts. flags: 0. */
void SCIOpen(sci_desc_t *sd, unsigned int flags, sci_error_t *error);

/* Closes it. flags: 0. Errors: SCI_ERR_BUSY while anything made through it is left. */
void SCIClose(sci_desc_t sd, unsigned int flags, sci_error_t *error);

/* ---- Local segments ---- */

/*
 * Makes a segment of size bytes (> 0), all zero, under an id that is unique to the node. Pages cost memory when
 * touched. flags: USE_CALLBACK (callback gets CONNECT, DISCONNECT, LOST, with the remote's node and adapter), PRIVATE
 * (segmentId means nothing), EMPTY (without memory: it takes its id and can be prepared and removed, but this library
 * has no call that would give it memory, so it can't be mapped or made available).
 * Errors: SCI_ERR_SEGMENTID_USED; SCI_ERR_NOSPC when size is beyond what the system can give.
 */
void SCICreateSegment(sci_desc_t sd, sci_local_segment_t *segment, unsigned int segmentId, size_t size,
                      sci_cb_local_segment_t callback, void *callbackArg, unsigned int flags, sci_error_t *error);

/* Makes it ready for an adapter; must precede SCISetSegmentAvailable. flags: 0. */
void SCIPrepareSegment(sci_local_segment_t segment, unsigned int localAdapterNo, unsigned int flags,
                       sci_error_t *error);

/*
 * From now on remotes can connect. flags: 0. Nothing happens if it is available already.
 * Errors: SCI_ERR_SEGMENT_NOT_PREPARED; SCI_ERR_ILLEGAL_OPERATION for a private or empty segment, or one whose memory
 * can't be handed out any more (SCI_SHIM_FLAG_LAST_MAP); SCI_ERR_SEGMENTID_USED when it had been made unavailable and
 * somebody took the id since.
 */
void SCISetSegmentAvailable(sci_local_segment_t segment, unsigned int localAdapterNo, unsigned int flags,
                            sci_error_t *error);

/*
 * No new connections; those that exist go on. Gives the id free. flags: FORCE_DISCONNECT (they end: the remotes get
 * DISCONNECT), NOTIFY (changes nothing beside that one).
 * Errors: SCI_ERR_ILLEGAL_OPERATION when it isn't available; SCI_ERR_FLAG_NOT_IMPLEMENTED for NOTIFY alone.
 */
void SCISetSegmentUnavailable(sci_local_segment_t segment, unsigned int localAdapterNo, unsigned int flags,
                              sci_error_t *error);

/*
 * Maps size bytes (> 0) from offset (a multiple of the page size) and returns their address, NULL on failure.
 * addr is a wish, with FIXED_MAP_ADDR an order; NULL lets the system choose.
 * flags: FIXED_MAP_ADDR, READONLY_MAP, SCI_SHIM_FLAG_LAST_MAP (sisci_shim.h).
 * Errors: SCI_ERR_OUT_OF_RANGE beyond the segment; SCI_ERR_OFFSET_ALIGNMENT; SCI_ERR_ILLEGAL_PARAMETER for a fixed addr
 * that is not free or aligned; SCI_ERR_NOSPC when there is no address space; SCI_ERR_ILLEGAL_OPERATION after LAST_MAP
 * and for an empty segment.
 */
void *SCIMapLocalSegment(sci_local_segment_t segment, sci_map_t *map, size_t offset, size_t size, void *addr,
                         unsigned int flags, sci_error_t *error);

/*
 * Unmaps what either map call made. The memory must not be touched any more. flags: 0.
 * Errors: SCI_ERR_BUSY while it has a sequence.
 */
void SCIUnmapSegment(sci_map_t map, unsigned int flags, sci_error_t *error);

/*
 * Waits for the next event of a segment without a callback and returns its reason: CONNECT, DISCONNECT or LOST, with the
 * remote's node and adapter; 0 on failure. Each event goes to one thread, the oldest first. 64 are kept. flags: 0.
 * Errors: SCI_ERR_TIMEOUT; SCI_ERR_CANCELLED when the segment is removed, which waits until this call has returned;
 * SCI_ERR_OVERFLOW once when older events have been dropped, go on with those that are left; SCI_ERR_ILLEGAL_OPERATION
 * for a segment with a callback, and from a callback.
 */
sci_segment_cb_reason_t SCIWaitForLocalSegmentEvent(sci_local_segment_t segment, unsigned int *sourceNodeId,
                                                    unsigned int *localAdapterNo, unsigned int timeout,
                                                    unsigned int flags, sci_error_t *error);

/*
 * Removes a segment; remotes that still have it mapped keep the memory. flags: FORCE_REMOVE.
 * Errors: SCI_ERR_BUSY while it is mapped here or a remote is connected; with FORCE_REMOVE remotes are
 * disconnected first (they get DISCONNECT), even if the call then gives SCI_ERR_BUSY for a mapping here.
 */
void SCIRemoveSegment(sci_local_segment_t segment, unsigned int flags, sci_error_t *error);

/* ---- Remote segments ---- */

/*
 * Connects to a segment of a node (of this host, our own process included). Blocks up to timeout for the other
 * process to answer, but never for a segment to appear. flags: USE_CALLBACK (callback gets DISCONNECT, LOST).
 * Errors: SCI_ERR_NO_SUCH_SEGMENT, at once, when it isn't there or not available; SCI_ERR_TIMEOUT when it is there but its
 * process has not answered in time (it is stopped, or has too many connectors). Try again on either, after a pause of
 * your own on the first. SCI_ERR_CONNECTION_REFUSED when one side does not trust the other, or what it sent;
 * SCI_ERR_INCONSISTENT_VERSIONS; SCI_ERR_ILLEGAL_OPERATION from a callback.
 */
void SCIConnectSegment(sci_desc_t sd, sci_remote_segment_t *segment, unsigned int nodeId, unsigned int segmentId,
                       unsigned int localAdapterNo, sci_cb_remote_segment_t callback, void *callbackArg,
                       unsigned int timeout, unsigned int flags, sci_error_t *error);

/* The size that the segment was created with, 0 when the handle isn't valid. */
size_t SCIGetRemoteSegmentSize(sci_remote_segment_t segment);

/*
 * As SCIMapLocalSegment. A mapping outlives the other process.
 * Errors: also SCI_ERR_SEGMENT_NOT_CONNECTED once the other side has disconnected or is lost.
 */
volatile void *SCIMapRemoteSegment(sci_remote_segment_t segment, sci_map_t *map, size_t offset, size_t size, void *addr,
                                   unsigned int flags, sci_error_t *error);

/*
 * Waits for the end of a connection without a callback and returns why: DISCONNECT or LOST; 0 on failure. *status is
 * SCI_ERR_OK then. flags: 0.
 * Errors: SCI_ERR_TIMEOUT; SCI_ERR_CANCELLED when it is disconnected here, which waits until this call has returned;
 * SCI_ERR_SEGMENT_NOT_CONNECTED when a wait has returned that event already; SCI_ERR_ILLEGAL_OPERATION for a connection
 * with a callback, and from a callback.
 */
sci_segment_cb_reason_t SCIWaitForRemoteSegmentEvent(sci_remote_segment_t segment, sci_error_t *status,
                                                     unsigned int timeout, unsigned int flags, sci_error_t *error);

/* Ends the connection; the other side gets DISCONNECT. flags: 0. Errors: SCI_ERR_BUSY while it is mapped. */
void SCIDisconnectSegment(sci_remote_segment_t segment, unsigned int flags, sci_error_t *error);

/* ---- Sequences ---- */

/*
 * None of these calls but the first two takes a lock: they are for use between stores. They need no sequence for the
 * stores to arrive; it tells whether somebody is there to read them.
 */

/*
 * Makes a sequence for a map, local or remote; a map can have several, and stays mapped as long. flags: FAST_BARRIER
 * (changes nothing).
 */
void SCICreateMapSequence(sci_map_t map, sci_sequence_t *sequence, unsigned int flags, sci_error_t *error);

/* Removes it. flags: 0. */
void SCIRemoveSequence(sci_sequence_t sequence, unsigned int flags, sci_error_t *error);

/*
 * Before the first stores, and after SCICheckSequence gave anything but SCI_SEQ_OK. SCI_SEQ_OK, or SCI_SEQ_NOT_RETRIABLE
 * with an error. flags: 0.
 * Errors: SCI_ERR_SEGMENT_NOT_CONNECTED once the other side has disconnected or is lost: there is no way back.
 */
sci_sequence_status_t SCIStartSequence(sci_sequence_t sequence, unsigned int flags, sci_error_t *error);

/*
 * Whether the other side was still there to see what has been stored so far: SCI_SEQ_OK, or SCI_SEQ_NOT_RETRIABLE once
 * it has disconnected or is lost, as the library's thread has noticed (without an error), and when the call fails. A
 * local map's sequence is always SCI_SEQ_OK. Does what SCIStoreBarrier does first, unless flags: NO_FLUSH and
 * NO_STORE_BARRIER, both.
 */
sci_sequence_status_t SCICheckSequence(sci_sequence_t sequence, unsigned int flags, sci_error_t *error);

/*
 * A full fence: when it returns, all earlier stores to mapped segments are visible to whoever looks. A process that sees
 * a store made after it, and then reads with acquire, sees all those made before. sequence and flags are not looked at.
 */
void SCIStoreBarrier(sci_sequence_t sequence, unsigned int flags);

/* The same: there are no other buffers to flush. */
void SCIFlush(sci_sequence_t sequence, unsigned int flags);

/*
 * Copies size bytes (0 or more) from memory to a map, remoteOffset bytes from its start, and does what SCIStoreBarrier
 * does. The two must not overlap. sequence: one of the map's, or NULL.
 * flags: ERROR_CHECK (needs a sequence), BLOCK_READ (copies from the map to memory; what was stored before a flag that
 * the caller has seen is there).
 * Errors: SCI_ERR_OUT_OF_RANGE beyond the map; SCI_ERR_ILLEGAL_OPERATION into a read-only one; with ERROR_CHECK
 * SCI_ERR_TRANSFER_FAILED once the other side has disconnected or is lost, after copying.
 */
void SCIMemCpy(sci_sequence_t sequence, void *memory, sci_map_t remoteMap, size_t remoteOffset, size_t size,
               unsigned int flags, sci_error_t *error);

/* ---- Interrupts ---- */

/*
 * Makes an interrupt that remotes can trigger. *interruptNo is unique to node and adapter; it is read with FIXED_INTNO,
 * otherwise chosen by the library and written.
 * flags: USE_CALLBACK (callback at each delivery), FIXED_INTNO,
 * COUNTING_INT (a wait or callback takes one trigger; without it, all that are pending, and those that find no room are
 * one with what is pending),
 * SHARED_INT (up to 8 interrupts of this node, of one process or several, have the number, made with the same flags but
 * for USE_CALLBACK and FIXED_INTNO; each trigger goes to all).
 * Errors: SCI_ERR_INTNO_USED; SCI_ERR_NOSPC when 8 share the number.
 */
void SCICreateInterrupt(sci_desc_t sd, sci_local_interrupt_t *interrupt, unsigned int localAdapterNo,
                        unsigned int *interruptNo, sci_cb_interrupt_t callback, void *callbackArg, unsigned int flags,
                        sci_error_t *error);

/* Removes it. Threads that wait for it get SCI_ERR_CANCELLED and have left it when this returns. flags: 0. */
void SCIRemoveInterrupt(sci_local_interrupt_t interrupt, unsigned int flags, sci_error_t *error);

/*
 * Blocks until the interrupt is triggered; returns at once when it has been already. flags: 0.
 * Errors: SCI_ERR_TIMEOUT; SCI_ERR_CANCELLED; SCI_ERR_ILLEGAL_OPERATION for an interrupt with a callback.
 */
void SCIWaitForInterrupt(sci_local_interrupt_t interrupt, unsigned int timeout, unsigned int flags,
                         sci_error_t *error);

/*
 * Finds a node's interrupt. Never blocks, timeout is not needed. flags: 0.
 * Errors: SCI_ERR_NO_SUCH_INTNO, and SCI_ERR_BUSY when too many connect to a counting or shared one at once (try again on
 * either); SCI_ERR_CONNECTION_REFUSED when a counting or shared one is not of a user whom we trust.
 */
void SCIConnectInterrupt(sci_desc_t sd, sci_remote_interrupt_t *interrupt, unsigned int nodeId,
                         unsigned int localAdapterNo, unsigned int interruptNo, unsigned int timeout,
                         unsigned int flags, sci_error_t *error);

/* Forgets it; triggers already sent stay sent. flags: 0. */
void SCIDisconnectInterrupt(sci_remote_interrupt_t interrupt, unsigned int flags, sci_error_t *error);

/*
 * Triggers it, without blocking. All stores made before are visible to the thread that is woken. flags: 0.
 * Errors: SCI_ERR_NOT_CONNECTED when it has been removed or its process is gone; SCI_ERR_OVERFLOW when it counts, and of
 * our triggers so many are pending that this one found no room (over 200, as net.core.wmem_max has it). If the number is
 * shared, those that had room were triggered; SCI_ERR_BUSY when one of them could not be connected to yet.
 */
void SCITriggerInterrupt(sci_remote_interrupt_t interrupt, unsigned int flags, sci_error_t *error);

/* ---- Data interrupts: each trigger carries up to 8192 bytes, and a wait or callback takes one ---- */

/* As SCICreateInterrupt, with numbers of their own. flags: USE_CALLBACK, FIXED_INTNO, SHARED_INT. */
void SCICreateDataInterrupt(sci_desc_t sd, sci_local_data_interrupt_t *interrupt, unsigned int localAdapterNo,
                            unsigned int *interruptNo, sci_cb_data_interrupt_t callback, void *callbackArg,
                            unsigned int flags, sci_error_t *error);

/* As SCIRemoveInterrupt. */
void SCIRemoveDataInterrupt(sci_local_data_interrupt_t interrupt, unsigned int flags, sci_error_t *error);

/*
 * As SCIWaitForInterrupt; copies what the trigger carried to data. *length is how much fits there, and becomes how much
 * it is. Triggers of one remote come in order.
 * Errors: also SCI_ERR_NOSPC when more came than fits; then *length says how much, and it can still be had.
 */
void SCIWaitForDataInterrupt(sci_local_data_interrupt_t interrupt, void *data, unsigned int *length,
                             unsigned int timeout, unsigned int flags, sci_error_t *error);

/* As SCIConnectInterrupt for a counting one. */
void SCIConnectDataInterrupt(sci_desc_t sd, sci_remote_data_interrupt_t *interrupt, unsigned int nodeId,
                             unsigned int localAdapterNo, unsigned int interruptNo, unsigned int timeout,
                             unsigned int flags, sci_error_t *error);

/* As SCIDisconnectInterrupt. */
void SCIDisconnectDataInterrupt(sci_remote_data_interrupt_t interrupt, unsigned int flags, sci_error_t *error);

/*
 * Triggers it with length bytes (1 to 8192), which are copied. Otherwise as SCITriggerInterrupt for a counting one.
 * Errors: also SCI_ERR_OUT_OF_RANGE for more bytes.
 */
void SCITriggerDataInterrupt(sci_remote_data_interrupt_t interrupt, void *data, unsigned int length,
                             unsigned int flags, sci_error_t *error);

/* ---- Nodes and errors ---- */

/* Writes our node id. flags: 0. */
void SCIGetLocalNodeId(unsigned int adapterNo, unsigned int *nodeId, unsigned int flags, sci_error_t *error);

/*
 * 1 when a process of this host (to be exact: of our network namespace) has initialised the library as that node, else 0.
 * It may be another user's. Of more than 256 processes of a node 256 count. flags: 0.
 * Errors: SCI_ERR_NO_SUCH_NODEID.
 */
int SCIProbeNode(sci_desc_t sd, unsigned int localAdapterNo, unsigned int nodeId, unsigned int flags,
                 sci_error_t *error);

/*
 * Answers a question about the library (data: sci_query_string_t) or its adapter (sci_query_adapter_t). flags: 0.
 * Errors: SCI_ERR_ILLEGAL_QUERY for a command or subcommand that isn't known; SCI_ERR_NOT_IMPLEMENTED for one that only a
 * card could answer.
 */
void SCIQuery(unsigned int command, void *data, unsigned int flags, sci_error_t *error);

/* A constant English text, never NULL; needs no SCIInitialize. */
const char *SCIGetErrorString(sci_error_t error);

#ifdef __cplusplus
}
#endif

#endif

/*
 * The SISCI interface: shared memory segments and interrupts.
 *
 * This library provides it between the processes of one Linux host (to be exact: of one network namespace).
 * A program written to this header runs unchanged on the library that comes with a card.
 *
 * Common to all calls
 *   Threads    Any call may be made by any thread at any time, with one exception: SCITerminate must not overlap
 *              with calls of other threads.
 *   Errors     *error is always written, SCI_ERR_OK on success; error may be NULL. Besides the errors named at a call,
 *              each can give SCI_ERR_NOT_INITIALIZED (no SCIInitialize), SCI_ERR_ILLEGAL_PARAMETER (a NULL result
 *              pointer, a handle that isn't valid), SCI_ERR_ILLEGAL_FLAG (a flag the call does not know) and
 *              SCI_ERR_SYSTEM (no descriptor, thread or memory left). A call that fails has changed nothing unless
 *              it says otherwise, and leaves result handles unwritten.
 *   Units      Sizes and offsets are bytes, time-outs milliseconds; SCI_INFINITE_TIMEOUT waits for ever.
 *   Blocking   Only the calls with a timeout block. Removing or disconnecting a handle waits for the end of its
 *              callback if that is running in another thread, so don't hold a lock then that the callback takes.
 *   Ownership  A handle belongs to the caller until it is removed, disconnected, unmapped or closed.
 *   Adapters   The only adapter is number 0. 1 to 15 give SCI_ERR_NO_SUCH_ADAPTERNO, more SCI_ERR_ILLEGAL_ADAPTERNO.
 *   Nodes      Ids are 1 to 65535, other values give SCI_ERR_ILLEGAL_NODEID. Ours is 4 unless the environment
 *              variable SISCI_SHIM_NODE says otherwise.
 *   Trust      Only processes of the same effective user can connect (more: SCIShimAllowUsers in sisci_shim.h).
 *   Fork       Descriptors are closed on exec. A child that goes on without exec must not use the library.
 *
 * Callbacks
 *   They run one at a time on the library's own thread, with all signals blocked and a stack of 256 KiB. They may make
 *   any call except SCIConnectSegment (SCI_ERR_ILLEGAL_OPERATION) and SCITerminate (ignored), also remove or
 *   disconnect the very handle they are called for. Once that removal has returned, in whichever thread, the callback
 *   is neither running (unless it is the caller) nor called again.
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
#define SCIMapLocalSegment       SISCI_SYMBOL(SCIMapLocalSegment)
#define SCIUnmapSegment          SISCI_SYMBOL(SCIUnmapSegment)
#define SCIRemoveSegment         SISCI_SYMBOL(SCIRemoveSegment)
#define SCIConnectSegment        SISCI_SYMBOL(SCIConnectSegment)
#define SCIGetRemoteSegmentSize  SISCI_SYMBOL(SCIGetRemoteSegmentSize)
#define SCIMapRemoteSegment      SISCI_SYMBOL(SCIMapRemoteSegment)
#define SCIDisconnectSegment     SISCI_SYMBOL(SCIDisconnectSegment)
#define SCICreateInterrupt       SISCI_SYMBOL(SCICreateInterrupt)
#define SCIRemoveInterrupt       SISCI_SYMBOL(SCIRemoveInterrupt)
#define SCIWaitForInterrupt      SISCI_SYMBOL(SCIWaitForInterrupt)
#define SCIConnectInterrupt      SISCI_SYMBOL(SCIConnectInterrupt)
#define SCIDisconnectInterrupt   SISCI_SYMBOL(SCIDisconnectInterrupt)
#define SCITriggerInterrupt      SISCI_SYMBOL(SCITriggerInterrupt)
#define SCIGetLocalNodeId        SISCI_SYMBOL(SCIGetLocalNodeId)
#define SCIProbeNode             SISCI_SYMBOL(SCIProbeNode)
#define SCIGetErrorString        SISCI_SYMBOL(SCIGetErrorString)
#endif

/* Flags are variables of the library, not constants: that is the interface's ABI. */
#define SCI_FLAG_USE_CALLBACK   _SISCI_PUBLIC_CONST_SCI_FLAG_USE_CALLBACK   /* events go to the callback */
#define SCI_FLAG_FIXED_INTNO    _SISCI_PUBLIC_CONST_SCI_FLAG_FIXED_INTNO    /* the caller picks the number */
#define SCI_FLAG_SHARED_INT     _SISCI_PUBLIC_CONST_SCI_FLAG_SHARED_INT     /* not implemented */
#define SCI_FLAG_COUNTING_INT   _SISCI_PUBLIC_CONST_SCI_FLAG_COUNTING_INT   /* one wait, one trigger */
#define SCI_FLAG_EMPTY          _SISCI_PUBLIC_CONST_SCI_FLAG_EMPTY          /* not implemented */
#define SCI_FLAG_PRIVATE        _SISCI_PUBLIC_CONST_SCI_FLAG_PRIVATE        /* nobody can connect */
#define SCI_FLAG_FORCE_REMOVE   _SISCI_PUBLIC_CONST_SCI_FLAG_FORCE_REMOVE   /* disconnect the remotes first */
#define SCI_FLAG_FIXED_MAP_ADDR _SISCI_PUBLIC_CONST_SCI_FLAG_FIXED_MAP_ADDR /* map at addr or fail */
#define SCI_FLAG_READONLY_MAP   _SISCI_PUBLIC_CONST_SCI_FLAG_READONLY_MAP   /* stores fault */

extern const unsigned int SCI_FLAG_USE_CALLBACK;
extern const unsigned int SCI_FLAG_FIXED_INTNO;
extern const unsigned int SCI_FLAG_SHARED_INT;
extern const unsigned int SCI_FLAG_COUNTING_INT;
extern const unsigned int SCI_FLAG_EMPTY;
extern const unsigned int SCI_FLAG_PRIVATE;
extern const unsigned int SCI_FLAG_FORCE_REMOVE;
extern const unsigned int SCI_FLAG_FIXED_MAP_ADDR;
extern const unsigned int SCI_FLAG_READONLY_MAP;

#define SCI_INFINITE_TIMEOUT 0xffffffffu

/* ---- Library and virtual devices ---- */

/*
 * Before anything else. May be called several times; only as many SCITerminate end it. flags: 0.
 * Errors: SCI_ERR_ILLEGAL_NODEID when SISCI_SHIM_NODE isn't a node id.
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
 * (segmentId means nothing).
 * Errors: SCI_ERR_SEGMENTID_USED; SCI_ERR_NOSPC when size is beyond what the system can give;
 * SCI_ERR_FLAG_NOT_IMPLEMENTED for EMPTY.
 */
void SCICreateSegment(sci_desc_t sd, sci_local_segment_t *segment, unsigned int segmentId, size_t size,
                      sci_cb_local_segment_t callback, void *callbackArg, unsigned int flags, sci_error_t *error);

/* Makes it ready for an adapter; must precede SCISetSegmentAvailable. flags: 0. */
void SCIPrepareSegment(sci_local_segment_t segment, unsigned int localAdapterNo, unsigned int flags,
                       sci_error_t *error);

/*
 * From now on remotes can connect. flags: 0. Nothing happens if it is available already.
 * Errors: SCI_ERR_SEGMENT_NOT_PREPARED; SCI_ERR_ILLEGAL_OPERATION for a private segment, or one whose memory can't be
 * handed out any more (SCI_SHIM_FLAG_LAST_MAP); SCI_ERR_SEGMENTID_USED when it had been made unavailable and somebody
 * took the id since.
 */
void SCISetSegmentAvailable(sci_local_segment_t segment, unsigned int localAdapterNo, unsigned int flags,
                            sci_error_t *error);

/*
 * No new connections; those that exist go on. Gives the id free. flags: 0.
 * Errors: SCI_ERR_ILLEGAL_OPERATION when it isn't available.
 */
void SCISetSegmentUnavailable(sci_local_segment_t segment, unsigned int localAdapterNo, unsigned int flags,
                              sci_error_t *error);

/*
 * Maps size bytes (> 0) from offset (a multiple of the page size) and returns their address, NULL on failure.
 * addr is a wish, with FIXED_MAP_ADDR an order; NULL lets the system choose.
 * flags: FIXED_MAP_ADDR, READONLY_MAP, SCI_SHIM_FLAG_LAST_MAP (sisci_shim.h).
 * Errors: SCI_ERR_OUT_OF_RANGE beyond the segment; SCI_ERR_OFFSET_ALIGNMENT; SCI_ERR_ILLEGAL_PARAMETER for a fixed addr
 * that is not free or aligned; SCI_ERR_NOSPC when there is no address space; SCI_ERR_ILLEGAL_OPERATION after LAST_MAP.
 */
void *SCIMapLocalSegment(sci_local_segment_t segment, sci_map_t *map, size_t offset, size_t size, void *addr,
                         unsigned int flags, sci_error_t *error);

/* Unmaps what either map call made. The memory must not be touched any more. flags: 0. */
void SCIUnmapSegment(sci_map_t map, unsigned int flags, sci_error_t *error);

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
 * Errors: SCI_ERR_NO_SUCH_SEGMENT when it isn't there or not available; SCI_ERR_TIMEOUT when no answer came (try again
 * on either); SCI_ERR_CONNECTION_REFUSED when one side does not trust the other, or what it sent;
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

/* Ends the connection; the other side gets DISCONNECT. flags: 0. Errors: SCI_ERR_BUSY while it is mapped. */
void SCIDisconnectSegment(sci_remote_segment_t segment, unsigned int flags, sci_error_t *error);

/* ---- Interrupts ---- */

/*
 * Makes an interrupt that remotes can trigger. *interruptNo is unique to node and adapter; it is read with FIXED_INTNO,
 * otherwise chosen by the library and written.
 * Triggers without a reader pile up to net.unix.max_dgram_qlen + 1 (11 by default); further ones are not counted.
 * flags: USE_CALLBACK (callback at each delivery), FIXED_INTNO, COUNTING_INT (a wait or callback takes one trigger;
 * without it takes all that are pending).
 * Errors: SCI_ERR_INTNO_USED; SCI_ERR_FLAG_NOT_IMPLEMENTED for SHARED_INT.
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
 * Errors: SCI_ERR_NO_SUCH_INTNO (try again).
 */
void SCIConnectInterrupt(sci_desc_t sd, sci_remote_interrupt_t *interrupt, unsigned int nodeId,
                         unsigned int localAdapterNo, unsigned int interruptNo, unsigned int timeout,
                         unsigned int flags, sci_error_t *error);

/* Forgets it; triggers already sent stay sent. flags: 0. */
void SCIDisconnectInterrupt(sci_remote_interrupt_t interrupt, unsigned int flags, sci_error_t *error);

/*
 * Triggers it, without blocking. All stores made before are visible to the thread that is woken. flags: 0.
 * Errors: SCI_ERR_NOT_CONNECTED when it has been removed or its process is gone.
 */
void SCITriggerInterrupt(sci_remote_interrupt_t interrupt, unsigned int flags, sci_error_t *error);

/* ---- Nodes and errors ---- */

/* Writes our node id. flags: 0. */
void SCIGetLocalNodeId(unsigned int adapterNo, unsigned int *nodeId, unsigned int flags, sci_error_t *error);

/* 1 for our own node, else 0 with SCI_ERR_NO_SUCH_NODEID. flags: 0. */
int SCIProbeNode(sci_desc_t sd, unsigned int localAdapterNo, unsigned int nodeId, unsigned int flags,
                 sci_error_t *error);

/* A constant English text, never NULL; needs no SCIInitialize. */
const char *SCIGetErrorString(sci_error_t error);

#ifdef __cplusplus
}
#endif

#endif

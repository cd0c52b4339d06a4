/*
 * The SCILib interface: message queues between processes, over SISCI segments and interrupts.
 *
 * A queue carries bytes in one direction, from one sending to one receiving process. The receiver creates it, under a
 * number that is unique to its node, and the sender connects to it. The queue lies in the receiver's memory: the sender
 * writes it, the receiver only reads it. (The layout: native/common/inbox.h. A queue in Java, jfs.scilib, has the same.)
 *
 * Delivery
 *   Each byte that was sent is received once and in order. A call sends all of its bytes or none. A call receives all bytes
 *   that it asks for or none. The two calls that wait are exceptions. Receiving is stream-like: the caller asks for a
 *   number of bytes, and the boundaries of messages are not kept. Messages that were sent before the sender disconnected
 *   or died are received before the queue reports that the sender is gone.
 *
 * Common to all calls
 *   Result     A SISCI error code. Besides those named at a call, each can give SCI_ERR_ILLEGAL_PARAMETER (a NULL
 *              pointer, the wrong end of a queue) and SCI_ERR_ILLEGAL_FLAG. Calls that create or connect can also give any
 *              error of the SISCI calls that they make, such as SCI_ERR_SYSTEM and SCI_ERR_NOSPC. A call that fails has
 *              changed nothing, unless its description says otherwise.
 *   Threads    Only one thread at a time may use an end of a queue. Different ends can be used at the same time.
 *              SCILDestroy must not overlap with any other call.
 *   Blocking   Only SCILConnectMsgQueue and the two calls that wait.
 *   Units      Sizes are bytes, time-outs milliseconds; SCI_INFINITE_TIMEOUT waits for ever.
 *   Ownership  A handle is a pointer to memory of the library: it is valid from its creation until it is removed or
 *              disconnected, which sets it to NULL. The library keeps no pointer to a caller's buffer.
 *   Trust      As for all SISCI calls here: processes of the same user. The library checks what another process writes
 *              into a queue; an invalid value ends the queue with SCI_ERR_TRANSFER_FAILED.
 *   Fork       A child that goes on without exec must not use the library.
 */
#ifndef SCILIB_H
#define SCILIB_H

#include <sys/uio.h>

#include "sisci_api.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct sci_msq_queue *sci_msq_queue_t;

/* As with SISCI, the exported symbols tell single from multithreaded callers; both are the same functions. */
#ifndef SCIL_PLAIN_NAMES
#ifdef _REENTRANT
#define SCIL_SYMBOL(name) _SCIL_PUBLIC_FUNC_MT_##name
#else
#define SCIL_SYMBOL(name) _SCIL_PUBLIC_FUNC_ST_##name
#endif
#define SCILInit               SCIL_SYMBOL(SCILInit)
#define SCILDestroy            SCIL_SYMBOL(SCILDestroy)
#define SCILCreateMsgQueue     SCIL_SYMBOL(SCILCreateMsgQueue)
#define SCILConnectMsgQueue    SCIL_SYMBOL(SCILConnectMsgQueue)
#define SCILSendMsg            SCIL_SYMBOL(SCILSendMsg)
#define SCILReceiveMsg         SCIL_SYMBOL(SCILReceiveMsg)
#define SCILSendVMsg           SCIL_SYMBOL(SCILSendVMsg)
#define SCILReceiveVMsg        SCIL_SYMBOL(SCILReceiveVMsg)
#define SCILSendMsgWait        SCIL_SYMBOL(SCILSendMsgWait)
#define SCILReceiveMsgWait     SCIL_SYMBOL(SCILReceiveMsgWait)
#define SCILRemoveMsgQueue     SCIL_SYMBOL(SCILRemoveMsgQueue)
#define SCILDisconnectMsgQueue SCIL_SYMBOL(SCILDisconnectMsgQueue)
#endif

/* The highest number of a queue. The library's segments have the ids from 0x10000000 to 0x1fffffff. */
#define SCIL_MSQ_ID_MAX 0x07ffffffu

/*
 * Initialises the library, and SISCI. It may be called several times: the library ends with the same number of SCILDestroy
 * calls. flags: 0.
 */
sci_error_t SCILInit(unsigned int flags);

/*
 * Ends what SCILInit began. flags: 0.
 * Errors: SCI_ERR_NOT_INITIALIZED; SCI_ERR_BUSY when it is the last such call and an end of a queue is left.
 */
sci_error_t SCILDestroy(unsigned int flags);

/*
 * Makes the receiving end of queue msqId, for one sender on node remoteNodeId. *msq must be NULL and gets the handle.
 * The queue holds maxMsgCount messages of maxMsgSize bytes each (both at least 1), and at least as many shorter
 * ones; it takes memory for them and some KiB more, at most 64 MiB in all. The call does not wait for the sender: timeout
 * is ignored. flags: 0.
 * Errors: SCI_ERR_NOT_INITIALIZED; SCI_ERR_OUT_OF_RANGE for an msqId or a size beyond the limits;
 * SCI_ERR_SEGMENTID_USED when this node has such a queue.
 */
sci_error_t SCILCreateMsgQueue(sci_msq_queue_t *msq, unsigned int localAdapterNo, unsigned int remoteNodeId,
                               unsigned int msqId, unsigned int maxMsgCount, unsigned int maxMsgSize,
                               unsigned int timeout, unsigned int flags);

/*
 * Makes the sending end of queue msqId of node remoteNodeId. *msq must be NULL and gets the handle. The sizes must be
 * those that the queue is created with. The call waits at most timeout until the queue has been created. The receiver
 * need not make any other call: messages can be sent as soon as this call returns. flags: 0.
 * Errors: SCI_ERR_NOT_INITIALIZED; SCI_ERR_OUT_OF_RANGE as above; SCI_ERR_NO_SUCH_SEGMENT or SCI_ERR_TIMEOUT when there
 * was no such queue, or no answer, in time; SCI_ERR_BUSY when the queue has, or has had, a sender;
 * SCI_ERR_ILLEGAL_PARAMETER when the queue was created with other sizes; SCI_ERR_CONNECTION_REFUSED for another user's
 * queue; SCI_ERR_INCONSISTENT_VERSIONS.
 */
sci_error_t SCILConnectMsgQueue(sci_msq_queue_t *msq, unsigned int localAdapterNo, unsigned int remoteNodeId,
                                unsigned int msqId, unsigned int maxMsgCount, unsigned int maxMsgSize,
                                unsigned int timeout, unsigned int flags);

/*
 * Flags of sending and receiving: they say how transfers over a card are checked. Here the memory is the host's own, and
 * the library always checks what arrives, so they change nothing. As with SISCI they are variables of the library.
 */
#define SCIL_FLAG_ERROR_CHECK_DATA _SCIL_PUBLIC_CONST_SCIL_FLAG_ERROR_CHECK_DATA
#define SCIL_FLAG_ERROR_CHECK_PROT _SCIL_PUBLIC_CONST_SCIL_FLAG_ERROR_CHECK_PROT
#define SCIL_FLAG_FULL_ERROR_CHECK _SCIL_PUBLIC_CONST_SCIL_FLAG_FULL_ERROR_CHECK
extern const unsigned int SCIL_FLAG_ERROR_CHECK_DATA;
extern const unsigned int SCIL_FLAG_ERROR_CHECK_PROT;
extern const unsigned int SCIL_FLAG_FULL_ERROR_CHECK;

/*
 * Sends size bytes (0 to maxMsgSize) from msg, all or none. sizeFree may be NULL; otherwise *sizeFree becomes the number of
 * bytes for which there is still room (there may be more). It is written with SCI_ERR_OK and SCI_ERR_EWOULD_BLOCK.
 * Errors: SCI_ERR_EWOULD_BLOCK when there is not enough room now; SCI_ERR_OUT_OF_RANGE for more than maxMsgSize;
 * SCI_ERR_NOT_CONNECTED when the receiver has removed the queue or its process has ended (what was sent may not have been
 * received); SCI_ERR_TRANSFER_FAILED.
 */
sci_error_t SCILSendMsg(sci_msq_queue_t msq, void *msg, unsigned int size, unsigned int *sizeFree, unsigned int flags);

/*
 * Receives size bytes into msg, all or none. sizeLeft may be NULL; otherwise *sizeLeft becomes the number of bytes that are
 * left in the queue. It is written with SCI_ERR_OK, SCI_ERR_EWOULD_BLOCK and SCI_ERR_NOT_CONNECTED.
 *
 * A receiver that asks for the messages one by one, with their sizes, always gets them in the end. A receiver that asks
 * for more bytes at once than a message has may ask for more than fits. It should ask for *sizeLeft bytes.
 *
 * The first call that finds a sender connects to the sender's segment, which takes the sender's process a moment. As long
 * as that process does not answer, each call takes up to 10 ms.
 * Errors: SCI_ERR_EWOULD_BLOCK when there are not enough bytes now, or no sender has connected yet;
 * SCI_ERR_OUT_OF_RANGE for more than maxMsgCount * maxMsgSize; SCI_ERR_NOT_CONNECTED when there are fewer bytes and the
 * sender has disconnected or its process has ended; SCI_ERR_TRANSFER_FAILED.
 */
sci_error_t SCILReceiveMsg(sci_msq_queue_t msq, void *msg, unsigned int size, unsigned int *sizeLeft,
                           unsigned int flags);

/* A message in several parts. The caller owns all of it; the library does not use it after the call. */
typedef struct {
    unsigned int cmsg_valid; /* ignored, as page is: they are for programs in a kernel */
    void *page;
    struct iovec *iov; /* the parts, in their order; a part may be empty */
    size_t iovlen;     /* how many parts */
} sci_msg_t;

/*
 * Flags of the two calls below. MSG_FLUSH: the message is to leave the sender at once, as each message does here.
 * SEND_RECEIVE_PAIRS_ONLY: each receive asks for the size that was sent. They change nothing, and their numbers are this library's
 * own.
 */
#define SCIL_FLAG_MSG_FLUSH               _SCIL_PUBLIC_CONST_SCIL_FLAG_MSG_FLUSH
#define SCIL_FLAG_SEND_RECEIVE_PAIRS_ONLY _SCIL_PUBLIC_CONST_SCIL_FLAG_SEND_RECEIVE_PAIRS_ONLY
extern const unsigned int SCIL_FLAG_MSG_FLUSH;
extern const unsigned int SCIL_FLAG_SEND_RECEIVE_PAIRS_ONLY;

/*
 * As SCILSendMsg and SCILReceiveMsg, with a message in several parts: the first size bytes of all parts together. The parts need
 * not be the same at both ends. A message that is not in its first part alone is copied once more, and one of over 2 KiB takes
 * memory of the heap meanwhile. *size is how many bytes to receive, and is not changed.
 * Errors: also SCI_ERR_ILLEGAL_PARAMETER when the parts have fewer bytes; SCI_ERR_SYSTEM when there is no memory.
 */
sci_error_t SCILSendVMsg(sci_msq_queue_t msq, sci_msg_t *msg, unsigned int size, unsigned int *sizeFree, unsigned int flags);
sci_error_t SCILReceiveVMsg(sci_msq_queue_t msq, sci_msg_t *msg, unsigned int *size, unsigned int *sizeLeft,
                            unsigned int flags);

/*
 * Extensions, which other implementations of SCILib don't have. They do the same as the two calls above, but wait: they poll
 * for a moment (80 us), then sleep until the other end triggers an interrupt. They transfer in parts. So size has no upper
 * bound, and neither end can wait for more than fits. done may be NULL; otherwise *done always becomes the number of bytes
 * transferred, which are all bytes with SCI_ERR_OK. With any other result those bytes have been sent or received, too.
 * Errors: SCI_ERR_TIMEOUT when not all bytes were transferred in time; SCI_ERR_NOT_CONNECTED; SCI_ERR_TRANSFER_FAILED;
 * SCI_ERR_SYSTEM.
 */
sci_error_t SCILSendMsgWait(sci_msq_queue_t msq, const void *msg, size_t size, size_t *done, unsigned int timeout,
                            unsigned int flags);
sci_error_t SCILReceiveMsgWait(sci_msq_queue_t msq, void *msg, size_t size, size_t *done, unsigned int timeout,
                               unsigned int flags);

/*
 * Removes the receiving end, and all bytes that have not been received; the sender gets SCI_ERR_NOT_CONNECTED. Sets *msq to
 * NULL. flags: 0.
 * Errors: SCI_ERR_BUSY when a card's library keeps the segment as long as the sender is connected to it: call again.
 */
sci_error_t SCILRemoveMsgQueue(sci_msq_queue_t *msq, unsigned int flags);

/*
 * Disconnects the sending end. What was sent can still be received. Sets *msq to NULL. flags: 0.
 * Errors: SCI_ERR_BUSY as above.
 */
sci_error_t SCILDisconnectMsgQueue(sci_msq_queue_t *msq, unsigned int flags);

#ifdef __cplusplus
}
#endif

#endif

/*
 * Types of the SISCI interface.
 *
 * A handle is opaque and never points to memory. The library recognises a stale, foreign or invented handle, and returns
 * SCI_ERR_ILLEGAL_PARAMETER. Zero (NULL) is never a valid handle.
 */
#ifndef SISCI_TYPES_H
#define SISCI_TYPES_H

#include "sisci_error.h"

typedef struct sci_desc             *sci_desc_t;             /* owns everything made through it */
typedef struct sci_local_segment    *sci_local_segment_t;    /* memory of this process, exported to other processes */
typedef struct sci_remote_segment   *sci_remote_segment_t;   /* a connection to a segment of any process */
typedef struct sci_map              *sci_map_t;              /* a segment, or part of it, in this process's address space */
typedef struct sci_sequence         *sci_sequence_t;         /* orders and checks the stores to a map */
typedef struct sci_local_interrupt  *sci_local_interrupt_t;  /* this process can wait for it */
typedef struct sci_remote_interrupt *sci_remote_interrupt_t; /* this process can trigger it */
typedef struct sci_dma_queue        *sci_dma_queue_t;        /* copies that a thread of the library makes */
typedef struct sci_local_data_interrupt  *sci_local_data_interrupt_t;  /* the same, where triggers carry data */
typedef struct sci_remote_data_interrupt *sci_remote_data_interrupt_t;

/* What a callback returns. */
typedef enum {
    SCI_CALLBACK_CANCEL   = 1, /* this handle's callback is not wanted any more */
    SCI_CALLBACK_CONTINUE = 2  /* call again at the next event */
} sci_callback_action_t;

/* The state of the stores to a map. */
typedef enum {
    SCI_SEQ_OK            = 0,
    SCI_SEQ_RETRIABLE     = 1, /* for a card's transfers; does not occur on one host */
    SCI_SEQ_NOT_RETRIABLE = 2, /* the other side is not there any more to read them */
    SCI_SEQ_PENDING       = 3  /* for a card's transfers; does not occur on one host */
} sci_sequence_status_t;

/* What becomes of the copies of a DMA queue. */
typedef enum {
    SCI_DMAQUEUE_IDLE    = 0, /* it has none */
    SCI_DMAQUEUE_GATHER  = 1, /* SCIEnqueueDMATransfer has added some, which are not posted yet */
    SCI_DMAQUEUE_POSTED  = 2, /* they are being made, or their callback has not begun yet */
    SCI_DMAQUEUE_DONE    = 3, /* all are made */
    SCI_DMAQUEUE_ABORTED = 4, /* SCIAbortDMAQueue has stopped them: some may be made, some in part */
    SCI_DMAQUEUE_ERROR   = 5  /* a segment was removed or disconnected, or its process has ended, before all were made */
} sci_dma_queue_state_t;

/* The node that SCIConnectSegment takes with SCI_FLAG_BROADCAST: all nodes that have a segment of the group. */
#define DIS_BROADCAST_NODEID_GROUP_ALL 252

/* Most elements of a vector for SCIStartDmaTransferVec. */
#define DIS_DMA_MAX_VECLEN 256

/* An element of such a vector; offsets are from the start of the segments, in bytes. */
typedef struct {
    unsigned int size;
    unsigned int local_offset;
    unsigned int remote_offset;
    unsigned int flags; /* 0 */
} dis_dma_vec_t;

/* Why a segment's callback is called, or what a wait for its events returns. */
typedef enum {
    SCI_CB_CONNECT         = 1, /* local segments: a remote has connected */
    SCI_CB_DISCONNECT      = 2, /* the other side has disconnected, or removed the segment */
    SCI_CB_NOT_OPERATIONAL = 3, /* for a card's links; does not occur on one host */
    SCI_CB_OPERATIONAL     = 4, /* for a card's links; does not occur on one host */
    SCI_CB_LOST            = 5  /* the other side's process has ended without disconnecting */
} sci_segment_cb_reason_t;

typedef sci_callback_action_t (*sci_cb_local_segment_t)(void *arg, sci_local_segment_t segment,
                                                        sci_segment_cb_reason_t reason, unsigned int nodeId,
                                                        unsigned int localAdapterNo, sci_error_t error);

typedef sci_callback_action_t (*sci_cb_remote_segment_t)(void *arg, sci_remote_segment_t segment,
                                                         sci_segment_cb_reason_t reason, sci_error_t error);

typedef sci_callback_action_t (*sci_cb_interrupt_t)(void *arg, sci_local_interrupt_t interrupt, sci_error_t error);

/* status: SCI_ERR_OK, SCI_ERR_TRANSFER_FAILED (the queue's state was ERROR), SCI_ERR_CANCELLED (ABORTED). */
typedef sci_callback_action_t (*sci_cb_dma_t)(void *arg, sci_dma_queue_t queue, sci_error_t status);

/* data belongs to the library, and is valid until the callback returns. */
typedef sci_callback_action_t (*sci_cb_data_interrupt_t)(void *arg, sci_local_data_interrupt_t interrupt, void *data,
                                                         unsigned int length, sci_error_t error);

/* An address on an I/O bus; does not occur on one host. */
typedef unsigned long long sci_ioaddr_t;

/* A device that a card's library lends; does not occur on one host. */
typedef struct sci_smartio_device *sci_smartio_device_t;
typedef sci_smartio_device_t sci_device_t; /* its older name */

/* The data of SCIQuery for SCI_Q_ADAPTER. Older programs name this structure, and the following ones, by the tags. */
typedef struct sci_query_adapter {
    unsigned int localAdapterNo;
    unsigned int portNo;     /* ignored: there are no ports */
    unsigned int subcommand; /* one of SCI_Q_ADAPTER_... */
    void        *data;       /* the answer goes here: an unsigned int */
} sci_query_adapter_t;

/* The data of SCIQuery for SCI_Q_SYSTEM. */
typedef struct sci_query_system {
    unsigned int subcommand; /* SCI_Q_SYSTEM_CPU_CACHE_LINE_SIZE */
    void        *data;       /* the answer goes here: an unsigned int */
} sci_query_system_t;

/* The data of SCIQuery for SCI_Q_DMA. */
typedef struct sci_query_dma {
    unsigned int localAdapterNo;
    unsigned int subcommand; /* one of SCI_Q_DMA_... */
    void        *data;       /* the answer goes here: an unsigned int, or a sci_dma_capabilities_t */
} sci_query_dma_t;

/* What DMA queues can do. */
typedef struct {
    unsigned int num_channels;          /* threads that copy */
    unsigned int max_transfer_size;     /* of one copy, bytes */
    unsigned int max_vector_length;     /* DIS_DMA_MAX_VECLEN */
    unsigned int support_mem2io;        /* 1: memory to a remote segment */
    unsigned int support_io2mem;        /* 1: a remote segment to memory */
    unsigned int support_io2io;         /* 0: a remote segment to a remote segment */
    unsigned int min_align_bytes;       /* of offsets and sizes */
    unsigned int suggested_align_bytes;
} sci_dma_capabilities_t;

/* The data of SCIQuery for SCI_Q_LOCAL_SEGMENT. */
typedef struct sci_query_local_segment {
    sci_local_segment_t segment;
    unsigned int        subcommand; /* one of SCI_Q_LOCAL_SEGMENT_... */
    union {
        sci_ioaddr_t ioaddr;
    } data;
} sci_query_local_segment_t;

/* The data of SCIQuery for SCI_Q_REMOTE_SEGMENT. */
typedef struct sci_query_remote_segment {
    sci_remote_segment_t segment;
    unsigned int         subcommand; /* SCI_Q_REMOTE_SEGMENT_IOADDR */
    union {
        sci_ioaddr_t ioaddr;
    } data;
} sci_query_remote_segment_t;

/* The data of SCIQuery for SCI_Q_MAP. */
typedef struct sci_query_map {
    sci_map_t          map;
    unsigned int       subcommand; /* one of SCI_Q_MAP_... */
    unsigned long long data;       /* the answer */
} sci_query_map_t;

/* The data of SCIQuery for SCI_Q_VENDORID and SCI_Q_API. */
typedef struct sci_query_string {
    char        *str;    /* the answer goes here, with a closing NUL; it is cut if it is too long */
    unsigned int length; /* size of str, bytes */
} sci_query_string_t;

#endif

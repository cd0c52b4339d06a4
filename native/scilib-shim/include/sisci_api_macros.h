/*
 * The names of the interface as the library exports them, its flags and its commands. sisci_api.h includes this header and
 * says what each call does with them.
 */
#ifndef SISCI_API_MACROS_H
#define SISCI_API_MACROS_H

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
#define SCIGetLocalSegmentId     SISCI_SYMBOL(SCIGetLocalSegmentId)
#define SCIGetLocalSegmentSize   SISCI_SYMBOL(SCIGetLocalSegmentSize)
#define SCIMapLocalSegment       SISCI_SYMBOL(SCIMapLocalSegment)
#define SCIUnmapSegment          SISCI_SYMBOL(SCIUnmapSegment)
#define SCIRemoveSegment         SISCI_SYMBOL(SCIRemoveSegment)
#define SCIConnectSegment        SISCI_SYMBOL(SCIConnectSegment)
#define SCIGetRemoteSegmentSize  SISCI_SYMBOL(SCIGetRemoteSegmentSize)
#define SCIGetRemoteSegmentId    SISCI_SYMBOL(SCIGetRemoteSegmentId)
#define SCIGetRemoteSegmentNodeId SISCI_SYMBOL(SCIGetRemoteSegmentNodeId)
#define SCIMapRemoteSegment      SISCI_SYMBOL(SCIMapRemoteSegment)
#define SCIDisconnectSegment     SISCI_SYMBOL(SCIDisconnectSegment)
#define SCIWaitForRemoteSegmentEvent SISCI_SYMBOL(SCIWaitForRemoteSegmentEvent)
#define SCICreateMapSequence     SISCI_SYMBOL(SCICreateMapSequence)
#define SCIRemoveSequence        SISCI_SYMBOL(SCIRemoveSequence)
#define SCIStartSequence         SISCI_SYMBOL(SCIStartSequence)
#define SCICheckSequence         SISCI_SYMBOL(SCICheckSequence)
#define SCIStoreBarrier          SISCI_SYMBOL(SCIStoreBarrier)
#define SCIFlush                 SISCI_SYMBOL(SCIFlush)
#define SCIFlushReadBuffers      SISCI_SYMBOL(SCIFlushReadBuffers)
#define SCIMemCpy                SISCI_SYMBOL(SCIMemCpy)
#define SCIMemCopy               SISCI_SYMBOL(SCIMemCopy)
#define SCIMemWrite              SISCI_SYMBOL(SCIMemWrite)
#define SCITransferBlock         SISCI_SYMBOL(SCITransferBlock)
#define SCICacheSync             SISCI_SYMBOL(SCICacheSync)
#define SCICreateDMAQueue        SISCI_SYMBOL(SCICreateDMAQueue)
#define SCIRemoveDMAQueue        SISCI_SYMBOL(SCIRemoveDMAQueue)
#define SCIStartDmaTransfer      SISCI_SYMBOL(SCIStartDmaTransfer)
#define SCIStartDmaTransferVec   SISCI_SYMBOL(SCIStartDmaTransferVec)
#define SCIDMAQueueState         SISCI_SYMBOL(SCIDMAQueueState)
#define SCIWaitForDMAQueue       SISCI_SYMBOL(SCIWaitForDMAQueue)
#define SCIAbortDMAQueue         SISCI_SYMBOL(SCIAbortDMAQueue)
#define SCIEnqueueDMATransfer    SISCI_SYMBOL(SCIEnqueueDMATransfer)
#define SCIPostDMAQueue          SISCI_SYMBOL(SCIPostDMAQueue)
#define SCIResetDMAQueue         SISCI_SYMBOL(SCIResetDMAQueue)
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
#define SCIAttachPhysicalMemory  SISCI_SYMBOL(SCIAttachPhysicalMemory)
#define SCIRegisterSegmentMemory SISCI_SYMBOL(SCIRegisterSegmentMemory)
#define SCIRegisterPCIeRequester SISCI_SYMBOL(SCIRegisterPCIeRequester)
#define SCIUnregisterPCIeRequester SISCI_SYMBOL(SCIUnregisterPCIeRequester)
#define SCIBorrowDevice          SISCI_SYMBOL(SCIBorrowDevice)
#define SCIReturnDevice          SISCI_SYMBOL(SCIReturnDevice)
#define SCIGetErrorString        SISCI_SYMBOL(SCIGetErrorString)
#endif

/* Flags, commands and SCI_INFINITE_TIMEOUT are variables of the library, not constants: that is the interface's ABI. */
#define SCI_FLAG_USE_CALLBACK   _SISCI_PUBLIC_CONST_SCI_FLAG_USE_CALLBACK   /* events go to the callback */
#define SCI_FLAG_FIXED_INTNO    _SISCI_PUBLIC_CONST_SCI_FLAG_FIXED_INTNO    /* the caller picks the number */
#define SCI_FLAG_SHARED_INT     _SISCI_PUBLIC_CONST_SCI_FLAG_SHARED_INT     /* others may have the same number */
#define SCI_FLAG_COUNTING_INT   _SISCI_PUBLIC_CONST_SCI_FLAG_COUNTING_INT   /* one wait takes one trigger */
#define SCI_FLAG_EMPTY          _SISCI_PUBLIC_CONST_SCI_FLAG_EMPTY          /* a segment without memory */
#define SCI_FLAG_PRIVATE        _SISCI_PUBLIC_CONST_SCI_FLAG_PRIVATE        /* no process can connect */
#define SCI_FLAG_FORCE_REMOVE   _SISCI_PUBLIC_CONST_SCI_FLAG_FORCE_REMOVE   /* disconnect the remotes first */
#define SCI_FLAG_FIXED_MAP_ADDR _SISCI_PUBLIC_CONST_SCI_FLAG_FIXED_MAP_ADDR /* map at addr or fail */
#define SCI_FLAG_READONLY_MAP   _SISCI_PUBLIC_CONST_SCI_FLAG_READONLY_MAP   /* stores fault */

#define SCI_FLAG_NOTIFY           _SISCI_PUBLIC_CONST_SCI_FLAG_NOTIFY           /* only with FORCE_DISCONNECT */
#define SCI_FLAG_FORCE_DISCONNECT _SISCI_PUBLIC_CONST_SCI_FLAG_FORCE_DISCONNECT /* disconnect the remotes too */
#define SCI_FLAG_FAST_BARRIER     _SISCI_PUBLIC_CONST_SCI_FLAG_FAST_BARRIER     /* every barrier is fast */
#define SCI_FLAG_NO_FLUSH         _SISCI_PUBLIC_CONST_SCI_FLAG_NO_FLUSH         /* check without SCIFlush ... */
#define SCI_FLAG_NO_STORE_BARRIER _SISCI_PUBLIC_CONST_SCI_FLAG_NO_STORE_BARRIER /* ... and without SCIStoreBarrier */
#define SCI_FLAG_ERROR_CHECK      _SISCI_PUBLIC_CONST_SCI_FLAG_ERROR_CHECK      /* check the sequence after copying */
#define SCI_FLAG_BLOCK_READ       _SISCI_PUBLIC_CONST_SCI_FLAG_BLOCK_READ       /* copy out of the segment */

#define SCI_FLAG_AUTO_ID                _SISCI_PUBLIC_CONST_SCI_FLAG_AUTO_ID                /* the library picks the segment id */
#define SCI_FLAG_BROADCAST              _SISCI_PUBLIC_CONST_SCI_FLAG_BROADCAST              /* a segment of a broadcast group */
#define SCI_FLAG_IO_MAP_IOSPACE         _SISCI_PUBLIC_CONST_SCI_FLAG_IO_MAP_IOSPACE         /* changes nothing here */
#define SCI_FLAG_FLUSH_CPU_BUFFERS_ONLY _SISCI_PUBLIC_CONST_SCI_FLAG_FLUSH_CPU_BUFFERS_ONLY /* changes nothing here: SCIFlush */
#define SCI_FLAG_CACHE_FLUSH            _SISCI_PUBLIC_CONST_SCI_FLAG_CACHE_FLUSH            /* SCICacheSync after writing */
#define SCI_FLAG_CACHE_INVALIDATE       _SISCI_PUBLIC_CONST_SCI_FLAG_CACHE_INVALIDATE       /* SCICacheSync before reading */

#define SCI_FLAG_DMA_WAIT               _SISCI_PUBLIC_CONST_SCI_FLAG_DMA_WAIT               /* return when the copies are made */
#define SCI_FLAG_DMA_READ               _SISCI_PUBLIC_CONST_SCI_FLAG_DMA_READ               /* from the remote segment to the local one */
#define SCI_FLAG_DMA_PHDMA              _SISCI_PUBLIC_CONST_SCI_FLAG_DMA_PHDMA              /* physical addresses: not supported */
#define SCI_FLAG_DMA_SOURCE_ONLY        _SISCI_PUBLIC_CONST_SCI_FLAG_DMA_SOURCE_ONLY        /* changes nothing, nor do the next three */
#define SCI_FLAG_DMA_GLOBAL             _SISCI_PUBLIC_CONST_SCI_FLAG_DMA_GLOBAL             /* which engine a card is to use */
#define SCI_FLAG_DMA_SYSDMA             _SISCI_PUBLIC_CONST_SCI_FLAG_DMA_SYSDMA             /* the same */
#define SCI_FLAG_DMA_ADAPTER            _SISCI_PUBLIC_CONST_SCI_FLAG_DMA_ADAPTER            /* the same */

#define SCI_FLAG_THREAD_SAFE            _SISCI_PUBLIC_CONST_SCI_FLAG_THREAD_SAFE            /* changes nothing: all calls are */

/* Flags of calls that are not supported here. */
#define SCI_FLAG_LOCK_USER_MEM         _SISCI_PUBLIC_CONST_SCI_FLAG_LOCK_USER_MEM
#define SCI_FLAG_CUDA_BUFFER           _SISCI_PUBLIC_CONST_SCI_FLAG_CUDA_BUFFER
#define SCI_FLAG_EXCLUSIVE             _SISCI_PUBLIC_CONST_SCI_FLAG_EXCLUSIVE
#define SCI_FLAG_PCIE_REQUESTER_GLOBAL _SISCI_PUBLIC_CONST_SCI_FLAG_PCIE_REQUESTER_GLOBAL

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
extern const unsigned int SCI_FLAG_AUTO_ID;
extern const unsigned int SCI_FLAG_BROADCAST;
extern const unsigned int SCI_FLAG_IO_MAP_IOSPACE;
extern const unsigned int SCI_FLAG_FLUSH_CPU_BUFFERS_ONLY;
extern const unsigned int SCI_FLAG_CACHE_FLUSH;
extern const unsigned int SCI_FLAG_CACHE_INVALIDATE;
extern const unsigned int SCI_FLAG_DMA_WAIT;
extern const unsigned int SCI_FLAG_DMA_READ;
extern const unsigned int SCI_FLAG_DMA_PHDMA;
extern const unsigned int SCI_FLAG_DMA_SOURCE_ONLY;
extern const unsigned int SCI_FLAG_DMA_GLOBAL;
extern const unsigned int SCI_FLAG_DMA_SYSDMA;
extern const unsigned int SCI_FLAG_DMA_ADAPTER;
extern const unsigned int SCI_FLAG_THREAD_SAFE;
extern const unsigned int SCI_FLAG_LOCK_USER_MEM;
extern const unsigned int SCI_FLAG_CUDA_BUFFER;
extern const unsigned int SCI_FLAG_EXCLUSIVE;
extern const unsigned int SCI_FLAG_PCIE_REQUESTER_GLOBAL;

#define SCI_INFINITE_TIMEOUT _SISCI_PUBLIC_CONST_SCI_INFINITE_TIMEOUT /* 0xffffffff */

extern const unsigned int SCI_INFINITE_TIMEOUT;

/* Commands of SCIQuery. */
#define SCI_Q_VENDORID                 _SISCI_PUBLIC_CONST_SCI_Q_VENDORID /* the library's vendor, as a text */
#define SCI_Q_API                      _SISCI_PUBLIC_CONST_SCI_Q_API      /* the interface's name, as a text */
#define SCI_Q_ADAPTER                  _SISCI_PUBLIC_CONST_SCI_Q_ADAPTER  /* with one of these subcommands: */
#define SCI_Q_ADAPTER_NODEID           _SISCI_PUBLIC_CONST_SCI_Q_ADAPTER_NODEID           /* the node id of this process */
#define SCI_Q_ADAPTER_CONFIGURED       _SISCI_PUBLIC_CONST_SCI_Q_ADAPTER_CONFIGURED       /* 1 */
#define SCI_Q_ADAPTER_LINK_OPERATIONAL _SISCI_PUBLIC_CONST_SCI_Q_ADAPTER_LINK_OPERATIONAL /* 1 */
#define SCI_Q_ADAPTER_SERIAL_NUMBER    _SISCI_PUBLIC_CONST_SCI_Q_ADAPTER_SERIAL_NUMBER    /* not implemented */
#define SCI_Q_ADAPTER_CARD_TYPE        _SISCI_PUBLIC_CONST_SCI_Q_ADAPTER_CARD_TYPE        /* not implemented */
#define SCI_Q_SYSTEM                            _SISCI_PUBLIC_CONST_SCI_Q_SYSTEM /* about the machine: sci_query_system_t */
#define SCI_Q_DMA                               _SISCI_PUBLIC_CONST_SCI_Q_DMA /* about DMA queues: sci_query_dma_t */
#define SCI_Q_LOCAL_SEGMENT                     _SISCI_PUBLIC_CONST_SCI_Q_LOCAL_SEGMENT /* sci_query_local_segment_t */
#define SCI_Q_REMOTE_SEGMENT                    _SISCI_PUBLIC_CONST_SCI_Q_REMOTE_SEGMENT /* sci_query_remote_segment_t */
#define SCI_Q_MAP                               _SISCI_PUBLIC_CONST_SCI_Q_MAP /* sci_query_map_t */
#define SCI_Q_ADAPTER_DMA_MTU                   _SISCI_PUBLIC_CONST_SCI_Q_ADAPTER_DMA_MTU /* largest copy of a DMA queue, bytes */
#define SCI_Q_ADAPTER_DMA_SIZE_ALIGNMENT        _SISCI_PUBLIC_CONST_SCI_Q_ADAPTER_DMA_SIZE_ALIGNMENT /* 1 */
#define SCI_Q_ADAPTER_DMA_OFFSET_ALIGNMENT      _SISCI_PUBLIC_CONST_SCI_Q_ADAPTER_DMA_OFFSET_ALIGNMENT /* 1 */
#define SCI_Q_ADAPTER_SUGGESTED_MIN_DMA_SIZE    _SISCI_PUBLIC_CONST_SCI_Q_ADAPTER_SUGGESTED_MIN_DMA_SIZE /* bytes */
#define SCI_Q_ADAPTER_SUGGESTED_MIN_BLOCK_SIZE  _SISCI_PUBLIC_CONST_SCI_Q_ADAPTER_SUGGESTED_MIN_BLOCK_SIZE /* bytes */
#define SCI_Q_ADAPTER_NUMBER_OF_LINKS           _SISCI_PUBLIC_CONST_SCI_Q_ADAPTER_NUMBER_OF_LINKS /* 1 */
#define SCI_Q_ADAPTER_LINK_ENABLED              _SISCI_PUBLIC_CONST_SCI_Q_ADAPTER_LINK_ENABLED /* 1 */
#define SCI_Q_ADAPTER_NUMBER                    _SISCI_PUBLIC_CONST_SCI_Q_ADAPTER_NUMBER /* the number of the adapter */
#define SCI_Q_ADAPTER_MCAST_MAX_GROUPS          _SISCI_PUBLIC_CONST_SCI_Q_ADAPTER_MCAST_MAX_GROUPS /* 0 */
#define SCI_Q_ADAPTER_CONNECTED_TO_SWITCH       _SISCI_PUBLIC_CONST_SCI_Q_ADAPTER_CONNECTED_TO_SWITCH /* 0: there is none */
#define SCI_Q_ADAPTER_BDF                       _SISCI_PUBLIC_CONST_SCI_Q_ADAPTER_BDF /* not implemented, nor are the following */
#define SCI_Q_ADAPTER_LINK_WIDTH                _SISCI_PUBLIC_CONST_SCI_Q_ADAPTER_LINK_WIDTH
#define SCI_Q_ADAPTER_LINK_SPEED                _SISCI_PUBLIC_CONST_SCI_Q_ADAPTER_LINK_SPEED
#define SCI_Q_ADAPTER_LINK_UPTIME               _SISCI_PUBLIC_CONST_SCI_Q_ADAPTER_LINK_UPTIME
#define SCI_Q_ADAPTER_LINK_DOWNTIME             _SISCI_PUBLIC_CONST_SCI_Q_ADAPTER_LINK_DOWNTIME
#define SCI_Q_ADAPTER_LINK_CABLE_INSERTED       _SISCI_PUBLIC_CONST_SCI_Q_ADAPTER_LINK_CABLE_INSERTED
#define SCI_Q_ADAPTER_LINK_PARTNER_PORT_NO      _SISCI_PUBLIC_CONST_SCI_Q_ADAPTER_LINK_PARTNER_PORT_NO
#define SCI_Q_ADAPTER_NUMBER_OF_STREAMS         _SISCI_PUBLIC_CONST_SCI_Q_ADAPTER_NUMBER_OF_STREAMS
#define SCI_Q_ADAPTER_STREAM_BUFFER_SIZE        _SISCI_PUBLIC_CONST_SCI_Q_ADAPTER_STREAM_BUFFER_SIZE
#define SCI_Q_SYSTEM_CPU_CACHE_LINE_SIZE        _SISCI_PUBLIC_CONST_SCI_Q_SYSTEM_CPU_CACHE_LINE_SIZE /* bytes */
#define SCI_Q_SYSTEM_WRITE_COMBINING_ENABLED    _SISCI_PUBLIC_CONST_SCI_Q_SYSTEM_WRITE_COMBINING_ENABLED /* not implemented */
#define SCI_Q_DMA_AVAILABLE                     _SISCI_PUBLIC_CONST_SCI_Q_DMA_AVAILABLE /* 1 */
#define SCI_Q_DMA_CAPABILITIES                  _SISCI_PUBLIC_CONST_SCI_Q_DMA_CAPABILITIES /* a sci_dma_capabilities_t */
#define SCI_Q_LOCAL_SEGMENT_IOADDR              _SISCI_PUBLIC_CONST_SCI_Q_LOCAL_SEGMENT_IOADDR /* not supported, nor are the next two */
#define SCI_Q_LOCAL_SEGMENT_PHYS_ADDR           _SISCI_PUBLIC_CONST_SCI_Q_LOCAL_SEGMENT_PHYS_ADDR
#define SCI_Q_LOCAL_SEGMENT_VIRTUAL_KERNEL_ADDR _SISCI_PUBLIC_CONST_SCI_Q_LOCAL_SEGMENT_VIRTUAL_KERNEL_ADDR
#define SCI_Q_REMOTE_SEGMENT_IOADDR             _SISCI_PUBLIC_CONST_SCI_Q_REMOTE_SEGMENT_IOADDR /* not supported */
#define SCI_Q_MAP_MAPPED_TO_LOCAL_TARGET        _SISCI_PUBLIC_CONST_SCI_Q_MAP_MAPPED_TO_LOCAL_TARGET /* 1: all memory is this host's */
#define SCI_Q_MAP_IOADDR                        _SISCI_PUBLIC_CONST_SCI_Q_MAP_IOADDR /* not supported, nor is the next one */
#define SCI_Q_MAP_PHYS_ADDR                     _SISCI_PUBLIC_CONST_SCI_Q_MAP_PHYS_ADDR

extern const unsigned int SCI_Q_VENDORID;
extern const unsigned int SCI_Q_API;
extern const unsigned int SCI_Q_ADAPTER;
extern const unsigned int SCI_Q_ADAPTER_NODEID;
extern const unsigned int SCI_Q_ADAPTER_CONFIGURED;
extern const unsigned int SCI_Q_ADAPTER_LINK_OPERATIONAL;
extern const unsigned int SCI_Q_ADAPTER_SERIAL_NUMBER;
extern const unsigned int SCI_Q_ADAPTER_CARD_TYPE;
extern const unsigned int SCI_Q_SYSTEM;
extern const unsigned int SCI_Q_DMA;
extern const unsigned int SCI_Q_LOCAL_SEGMENT;
extern const unsigned int SCI_Q_REMOTE_SEGMENT;
extern const unsigned int SCI_Q_MAP;
extern const unsigned int SCI_Q_ADAPTER_DMA_MTU;
extern const unsigned int SCI_Q_ADAPTER_DMA_SIZE_ALIGNMENT;
extern const unsigned int SCI_Q_ADAPTER_DMA_OFFSET_ALIGNMENT;
extern const unsigned int SCI_Q_ADAPTER_SUGGESTED_MIN_DMA_SIZE;
extern const unsigned int SCI_Q_ADAPTER_SUGGESTED_MIN_BLOCK_SIZE;
extern const unsigned int SCI_Q_ADAPTER_NUMBER_OF_LINKS;
extern const unsigned int SCI_Q_ADAPTER_LINK_ENABLED;
extern const unsigned int SCI_Q_ADAPTER_NUMBER;
extern const unsigned int SCI_Q_ADAPTER_MCAST_MAX_GROUPS;
extern const unsigned int SCI_Q_ADAPTER_CONNECTED_TO_SWITCH;
extern const unsigned int SCI_Q_ADAPTER_BDF;
extern const unsigned int SCI_Q_ADAPTER_LINK_WIDTH;
extern const unsigned int SCI_Q_ADAPTER_LINK_SPEED;
extern const unsigned int SCI_Q_ADAPTER_LINK_UPTIME;
extern const unsigned int SCI_Q_ADAPTER_LINK_DOWNTIME;
extern const unsigned int SCI_Q_ADAPTER_LINK_CABLE_INSERTED;
extern const unsigned int SCI_Q_ADAPTER_LINK_PARTNER_PORT_NO;
extern const unsigned int SCI_Q_ADAPTER_NUMBER_OF_STREAMS;
extern const unsigned int SCI_Q_ADAPTER_STREAM_BUFFER_SIZE;
extern const unsigned int SCI_Q_SYSTEM_CPU_CACHE_LINE_SIZE;
extern const unsigned int SCI_Q_SYSTEM_WRITE_COMBINING_ENABLED;
extern const unsigned int SCI_Q_DMA_AVAILABLE;
extern const unsigned int SCI_Q_DMA_CAPABILITIES;
extern const unsigned int SCI_Q_LOCAL_SEGMENT_IOADDR;
extern const unsigned int SCI_Q_LOCAL_SEGMENT_PHYS_ADDR;
extern const unsigned int SCI_Q_LOCAL_SEGMENT_VIRTUAL_KERNEL_ADDR;
extern const unsigned int SCI_Q_REMOTE_SEGMENT_IOADDR;
extern const unsigned int SCI_Q_MAP_MAPPED_TO_LOCAL_TARGET;
extern const unsigned int SCI_Q_MAP_IOADDR;
extern const unsigned int SCI_Q_MAP_PHYS_ADDR;

#ifdef __cplusplus
}
#endif

#endif

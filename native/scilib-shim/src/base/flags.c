/* The flags and other constants of the interface: exported variables, as its ABI has them. */
#include "exports.h"
#include "sisci_api.h"

SHIM_EXPORTED const unsigned int SCI_FLAG_USE_CALLBACK   = 0x01;
SHIM_EXPORTED const unsigned int SCI_FLAG_FIXED_INTNO    = 0x02;
SHIM_EXPORTED const unsigned int SCI_FLAG_SHARED_INT     = 0x04;
SHIM_EXPORTED const unsigned int SCI_FLAG_COUNTING_INT   = 0x20;
SHIM_EXPORTED const unsigned int SCI_FLAG_EMPTY          = 0x02;
SHIM_EXPORTED const unsigned int SCI_FLAG_PRIVATE        = 0x04;
SHIM_EXPORTED const unsigned int SCI_FLAG_FORCE_REMOVE   = 0x20;
SHIM_EXPORTED const unsigned int SCI_FLAG_FIXED_MAP_ADDR = 0x01;
SHIM_EXPORTED const unsigned int SCI_FLAG_READONLY_MAP   = 0x02;

SHIM_EXPORTED const unsigned int SCI_FLAG_NOTIFY           = 0x01;
SHIM_EXPORTED const unsigned int SCI_FLAG_FORCE_DISCONNECT = 0x02;
SHIM_EXPORTED const unsigned int SCI_FLAG_FAST_BARRIER     = 0x01;
SHIM_EXPORTED const unsigned int SCI_FLAG_NO_FLUSH         = 0x01;
SHIM_EXPORTED const unsigned int SCI_FLAG_NO_STORE_BARRIER = 0x02;
SHIM_EXPORTED const unsigned int SCI_FLAG_ERROR_CHECK      = 0x01;
SHIM_EXPORTED const unsigned int SCI_FLAG_BLOCK_READ       = 0x02;

SHIM_EXPORTED const unsigned int SCI_FLAG_AUTO_ID                = 0x20000000;
SHIM_EXPORTED const unsigned int SCI_FLAG_BROADCAST              = 0x40000;
SHIM_EXPORTED const unsigned int SCI_FLAG_IO_MAP_IOSPACE         = 0x80;
SHIM_EXPORTED const unsigned int SCI_FLAG_FLUSH_CPU_BUFFERS_ONLY = 0x01;
SHIM_EXPORTED const unsigned int SCI_FLAG_CACHE_FLUSH            = 0x100000;
SHIM_EXPORTED const unsigned int SCI_FLAG_CACHE_INVALIDATE       = 0x200000;

SHIM_EXPORTED const unsigned int SCI_FLAG_DMA_WAIT               = 0x04;
SHIM_EXPORTED const unsigned int SCI_FLAG_DMA_READ               = 0x10;
SHIM_EXPORTED const unsigned int SCI_FLAG_DMA_PHDMA              = 0x20;
SHIM_EXPORTED const unsigned int SCI_FLAG_DMA_SOURCE_ONLY        = 0x08;
SHIM_EXPORTED const unsigned int SCI_FLAG_DMA_GLOBAL             = 0x40;
SHIM_EXPORTED const unsigned int SCI_FLAG_DMA_SYSDMA             = 0x100;
SHIM_EXPORTED const unsigned int SCI_FLAG_DMA_ADAPTER            = 0x800;

SHIM_EXPORTED const unsigned int SCI_FLAG_THREAD_SAFE           = 0x01;
SHIM_EXPORTED const unsigned int SCI_FLAG_LOCK_USER_MEM         = 0x400;
SHIM_EXPORTED const unsigned int SCI_FLAG_CUDA_BUFFER           = 0x2000;
SHIM_EXPORTED const unsigned int SCI_FLAG_EXCLUSIVE             = 0x1000000;
SHIM_EXPORTED const unsigned int SCI_FLAG_PCIE_REQUESTER_GLOBAL = 0x01;

SHIM_EXPORTED const unsigned int SCI_INFINITE_TIMEOUT = 0xffffffff;

SHIM_EXPORTED const unsigned int SCI_Q_VENDORID = 1;
SHIM_EXPORTED const unsigned int SCI_Q_API      = 2;
SHIM_EXPORTED const unsigned int SCI_Q_ADAPTER  = 3;

SHIM_EXPORTED const unsigned int SCI_Q_ADAPTER_NODEID           = 1;
SHIM_EXPORTED const unsigned int SCI_Q_ADAPTER_CONFIGURED       = 2;
SHIM_EXPORTED const unsigned int SCI_Q_ADAPTER_LINK_OPERATIONAL = 3;
SHIM_EXPORTED const unsigned int SCI_Q_ADAPTER_SERIAL_NUMBER    = 4;
SHIM_EXPORTED const unsigned int SCI_Q_ADAPTER_CARD_TYPE        = 5;

SHIM_EXPORTED const unsigned int SCI_Q_SYSTEM                            = 4;
SHIM_EXPORTED const unsigned int SCI_Q_DMA                               = 5;
SHIM_EXPORTED const unsigned int SCI_Q_LOCAL_SEGMENT                     = 6;
SHIM_EXPORTED const unsigned int SCI_Q_REMOTE_SEGMENT                    = 7;
SHIM_EXPORTED const unsigned int SCI_Q_MAP                               = 8;
SHIM_EXPORTED const unsigned int SCI_Q_ADAPTER_DMA_MTU                   = 6;
SHIM_EXPORTED const unsigned int SCI_Q_ADAPTER_DMA_SIZE_ALIGNMENT        = 7;
SHIM_EXPORTED const unsigned int SCI_Q_ADAPTER_DMA_OFFSET_ALIGNMENT      = 8;
SHIM_EXPORTED const unsigned int SCI_Q_ADAPTER_SUGGESTED_MIN_DMA_SIZE    = 9;
SHIM_EXPORTED const unsigned int SCI_Q_ADAPTER_SUGGESTED_MIN_BLOCK_SIZE  = 10;
SHIM_EXPORTED const unsigned int SCI_Q_ADAPTER_NUMBER_OF_LINKS           = 11;
SHIM_EXPORTED const unsigned int SCI_Q_ADAPTER_LINK_ENABLED              = 12;
SHIM_EXPORTED const unsigned int SCI_Q_ADAPTER_NUMBER                    = 13;
SHIM_EXPORTED const unsigned int SCI_Q_ADAPTER_MCAST_MAX_GROUPS          = 14;
SHIM_EXPORTED const unsigned int SCI_Q_ADAPTER_BDF                       = 15;
SHIM_EXPORTED const unsigned int SCI_Q_ADAPTER_LINK_WIDTH                = 16;
SHIM_EXPORTED const unsigned int SCI_Q_ADAPTER_LINK_SPEED                = 17;
SHIM_EXPORTED const unsigned int SCI_Q_ADAPTER_LINK_UPTIME               = 18;
SHIM_EXPORTED const unsigned int SCI_Q_ADAPTER_LINK_DOWNTIME             = 19;
SHIM_EXPORTED const unsigned int SCI_Q_ADAPTER_LINK_CABLE_INSERTED       = 20;
SHIM_EXPORTED const unsigned int SCI_Q_ADAPTER_LINK_PARTNER_PORT_NO      = 21;
SHIM_EXPORTED const unsigned int SCI_Q_ADAPTER_NUMBER_OF_STREAMS         = 22;
SHIM_EXPORTED const unsigned int SCI_Q_ADAPTER_STREAM_BUFFER_SIZE        = 23;
SHIM_EXPORTED const unsigned int SCI_Q_ADAPTER_CONNECTED_TO_SWITCH       = 24;
SHIM_EXPORTED const unsigned int SCI_Q_SYSTEM_CPU_CACHE_LINE_SIZE        = 1;
SHIM_EXPORTED const unsigned int SCI_Q_SYSTEM_WRITE_COMBINING_ENABLED    = 2;
SHIM_EXPORTED const unsigned int SCI_Q_DMA_AVAILABLE                     = 1;
SHIM_EXPORTED const unsigned int SCI_Q_DMA_CAPABILITIES                  = 2;
SHIM_EXPORTED const unsigned int SCI_Q_LOCAL_SEGMENT_IOADDR              = 1;
SHIM_EXPORTED const unsigned int SCI_Q_LOCAL_SEGMENT_PHYS_ADDR           = 2;
SHIM_EXPORTED const unsigned int SCI_Q_LOCAL_SEGMENT_VIRTUAL_KERNEL_ADDR = 3;
SHIM_EXPORTED const unsigned int SCI_Q_REMOTE_SEGMENT_IOADDR             = 1;
SHIM_EXPORTED const unsigned int SCI_Q_MAP_MAPPED_TO_LOCAL_TARGET        = 1;
SHIM_EXPORTED const unsigned int SCI_Q_MAP_IOADDR                        = 2;
SHIM_EXPORTED const unsigned int SCI_Q_MAP_PHYS_ADDR                     = 3;

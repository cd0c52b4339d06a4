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

SHIM_EXPORTED const unsigned int SCI_INFINITE_TIMEOUT = 0xffffffff;

SHIM_EXPORTED const unsigned int SCI_Q_VENDORID = 1;
SHIM_EXPORTED const unsigned int SCI_Q_API      = 2;
SHIM_EXPORTED const unsigned int SCI_Q_ADAPTER  = 3;

SHIM_EXPORTED const unsigned int SCI_Q_ADAPTER_NODEID           = 1;
SHIM_EXPORTED const unsigned int SCI_Q_ADAPTER_CONFIGURED       = 2;
SHIM_EXPORTED const unsigned int SCI_Q_ADAPTER_LINK_OPERATIONAL = 3;
SHIM_EXPORTED const unsigned int SCI_Q_ADAPTER_SERIAL_NUMBER    = 4;
SHIM_EXPORTED const unsigned int SCI_Q_ADAPTER_CARD_TYPE        = 5;

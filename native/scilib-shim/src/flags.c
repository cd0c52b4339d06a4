/* The flags of the interface: exported variables, as its ABI has them. */
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

/* Texts of the error codes. */
#include "exports.h"
#include "sisci_api.h"

const char *SCIGetErrorString(sci_error_t error)
{
    switch (error) {
    case SCI_ERR_OK:                    return "no error";
    case SCI_ERR_BUSY:                  return "resource is in use";
    case SCI_ERR_FLAG_NOT_IMPLEMENTED:  return "flag is not implemented";
    case SCI_ERR_ILLEGAL_FLAG:          return "flag is not legal for this call";
    case SCI_ERR_NOSPC:                 return "out of memory or address space";
    case SCI_ERR_API_NOSPC:             return "out of resources in the library";
    case SCI_ERR_HW_NOSPC:              return "out of resources in the hardware";
    case SCI_ERR_NOT_IMPLEMENTED:       return "function is not implemented";
    case SCI_ERR_ILLEGAL_ADAPTERNO:     return "adapter number is not legal";
    case SCI_ERR_NO_SUCH_ADAPTERNO:     return "no such adapter";
    case SCI_ERR_TIMEOUT:               return "timed out";
    case SCI_ERR_OUT_OF_RANGE:          return "beyond the end of the segment";
    case SCI_ERR_NO_SUCH_SEGMENT:       return "no such segment or interrupt, or not available";
    case SCI_ERR_ILLEGAL_NODEID:        return "node id is not legal";
    case SCI_ERR_CONNECTION_REFUSED:    return "connection refused";
    case SCI_ERR_SEGMENT_NOT_CONNECTED: return "segment is not connected";
    case SCI_ERR_SIZE_ALIGNMENT:        return "size is not aligned";
    case SCI_ERR_OFFSET_ALIGNMENT:      return "offset is not aligned";
    case SCI_ERR_ILLEGAL_PARAMETER:     return "parameter is not legal";
    case SCI_ERR_SEGMENT_NOT_PREPARED:  return "segment is not prepared";
    case SCI_ERR_ILLEGAL_OPERATION:     return "operation is not legal in this state";
    case SCI_ERR_ILLEGAL_QUERY:         return "query is not legal";
    case SCI_ERR_SEGMENTID_USED:        return "segment id or interrupt number is in use";
    case SCI_ERR_SYSTEM:                return "the operating system refused a resource";
    case SCI_ERR_CANCELLED:             return "cancelled";
    case SCI_ERR_NOT_CONNECTED:         return "not connected";
    case SCI_ERR_INCONSISTENT_VERSIONS: return "the two sides run versions that don't fit";
    case SCI_ERR_OVERFLOW:              return "overflow";
    case SCI_ERR_NOT_INITIALIZED:       return "library is not initialised";
    case SCI_ERR_NO_SUCH_NODEID:        return "no such node";
    case SCI_ERR_NODE_NOT_RESPONDING:   return "node does not respond";
    case SCI_ERR_NO_LINK_ACCESS:        return "no access to the link";
    case SCI_ERR_TRANSFER_FAILED:       return "transfer failed";
    }
    return "unknown error";
}
SHIM_EXPORT(SCIGetErrorString);

#include "base/errors.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "exports.h"
#include "sisci_shim.h"

/* This thread's last failure. The text is made only when the program asks for it. */
static _Thread_local struct {
    const char *call;
    int number;
} failure;

sci_error_t failed(const char *call, sci_error_t status)
{
    failure.call = call;
    failure.number = errno;
    return status;
}

SHIM_EXPORTED const char *SCIShimFailure(void)
{
    static _Thread_local char text[128];
    if (failure.call == NULL)
        return "no system call has failed";
    char reason[96];
    snprintf(text, sizeof text, "%s: %s", failure.call, strerror_r(failure.number, reason, sizeof reason));
    return text;
}

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
    case SCI_ERR_MAX_ENTRIES:           return "too many entries";
    case SCI_ERR_SEGMENT_NOT_PREPARED:  return "segment is not prepared";
    case SCI_ERR_ILLEGAL_ADDRESS:       return "address is not legal";
    case SCI_ERR_ILLEGAL_OPERATION:     return "operation is not legal in this state";
    case SCI_ERR_ILLEGAL_QUERY:         return "query is not legal";
    case SCI_ERR_SEGMENTID_USED:        return "segment id or interrupt number is in use";
    case SCI_ERR_SYSTEM:                return "the operating system refused a resource";
    case SCI_ERR_CANCELLED:             return "cancelled";
    case SCI_ERR_NOT_CONNECTED:         return "not connected";
    case SCI_ERR_NOT_AVAILABLE:         return "not available";
    case SCI_ERR_COND_INT_RACE_PROBLEM: return "a conditional interrupt was triggered meanwhile";
    case SCI_ERR_INCONSISTENT_VERSIONS: return "the two sides run versions that don't fit";
    case SCI_ERR_OVERFLOW:              return "overflow";
    case SCI_ERR_NOT_INITIALIZED:       return "library is not initialised";
    case SCI_ERR_ACCESS:                return "no access";
    case SCI_ERR_NOT_SUPPORTED:         return "not supported without a card";
    case SCI_ERR_NO_SUCH_NODEID:        return "no such node";
    case SCI_ERR_NODE_NOT_RESPONDING:   return "node does not respond";
    case SCI_ERR_NO_REMOTE_LINK_ACCESS: return "no access to the remote link";
    case SCI_ERR_NO_LINK_ACCESS:        return "no access to the link";
    case SCI_ERR_TRANSFER_FAILED:       return "transfer failed";
    case SCI_ERR_EWOULD_BLOCK:          return "the call would block";
    }
    return "unknown error";
}
SHIM_EXPORT(SCIGetErrorString);

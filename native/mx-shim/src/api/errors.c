#include "api/errors.h"

#include <stdio.h>
#include <stdlib.h>

#include "mx_shim.h"

static mx_return_t print_and_abort(char *text, mx_return_t error)
{
    (void)error;
    fprintf(stderr, "%s\n", text);
    abort();
}

static mx_return_t return_it(char *text, mx_return_t error)
{
    (void)text;
    return error;
}

EXPORTED const mx_error_handler_t MX_ERRORS_ARE_FATAL = print_and_abort;
EXPORTED const mx_error_handler_t MX_ERRORS_RETURN = return_it;

static mx_error_handler_t global = print_and_abort;

mx_error_handler_t global_error_handler(void)
{
    return __atomic_load_n(&global, __ATOMIC_ACQUIRE);
}

EXPORTED mx_error_handler_t mx_set_error_handler(mx_error_handler_t handler)
{
    return __atomic_exchange_n(&global, handler != NULL ? handler : MX_ERRORS_ARE_FATAL, __ATOMIC_ACQ_REL);
}

mx_return_t report(const endpoint *ep, const char *call, mx_return_t error)
{
    char reason[MX_SHIM_REASON_BYTES] = "";
    char text[sizeof reason + 128];
    if (error == MX_NO_DEV)
        mx_shim_probe(reason);
    snprintf(text, sizeof text, "%s: %s%s%s", call, mx_strerror(error), reason[0] != 0 ? ": " : "", reason);
    return (ep != NULL ? ep->error_handler : global_error_handler())(text, error);
}

EXPORTED const char *mx_strerror(mx_return_t error)
{
    switch (error) {
    case MX_SUCCESS:                          return "success";
    case MX_BAD_BAD_BAD:                      return "internal error";
    case MX_FAILURE:                          return "failure";
    case MX_ALREADY_INITIALIZED:              return "library is already initialised";
    case MX_NOT_INITIALIZED:                  return "library is not initialised";
    case MX_NO_DEV:                           return "no device";
    case MX_NO_DRIVER:                        return "no driver";
    case MX_NO_PERM:                          return "no permission";
    case MX_BOARD_UNKNOWN:                    return "no such board";
    case MX_BAD_ENDPOINT:                     return "endpoint is not one";
    case MX_BAD_SEG_LIST:                     return "list of segments is NULL";
    case MX_BAD_SEG_MEM:                      return "memory of a segment is NULL";
    case MX_BAD_SEG_CNT:                      return "too many segments, or too long together";
    case MX_BAD_REQUEST:                      return "request is not one, or not of the right kind";
    case MX_BAD_MATCH_MASK:                   return "match information has bits that the mask lacks";
    case MX_NO_RESOURCES:                     return "out of memory or descriptors";
    case MX_BAD_ADDR_LIST:                    return "list of addresses is not one";
    case MX_BAD_ADDR_COUNT:                   return "count of addresses is wrong";
    case MX_BAD_ROOT:                         return "root is wrong";
    case MX_NOT_COMPLETED:                    return "not complete";
    case MX_BUSY:                             return "in use";
    case MX_BAD_INFO_KEY:                     return "no such information";
    case MX_BAD_INFO_VAL:                     return "information's place or input is wrong";
    case MX_BAD_NIC:                          return "board id is wrong";
    case MX_BAD_PARAM_LIST:                   return "list of parameters is NULL";
    case MX_BAD_PARAM_NAME:                   return "no such parameter";
    case MX_BAD_PARAM_VAL:                    return "parameter's value is not allowed";
    case MX_BAD_HOSTNAME_ARGS:                return "host name or its place is NULL";
    case MX_HOST_NOT_FOUND:                   return "no such host";
    case MX_REQUEST_PENDING:                  return "request is pending";
    case MX_TIMEOUT:                          return "timed out";
    case MX_NO_MATCH:                         return "no match";
    case MX_BAD_ENDPOINT_ID:                  return "endpoint id is too large";
    case MX_CONNECTION_FAILED:                return "connection failed";
    case MX_BAD_CONNECTION_KEY:               return "wrong key";
    case MX_BAD_INFO_LENGTH:                  return "information is longer than its place";
    case MX_NIC_NOT_FOUND:                    return "no such board id";
    case MX_BAD_KERNEL_VERSION:               return "kernel part is of another version";
    case MX_BAD_LIB_VERSION:                  return "library is of another version than the program's header";
    case MX_NIC_DEAD:                         return "board's network interface is not running, or UCX is to do without it";
    case MX_CANCEL_NOT_SUPPORTED:             return "only receives can be cancelled";
    case MX_CLOSE_IN_HANDLER:                 return "not allowed in an unexpected handler";
    case MX_BAD_MATCHING_FOR_CONTEXT_ID_MASK: return "mask lacks bits of the context id";
    case MX_NOT_SUPPORTED_WITH_CONTEXT_ID:    return "not supported with a context id";
    }
    return "unknown error";
}

EXPORTED const char *mx_strstatus(mx_status_code_t status)
{
    switch (status) {
    case MX_STATUS_SUCCESS:              return "success";
    case MX_STATUS_PENDING:              return "pending";
    case MX_STATUS_BUFFERED:             return "buffered";
    case MX_STATUS_REJECTED:             return "rejected";
    case MX_STATUS_TIMEOUT:              return "timed out";
    case MX_STATUS_TRUNCATED:            return "message was longer than the receive";
    case MX_STATUS_CANCELLED:            return "cancelled";
    case MX_STATUS_ENDPOINT_UNKNOWN:     return "endpoint is unknown";
    case MX_STATUS_ENDPOINT_CLOSED:      return "endpoint is closed";
    case MX_STATUS_ENDPOINT_UNREACHABLE: return "endpoint is unreachable";
    case MX_STATUS_BAD_SESSION:          return "not connected, or with an endpoint of the past";
    case MX_STATUS_BAD_KEY:              return "wrong key";
    case MX_STATUS_BAD_ENDPOINT:         return "endpoint id is too large";
    case MX_STATUS_BAD_RDMAWIN:          return "window is not one";
    case MX_STATUS_ABORTED:              return "aborted";
    case MX_STATUS_EVENTQ_FULL:          return "queue is full";
    case MX_STATUS_NO_RESOURCES:         return "out of memory";
    }
    return "unknown status";
}

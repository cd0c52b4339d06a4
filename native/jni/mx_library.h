/*
 * The MX library in use. JFS opens it by path at run time, so the shim and a vendor's libmyriexpress.so are
 * interchangeable. Calls that only some libraries have are looked up by name and may be missing.
 */
#ifndef JFS_MX_LIBRARY_H
#define JFS_MX_LIBRARY_H

#include "mx_extensions.h"
#include "mx_shim.h"
#include "myriexpress.h"

/* The calls that every MX library must have; X(name) stands for one call. */
#define MX_CALLS(X)                                                                                                 \
    X(mx__init_api)                                                                                                 \
    X(mx_set_error_handler)                                                                                         \
    X(mx_strerror)                                                                                                  \
    X(mx_strstatus)                                                                                                 \
    X(mx_open_endpoint)                                                                                             \
    X(mx_close_endpoint)                                                                                            \
    X(mx_wakeup)                                                                                                    \
    X(mx_get_endpoint_addr)                                                                                         \
    X(mx_decompose_endpoint_addr)                                                                                   \
    X(mx_connect)                                                                                                   \
    X(mx_disconnect)                                                                                                \
    X(mx_isend)                                                                                                     \
    X(mx_irecv)                                                                                                     \
    X(mx_test_any)                                                                                                  \
    X(mx_peek)

struct mx_library {
#define X(name) __typeof__(name) *name##_;
    MX_CALLS(X)
#undef X
    __typeof__(mx_decompose_endpoint_addr2) *decompose2; /* NULL in old libraries: then sessions are 0 */
    /* The shim's extension: either all four calls are set, or none. */
    __typeof__(mx_shim_descriptor) *descriptor;
    __typeof__(mx_shim_arm) *arm;
    __typeof__(mx_shim_wait) *wait;
    __typeof__(mx_shim_transports) *transports;
};

extern struct mx_library mx;

#endif

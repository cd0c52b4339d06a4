/*
 * The SISCI library in use. JFS opens it by path at run time, so the shim and a vendor's libsisci.so are interchangeable.
 * Calls that only some libraries have are looked up by name and may be missing.
 */
#ifndef JFS_SISCI_LIBRARY_H
#define JFS_SISCI_LIBRARY_H

#define _REENTRANT /* the names for multi-threaded callers */
#include "sisci_api.h"
#include "sisci_shim.h"

#define ADAPTER 0

/* The calls that every SISCI library must have; X(name) stands for one call. */
#define SISCI_CALLS(X)                                                                                              \
    X(SCIInitialize)                                                                                                \
    X(SCITerminate)                                                                                                 \
    X(SCIOpen)                                                                                                      \
    X(SCIClose)                                                                                                     \
    X(SCIGetLocalNodeId)                                                                                            \
    X(SCIGetErrorString)                                                                                            \
    X(SCICreateSegment)                                                                                             \
    X(SCIPrepareSegment)                                                                                            \
    X(SCISetSegmentAvailable)                                                                                       \
    X(SCISetSegmentUnavailable)                                                                                     \
    X(SCIMapLocalSegment)                                                                                           \
    X(SCIUnmapSegment)                                                                                              \
    X(SCIRemoveSegment)                                                                                             \
    X(SCIConnectSegment)                                                                                            \
    X(SCIGetRemoteSegmentSize)                                                                                      \
    X(SCIMapRemoteSegment)                                                                                          \
    X(SCIDisconnectSegment)                                                                                         \
    X(SCICreateInterrupt)                                                                                           \
    X(SCIRemoveInterrupt)                                                                                           \
    X(SCIConnectInterrupt)                                                                                          \
    X(SCIDisconnectInterrupt)                                                                                       \
    X(SCITriggerInterrupt)

/*
 * Stores through a card are posted: the processor goes on before they have arrived. A sequence tells when the stores
 * through a map have arrived, and whether all of them have.
 */
struct sequence_calls {
    void (*create)(sci_map_t map, void **sequence, unsigned flags, sci_error_t *error);
    void (*remove)(void *sequence, unsigned flags, sci_error_t *error);
    int (*start)(void *sequence, unsigned flags, sci_error_t *error);
    int (*check)(void *sequence, unsigned flags, sci_error_t *error);
    void (*barrier)(void *sequence, unsigned flags);
};

struct sisci_library {
#define X(name) __typeof__(name) *name##_;
    SISCI_CALLS(X)
#undef X
    struct sequence_calls sequences; /* either all of these calls are set, or none */
    /* The shim's extension: either all five calls are set, or none. */
    __typeof__(SCIShimInterruptDescriptor) *interruptDescriptor;
    __typeof__(SCIShimAcknowledgeInterrupt) *acknowledgeInterrupt;
    __typeof__(SCIShimConnections) *connections;
    __typeof__(SCIShimAdmitOne) *admitOne;
    __typeof__(SCIShimAllowUsers) *allowUsers;
    __typeof__(SCIShimFailure) *failure; /* NULL if the library tells no more than its error codes */
    sci_desc_t device;
    unsigned useCallback;
    unsigned removing; /* flags for SCIRemoveSegment; "mapping": for both calls that map a segment */
    unsigned mapping;
};

extern struct sisci_library sisci;

/* Whether the library has the shim's extension: then all nodes are on this host and share its memory. */
static inline int sisci_has_extension(const struct sisci_library *library)
{
    return library->interruptDescriptor != NULL;
}

#endif

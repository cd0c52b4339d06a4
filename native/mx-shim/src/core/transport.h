/*
 * What the core needs from a layer that moves bytes: links between endpoints, messages on them, and a descriptor to sleep at.
 * The layer link implements this over UCX (link/ucx_*.c), or says that there is no UCX (link/none.c). A unit test implements it
 * by a transport that the test plays. The core calls these functions; the layer calls back only by transport_events and
 * operation.done.
 *
 * A transport belongs to one endpoint. One thread at a time uses it, under the endpoint's lock. The callbacks run in
 * transport_progress, in that thread.
 */
#ifndef SHIM_CORE_TRANSPORT_H
#define SHIM_CORE_TRANSPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/uio.h>

#define TRANSPORT_REASON_BYTES 256

/*
 * Finds the layer, and opens it on the first call. False if it can't be used: reason, of TRANSPORT_REASON_BYTES, then has one
 * line.
 */
bool transport_find(char *reason);

/* Whether other hosts can be reached by RDMA, and by TCP. */
struct reach {
    bool rdma, tcp;
};
struct reach transport_reach(void);

/* To be called in a child after fork. The layer may now belong to the parent alone. This function touches nothing of it. */
void transport_forget(void);

/* Name and version of the layer, for people to read. transport_find must have succeeded. */
const char *transport_name(void);

struct transport;
struct link;

/* The bytes of a message, as they arrive. */
struct payload {
    enum {
        PAYLOAD_PASSING, /* valid until the callback returns */
        PAYLOAD_HELD,    /* valid until payload_drop, if the callback keeps it */
        PAYLOAD_REMOTE   /* still at the sender: payload_fetch brings it. The callback may keep it too */
    } place;
    void *data; /* the bytes; opaque for PAYLOAD_REMOTE */
    size_t length;
    void *origin; /* the layer's own */
};

/* An operation that is under way in the layer. It stays at its address until the layer calls done, which it does once. */
struct operation {
    void (*done)(struct operation *, bool well);
};

/* Whether an operation is over. If it is (DONE or FAILED), the layer does not call done. */
enum submitted { SUBMITTED_DONE, SUBMITTED_UNDER_WAY, SUBMITTED_FAILED };

struct transport_events {
    /*
     * A message has arrived. The link is NULL unless the sender asked to name it (SEND_NAMES_LINK). Returns true if the
     * callback keeps the payload. It can't keep a PAYLOAD_PASSING.
     */
    bool (*received)(void *user, struct link *, unsigned int kind, const void *header, size_t header_length,
                    const struct payload *);
    /*
     * A link has failed. The user still has to close it. Its operations end by themselves, with well false. refused: the other
     * host is there, but no process listens.
     */
    void (*lost)(void *user, struct link *, void *owner, bool refused);
};

/*
 * TRANSPORT_NO_INTERFACE: the layer can't use the interface now, because it is not running, or the layer's settings exclude it.
 */
enum transport_error { TRANSPORT_OPEN, TRANSPORT_ADDRESS_IN_USE, TRANSPORT_NO_INTERFACE, TRANSPORT_NO_RESOURCES };

/* Listens at address:port, both in the host's byte order. The interface is the one that has the address. */
enum transport_error transport_open(uint32_t address, const char *interface, uint16_t port, const struct transport_events *,
                                    void *user, struct transport **);

/* Closes the transport and all its links. No callback runs any more, except done of each operation that was under way. */
void transport_close(struct transport *);

/* Makes progress. True if something happened. */
bool transport_progress(struct transport *);

/*
 * A descriptor. It becomes readable when there is something to do, if transport_arm has returned true after the last progress.
 */
int transport_descriptor(const struct transport *);
bool transport_arm(struct transport *);

/*
 * The descriptors behind transport_descriptor, for a caller that polls them itself: an epoll in an epoll costs time at each
 * sleep and at each wake-up. After its poll the caller tells transport_waited which of them were readable, so that the next
 * progress does no more than it has to.
 */
enum { TRANSPORT_DESCRIPTORS = 3 /* -1: there is none in this place now */ };
void transport_descriptors(const struct transport *, int descriptors[TRANSPORT_DESCRIPTORS]);
void transport_waited(struct transport *, const bool readable[TRANSPORT_DESCRIPTORS]);

/* Opens a link to the endpoint that listens there. The link may still be lost later. NULL: no resources. */
struct link *link_open(struct transport *, uint32_t address, uint16_t port, void *owner);

/* Closes a link. Its operations end with well false. May be called in callbacks. */
void link_close(struct link *);

/*
 * A link that another endpoint has opened has no owner until link_own gives it one. The transport closes links that stay
 * without an owner for too long.
 */
void *link_owner(const struct link *);
void link_own(struct link *, void *owner);

/* The other end's address, in the host's byte order; 0 if it is not known. */
uint32_t link_address(const struct link *);

/* Whether the bytes of messages go through shared memory. False as long as that is not known. */
bool link_shares_memory(struct link *);

enum send_flags {
    SEND_NAMES_LINK = 1, /* the receiver's callback gets the link */
    SEND_ON_REQUEST = 2  /* the payload stays at the sender until the receiver fetches it */
};

/*
 * Sends a message. The header, segments, their array and the operation belong to the caller, and stay in place until the
 * operation is over.
 */
enum submitted link_send(struct link *, unsigned int kind, const void *header, size_t header_length,
                         const struct iovec *segments, size_t count, unsigned int flags, struct operation *);

/* Brings a PAYLOAD_REMOTE into the segments, which together are as long as it is, and drops it. */
enum submitted payload_fetch(struct transport *, const struct payload *, const struct iovec *segments, size_t count,
                             struct operation *);

/* Releases a payload that was kept. */
void payload_drop(struct transport *, const struct payload *);

#endif

/*
 * What the shim asks of a layer below it: links between endpoints, messages on them, and a descriptor to sleep at. The
 * only one is UCX (ucx.c); nothing else knows its names.
 *
 * A transport belongs to one endpoint and is used by one thread at a time, under the endpoint's lock. The callbacks run in
 * transport_progress, in that thread.
 */
#ifndef SHIM_TRANSPORT_H
#define SHIM_TRANSPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/uio.h>

#define TRANSPORT_REASON_BYTES 256

/* Finds the layer; opens it on the first call. False if it can't be used: one line in reason, TRANSPORT_REASON_BYTES. */
bool transport_find(char *reason);

/* Whether other hosts can be reached by RDMA, and by TCP. */
struct reach {
    bool rdma, tcp;
};
struct reach transport_reach(void);

/* In a child after fork: the layer may be the parent's alone now. Nothing of it is touched. */
void transport_forget(void);

/* Name and version of the layer, for people; needs transport_find. */
const char *transport_name(void);

struct transport;
struct link;

/* The bytes of a message, as they arrive. */
struct payload {
    enum {
        PAYLOAD_PASSING, /* valid until the callback returns */
        PAYLOAD_HELD,    /* valid until payload_drop, if the callback keeps it */
        PAYLOAD_REMOTE   /* not here yet: payload_fetch brings it. It may be kept too */
    } place;
    void *data; /* the bytes; of a PAYLOAD_REMOTE: opaque */
    size_t length;
};

/* Something that is under way below. It stays where it is until done is called, which happens once. */
struct operation {
    void (*done)(struct operation *, bool well);
};

/* Whether an operation is over. Where it is, done is not called. */
enum submitted { SUBMITTED_DONE, SUBMITTED_UNDER_WAY, SUBMITTED_FAILED };

struct transport_events {
    /*
     * A message has come in. The link is only named if the sender asked for that. True if the payload is kept, which
     * one that is passing can't be.
     */
    bool (*arrived)(void *user, struct link *, unsigned int kind, const void *header, size_t header_length,
                    const struct payload *);
    /*
     * A link doesn't work any more; it is still to be closed. Its operations end by themselves, badly. Refused: the other
     * host is there, but nobody listens.
     */
    void (*lost)(void *user, struct link *, void *owner, bool refused);
};

/* TRANSPORT_NO_INTERFACE: the layer can't use it now, or may not; it was told so, or it is not running. */
enum transport_error { TRANSPORT_OPEN, TRANSPORT_ADDRESS_IN_USE, TRANSPORT_NO_INTERFACE, TRANSPORT_NO_RESOURCES };

/* Listens at address:port, both in the host's byte order; the interface is the one that has the address. */
enum transport_error transport_open(uint32_t address, const char *interface, uint16_t port, const struct transport_events *,
                                    void *user, struct transport **);

/* Closes all links too. No callback runs any more but done, of each operation that was under way. */
void transport_close(struct transport *);

/* Lets things happen; true if something did. */
bool transport_progress(struct transport *);

/* A descriptor that becomes readable when there is something to do, once transport_arm has said true after the last progress. */
int transport_descriptor(const struct transport *);
bool transport_arm(struct transport *);

/*
 * What is behind that descriptor, for who polls them himself: an epoll in an epoll costs at each sleep and at each wake-up.
 * He says afterwards which of them were readable, so that the next progress does no more than it has to.
 */
enum { TRANSPORT_DESCRIPTORS = 2 };
void transport_descriptors(const struct transport *, int descriptors[TRANSPORT_DESCRIPTORS]);
void transport_waited(struct transport *, const bool readable[TRANSPORT_DESCRIPTORS]);

/* A way to the endpoint that listens there; it may turn out to be lost. NULL: no resources. */
struct link *link_open(struct transport *, uint32_t address, uint16_t port, void *owner);

/* Ends its operations, badly. May be called in callbacks. */
void link_close(struct link *);

/* Links that came from others have no owner until they are given one; those that stay without are closed by and by. */
void *link_owner(const struct link *);
void link_own(struct link *, void *owner);

/* The other end's address, in the host's byte order; 0 if it is not known. */
uint32_t link_address(const struct link *);

enum send_flags {
    SEND_NAMES_LINK = 1, /* the receiver's callback gets the link */
    SEND_ON_REQUEST = 2  /* the payload stays here until the receiver fetches it */
};

/* Sends. Header, segments, their array and the operation stay the caller's and in place until it is over. */
enum submitted link_send(struct link *, unsigned int kind, const void *header, size_t header_length,
                         const struct iovec *segments, size_t count, unsigned int flags, struct operation *);

/* Brings a kept PAYLOAD_REMOTE into the segments, which are as long as it is, and drops it. */
enum submitted payload_fetch(struct transport *, const struct payload *, const struct iovec *segments, size_t count,
                             struct operation *);

/* Gives back a payload that was kept. */
void payload_drop(struct transport *, const struct payload *);

#endif

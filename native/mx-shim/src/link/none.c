/* The transport of a library that was built without UCX's headers. transport_find says so, and none is ever opened. */
#include "core/transport.h"

#include <stdio.h>

bool transport_find(char *reason)
{
    snprintf(reason, TRANSPORT_REASON_BYTES, "no UCX: this library was built without its headers (package libucx-dev)");
    return false;
}

void transport_forget(void)
{
}

struct reach transport_reach(void)
{
    return (struct reach){ .rdma = false, .tcp = false };
}

const char *transport_name(void)
{
    return "none";
}

enum transport_error transport_open(uint32_t address, const char *interface, uint16_t port, const struct transport_events *events,
                                    void *user, struct transport **transport)
{
    (void)address, (void)interface, (void)port, (void)events, (void)user, (void)transport;
    return TRANSPORT_NO_RESOURCES;
}

void transport_close(struct transport *transport)
{
    (void)transport;
}

bool transport_progress(struct transport *transport)
{
    (void)transport;
    return false;
}

int transport_descriptor(const struct transport *transport)
{
    (void)transport;
    return -1;
}

bool transport_arm(struct transport *transport)
{
    (void)transport;
    return true;
}

void transport_descriptors(const struct transport *transport, int descriptors[TRANSPORT_DESCRIPTORS])
{
    (void)transport;
    for (unsigned int i = 0; i < TRANSPORT_DESCRIPTORS; i++)
        descriptors[i] = -1;
}

void transport_waited(struct transport *transport, const bool readable[TRANSPORT_DESCRIPTORS])
{
    (void)transport, (void)readable;
}

struct link *link_open(struct transport *transport, uint32_t address, uint16_t port, void *owner)
{
    (void)transport, (void)address, (void)port, (void)owner;
    return NULL;
}

void link_close(struct link *link)
{
    (void)link;
}

void *link_owner(const struct link *link)
{
    (void)link;
    return NULL;
}

void link_own(struct link *link, void *owner)
{
    (void)link, (void)owner;
}

bool link_shares_memory(struct link *link)
{
    (void)link;
    return false;
}

uint32_t link_address(const struct link *link)
{
    (void)link;
    return 0;
}

enum submitted link_send(struct link *link, unsigned int kind, const void *header, size_t header_length,
                         const struct iovec *segments, size_t count, unsigned int flags, struct operation *operation)
{
    (void)link, (void)kind, (void)header, (void)header_length, (void)segments, (void)count, (void)flags, (void)operation;
    return SUBMITTED_FAILED;
}

enum submitted payload_fetch(struct transport *transport, const struct payload *payload, const struct iovec *segments,
                             size_t count, struct operation *operation)
{
    (void)transport, (void)payload, (void)segments, (void)count, (void)operation;
    return SUBMITTED_FAILED;
}

void payload_drop(struct transport *transport, const struct payload *payload)
{
    (void)transport, (void)payload;
}

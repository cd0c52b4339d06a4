/*
 * What two processes say to each other, and the clock they wait by.
 *
 * A segment's id and an interrupt's number are abstract Unix socket names, so the kernel keeps them unique in the
 * network namespace and forgets them with their process. Segments talk in packets (SEQPACKET):
 *     connector  request ->
 *                <- answer, with the memory's descriptor     exporter
 *                ... the socket stays open: the link ...
 *     either     bye, then close: has disconnected; close alone: is dead
 */
#ifndef SHIM_WIRE_H
#define SHIM_WIRE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/socket.h>
#include <sys/un.h>

enum { WIRE_MAGIC = 0x53485331, WIRE_VERSION = 1 };

enum wire_kind { WIRE_REQUEST = 1, WIRE_ANSWER, WIRE_BYE };

struct wire_head {
    uint32_t magic;
    uint16_t version;
    uint16_t kind;
};

struct wire_request {
    struct wire_head head;
    uint32_t node; /* of the connector */
    uint32_t adapter;
};

struct wire_answer {
    struct wire_head head;
    uint32_t status; /* a sci_error_t; a descriptor follows if it is SCI_ERR_OK */
    uint32_t zero;
    uint64_t size; /* of the segment, bytes */
};

_Static_assert(sizeof(struct wire_head) == 8 && sizeof(struct wire_request) == 16 && sizeof(struct wire_answer) == 24,
               "messages have no holes");

union wire_packet {
    struct wire_head head;
    struct wire_request request;
    struct wire_answer answer;
};

/* What a receive found. */
enum wire_event {
    WIRE_NOTHING, /* no packet yet */
    WIRE_PACKET,
    WIRE_OTHER_VERSION, /* a packet with our magic and another version */
    WIRE_GARBAGE,
    WIRE_END /* closed by the other side */
};

/* Fill in an address and return its length. */
socklen_t wire_segment_name(struct sockaddr_un *address, unsigned int node, unsigned int id);
socklen_t wire_interrupt_name(struct sockaddr_un *address, unsigned int node, unsigned int adapter,
                              unsigned int number);

struct wire_head wire_head(enum wire_kind kind);

/* Sends a packet, with a descriptor unless fd is -1. Never blocks; false when it didn't go. */
bool wire_send(int socket, const void *packet, size_t size, int fd);

/*
 * Takes one packet, without blocking. With fd != NULL exactly one descriptor may come along: it goes to *fd (-1 if
 * none came) and is the caller's; more than one, or a cut message, is garbage. With NULL the kernel drops them.
 */
enum wire_event wire_receive(int socket, union wire_packet *packet, int *fd);

/* Says bye and closes. The shutdown makes it a disconnection even where a forked child holds a copy. */
void wire_hang_up(int socket);

/* True when the other side has closed, or said bye: nothing else is ever said on an established link. */
bool wire_hung_up(int socket);

/* Milliseconds on the monotonic clock. */
uint64_t clock_now(void);

/* When a time-out of the interface ends; UINT64_MAX for SCI_INFINITE_TIMEOUT. */
uint64_t clock_deadline(unsigned int timeout);

/* The time until then as poll takes it: 0 if past, -1 if infinite. Long times come in parts, so ask again after. */
int clock_poll_time(uint64_t deadline);

#endif

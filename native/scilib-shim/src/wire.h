/*
 * What two processes say to each other, and the clock they wait by.
 *
 * A segment's id and an interrupt's number are abstract Unix socket names, so the kernel keeps them unique in the
 * network namespace and forgets them with their process; so is a node's presence. Segments talk in packets (SEQPACKET):
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

/*
 * The version of the packets, but for their head, which every version has, and for an answer that refuses. An exporter
 * that doesn't speak a connector's version answers SCI_ERR_INCONSISTENT_VERSIONS, with its own version in the head.
 */
#ifndef SHIM_WIRE_VERSION
#define SHIM_WIRE_VERSION 1 /* tests build the library with another one, too */
#endif

enum { WIRE_MAGIC = 0x53485331, WIRE_VERSION = SHIM_WIRE_VERSION };

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
    WIRE_NO_DESCRIPTOR, /* one came along, but this process can't have it; errno says why */
    WIRE_END /* closed by the other side */
};

/* Fill in an address and return its length. */
socklen_t wire_segment_name(struct sockaddr_un *address, unsigned int node, unsigned int id);
socklen_t wire_node_name(struct sockaddr_un *address, unsigned int node, unsigned int place);
socklen_t wire_interrupt_name(struct sockaddr_un *address, const char *sort, unsigned int node, unsigned int adapter,
                              unsigned int number);
socklen_t wire_shared_interrupt_name(struct sockaddr_un *address, const char *sort, unsigned int node,
                                     unsigned int adapter, unsigned int number, unsigned int place);

struct wire_head wire_head(enum wire_kind kind);

/* Sends a packet, with a descriptor unless fd is -1. Never blocks; false when it didn't go. */
bool wire_send(int socket, const void *packet, size_t size, int fd);

/*
 * Takes one packet, without blocking. With fd != NULL exactly one descriptor may come along: it goes to *fd (-1 if none
 * did) and is the caller's, whatever the packet is; with NULL none may. A packet with more of them is garbage, one whose
 * descriptor can't be had WIRE_NO_DESCRIPTOR: they stay in the socket, for dropping them may take as long as their
 * sender likes.
 */
enum wire_event wire_receive(int socket, union wire_packet *packet, int *fd);

/* As wire_receive with NULL, at a socket that has refused descriptors since it was made, or inherited that. */
enum wire_event wire_receive_bare(int socket, union wire_packet *packet);

/* Has the kernel refuse packets with descriptors from now on, or not (Linux 6.16; before, it never does). */
void wire_refuse_descriptors(int socket, bool refuse);

/* Says bye before a close. The shutdown makes it a disconnection even where a forked child holds a copy. */
void wire_say_bye(int socket);

/*
 * Ends a connection, saying bye or not, at which packets with descriptors may wait: their senders can make that close take
 * long, so then it is left to discard. Uses up a place there.
 */
void wire_close(int socket, bool bye);

/* True when the other side has closed, or said bye: nothing else is ever said on an established link. */
bool wire_hung_up(int socket);

/* Milliseconds on the monotonic clock. */
uint64_t clock_now(void);

/* When a time-out of the interface ends; UINT64_MAX for SCI_INFINITE_TIMEOUT. */
uint64_t clock_deadline(unsigned int timeout);

/* The time until then as poll takes it: 0 if past, -1 if infinite. Long times come in parts, so ask again after. */
int clock_poll_time(uint64_t deadline);

#endif

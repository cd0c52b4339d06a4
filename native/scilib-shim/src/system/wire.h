/*
 * The protocol between two processes.
 *
 * A segment's id, an interrupt's number and a node's presence are abstract Unix socket names. So the kernel keeps them
 * unique in the network namespace, and frees them when their process ends. The two ends of a segment exchange packets
 * (SEQPACKET):
 *     connector  request ->
 *                <- answer, with the memory's descriptor     exporter
 *                ... the socket stays open: the link ...
 *     either     bye, then close: this end has disconnected; close alone: its process is dead
 * The members of a broadcast group have names of their own. One of them gives a new member the memory without being asked:
 *     new member connects ->
 *                <- answer, with the memory's descriptor     member, which closes
 */
#ifndef SHIM_WIRE_H
#define SHIM_WIRE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/socket.h>
#include <sys/un.h>

/*
 * The version of the packets. The head of a packet, and an answer that refuses, are the same in every version. An exporter
 * that doesn't know a connector's version answers SCI_ERR_INCONSISTENT_VERSIONS, with its own version in the head.
 */
#ifndef SHIM_WIRE_VERSION
#define SHIM_WIRE_VERSION 1 /* tests build the library with another version, too */
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
    uint32_t flags;  /* enum wire_answer_flag; others are ignored */
    uint64_t size; /* of the segment, bytes */
};

enum wire_answer_flag { WIRE_AVAILABLE = 1 /* of a group's member: the segment is available */ };

_Static_assert(sizeof(struct wire_head) == 8 && sizeof(struct wire_request) == 16 && sizeof(struct wire_answer) == 24,
               "messages have no holes");

union wire_packet {
    struct wire_head head;
    struct wire_request request;
    struct wire_answer answer;
};

/* The result of a receive. */
enum wire_event {
    WIRE_NOTHING, /* no packet yet */
    WIRE_PACKET,
    WIRE_OTHER_VERSION, /* a packet with our magic and another version */
    WIRE_GARBAGE,
    WIRE_NO_DESCRIPTOR, /* one came along, but this process can't get it; errno has a reason */
    WIRE_END /* the other side has closed */
};

/* Fill in an address and return its length. */
socklen_t wire_segment_name(struct sockaddr_un *address, unsigned int node, unsigned int id);
socklen_t wire_node_name(struct sockaddr_un *address, unsigned int node, unsigned int place);
socklen_t wire_interrupt_name(struct sockaddr_un *address, const char *sort, unsigned int node, unsigned int adapter,
                              unsigned int number);
socklen_t wire_shared_interrupt_name(struct sockaddr_un *address, const char *sort, unsigned int node,
                                     unsigned int adapter, unsigned int number, unsigned int place);

/* A member's place in a broadcast group, and the turn of those who join it. */
socklen_t wire_place_name(struct sockaddr_un *address, unsigned int group, unsigned int id, unsigned int place);
socklen_t wire_turn_name(struct sockaddr_un *address, unsigned int group, unsigned int id);

struct wire_head wire_head(enum wire_kind kind);

/* Sends a packet, with a descriptor unless fd is -1. Never blocks; false if the packet was not sent. */
bool wire_send(int socket, const void *packet, size_t size, int fd);

/*
 * Takes one packet, without blocking. If fd is not NULL, one descriptor may come along: it goes to *fd (-1 if none came),
 * and the caller owns it, whatever the packet is. If fd is NULL, none may come. A packet with more descriptors is
 * WIRE_GARBAGE; a packet whose descriptor this process can't get is WIRE_NO_DESCRIPTOR. Both stay in the socket, because
 * dropping their descriptors may take as long as the sender likes.
 */
enum wire_event wire_receive(int socket, union wire_packet *packet, int *fd);

/* As wire_receive with fd NULL, at a socket that has refused descriptors since it was made, or inherited that. */
enum wire_event wire_receive_bare(int socket, union wire_packet *packet);

/* Tells the kernel whether to refuse packets with descriptors from now on. A kernel before Linux 6.16 never refuses them. */
void wire_refuse_descriptors(int socket, bool refuse);

/* Sends bye before a close, and shuts the socket down: that ends the connection even if a forked child holds a copy. */
void wire_say_bye(int socket);

/*
 * Ends a connection at which packets with descriptors may wait; sends bye first if told to. The senders of such packets
 * can make the close take long, so then discard() closes the socket. Uses up a place that was reserved there.
 */
void wire_close(int socket, bool bye);

#endif

/* The library's protocol, spoken by hand in order to misuse it. */
#ifndef SHIM_TEST_RAW_H
#define SHIM_TEST_RAW_H

#include <stdbool.h>
#include <stddef.h>

#include "wire.h"

enum { RAW_DESCRIPTORS = 253 /* most in one message */ };

/* A socket, and the address of a segment of that node. */
int raw_socket(struct sockaddr_un *address, socklen_t *length, unsigned int node, unsigned int id);

int raw_connect(unsigned int node, unsigned int id);

/* A socket, and the address that the process of a node at that place holds. */
int raw_node(struct sockaddr_un *address, socklen_t *length, unsigned int node, unsigned int place);

/* A socket from which an interrupt is triggered. */
int raw_interrupt(unsigned int node, unsigned int number);

/* A connection to the queue of an interrupt that counts ("cnt") or carries data ("dat"). */
int raw_queue(const char *sort, unsigned int node, unsigned int number);

/* Has connected to it, and hung up, as often as there is room for. */
void raw_crowd(const char *sort, unsigned int node, unsigned int number);

/* Sends a packet with descriptors; false if the kernel refuses those on behalf of the receiver. */
bool try_packet(int socket, const void *packet, size_t size, const int *fds, size_t count);

/* The same where nothing may be refused. */
void send_packet(int socket, const void *packet, size_t size, const int *fds, size_t count);

/* A connected TCP socket whose last close takes an hour: its peer does not read. */
int lingering(int *peer);

#endif

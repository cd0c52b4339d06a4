/* The library's protocol without the library, in order to misuse it. */
#ifndef SHIM_TEST_RAW_H
#define SHIM_TEST_RAW_H

#include <stdbool.h>
#include <stddef.h>

#include "system/wire.h"

enum { RAW_DESCRIPTORS = 253 /* the most that one message can have */ };

/* Makes a socket, and the address of a segment of that node. */
int raw_socket(struct sockaddr_un *address, socklen_t *length, unsigned int node, unsigned int id);

int raw_connect(unsigned int node, unsigned int id);

/* Makes a socket, and the address of a node's process at that place. */
int raw_node(struct sockaddr_un *address, socklen_t *length, unsigned int node, unsigned int place);

/* A socket with a name of a broadcast group: the number of a place, or "turn". */
int raw_group(unsigned int id, const char *what);

/* A connection to the socket with that name of a group. */
int raw_join(unsigned int id, const char *what);

/* A socket from which an interrupt is triggered. */
int raw_interrupt(unsigned int node, unsigned int number);

/* A connection to the queue of an interrupt that counts ("cnt") or carries data ("dat"). */
int raw_queue(const char *sort, unsigned int node, unsigned int number);

/* Connects to such a queue and hangs up, until there is no room for more connections. */
void raw_crowd(const char *sort, unsigned int node, unsigned int number);

/* Sends a packet with descriptors; false if the receiver has hung up, or the kernel refuses them because the receiver told it to. */
bool try_packet(int socket, const void *packet, size_t size, const int *fds, size_t count);

/* The same; a refusal fails the test. */
void send_packet(int socket, const void *packet, size_t size, const int *fds, size_t count);

/* A connected TCP socket whose last close takes an hour: its peer does not read. */
int lingering(int *peer);

#endif

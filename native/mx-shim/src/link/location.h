/* Where a process runs: its host and its network namespace, as numbers that processes can compare. */
#ifndef SHIM_LINK_LOCATION_H
#define SHIM_LINK_LOCATION_H

#include <stdbool.h>
#include <stdint.h>

/* Hashes, which tell nothing but whether they are equal. host 0: not known, for example because there is no /proc. */
struct location {
    uint64_t host, network;
};

/* The location of the sockets that the calling thread makes. */
struct location location_here(void);

/* Whether both are known, and are on one host in different network namespaces. */
bool location_is_apart(struct location, struct location);

#endif

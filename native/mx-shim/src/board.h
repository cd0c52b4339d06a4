/*
 * Boards: the ways into the network, and where an endpoint is found there.
 *
 * A board is a network interface that is up and has an IPv4 address, which is its id, as a number. Board 0 comes first in
 * the kernel's order; loopback is the last one. An endpoint listens at the address of its board and the port of its id.
 */
#ifndef SHIM_BOARD_H
#define SHIM_BOARD_H

#include <net/if.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Ports from BOARD_PORT to 32767, below those that Linux gives to whoever asks for any; MX_SHIM_PORT moves the first one. */
enum { BOARD_PORT = 24576, BOARD_ENDPOINTS = 8192, BOARD_PORT_MAX = UINT16_MAX - BOARD_ENDPOINTS + 1 };

struct board {
    uint64_t nic;
    char interface[IF_NAMESIZE];
    bool running; /* else the kernel doesn't hold it for usable: no carrier, or so new that it has not come to that */
};

/* Whether the settings make sense and there is a board; if not, why, in one line. */
bool boards_check(char *reason, size_t size);

/* All of this host, to be freed. Their number; 0 if there are none, -1 if there is no memory. */
int boards_list(struct board **);

/* False: there is none of that number. */
bool board_find(uint32_t number, struct board *);

uint16_t board_port(uint32_t eid);

/* Whether a board can have this id. */
static inline bool board_is_id(uint64_t nic)
{
    return nic != 0 && nic <= UINT32_MAX;
}

#endif

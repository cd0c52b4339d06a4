/*
 * Boards: the network interfaces of the host, and where an endpoint listens.
 *
 * A board is a network interface that is up and has an IPv4 address. The address, as a number, is the board's id. Boards are
 * numbered in the kernel's order, with loopback last. An endpoint listens at the address of its board and at the port of its
 * endpoint id.
 */
#ifndef SHIM_CORE_BOARD_H
#define SHIM_CORE_BOARD_H

#include <net/if.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Ports from BOARD_PORT to 32767, below the ephemeral ports that Linux gives to sockets that ask for any port. MX_SHIM_PORT
 * moves the first one.
 */
enum { BOARD_PORT = 24576, BOARD_ENDPOINTS = 8192, BOARD_PORT_MAX = UINT16_MAX - BOARD_ENDPOINTS + 1 };

struct board {
    uint64_t nic;
    char interface[IF_NAMESIZE];
    bool running; /* else the kernel doesn't consider it usable: no cable, or too new for the kernel to have found out */
};

/* Whether the settings are valid and there is a board. If not, reason gets one line that says why. */
bool boards_check(char *reason, size_t size);

/*
 * Lists all boards of this host. The caller frees the list. Returns their number: 0 if there are none, -1 if there is no memory
 * or descriptor.
 */
int boards_list(struct board **);

/* False: there is no board with that number. */
bool board_find(uint32_t number, struct board *);

uint16_t board_port(uint32_t eid);

/* Whether a board can have this id. */
static inline bool board_is_id(uint64_t nic)
{
    return nic != 0 && nic <= UINT32_MAX;
}

#endif

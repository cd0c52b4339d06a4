/*
 * What public programs use of the inside of a vendor's library: Open MPI 1.3 to 1.7 asks for the mapper of the network and cleans
 * the cache of registered memory; monitors open a board. This library has no driver, no mapper and no such cache. It has these
 * calls so that such programs link and start. Names, types and sizes are those of the vendor's header (see Open-MX's mx_io.h).
 * A program that is written today needs none of them.
 *
 * The same declarations are found by the names mx_internals/mx__fops.h and mx_internals/mx__driver_interface.h.
 */
#ifndef MX_IO_H
#define MX_IO_H

#include <stddef.h>

#include "myriexpress.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A board that was opened. In this library it is a number, and no descriptor: close(2) of it fails and does nothing. */
typedef int mx_endpt_handle_t;

#define MX__INVALID_HANDLE (-1)

/* The state of the network's mapper, as seen from a board. */
typedef struct {
    uint32_t board_number;
    uint8_t mapper_mac[6];       /* which mapper it is; 0 here: all boards are of one network */
    uint16_t iport;              /* the board's port */
    uint32_t map_version;        /* 0 here */
    uint32_t num_hosts;          /* 0 here: not known */
    uint32_t network_configured; /* 1 here */
    uint32_t routes_valid;       /* 1 here */
    uint32_t level;              /* 0 here */
    uint32_t flags;              /* 0 here */
} mx_mapper_state_t;

/*
 * Opens a board, by its number or the first one. There is nothing to give back; mx__close is there for the programs that call it,
 * and returns 0. Any thread, never blocks. Errors: MX_BOARD_UNKNOWN, MX_BAD_BAD_BAD (handle is NULL).
 */
mx_return_t mx_open_board(uint32_t board_number, mx_endpt_handle_t *handle);
mx_return_t mx_open_any_board(mx_endpt_handle_t *handle);
int mx__close(mx_endpt_handle_t handle);

/*
 * Fills in the state, which belongs to the caller; iport stays as the caller has set it. Any thread, never blocks.
 * Errors: MX_BOARD_UNKNOWN (the handle is of no board of this host), MX_BAD_BAD_BAD (state is NULL).
 */
mx_return_t mx__get_mapper_state(mx_endpt_handle_t handle, mx_mapper_state_t *state);

/*
 * Tells the library that the memory is no longer mapped. Does nothing, and returns 0: this library keeps no memory registered, and
 * UCX watches that itself. Needs no mx_init. Any thread, also inside free and munmap.
 */
int mx__regcache_clean(void *memory, size_t length);

#ifdef __cplusplus
}
#endif

#endif

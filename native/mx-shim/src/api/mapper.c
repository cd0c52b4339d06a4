/* Boards that are opened, and the state of a mapper that there is none of (mx_io.h). */
#include "mx_io.h"

#include "api/errors.h"
#include "api/library.h"
#include "core/board.h"

/* A handle is this and a board's number. It is larger than any descriptor, so that a program's close(2) of it hits nothing. */
enum { HANDLES = 0x4d580000 /* "MX" */, BOARDS_MAX = 0x10000 };

static mx_return_t open_board(uint32_t number, mx_endpt_handle_t *handle)
{
    struct board board;
    if (handle == NULL)
        return MX_BAD_BAD_BAD;
    if (number >= BOARDS_MAX || !board_find(number, &board))
        return MX_BOARD_UNKNOWN;
    *handle = HANDLES | (int)number;
    return MX_SUCCESS;
}

EXPORTED mx_return_t mx_open_board(uint32_t board_number, mx_endpt_handle_t *handle)
{
    mx_return_t result = library_check();
    if (result == MX_SUCCESS)
        result = open_board(board_number, handle);
    return result == MX_SUCCESS ? result : report(NULL, __func__, result);
}

EXPORTED mx_return_t mx_open_any_board(mx_endpt_handle_t *handle)
{
    mx_return_t result = library_check();
    if (result == MX_SUCCESS)
        result = open_board(0, handle);
    return result == MX_SUCCESS ? result : report(NULL, __func__, result);
}

EXPORTED int mx__close(mx_endpt_handle_t handle)
{
    (void)handle;
    return 0;
}

static mx_return_t get_state(mx_endpt_handle_t handle, mx_mapper_state_t *state)
{
    struct board board;
    uint32_t number = (uint32_t)handle & (BOARDS_MAX - 1);
    if (state == NULL)
        return MX_BAD_BAD_BAD;
    if ((handle & ~(BOARDS_MAX - 1)) != HANDLES || !board_find(number, &board))
        return MX_BOARD_UNKNOWN;
    *state = (mx_mapper_state_t){ .board_number = number, .iport = state->iport, .network_configured = 1, .routes_valid = 1 };
    return MX_SUCCESS;
}

EXPORTED mx_return_t mx__get_mapper_state(mx_endpt_handle_t handle, mx_mapper_state_t *state)
{
    mx_return_t result = library_check();
    if (result == MX_SUCCESS)
        result = get_state(handle, state);
    return result == MX_SUCCESS ? result : report(NULL, __func__, result);
}

EXPORTED int mx__regcache_clean(void *memory, size_t length)
{
    (void)memory, (void)length;
    return 0;
}

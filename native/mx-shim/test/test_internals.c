/* What public programs use beside the interface: opened boards, the mapper's state, the cache of registered memory (mx_io.h). */
#include <mx_extensions.h>
#include <mx_io.h>
#include <mx_internals/mx__driver_interface.h>
#include <mx_internals/mx__fops.h>

#include "check.h"

#include <errno.h>
#include <stddef.h>
#include <string.h>
#include <unistd.h>

_Static_assert(sizeof(mx_mapper_state_t) == 36 && offsetof(mx_mapper_state_t, mapper_mac) == 4
                   && offsetof(mx_mapper_state_t, iport) == 10 && offsetof(mx_mapper_state_t, map_version) == 12
                   && offsetof(mx_mapper_state_t, flags) == 32,
               "the layout that programs were compiled with");

static void without_init(void)
{
    mx_endpt_handle_t handle = MX__INVALID_HANDLE;
    mx_mapper_state_t state;
    char memory[8];
    CHECK(mx__regcache_clean(memory, sizeof memory) == 0);
    EXPECT(MX_NOT_INITIALIZED, mx_open_board(0, &handle));
    EXPECT(MX_NOT_INITIALIZED, mx_open_any_board(&handle));
    EXPECT(MX_NOT_INITIALIZED, mx__get_mapper_state(handle, &state));
    CHECK(handle == MX__INVALID_HANDLE);
}

/* All boards are of one network, whatever it is: the same mapper. */
static void boards(void)
{
    static const uint8_t one[6] = { 0 };
    uint32_t count;
    mx_endpt_handle_t handle, first = MX__INVALID_HANDLE;
    OK(mx_get_info(NULL, MX_NIC_COUNT, NULL, 0, &count, sizeof count));
    for (uint32_t i = 0; i < count; i++) {
        mx_mapper_state_t state;
        memset(&state, 0xff, sizeof state);
        state.board_number = i;
        state.iport = 3;
        OK(mx_open_board(i, &handle));
        CHECK(handle >= 0 && handle != first);
        if (i == 0)
            first = handle;
        OK(mx__get_mapper_state(handle, &state));
        CHECK(state.board_number == i && state.iport == 3 && memcmp(state.mapper_mac, one, sizeof one) == 0);
        CHECK(state.map_version == 0 && state.num_hosts == 0 && state.network_configured == 1 && state.routes_valid == 1);
        CHECK(state.level == 0 && state.flags == 0);
        CHECK(close(handle) == -1 && errno == EBADF); /* it is no descriptor of the program's */
        CHECK(mx__close(handle) == 0);
    }
    OK(mx_open_any_board(&handle));
    CHECK(handle == first);
    handle = MX__INVALID_HANDLE;
    EXPECT(MX_BOARD_UNKNOWN, mx_open_board(count, &handle));
    EXPECT(MX_BOARD_UNKNOWN, mx_open_board(MX_ANY_NIC, &handle));
    EXPECT(MX_BAD_BAD_BAD, mx_open_board(0, NULL));
    CHECK(handle == MX__INVALID_HANDLE);

    mx_mapper_state_t state = { .board_number = 77 };
    EXPECT(MX_BOARD_UNKNOWN, mx__get_mapper_state(MX__INVALID_HANDLE, &state));
    EXPECT(MX_BOARD_UNKNOWN, mx__get_mapper_state(0, &state));
    EXPECT(MX_BOARD_UNKNOWN, mx__get_mapper_state(first + (int)count, &state));
    EXPECT(MX_BAD_BAD_BAD, mx__get_mapper_state(first, NULL));
    CHECK(state.board_number == 77);
}

int main(void)
{
    need_mx();
    mx_set_error_handler(MX_ERRORS_RETURN);
    without_init();
    OK(mx_init());
    boards();
    OK(mx_finalize());
    without_init();
    return 0;
}

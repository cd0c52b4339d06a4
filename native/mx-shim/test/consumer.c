/* A program outside this project. consumer.sh compiles it as C and as C++, with the flags that pkg-config gives. */
#include <mx_internals/mx__driver_interface.h>
#include <mx_internals/mx__fops.h>
#include <mx_shim.h>
#include <mx_extensions.h>
#include <myriexpress.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void must(mx_return_t result)
{
    if (result != MX_SUCCESS) {
        fprintf(stderr, "%s\n", mx_strerror(result));
        exit(1);
    }
}

int main(void)
{
    char text[] = "to myself", copy[sizeof text] = "";
    mx_endpoint_t endpoint;
    mx_endpoint_addr_t self;
    mx_request_t send, receive;
    mx_status_t status;
    mx_segment_t from, to;
    uint64_t nic;
    uint32_t id, result;
    mx_endpt_handle_t board;
    mx_mapper_state_t mapper;

    mx_set_error_handler(MX_ERRORS_RETURN);
    if (mx_init() == MX_NO_DEV) {
        puts("there is no UCX");
        return 77;
    }
    must(mx_open_board(0, &board));
    must(mx__get_mapper_state(board, &mapper));
    must(mx_open_endpoint(MX_ANY_NIC, MX_ANY_ENDPOINT, 1, NULL, 0, &endpoint));
    must(mx_get_endpoint_addr(endpoint, &self));
    must(mx_decompose_endpoint_addr(self, &nic, &id));
    must(mx_connect(endpoint, nic, id, 1, 10000, &self));
    from.segment_ptr = text;
    to.segment_ptr = copy;
    from.segment_length = to.segment_length = sizeof text;
    must(mx_irecv(endpoint, &to, 1, 0, 0, NULL, &receive));
    must(mx_isend(endpoint, &from, 1, self, 1, NULL, &send));
    must(mx_wait(endpoint, &receive, MX_INFINITE, &status, &result));
    must(mx_wait(endpoint, &send, MX_INFINITE, &status, &result));
    must(mx_close_endpoint(endpoint));
    must(mx_finalize());
    return strcmp(text, copy) != 0;
}

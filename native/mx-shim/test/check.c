#include "check.h"

#include <poll.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

void need_mx(void)
{
    char reason[MX_SHIM_REASON_BYTES];
    if (mx_shim_probe(reason) != 0) {
        printf("MX can't be used here: %s\n", reason);
        exit(SKIPPED);
    }
    char port[8]; /* the library gives out the lowest free id first, so each test needs its own ports */
    snprintf(port, sizeof port, "%d", 10000 + getpid() * 16 % 14000);
    CHECK(setenv("MX_SHIM_PORT", port, 1) == 0);
}

void begin(void)
{
    mx_set_error_handler(MX_ERRORS_RETURN);
    OK(mx_init());
}

mx_endpoint_t open_any(void)
{
    mx_endpoint_t endpoint = NULL;
    OK(mx_open_endpoint(0, MX_ANY_ENDPOINT, KEY, NULL, 0, &endpoint));
    CHECK(endpoint != NULL);
    return endpoint;
}

void end(mx_endpoint_t endpoint)
{
    OK(mx_close_endpoint(endpoint));
    OK(mx_finalize());
}

uint64_t nic_of(mx_endpoint_t endpoint)
{
    mx_endpoint_addr_t address;
    uint64_t nic;
    OK(mx_get_endpoint_addr(endpoint, &address));
    OK(mx_decompose_endpoint_addr(address, &nic, NULL));
    return nic;
}

uint32_t id_of(mx_endpoint_t endpoint)
{
    mx_endpoint_addr_t address;
    uint32_t id;
    OK(mx_get_endpoint_addr(endpoint, &address));
    OK(mx_decompose_endpoint_addr(address, NULL, &id));
    return id;
}

mx_endpoint_addr_t connect_to(mx_endpoint_t endpoint, uint32_t id)
{
    mx_endpoint_addr_t address;
    OK(mx_connect(endpoint, nic_of(endpoint), id, KEY, WHILE, &address));
    return address;
}

uint64_t attend_to(int channel, mx_endpoint_t endpoint)
{
    while (poll(&(struct pollfd){ .fd = channel, .events = POLLIN }, 1, 0) == 0)
        OK(mx_progress(endpoint));
    return listen_to(channel);
}

mx_endpoint_addr_t meet(int channel, mx_endpoint_t endpoint)
{
    tell(channel, id_of(endpoint));
    mx_endpoint_addr_t address = connect_to(endpoint, (uint32_t)listen_to(channel));
    tell(channel, 0);
    attend_to(channel, endpoint); /* the other process may still need our progress */
    return address;
}

mx_status_t await(mx_endpoint_t endpoint, mx_request_t *request)
{
    mx_status_t status;
    uint32_t result = 2;
    OK(mx_wait(endpoint, request, WHILE, &status, &result));
    CHECK(result == 1);
    CHECK(*request == NULL);
    return status;
}

mx_status_t await_both(mx_endpoint_t endpoint, mx_request_t *request, mx_endpoint_t other)
{
    mx_status_t status;
    uint32_t result = 0;
    for (double since = milliseconds(); !result;) {
        OK(mx_progress(other));
        OK(mx_test(endpoint, request, &status, &result));
        CHECK(result || milliseconds() - since < WHILE);
    }
    return status;
}

void check_pending(mx_endpoint_t endpoint, mx_request_t *request)
{
    mx_status_t status;
    uint32_t result = 2;
    for (int i = 0; i < 100; i++) {
        OK(mx_test(endpoint, request, &status, &result));
        CHECK(result == 0);
        CHECK(*request != NULL);
    }
}

static mx_segment_t segment_of(const void *data, size_t length)
{
    return (mx_segment_t){ .segment_ptr = (void *)(uintptr_t)data, .segment_length = (uint32_t)length };
}

mx_request_t start_send(mx_endpoint_t endpoint, mx_endpoint_addr_t to, uint64_t match, const void *data, size_t length)
{
    mx_segment_t segment = segment_of(data, length);
    mx_request_t request = NULL;
    OK(mx_isend(endpoint, &segment, 1, to, match, NULL, &request));
    CHECK(request != NULL);
    return request;
}

mx_request_t start_synchronous_send(mx_endpoint_t endpoint, mx_endpoint_addr_t to, uint64_t match, const void *data,
                                    size_t length)
{
    mx_segment_t segment = segment_of(data, length);
    mx_request_t request = NULL;
    OK(mx_issend(endpoint, &segment, 1, to, match, NULL, &request));
    CHECK(request != NULL);
    return request;
}

mx_request_t start_receive(mx_endpoint_t endpoint, uint64_t match, uint64_t mask, void *data, size_t length)
{
    mx_segment_t segment = segment_of(data, length);
    mx_request_t request = NULL;
    OK(mx_irecv(endpoint, &segment, 1, match, mask, NULL, &request));
    CHECK(request != NULL);
    return request;
}

void send_message(mx_endpoint_t endpoint, mx_endpoint_addr_t to, uint64_t match, const void *data, size_t length)
{
    mx_request_t request = start_send(endpoint, to, match, data, length);
    mx_status_t status = await(endpoint, &request);
    CHECK_STATUS(MX_STATUS_SUCCESS, status);
}

mx_status_t receive_message(mx_endpoint_t endpoint, uint64_t match, uint64_t mask, void *data, size_t length)
{
    mx_request_t request = start_receive(endpoint, match, mask, data, length);
    return await(endpoint, &request);
}

mx_status_t await_unexpected(mx_endpoint_t endpoint, uint64_t match, uint64_t mask)
{
    mx_status_t status;
    uint32_t result = 2;
    OK(mx_probe(endpoint, WHILE, match, mask, &status, &result));
    CHECK(result == 1);
    return status;
}

/* Bytes differ between neighbours, between seeds, and between pages. */
static unsigned char byte_of(uint64_t seed, size_t position)
{
    return (unsigned char)(seed * 31 + position + (position >> 8) * 7 + (position >> 16) * 11);
}

unsigned char *filled(size_t length, uint64_t seed)
{
    unsigned char *data = malloc(length + 1);
    CHECK(data != NULL);
    for (size_t i = 0; i < length; i++)
        data[i] = byte_of(seed, i);
    return data;
}

bool is_filled(const void *data, size_t length, uint64_t seed)
{
    const unsigned char *bytes = data;
    for (size_t i = 0; i < length; i++)
        if (bytes[i] != byte_of(seed, i))
            return false;
    return true;
}

double milliseconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec * 1e3 + (double)now.tv_nsec * 1e-6;
}

/*
 * What the tests share, besides processes.h. In all of them calls return their errors (MX_ERRORS_RETURN). The bytes of a
 * message follow from a seed and their position.
 */
#ifndef MX_TEST_CHECK_H
#define MX_TEST_CHECK_H

#include "processes.h"

#include "mx_extensions.h"
#include "mx_shim.h"

enum { KEY = 0x4a46, KB = 1024, MB = 1024 * 1024 };

#define EXPECT(expected, call)                                                                       \
    do {                                                                                             \
        mx_return_t outcome = (call);                                                                \
        if (outcome != (expected)) {                                                                 \
            fprintf(stderr, "%s:%d: %s: expected %s, got %d: %s\n", __FILE__, __LINE__, #call,       \
                    #expected, (int)outcome, mx_strerror(outcome));                                  \
            exit(1);                                                                                 \
        }                                                                                            \
    } while (0)
#define OK(call) EXPECT(MX_SUCCESS, call)

#define CHECK_STATUS(expected, status)                                                               \
    do {                                                                                             \
        mx_status_code_t code_ = (status).code;                                                      \
        if (code_ != (expected)) {                                                                   \
            fprintf(stderr, "%s:%d: expected %s, got %d: %s\n", __FILE__, __LINE__, #expected,       \
                    (int)code_, mx_strstatus(code_));                                                \
            exit(1);                                                                                 \
        }                                                                                            \
    } while (0)

/*
 * Ends the test as skipped if MX can't be used here. Each test calls this first, also a test that starts a peer: it gives both
 * processes ports that no other running test takes.
 */
void need_mx(void);

/* Initialises the library. Its errors return. */
void begin(void);

/* An endpoint of board 0 with the key KEY. */
mx_endpoint_t open_any(void);

/* Closes the endpoint and finalises the library. */
void end(mx_endpoint_t endpoint);

/* The board id and the endpoint id of an endpoint. */
uint64_t nic_of(mx_endpoint_t endpoint);
uint32_t id_of(mx_endpoint_t endpoint);

/* Connects to the endpoint with that id on this host. */
mx_endpoint_addr_t connect_to(mx_endpoint_t endpoint, uint32_t id);

/* Connects with the process at the other end of the channel, which calls this too. */
mx_endpoint_addr_t meet(int channel, mx_endpoint_t endpoint);

/* As listen_to, but makes progress on the endpoint meanwhile, so that sent messages leave. */
uint64_t attend_to(int channel, mx_endpoint_t endpoint);

/* Waits for the request, at most WHILE. */
mx_status_t await(mx_endpoint_t endpoint, mx_request_t *request);

/* The same, for a request that needs progress on another endpoint of this process too. */
mx_status_t await_both(mx_endpoint_t endpoint, mx_request_t *request, mx_endpoint_t other);

/* Checks that the request is not complete after progress. */
void check_pending(mx_endpoint_t endpoint, mx_request_t *request);

/* Starts a send or receive of one segment. */
mx_request_t start_send(mx_endpoint_t endpoint, mx_endpoint_addr_t to, uint64_t match, const void *data, size_t length);
mx_request_t start_synchronous_send(mx_endpoint_t endpoint, mx_endpoint_addr_t to, uint64_t match, const void *data,
                                    size_t length);
mx_request_t start_receive(mx_endpoint_t endpoint, uint64_t match, uint64_t mask, void *data, size_t length);

/* The same, and waits for the request. A send has to succeed. */
void send_message(mx_endpoint_t endpoint, mx_endpoint_addr_t to, uint64_t match, const void *data, size_t length);
mx_status_t receive_message(mx_endpoint_t endpoint, uint64_t match, uint64_t mask, void *data, size_t length);

/* Waits until a message has arrived that such a receive would match. */
mx_status_t await_unexpected(mx_endpoint_t endpoint, uint64_t match, uint64_t mask);

/* Memory with the bytes of a seed; and whether memory has them. */
unsigned char *filled(size_t length, uint64_t seed);
bool is_filled(const void *data, size_t length, uint64_t seed);

double milliseconds(void);

#endif

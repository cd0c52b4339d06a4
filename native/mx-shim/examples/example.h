/*
 * What the examples share: options, an endpoint, and the plan. The client sends the plan to the server, so the options of a
 * measurement are given to the client alone. All of it is plain MX.
 */
#ifndef MX_EXAMPLE_H
#define MX_EXAMPLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <myriexpress.h>

struct plan {
    uint32_t first, last; /* bytes in a message; doubled from step to step */
    uint32_t count;       /* messages of each length */
};

struct session {
    mx_endpoint_t endpoint;
    mx_endpoint_addr_t peer;
    struct plan plan;
    bool client, block;
};

/* End the program with a message: must if a call failed, must_be_complete if a status isn't a success, fail always. */
void must(mx_return_t result, const char *call);
void must_be_complete(mx_status_t status, const char *what);
_Noreturn void fail(const char *message);

/* Reads the options, opens an endpoint, and meets the other process. */
struct session start(int count, char **arguments);

/* Closes the endpoint and finalises the library. */
void finish(struct session *session);

enum match { PLAN = 1, READY, PING, PONG, DATA, DONE };

/* The usual calls for messages in one piece. Waiting polls, or sleeps with option -w. */
mx_request_t send_to_peer(struct session *session, uint64_t match, void *data, uint32_t length);
mx_request_t receive(struct session *session, uint64_t match, void *data, uint32_t length);
mx_status_t finish_request(struct session *session, mx_request_t *request);

/* Memory whose pages have been touched. */
void *memory(size_t length);

double microseconds(void);

/* The median. Sorts the numbers. */
double median(double *numbers, size_t count);

#endif

/*
 * One request each millisecond over the MX library. Both ends sleep while they wait. This shows how much of the time of a
 * sleeping conversation between hosts (./jfs bench mx) the library and UCX take. The program has a client and a server, as the
 * MX examples have (example.h).
 */
#define _GNU_SOURCE
#include "example.h"

#include <mx_shim.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static const struct timespec PAUSE = {.tv_nsec = 1000000};

/* Sleeps until the request is complete. */
static void sleep_until_complete(struct session *session, mx_request_t *request)
{
    for (;;) {
        mx_status_t status;
        uint32_t result = 0;
        must(mx_test(session->endpoint, request, &status, &result), "mx_test");
        if (result) {
            must_be_complete(status, "a message");
            return;
        }
        mx_shim_wait(session->endpoint, NULL, 0, -1);
    }
}

/* Prints the median round-trip time in microseconds. The first fifth of the round trips is left out. */
static void ask(struct session *session, unsigned char *data, uint32_t length, double *times)
{
    const uint32_t count = session->plan.count, warm = count / 5;
    for (uint32_t i = 0; i < count; i++) {
        nanosleep(&PAUSE, NULL);
        double since = microseconds();
        mx_request_t pong = receive(session, PONG, data + length, length);
        mx_request_t sent = send_to_peer(session, PING, data, length);
        sleep_until_complete(session, &pong);
        times[i] = microseconds() - since;
        finish_request(session, &sent);
    }
    printf("%9u %12.3f\n", length, median(times + warm, count - warm));
}

static void answer(struct session *session, unsigned char *data, uint32_t length)
{
    mx_request_t next = receive(session, PING, data, length);
    for (uint32_t i = 0; i < session->plan.count; i++) {
        sleep_until_complete(session, &next);
        mx_request_t sent = send_to_peer(session, PONG, data, length);
        finish_request(session, &sent);
        if (i + 1 < session->plan.count)
            next = receive(session, PING, data, length);
    }
}

int main(int count, char **arguments)
{
    struct session session = start(count, arguments);
    const uint32_t length = session.plan.first;
    unsigned char *data = memory(2 * (size_t)length);
    double *times = memory(session.plan.count * sizeof *times);
    if (session.client)
        ask(&session, data, length, times);
    else
        answer(&session, data, length);
    finish(&session);
    free(data);
    free(times);
    return 0;
}

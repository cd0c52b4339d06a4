/* Latency: a message goes to the server and comes back. Prints half of that time (median), the bytes in it, and its mean. */
#include "example.h"

#include <stdio.h>
#include <stdlib.h>

static void ping(struct session *session, unsigned char *data, uint32_t length, double *times)
{
    double begun = microseconds();
    for (uint32_t i = 0; i < session->plan.count; i++) {
        double since = microseconds();
        mx_request_t pong = receive(session, PONG, data + length, length);
        mx_request_t sent = send_to_peer(session, PING, data, length);
        if (finish_request(session, &pong).xfer_length != length)
            fail("the answer has another length");
        finish_request(session, &sent);
        times[i] = (microseconds() - since) / 2;
    }
    double mean = (microseconds() - begun) / 2 / session->plan.count;
    double time = median(times, session->plan.count);
    printf("%9u %12.3f %12.3f %12.3f\n", length, time, length / time, mean);
}

static void pong(struct session *session, unsigned char *data, uint32_t length)
{
    mx_request_t next = receive(session, PING, data, length);
    for (uint32_t i = 0; i < session->plan.count; i++) {
        mx_request_t ping = next;
        finish_request(session, &ping);
        mx_request_t sent = send_to_peer(session, PONG, data, length);
        finish_request(session, &sent);
        if (i + 1 < session->plan.count)
            next = receive(session, PING, data, length);
    }
}

int main(int count, char **arguments)
{
    struct session session = start(count, arguments);
    unsigned char *data = memory(2 * (size_t)session.plan.last);
    double *times = memory(session.plan.count * sizeof *times);
    if (session.client)
        printf("%9s %12s %12s %12s\n", "bytes", "us one way", "MB/s", "us, mean");
    for (uint64_t length = session.plan.first; length <= session.plan.last; length *= 2) {
        if (session.client)
            ping(&session, data, (uint32_t)length, times);
        else
            pong(&session, data, (uint32_t)length);
    }
    finish(&session);
    free(data);
    free(times);
    return 0;
}

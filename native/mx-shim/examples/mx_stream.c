/* Bandwidth: messages one way, several at a time, until the server says that it has them all. */
#include "example.h"

#include <stdio.h>
#include <stdlib.h>

enum { WINDOW = 16 };

static mx_request_t transfer(struct session *session, unsigned char *data, uint32_t length, uint32_t i)
{
    unsigned char *part = data + (size_t)(i % WINDOW) * length;
    return session->client ? send_to_peer(session, DATA, part, length) : receive(session, DATA, part, length);
}

/* Both ends keep a window of requests, and wait for the oldest one. */
static void stream(struct session *session, unsigned char *data, uint32_t length)
{
    mx_request_t window[WINDOW];
    uint32_t count = session->plan.count, started = 0;
    mx_request_t done = session->client ? receive(session, DONE, NULL, 0) : NULL;
    double since = microseconds();
    for (uint32_t finished = 0; finished < count; finished++) {
        for (; started < count && started - finished < WINDOW; started++)
            window[started % WINDOW] = transfer(session, data, length, started);
        if (finish_request(session, &window[finished % WINDOW]).xfer_length != length)
            fail("a message has another length");
    }
    if (!session->client)
        done = send_to_peer(session, DONE, NULL, 0);
    finish_request(session, &done);
    if (session->client) {
        double time = microseconds() - since;
        printf("%9u %12.3f %12.0f\n", length, (double)length * count / time, count / time * 1e6);
    }
}

int main(int count, char **arguments)
{
    struct session session = start(count, arguments);
    unsigned char *data = memory(WINDOW * (size_t)session.plan.last);
    if (session.client)
        printf("%9s %12s %12s\n", "bytes", "MB/s", "messages/s");
    for (uint64_t length = session.plan.first; length <= session.plan.last; length *= 2)
        stream(&session, data, (uint32_t)length);
    finish(&session);
    free(data);
    return 0;
}

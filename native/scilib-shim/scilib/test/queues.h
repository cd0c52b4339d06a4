/* What the tests of queues share, beside check.h. */
#ifndef SCILIB_TEST_QUEUES_H
#define SCILIB_TEST_QUEUES_H

#include <sched.h>
#include <time.h>

#include "check.h"
#include "scilib.h"

/* As EXPECT and OK, for calls that return their error. */
#define GIVES(expected, call) EXPECT(expected, error = (call))
#define DONE(call) GIVES(SCI_ERR_OK, call)


/* SCILDestroy, and that no name and none of the descriptors beyond so many are left. */
void queue_end_library(int descriptors);

/* Sends a byte again and again until it gives that; it takes a moment for the news of an end to arrive. */
void await_send_status(sci_msq_queue_t sender, sci_error_t expected);

/*
 * Until a message of so many bytes finds room. All is received; but until the receiver has found its sender, which takes
 * that one's library a moment, it can't tell.
 */
void await_room(sci_msq_queue_t sender, sci_msq_queue_t receiver, unsigned int bytes);

/* Calls a step again and again until the condition holds. */
#define UNTIL(condition, step)                                   \
    for (time_t begin_ = time(NULL); !(condition);) {            \
        CHECK(time(NULL) - begin_ <= WHILE / 1000);              \
        step;                                                    \
    }

/* The i-th byte of a stream. */
static inline unsigned char stream_byte(uint64_t i)
{
    return (unsigned char)(i * 7 + i / 251 + 1);
}
void stream_fill(unsigned char *to, uint64_t from, size_t size);
void stream_check(const unsigned char *bytes, uint64_t from, size_t size);

#endif

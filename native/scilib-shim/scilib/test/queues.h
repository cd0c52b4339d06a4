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


/* Calls SCILDestroy; then no name must be left, and no more than so many descriptors. */
void queue_end_library(int descriptors);

/* Sends a byte again and again until the send returns this: the news of an end takes a moment to arrive. */
void await_send_status(sci_msq_queue_t sender, sci_error_t expected);

/*
 * Waits until a message of so many bytes finds room. All bytes have been received before. But the receiver can't tell the
 * sender so before it has connected to the sender, which takes the sender's library a moment.
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

#include "queues.h"


void queue_end_library(int descriptors)
{
    DONE(SCILDestroy(0));
    await_descriptors(descriptors);
    CHECK(names_in_use() == 0);
}

void await_send_status(sci_msq_queue_t sender, sci_error_t expected)
{
    char byte = 0;
    UNTIL(SCILSendMsg(sender, &byte, 1, NULL, 0) == expected, sched_yield());
}

void await_room(sci_msq_queue_t sender, sci_msq_queue_t receiver, unsigned int bytes)
{
    unsigned int room;
    UNTIL(SCILSendMsg(sender, NULL, 0, &room, 0) == SCI_ERR_OK && room >= bytes,
          DONE(SCILReceiveMsg(receiver, NULL, 0, NULL, 0)));
}

void stream_fill(unsigned char *to, uint64_t from, size_t size)
{
    for (size_t i = 0; i < size; i++)
        to[i] = stream_byte(from + i);
}

void stream_check(const unsigned char *bytes, uint64_t from, size_t size)
{
    for (size_t i = 0; i < size; i++)
        CHECK(bytes[i] == stream_byte(from + i));
}

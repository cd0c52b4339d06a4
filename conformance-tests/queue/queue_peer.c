/*
 * usage: queue_peer send|receive ID COUNT SIZE BYTES SEED
 *
 * One end of a SCILib queue, the other one being a Java program: a stream of so many bytes in messages of random sizes, with
 * random pauses. The receiver checks each byte and then that the sender has disconnected. "ready" tells that the receiving
 * end is there, "done" that all is through; then, and if BYTES is 0 at once, it waits for the end of its input. A failure
 * is told on standard error, with exit code 1.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <signal.h>
#include <time.h>
#include <unistd.h>

#include "scilib.h"

enum { ADAPTER = 0, START_MS = 30000, LONGEST = 4 };

static uint32_t seed;

static void must(sci_error_t status, const char *what)
{
    if (status == SCI_ERR_OK)
        return;
    fprintf(stderr, "%s: %s\n", what, SCIGetErrorString(status));
    exit(1);
}

static uint32_t random_below(uint32_t limit)
{
    seed = seed * 1664525u + 1013904223u;
    return (uint32_t)((uint64_t)seed * limit >> 32);
}

static void pause_at_random(void)
{
    if (random_below(100) == 0)
        nanosleep(&(struct timespec){ .tv_nsec = (long)random_below(400000) }, NULL);
}

/* As QueueProgramsTest has it. */
static unsigned char stream_byte(uint64_t i)
{
    return (unsigned char)(i * 7 + i / 251 + 1);
}

static uint64_t next_size(unsigned int size, uint64_t left)
{
    uint64_t next = 1 + random_below(LONGEST * size);
    return next < left ? next : left;
}

static void send_stream(sci_msq_queue_t queue, unsigned char *message, unsigned int size, uint64_t bytes)
{
    for (uint64_t sent = 0, next; sent < bytes; sent += next) {
        next = next_size(size, bytes - sent);
        for (uint64_t i = 0; i < next; i++)
            message[i] = stream_byte(sent + i);
        must(SCILSendMsgWait(queue, message, next, NULL, SCI_INFINITE_TIMEOUT, 0), "SCILSendMsgWait");
        pause_at_random();
    }
}

static void receive_stream(sci_msq_queue_t queue, unsigned char *message, unsigned int size, uint64_t bytes)
{
    for (uint64_t received = 0, next; received < bytes; received += next) {
        next = next_size(size, bytes - received);
        must(SCILReceiveMsgWait(queue, message, next, NULL, SCI_INFINITE_TIMEOUT, 0), "SCILReceiveMsgWait");
        for (uint64_t i = 0; i < next; i++) {
            if (message[i] != stream_byte(received + i)) {
                fprintf(stderr, "byte %llu is wrong\n", (unsigned long long)(received + i));
                exit(1);
            }
        }
        pause_at_random();
    }
    if (SCILReceiveMsgWait(queue, message, 1, NULL, SCI_INFINITE_TIMEOUT, 0) != SCI_ERR_NOT_CONNECTED) {
        fputs("there is more, or no end\n", stderr);
        exit(1);
    }
}

static void say(const char *what)
{
    puts(what);
    fflush(stdout);
}

int main(int argc, char **argv)
{
    if (argc != 7) {
        fputs("usage: queue_peer send|receive ID COUNT SIZE BYTES SEED\n", stderr);
        return 2;
    }
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    int sends = strcmp(argv[1], "send") == 0;
    unsigned int number[3], node;
    for (int i = 0; i < 3; i++)
        number[i] = (unsigned int)strtoul(argv[2 + i], NULL, 10);
    unsigned int id = number[0], count = number[1], size = number[2];
    uint64_t bytes = strtoull(argv[5], NULL, 10);
    seed = (uint32_t)strtoul(argv[6], NULL, 10);

    unsigned char *message = malloc((size_t)LONGEST * size);
    if (message == NULL)
        return 1;
    sci_error_t error;
    sci_msq_queue_t queue = NULL;
    must(SCILInit(0), "SCILInit");
    SCIGetLocalNodeId(ADAPTER, &node, 0, &error);
    must(error, "SCIGetLocalNodeId");
    if (sends)
        must(SCILConnectMsgQueue(&queue, ADAPTER, node, id, count, size, START_MS, 0), "SCILConnectMsgQueue");
    else
        must(SCILCreateMsgQueue(&queue, ADAPTER, node, id, count, size, 0, 0), "SCILCreateMsgQueue");
    say("ready");
    if (bytes > 0 && sends)
        send_stream(queue, message, size, bytes);
    else if (bytes > 0)
        receive_stream(queue, message, size, bytes);
    say("done");
    while (getchar() != EOF) {
    }
    must(sends ? SCILDisconnectMsgQueue(&queue, 0) : SCILRemoveMsgQueue(&queue, 0), "the queue's end");
    must(SCILDestroy(0), "SCILDestroy");
    free(message);
    return 0;
}

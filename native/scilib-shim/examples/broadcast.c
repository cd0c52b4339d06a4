/*
 * Broadcast segments ("reflective memory"): a client stores a value that all servers see, and each server answers in a word of its
 * own. Then the client copies a block, which each server checks.
 *     ./broadcast -server -rank 1 & ./broadcast -server -rank 2 & ./broadcast -client -nodes 2
 *
 * Each process has a local segment of the group, through which it reads, and a connection to the group, through which it stores. The
 * words of the segment are:
 *
 *     0               the client's value            BLOCK and on    the client's block
 *     1 .. MOST       each server's answer
 */
#define _GNU_SOURCE
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <sisci_api.h>
#include <sisci_demolib.h>
#include <sisci_error.h>
#include <testlib.h>

enum { NO_FLAGS = 0, MOST = 60, BLOCK = 1024, BLOCK_WORDS = 4096, SIZE = (BLOCK + BLOCK_WORDS) * 4, PAUSE = 10 /* ms */ };

/* What the words can be beside the number of a round. */
enum { READY = 0x40000000, CHECK_BLOCK, FINISHED };

static unsigned int group = 1, adapter, nodes, rank, loops = 1000, patience = 20000 /* ms */;
static volatile unsigned int *from_all, *to_all;
static sci_sequence_t sequence;
static sci_map_t to_all_map;

static _Noreturn void fail(const char *message)
{
    fprintf(stderr, "broadcast: %s\n", message);
    exit(1);
}

static void must(sci_error_t error, const char *call)
{
    if (error == SCI_ERR_OK)
        return;
    fprintf(stderr, "broadcast: %s: %s\n", call, SCIGetErrorString(error));
    exit(1);
}

static void put(unsigned int word, unsigned int value)
{
    to_all[word] = value;
    SCIFlush(sequence, SCI_FLAG_FLUSH_CPU_BUFFERS_ONLY);
}

static void await(unsigned int word, unsigned int value)
{
    timer_start_t begun;
    StartTimer(&begun);
    while (from_all[word] != value) {
        sched_yield(); /* there may be more processes than processors */
        if (StopTimer(begun) > patience * 1e3)
            fail("another process has not answered in time");
    }
    atomic_thread_fence(memory_order_acquire); /* what is read next comes after the value */
}

static void await_servers(unsigned int value)
{
    for (unsigned int server = 1; server <= nodes; server++)
        await(server, value);
}

static void be_client(void)
{
    static unsigned int block[BLOCK_WORDS];
    timer_start_t begun;
    sci_error_t error;
    await_servers(READY);
    StartTimer(&begun);
    for (unsigned int round = 1; round <= loops; round++) {
        put(0, round);
        await_servers(round);
    }
    printf("broadcast: %u rounds with %u servers, %.2f us each\n", loops, nodes, StopTimer(begun) / loops);
    for (unsigned int i = 0; i < BLOCK_WORDS; i++)
        block[i] = EndianSwap(i);
    SCIMemCpy(sequence, block, to_all_map, BLOCK * 4, sizeof block, NO_FLAGS, &error);
    must(error, "SCIMemCpy");
    put(0, CHECK_BLOCK);
    await_servers(CHECK_BLOCK);
    put(0, FINISHED);
}

static void be_server(void)
{
    put(rank, READY);
    for (unsigned int round = 1; round <= loops; round++) {
        await(0, round);
        put(rank, round);
    }
    await(0, CHECK_BLOCK);
    for (unsigned int i = 0; i < BLOCK_WORDS; i++)
        if (from_all[BLOCK + i] != EndianSwap(i))
            fail("the block is not what the client has sent");
    put(rank, CHECK_BLOCK);
    await(0, FINISHED);
    printf("broadcast: server %u has seen %u rounds and the block\n", rank, loops);
}

static unsigned int number(const char *text)
{
    return text != NULL ? (unsigned int)strtoul(text, NULL, 0) : 0;
}

/* Whether this is the client. */
static int read_options(char **arguments)
{
    int client = 0, server = 0;
    for (char **option = arguments + 1; *option != NULL; option++) {
        if (strcmp(*option, "-client") == 0)
            client = 1;
        else if (strcmp(*option, "-server") == 0)
            server = 1;
        else if (strcmp(*option, "-nodes") == 0)
            nodes = number(*++option);
        else if (strcmp(*option, "-rank") == 0)
            rank = number(*++option);
        else if (strcmp(*option, "-group") == 0)
            group = number(*++option);
        else if (strcmp(*option, "-loops") == 0)
            loops = number(*++option);
        else if (strcmp(*option, "-patience") == 0)
            patience = number(*++option);
        else
            fail("unknown option");
        if (*option == NULL)
            break;
    }
    if (client == server || (client && (nodes < 1 || nodes > MOST)) || (server && (rank < 1 || rank > MOST)) || loops < 1 ||
        loops >= READY)
        fail("usage: broadcast -client -nodes N | -server -rank 1..N  [-group ID] [-loops N] [-patience MILLISECONDS]");
    return client;
}

int main(int count, char **arguments)
{
    (void)count;
    int client = read_options(arguments);
    sci_error_t error;
    sci_desc_t device;
    sci_local_segment_t local;
    sci_remote_segment_t remote;
    sci_map_t from_all_map;
    unsigned int node;

    SCIInitialize(NO_FLAGS, &error);
    must(error, "SCIInitialize");
    SCIOpen(&device, NO_FLAGS, &error);
    must(error, "SCIOpen");
    must(DetectFirstAdapterCard(&adapter, &node), "DetectFirstAdapterCard");

    SCICreateSegment(device, &local, group, SIZE, NULL, NULL, SCI_FLAG_BROADCAST, &error);
    must(error, "SCICreateSegment");
    SCIPrepareSegment(local, adapter, SCI_FLAG_BROADCAST, &error);
    must(error, "SCIPrepareSegment");
    from_all = (volatile unsigned int *)SCIMapLocalSegment(local, &from_all_map, 0, SIZE, NULL, NO_FLAGS, &error);
    must(error, "SCIMapLocalSegment");
    SCISetSegmentAvailable(local, adapter, NO_FLAGS, &error);
    must(error, "SCISetSegmentAvailable");
    for (;;) {
        SCIConnectSegment(device, &remote, DIS_BROADCAST_NODEID_GROUP_ALL, group, adapter, NULL, NULL, SCI_INFINITE_TIMEOUT,
                          SCI_FLAG_BROADCAST, &error);
        if (error != SCI_ERR_NO_SUCH_SEGMENT)
            break;
        SleepMilliseconds(PAUSE);
    }
    must(error, "SCIConnectSegment");
    to_all = (volatile unsigned int *)SCIMapRemoteSegment(remote, &to_all_map, 0, SIZE, NULL, SCI_FLAG_BROADCAST, &error);
    must(error, "SCIMapRemoteSegment");
    SCICreateMapSequence(to_all_map, &sequence, NO_FLAGS, &error);
    must(error, "SCICreateMapSequence");

    if (client)
        be_client();
    else
        be_server();

    SCIRemoveSequence(sequence, NO_FLAGS, &error);
    must(error, "SCIRemoveSequence");
    SCIUnmapSegment(from_all_map, NO_FLAGS, &error);
    must(error, "SCIUnmapSegment");
    SCIRemoveSegment(local, NO_FLAGS, &error);
    must(error, "SCIRemoveSegment");
    SCIUnmapSegment(to_all_map, NO_FLAGS, &error);
    must(error, "SCIUnmapSegment");
    SCIDisconnectSegment(remote, NO_FLAGS, &error);
    must(error, "SCIDisconnectSegment");
    SCIClose(device, NO_FLAGS, &error);
    must(error, "SCIClose");
    SCITerminate();
    return 0;
}

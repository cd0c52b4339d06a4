/*
 * A block of memory goes from the client to the server. The server exports a segment. The client stores into it and triggers
 * an interrupt.
 */
#include "example.h"

#include <stdio.h>

static unsigned char pattern(size_t i)
{
    return (unsigned char)(i * 31 + i / 4096);
}

static void receive(sci_desc_t device, const struct options *options)
{
    sci_error_t error;
    sci_local_segment_t segment;
    sci_local_interrupt_t arrived;
    sci_map_t map;
    unsigned int number = options->base;

    /* The interrupt first: a client that finds the segment will look for it. */
    SCICreateInterrupt(device, &arrived, options->adapter, &number, NULL, NULL, SCI_FLAG_FIXED_INTNO, &error);
    must(error, "SCICreateInterrupt");
    SCICreateSegment(device, &segment, options->base, options->size, NULL, NULL, NO_FLAGS, &error);
    must(error, "SCICreateSegment");
    SCIPrepareSegment(segment, options->adapter, NO_FLAGS, &error);
    must(error, "SCIPrepareSegment");
    const unsigned char *block = SCIMapLocalSegment(segment, &map, NO_OFFSET, options->size, NULL, SCI_FLAG_READONLY_MAP, &error);
    must(error, "SCIMapLocalSegment");
    SCISetSegmentAvailable(segment, options->adapter, NO_FLAGS, &error);
    must(error, "SCISetSegmentAvailable");

    SCIWaitForInterrupt(arrived, PATIENCE, NO_FLAGS, &error);
    must(error, "SCIWaitForInterrupt");
    for (size_t i = 0; i < options->size; i++)
        if (block[i] != pattern(i))
            fail("the block did not arrive intact");
    printf("transfer: %zu bytes arrived\n", options->size);

    SCIUnmapSegment(map, NO_FLAGS, &error);
    must(error, "SCIUnmapSegment");
    SCIRemoveSegment(segment, SCI_FLAG_FORCE_REMOVE, &error); /* whether or not the client has disconnected */
    must(error, "SCIRemoveSegment");
    SCIRemoveInterrupt(arrived, NO_FLAGS, &error);
    must(error, "SCIRemoveInterrupt");
}

static void send(sci_desc_t device, const struct options *options)
{
    sci_error_t error;
    sci_remote_segment_t segment;
    sci_remote_interrupt_t bell;
    sci_map_t map;

    double begun = milliseconds();
    do
        SCIConnectSegment(device, &segment, options->remote_node, options->base, options->adapter, NULL, NULL, PATIENCE,
                          NO_FLAGS, &error);
    while (is_not_there_yet(error, begun));
    must(error, "SCIConnectSegment");
    SCIConnectInterrupt(device, &bell, options->remote_node, options->adapter, options->base, PATIENCE, NO_FLAGS, &error);
    must(error, "SCIConnectInterrupt");

    size_t size = SCIGetRemoteSegmentSize(segment);
    volatile unsigned char *block = SCIMapRemoteSegment(segment, &map, NO_OFFSET, size, NULL, NO_FLAGS, &error);
    must(error, "SCIMapRemoteSegment");
    for (size_t i = 0; i < size; i++)
        block[i] = pattern(i);
    SCITriggerInterrupt(bell, NO_FLAGS, &error); /* the stores above come before it */
    must(error, "SCITriggerInterrupt");

    SCIUnmapSegment(map, NO_FLAGS, &error);
    must(error, "SCIUnmapSegment");
    SCIDisconnectSegment(segment, NO_FLAGS, &error);
    must(error, "SCIDisconnectSegment");
    SCIDisconnectInterrupt(bell, NO_FLAGS, &error);
    must(error, "SCIDisconnectInterrupt");
}

int main(int count, char **arguments)
{
    struct options options = options_of(count, arguments, 8);
    sci_desc_t device = start(&options);
    if (options.server)
        receive(device, &options);
    else
        send(device, &options);
    finish(device);
    return 0;
}

/* Prints which node this is, and whether another node is there; -server or -client makes no difference. */
#include "example.h"

#include <stdio.h>

int main(int count, char **arguments)
{
    struct options options = options_of(count, arguments, 8);
    sci_desc_t device = start(&options);
    unsigned int own;
    sci_error_t error;
    SCIGetLocalNodeId(options.adapter, &own, NO_FLAGS, &error);
    must(error, "SCIGetLocalNodeId");
    printf("node: this is %u\n", own);
    int there = SCIProbeNode(device, options.adapter, options.remote_node, NO_FLAGS, &error);
    printf("node: %u %s (%s)\n", options.remote_node, there ? "answers" : "does not answer", SCIGetErrorString(error));
    finish(device);
    return there ? 0 : 1;
}

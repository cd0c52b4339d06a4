/*
 * Two processes have libraries of different versions. Connections to segments are refused with that error at either end,
 * and processes of the same version are served as before. Triggers have no packet head, so interrupts have no version.
 */
#include <string.h>
#include <unistd.h>

#include "check.h"

enum { OURS = 1, OTHERS = 2 };

static const char *program, *other_library;
static unsigned int node;

static sci_error_t connect_to(sci_desc_t sd, unsigned int id)
{
    sci_remote_segment_t remote;
    sci_error_t error;
    SCIConnectSegment(sd, &remote, node, id, ADAPTER, NULL, NULL, WHILE, 0, &error);
    if (error == SCI_ERR_OK)
        OK(SCIDisconnectSegment(remote, 0, &error));
    return error;
}

/* The other process, after exec. */
static void be_other(int channel)
{
    sci_desc_t sd = begin();
    sci_local_segment_t segment = export_segment(sd, OTHERS, PAGE, NULL, NULL);
    CHECK(connect_to(sd, OTHERS) == SCI_ERR_OK);

    sci_local_interrupt_t in;
    unsigned int number = 0;
    OK(SCICreateInterrupt(sd, &in, ADAPTER, &number, NULL, NULL, 0, &error));
    tell(channel, number);
    OK(SCIWaitForInterrupt(in, WHILE, 0, &error));

    CHECK(connect_to(sd, OURS) == SCI_ERR_INCONSISTENT_VERSIONS);
    CHECK(connect_to(sd, OTHERS) == SCI_ERR_OK);
    OK(SCIRemoveInterrupt(in, 0, &error));
    OK(SCIRemoveSegment(segment, 0, &error));
    OK(SCIClose(sd, 0, &error));
    SCITerminate();
}

/* The loader takes the preloaded library, which has the same name, instead of the one that was linked. */
static void become_other(int channel)
{
    char number[16];
    int inherited = dup(channel);
    CHECK(inherited >= 0);
    snprintf(number, sizeof number, "%d", inherited);
    CHECK(setenv("LD_PRELOAD", other_library, 1) == 0);
    execl(program, program, "other", number, (char *)NULL);
    CHECK(!"exec");
}

static void test_versions(void)
{
    struct peer peer = start_peer(become_other);
    sci_desc_t sd = begin();
    sci_local_segment_t segment = export_segment(sd, OURS, PAGE, NULL, NULL);
    unsigned int number = (unsigned int)listen_to(peer.channel);

    CHECK(connect_to(sd, OTHERS) == SCI_ERR_INCONSISTENT_VERSIONS);
    CHECK(connect_to(sd, OURS) == SCI_ERR_OK);

    sci_remote_interrupt_t out;
    OK(SCIConnectInterrupt(sd, &out, node, ADAPTER, number, WHILE, 0, &error));
    OK(SCITriggerInterrupt(out, 0, &error));
    peer_finish(&peer);
    CHECK(connect_to(sd, OURS) == SCI_ERR_OK);
    OK(SCIDisconnectInterrupt(out, 0, &error));
    OK(SCIRemoveSegment(segment, 0, &error));
    end(sd);
}

/* Argument: the other library. */
int main(int count, char **arguments)
{
    CHECK(count >= 2);
    if (strcmp(arguments[1], "other") == 0) {
        CHECK(count == 3);
        node = (unsigned int)strtoul(getenv("SISCI_SHIM_NODE"), NULL, 10);
        be_other((int)strtol(arguments[2], NULL, 10));
        return 0;
    }
    program = arguments[0];
    other_library = arguments[1];
    node = use_own_node();
    test_versions();
    return 0;
}

/*
 * Two programs that use only the SISCI interface, as for a card: a server with a segment and an interrupt, and a client that
 * sends requests through them and waits for the answers. The client is this program executed again.
 */
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sisci_api.h"

enum { SERVER_SEGMENT = 0x5e, SERVER_INT = 7, CLIENT_INT = 8, ROUNDS = 2000, NO_FLAGS = 0 };

struct mailbox {
    volatile uint32_t request;
    volatile uint32_t answer;
    char text[64];
};

static void must(sci_error_t error, const char *what)
{
    if (error != SCI_ERR_OK) {
        fprintf(stderr, "%s: %s\n", what, SCIGetErrorString(error));
        exit(1);
    }
}

static void client(void)
{
    sci_error_t error;
    sci_desc_t sd;
    sci_remote_segment_t segment;
    sci_map_t map;
    sci_local_interrupt_t answered;
    sci_remote_interrupt_t ask;
    unsigned int node, number = CLIENT_INT;

    SCIInitialize(NO_FLAGS, &error);
    must(error, "SCIInitialize");
    SCIOpen(&sd, NO_FLAGS, &error);
    must(error, "SCIOpen");
    SCIGetLocalNodeId(0, &node, NO_FLAGS, &error);
    must(error, "SCIGetLocalNodeId");
    SCICreateInterrupt(sd, &answered, 0, &number, NULL, NULL, SCI_FLAG_FIXED_INTNO, &error);
    must(error, "SCICreateInterrupt");
    do
        SCIConnectSegment(sd, &segment, node, SERVER_SEGMENT, 0, NULL, NULL, SCI_INFINITE_TIMEOUT, NO_FLAGS, &error);
    while (error == SCI_ERR_NO_SUCH_SEGMENT || error == SCI_ERR_TIMEOUT);
    must(error, "SCIConnectSegment");
    do
        SCIConnectInterrupt(sd, &ask, node, 0, SERVER_INT, SCI_INFINITE_TIMEOUT, NO_FLAGS, &error);
    while (error != SCI_ERR_OK);
    if (SCIGetRemoteSegmentSize(segment) != sizeof(struct mailbox))
        exit(2);
    volatile struct mailbox *box =
        SCIMapRemoteSegment(segment, &map, 0, SCIGetRemoteSegmentSize(segment), NULL, NO_FLAGS, &error);
    must(error, "SCIMapRemoteSegment");
    if (strcmp((const char *)box->text, "hello from the server") != 0)
        exit(3);

    for (uint32_t i = 1; i <= ROUNDS; i++) {
        box->request = i;
        SCITriggerInterrupt(ask, NO_FLAGS, &error);
        must(error, "SCITriggerInterrupt");
        while (box->answer != 3 * i) {
            SCIWaitForInterrupt(answered, SCI_INFINITE_TIMEOUT, NO_FLAGS, &error);
            must(error, "SCIWaitForInterrupt");
        }
    }

    SCIUnmapSegment(map, NO_FLAGS, &error);
    must(error, "SCIUnmapSegment");
    SCIDisconnectSegment(segment, NO_FLAGS, &error);
    must(error, "SCIDisconnectSegment");
    SCIDisconnectInterrupt(ask, NO_FLAGS, &error);
    must(error, "SCIDisconnectInterrupt");
    SCIRemoveInterrupt(answered, NO_FLAGS, &error);
    must(error, "SCIRemoveInterrupt");
    SCIClose(sd, NO_FLAGS, &error);
    must(error, "SCIClose");
    SCITerminate();
}

static void server(void)
{
    sci_error_t error;
    sci_desc_t sd;
    sci_local_segment_t segment;
    sci_map_t map;
    sci_local_interrupt_t asked;
    sci_remote_interrupt_t answer;
    unsigned int node, number = SERVER_INT;

    SCIInitialize(NO_FLAGS, &error);
    must(error, "SCIInitialize");
    SCIOpen(&sd, NO_FLAGS, &error);
    must(error, "SCIOpen");
    SCIGetLocalNodeId(0, &node, NO_FLAGS, &error);
    must(error, "SCIGetLocalNodeId");
    SCICreateSegment(sd, &segment, SERVER_SEGMENT, sizeof(struct mailbox), NULL, NULL, NO_FLAGS, &error);
    must(error, "SCICreateSegment");
    SCIPrepareSegment(segment, 0, NO_FLAGS, &error);
    must(error, "SCIPrepareSegment");
    struct mailbox *box = SCIMapLocalSegment(segment, &map, 0, sizeof *box, NULL, NO_FLAGS, &error);
    must(error, "SCIMapLocalSegment");
    strcpy(box->text, "hello from the server");
    SCICreateInterrupt(sd, &asked, 0, &number, NULL, NULL, SCI_FLAG_FIXED_INTNO, &error);
    must(error, "SCICreateInterrupt");
    SCISetSegmentAvailable(segment, 0, NO_FLAGS, &error);
    must(error, "SCISetSegmentAvailable");
    do
        SCIConnectInterrupt(sd, &answer, node, 0, CLIENT_INT, SCI_INFINITE_TIMEOUT, NO_FLAGS, &error);
    while (error != SCI_ERR_OK);

    for (uint32_t i = 1; i <= ROUNDS; i++) {
        while (box->request != i) {
            SCIWaitForInterrupt(asked, SCI_INFINITE_TIMEOUT, NO_FLAGS, &error);
            must(error, "SCIWaitForInterrupt");
        }
        box->answer = 3 * i;
        SCITriggerInterrupt(answer, NO_FLAGS, &error);
        must(error, "SCITriggerInterrupt");
    }

    SCIUnmapSegment(map, NO_FLAGS, &error);
    must(error, "SCIUnmapSegment");
    SCISetSegmentUnavailable(segment, 0, NO_FLAGS, &error);
    must(error, "SCISetSegmentUnavailable");
    do
        SCIRemoveSegment(segment, NO_FLAGS, &error);
    while (error == SCI_ERR_BUSY);
    must(error, "SCIRemoveSegment");
    SCIDisconnectInterrupt(answer, NO_FLAGS, &error);
    must(error, "SCIDisconnectInterrupt");
    SCIRemoveInterrupt(asked, NO_FLAGS, &error);
    must(error, "SCIRemoveInterrupt");
    SCIClose(sd, NO_FLAGS, &error);
    must(error, "SCIClose");
    SCITerminate();
}

int main(int count, char **arguments)
{
    if (count > 1) {
        client();
        return 0;
    }
    char node[16];
    snprintf(node, sizeof node, "%u", 1 + (unsigned int)getpid() % 65535);
    setenv("SISCI_SHIM_NODE", node, 1);
    pid_t pid = fork();
    if (pid == 0) {
        execl(arguments[0], arguments[0], "client", (char *)NULL);
        _exit(127);
    }
    server();
    int status;
    return waitpid(pid, &status, 0) == pid && WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}

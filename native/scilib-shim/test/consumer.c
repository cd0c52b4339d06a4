/* A program outside this project. consumer.sh compiles it as C and as C++ with the flags of pkg-config. */
#include <sisci_error.h>
#include <sisci_types.h>
#include <sisci_api.h>
#include <sisci_shim.h>
#include <scilib.h>
#include <sisci_demolib.h>
#include <testlib.h>

#include <stdio.h>

static sci_callback_action_t ignore(void *arg, sci_local_segment_t segment, sci_segment_cb_reason_t reason,
                                    unsigned int node, unsigned int adapter, sci_error_t error)
{
    (void)arg, (void)segment, (void)reason, (void)node, (void)adapter, (void)error;
    return SCI_CALLBACK_CONTINUE;
}

int main(void)
{
    sci_error_t error;
    sci_desc_t device;
    sci_local_segment_t local;
    sci_remote_segment_t remote;
    unsigned int node;
    SCIInitialize(0, &error);
    SCIOpen(&device, 0, &error);
    SCIGetLocalNodeId(0, &node, 0, &error);
    SCICreateSegment(device, &local, 1, 100, ignore, NULL, SCI_FLAG_USE_CALLBACK, &error);
    SCIPrepareSegment(local, 0, 0, &error);
    SCISetSegmentAvailable(local, 0, 0, &error);
    SCIConnectSegment(device, &remote, node, 1, 0, NULL, NULL, SCI_INFINITE_TIMEOUT, 0, &error);
    if (error != SCI_ERR_OK || SCIGetRemoteSegmentSize(remote) != 100 || SCIShimConnections(local) != 1) {
        fprintf(stderr, "no connection: %s\n", SCIGetErrorString(error));
        return 1;
    }
    sci_msq_queue_t queue = NULL;
    if (SCILInit(0) != SCI_ERR_OK || SCILCreateMsgQueue(&queue, 0, node, 1, 10, 8, 0, 0) != SCI_ERR_OK ||
        SCILRemoveMsgQueue(&queue, 0) != SCI_ERR_OK || SCILDestroy(0) != SCI_ERR_OK) {
        fprintf(stderr, "no queue\n");
        return 1;
    }
    timer_start_t timer;
    StartTimer(&timer);
    SleepMilliseconds(1);
    if (DetectFirstAdapterCard(&node, &node) != SCI_ERR_OK || StopTimer(timer) < 0) {
        fprintf(stderr, "no adapter, or no time\n");
        return 1;
    }
    SCITerminate();
    return 0;
}

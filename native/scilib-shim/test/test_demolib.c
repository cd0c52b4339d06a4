/* The helpers of sisci_demolib.h and testlib.h. */
#include <string.h>

#include "check.h"
#include "sisci_demolib.h"
#include "testlib.h"

enum { NUMBER = 12, MISSING = 13 };

static unsigned int node;

static void test_questions(void)
{
    unsigned int adapter = 99, answer = 99;
    char text[64], little[4];
    CHECK(DetectFirstAdapterCard(&adapter, &answer) == SCI_ERR_OK && adapter == 0 && answer == node);
    answer = 99;
    CHECK(GetLocalNodeId(ADAPTER, &answer) == SCI_ERR_OK && answer == node);
    CHECK(GetLocalNodeId(1, &answer) == SCI_ERR_NO_SUCH_ADAPTERNO && GetLocalNodeId(16, &answer) == SCI_ERR_ILLEGAL_ADAPTERNO);
    answer = 99;
    CHECK(QueryAdapter(SCI_Q_ADAPTER_NODEID, ADAPTER, 0, &answer) == SCI_ERR_OK && answer == node);
    CHECK(QueryAdapter(12345, ADAPTER, 0, &answer) == SCI_ERR_ILLEGAL_QUERY);
    CHECK(QueryAdapter(SCI_Q_ADAPTER_NODEID, ADAPTER, 0, NULL) == SCI_ERR_ILLEGAL_PARAMETER);
    CHECK(QuerySystem(SCI_Q_SYSTEM_CPU_CACHE_LINE_SIZE, &answer) == SCI_ERR_OK && answer >= 16);
    CHECK(GetAPIVersionString(text, sizeof text) == SCI_ERR_OK && strlen(text) > 4);
    CHECK(GetAPIVersionString(little, sizeof little) == SCI_ERR_OK && strlen(little) == 3);

    answer = 99;
    CHECK(GetAdapterType(ADAPTER, &answer) == SCI_ERR_NOT_IMPLEMENTED);
    CHECK(GetAdapterSerialNumber(ADAPTER, &answer) == SCI_ERR_NOT_IMPLEMENTED);
    CHECK(GetAdapterIoBusFrequency(ADAPTER, &answer) == SCI_ERR_NOT_IMPLEMENTED);
    CHECK(GetAdapterSciLinkFrequency(ADAPTER, &answer) == SCI_ERR_NOT_IMPLEMENTED);
    CHECK(GetAdapterBlinkFrequency(ADAPTER, &answer) == SCI_ERR_NOT_IMPLEMENTED);
    CHECK(GetHostbridgeType(&answer) == SCI_ERR_NOT_IMPLEMENTED && answer == 99);
    PrintHostbridgeType(3);
}

static void sender(int channel)
{
    sci_desc_t sd = begin();
    CHECK(SendInterrupt(sd, ADAPTER, node, node, NUMBER) == SCI_ERR_OK); /* it may not exist yet */
    tell(channel, 1);
    OK(SCIClose(sd, 0, &error));
    SCITerminate();
}

int main(void)
{
    node = use_own_node();
    CHECK(EndianSwap(0x12345678) == 0x78563412 && EndianSwap(0xff) == 0xff000000 && EndianSwap(0x00c0ffee) == 0xeeffc000);
    struct peer peer = start_peer(sender);
    sci_desc_t sd = begin();
    test_questions();
    CHECK(ReceiveInterrupt(sd, ADAPTER, node, NUMBER) == SCI_ERR_OK);
    listen_to(peer.channel);
    peer_finish(&peer);
    CHECK(SendInterrupt(sd, 1, node, node, MISSING) == SCI_ERR_NO_SUCH_ADAPTERNO);
    CHECK(ReceiveInterrupt(sd, 1, node, MISSING) == SCI_ERR_NO_SUCH_ADAPTERNO);

    timer_start_t timer;
    StartTimer(&timer);
    SleepMilliseconds(20); /* what is tested, not a way to keep in step */
    SleepMilliseconds(0);
    SleepMilliseconds(-5);
    CHECK(StopTimer(timer) >= 19000);
    end(sd);
    return 0;
}

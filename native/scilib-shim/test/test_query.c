/* Questions about segments, maps, the machine and DMA queues, and the calls that need a card. */
#include <limits.h>

#include "check.h"

static unsigned int node;
static sci_desc_t sd;

static void test_adapter(void)
{
    const struct {
        unsigned int subcommand;
        unsigned int answer;
    } known[] = {
        { SCI_Q_ADAPTER_NODEID, node },        { SCI_Q_ADAPTER_CONFIGURED, 1 },
        { SCI_Q_ADAPTER_LINK_OPERATIONAL, 1 }, { SCI_Q_ADAPTER_DMA_MTU, UINT_MAX },
        { SCI_Q_ADAPTER_DMA_SIZE_ALIGNMENT, 1 }, { SCI_Q_ADAPTER_DMA_OFFSET_ALIGNMENT, 1 },
        { SCI_Q_ADAPTER_SUGGESTED_MIN_DMA_SIZE, 1 }, { SCI_Q_ADAPTER_SUGGESTED_MIN_BLOCK_SIZE, 1 },
        { SCI_Q_ADAPTER_NUMBER_OF_LINKS, 1 },  { SCI_Q_ADAPTER_LINK_ENABLED, 1 },
        { SCI_Q_ADAPTER_NUMBER, ADAPTER },     { SCI_Q_ADAPTER_MCAST_MAX_GROUPS, UINT_MAX },
        { SCI_Q_ADAPTER_CONNECTED_TO_SWITCH, 0 },
    };
    const unsigned int of_a_card[] = {
        SCI_Q_ADAPTER_SERIAL_NUMBER, SCI_Q_ADAPTER_CARD_TYPE, SCI_Q_ADAPTER_BDF, SCI_Q_ADAPTER_LINK_WIDTH,
        SCI_Q_ADAPTER_LINK_SPEED, SCI_Q_ADAPTER_LINK_UPTIME, SCI_Q_ADAPTER_LINK_DOWNTIME,
        SCI_Q_ADAPTER_LINK_CABLE_INSERTED, SCI_Q_ADAPTER_LINK_PARTNER_PORT_NO, SCI_Q_ADAPTER_NUMBER_OF_STREAMS,
        SCI_Q_ADAPTER_STREAM_BUFFER_SIZE,
    };
    unsigned int answer;
    struct sci_query_adapter query = { .localAdapterNo = ADAPTER, .data = &answer }; /* older programs know it by this name */
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        answer = 12345;
        query.subcommand = known[i].subcommand;
        OK(SCIQuery(SCI_Q_ADAPTER, &query, 0, &error));
        CHECK(answer == known[i].answer);
    }
    answer = 12345;
    for (size_t i = 0; i < sizeof of_a_card / sizeof of_a_card[0]; i++) {
        query.subcommand = of_a_card[i];
        EXPECT(SCI_ERR_NOT_IMPLEMENTED, SCIQuery(SCI_Q_ADAPTER, &query, 0, &error));
    }
    query.subcommand = 0;
    EXPECT(SCI_ERR_ILLEGAL_QUERY, SCIQuery(SCI_Q_ADAPTER, &query, 0, &error));
    query.subcommand = 1000;
    EXPECT(SCI_ERR_ILLEGAL_QUERY, SCIQuery(SCI_Q_ADAPTER, &query, 0, &error));
    CHECK(answer == 12345);
}

static void test_segments(void)
{
    sci_local_segment_t local = export_segment(sd, 1, PAGE, NULL, NULL);
    sci_remote_segment_t remote;
    sci_map_t map;
    OK(SCIConnectSegment(sd, &remote, node, 1, ADAPTER, NULL, NULL, WHILE, 0, &error));
    OK((void)SCIMapRemoteSegment(remote, &map, 0, PAGE, NULL, 0, &error));
    const unsigned int of_local[] = { SCI_Q_LOCAL_SEGMENT_IOADDR, SCI_Q_LOCAL_SEGMENT_PHYS_ADDR,
                                      SCI_Q_LOCAL_SEGMENT_VIRTUAL_KERNEL_ADDR };
    sci_query_local_segment_t here = { .segment = local, .data.ioaddr = 7 };
    for (int i = 0; i < 3; i++) {
        here.subcommand = of_local[i];
        EXPECT(SCI_ERR_NOT_SUPPORTED, SCIQuery(SCI_Q_LOCAL_SEGMENT, &here, 0, &error));
    }
    here.subcommand = 99;
    EXPECT(SCI_ERR_ILLEGAL_QUERY, SCIQuery(SCI_Q_LOCAL_SEGMENT, &here, 0, &error));
    here.segment = (sci_local_segment_t)remote;
    EXPECT(SCI_ERR_ILLEGAL_PARAMETER, SCIQuery(SCI_Q_LOCAL_SEGMENT, &here, 0, &error));
    EXPECT(SCI_ERR_ILLEGAL_FLAG, SCIQuery(SCI_Q_LOCAL_SEGMENT, &here, SCI_FLAG_DMA_GLOBAL, &error));
    CHECK(here.data.ioaddr == 7);

    sci_query_remote_segment_t there = { .segment = remote, .subcommand = SCI_Q_REMOTE_SEGMENT_IOADDR };
    EXPECT(SCI_ERR_NOT_SUPPORTED, SCIQuery(SCI_Q_REMOTE_SEGMENT, &there, 0, &error));
    there.segment = NULL;
    EXPECT(SCI_ERR_ILLEGAL_PARAMETER, SCIQuery(SCI_Q_REMOTE_SEGMENT, &there, 0, &error));

    sci_query_map_t of_map = { .map = map, .subcommand = SCI_Q_MAP_MAPPED_TO_LOCAL_TARGET };
    OK(SCIQuery(SCI_Q_MAP, &of_map, 0, &error));
    CHECK(of_map.data == 1);
    of_map.subcommand = SCI_Q_MAP_IOADDR;
    EXPECT(SCI_ERR_NOT_SUPPORTED, SCIQuery(SCI_Q_MAP, &of_map, 0, &error));
    of_map.subcommand = SCI_Q_MAP_PHYS_ADDR;
    EXPECT(SCI_ERR_NOT_SUPPORTED, SCIQuery(SCI_Q_MAP, &of_map, 0, &error));
    OK(SCIUnmapSegment(map, 0, &error));
    EXPECT(SCI_ERR_ILLEGAL_PARAMETER, SCIQuery(SCI_Q_MAP, &of_map, 0, &error));
    OK(SCIDisconnectSegment(remote, 0, &error));
    OK(SCIRemoveSegment(local, 0, &error));
}

static void test_machine(void)
{
    unsigned int answer = 0;
    sci_query_system_t system = { .subcommand = SCI_Q_SYSTEM_CPU_CACHE_LINE_SIZE, .data = &answer };
    OK(SCIQuery(SCI_Q_SYSTEM, &system, 0, &error));
    CHECK(answer >= 16 && (answer & (answer - 1)) == 0);
    system.data = NULL;
    EXPECT(SCI_ERR_ILLEGAL_PARAMETER, SCIQuery(SCI_Q_SYSTEM, &system, 0, &error));
    system.subcommand = SCI_Q_SYSTEM_WRITE_COMBINING_ENABLED;
    EXPECT(SCI_ERR_NOT_IMPLEMENTED, SCIQuery(SCI_Q_SYSTEM, &system, 0, &error));
    system.subcommand = 99;
    EXPECT(SCI_ERR_ILLEGAL_QUERY, SCIQuery(SCI_Q_SYSTEM, &system, 0, &error));

    sci_dma_capabilities_t can;
    sci_query_dma_t dma = { .localAdapterNo = ADAPTER, .subcommand = SCI_Q_DMA_AVAILABLE, .data = &answer };
    answer = 0;
    OK(SCIQuery(SCI_Q_DMA, &dma, SCI_FLAG_DMA_SYSDMA, &error));
    CHECK(answer == 1);
    dma.subcommand = SCI_Q_DMA_CAPABILITIES;
    dma.data = &can;
    OK(SCIQuery(SCI_Q_DMA, &dma, 0, &error));
    CHECK(can.num_channels == 1 && can.max_vector_length == DIS_DMA_MAX_VECLEN && can.support_mem2io == 1);
    CHECK(can.support_io2mem == 1 && can.support_io2io == 0 && can.min_align_bytes == 1);
    dma.localAdapterNo = 1;
    EXPECT(SCI_ERR_NO_SUCH_ADAPTERNO, SCIQuery(SCI_Q_DMA, &dma, 0, &error));
    dma.localAdapterNo = ADAPTER;
    dma.subcommand = 99;
    EXPECT(SCI_ERR_ILLEGAL_QUERY, SCIQuery(SCI_Q_DMA, &dma, 0, &error));
}

static void expect_refusals(sci_error_t expected)
{
    char byte;
    sci_smartio_device_t device = NULL;
    EXPECT(expected, SCIAttachPhysicalMemory(0, &byte, 0, 1, NULL, SCI_FLAG_CUDA_BUFFER, &error));
    EXPECT(expected, SCIRegisterSegmentMemory(&byte, 1, NULL, SCI_FLAG_LOCK_USER_MEM, &error));
    EXPECT(expected, SCIRegisterPCIeRequester(sd, ADAPTER, 0, 0, SCI_FLAG_PCIE_REQUESTER_GLOBAL, &error));
    EXPECT(expected, SCIUnregisterPCIeRequester(sd, ADAPTER, 0, 0, 0, &error));
    EXPECT(expected, SCIBorrowDevice(sd, &device, 1, SCI_FLAG_EXCLUSIVE, &error));
    EXPECT(expected, SCIReturnDevice(device, 0, &error));
    CHECK(device == NULL);
}

int main(void)
{
    node = use_own_node();
    expect_refusals(SCI_ERR_NOT_INITIALIZED);
    sd = begin();
    test_adapter();
    test_segments();
    test_machine();
    expect_refusals(SCI_ERR_NOT_SUPPORTED);
    end(sd);
    return 0;
}

/* Exported names and flags, initialising, devices, nodes, error texts. */
#include <dlfcn.h>
#include <pthread.h>
#include <string.h>

#include "check.h"

static const char *const FUNCTIONS[] = {
    "SCIInitialize", "SCITerminate", "SCIOpen", "SCIClose", "SCICreateSegment", "SCIPrepareSegment",
    "SCISetSegmentAvailable", "SCISetSegmentUnavailable", "SCIMapLocalSegment", "SCIUnmapSegment", "SCIRemoveSegment",
    "SCIConnectSegment", "SCIGetRemoteSegmentSize", "SCIMapRemoteSegment", "SCIDisconnectSegment",
    "SCICreateInterrupt", "SCIRemoveInterrupt", "SCIWaitForInterrupt", "SCIConnectInterrupt",
    "SCIDisconnectInterrupt", "SCITriggerInterrupt", "SCIGetLocalNodeId", "SCIProbeNode", "SCIGetErrorString",
    "SCICreateDataInterrupt", "SCIRemoveDataInterrupt", "SCIWaitForDataInterrupt", "SCIConnectDataInterrupt",
    "SCIDisconnectDataInterrupt", "SCITriggerDataInterrupt",
    "SCIWaitForLocalSegmentEvent", "SCIWaitForRemoteSegmentEvent", "SCIQuery",
    "SCICreateMapSequence", "SCIRemoveSequence", "SCIStartSequence", "SCICheckSequence", "SCIStoreBarrier", "SCIFlush",
    "SCIMemCpy", "SCIMemWrite", "SCITransferBlock", "SCICacheSync", "SCIGetLocalSegmentId", "SCIGetLocalSegmentSize",
    "SCIGetRemoteSegmentId", "SCIGetRemoteSegmentNodeId", "SCICreateDMAQueue", "SCIRemoveDMAQueue", "SCIStartDmaTransfer",
    "SCIStartDmaTransferVec", "SCIDMAQueueState", "SCIWaitForDMAQueue", "SCIAbortDMAQueue", "SCIEnqueueDMATransfer",
    "SCIPostDMAQueue", "SCIResetDMAQueue", "SCIAttachPhysicalMemory", "SCIRegisterSegmentMemory", "SCIRegisterPCIeRequester",
    "SCIUnregisterPCIeRequester", "SCIBorrowDevice", "SCIReturnDevice", "SCIMemCopy", "SCIFlushReadBuffers",
};

static void test_names(void)
{
    void *library = dlopen("libsisci.so", RTLD_NOW);
    CHECK(library != NULL);
    for (size_t i = 0; i < sizeof FUNCTIONS / sizeof FUNCTIONS[0]; i++) {
        char name[128];
        void *plain = dlsym(library, FUNCTIONS[i]);
        CHECK(plain != NULL);
        snprintf(name, sizeof name, "_SISCI_PUBLIC_FUNC_ST_%s", FUNCTIONS[i]);
        CHECK(dlsym(library, name) == plain);
        snprintf(name, sizeof name, "_SISCI_PUBLIC_FUNC_MT_%s", FUNCTIONS[i]);
        CHECK(dlsym(library, name) == plain);
    }
    CHECK(dlsym(library, "SCIShimInterruptDescriptor") != NULL);
    CHECK(dlsym(library, "SCIShimAcknowledgeInterrupt") != NULL);
    CHECK(dlsym(library, "SCIShimAllowUsers") != NULL);
    /* Internal functions, and functions that the library does not have, are not exported. */
    CHECK(dlsym(library, "library_enter") == NULL);
    CHECK(dlsym(library, "SCIphDmaStart") == NULL);
    const unsigned int *flag = dlsym(library, "_SISCI_PUBLIC_CONST_SCI_FLAG_COUNTING_INT");
    CHECK(flag != NULL && *flag == 0x20);
    const unsigned int *infinite = dlsym(library, "_SISCI_PUBLIC_CONST_SCI_INFINITE_TIMEOUT");
    CHECK(infinite != NULL && *infinite == 0xffffffff);
    dlclose(library);
}

static void test_flags(void)
{
    CHECK(SCI_FLAG_USE_CALLBACK == 1 && SCI_FLAG_FIXED_INTNO == 2 && SCI_FLAG_SHARED_INT == 4);
    CHECK(SCI_FLAG_COUNTING_INT == 0x20 && SCI_FLAG_EMPTY == 2 && SCI_FLAG_PRIVATE == 4);
    CHECK(SCI_FLAG_AUTO_ID == 0x20000000 && SCI_FLAG_IO_MAP_IOSPACE == 0x80);
    CHECK(SCI_FLAG_CACHE_FLUSH == 0x100000 && SCI_FLAG_CACHE_INVALIDATE == 0x200000);
    CHECK(SCI_FLAG_THREAD_SAFE == 1 && SCI_FLAG_LOCK_USER_MEM == 0x400 && SCI_FLAG_CUDA_BUFFER == 0x2000);
    CHECK(SCI_FLAG_EXCLUSIVE == 0x1000000 && SCI_FLAG_PCIE_REQUESTER_GLOBAL == 1);
    CHECK(SCI_FLAG_FORCE_REMOVE == 0x20 && SCI_FLAG_FIXED_MAP_ADDR == 1 && SCI_FLAG_READONLY_MAP == 2);
}

static void test_error_texts(void)
{
    static const unsigned int codes[] = {
        0, 0x900, 0x901, 0x902, 0x904, 0x905, 0x906, 0x907, 0x908, 0x909, 0x90A, 0x90B, 0x90C, 0x90D, 0x90E, 0x90F, 0x910,
        0x911, 0x912, 0x913, 0x914, 0x915, 0x916, 0x917, 0x918, 0x919, 0x91A, 0x91B, 0x91C, 0x91D, 0x91E, 0x91F, 0x920, 0x921, 0x922,
        0xA00, 0xA02, 0xA04, 0xA05, 0xA06,
    };
    CHECK((SCI_ERR_BUSY & SCI_ERR_MASK) != 0 && (0x90C | SISCI_ERR_MASK) == SCI_ERR_NO_SUCH_SEGMENT);
    const char *unknown = SCIGetErrorString((sci_error_t)0x40000FFF);
    CHECK(unknown != NULL);
    for (size_t i = 0; i < sizeof codes / sizeof codes[0]; i++) {
        sci_error_t code = (sci_error_t)(codes[i] == 0 ? 0 : 0x40000000 | codes[i]);
        const char *text = SCIGetErrorString(code);
        CHECK(text != NULL && text[0] != '\0' && strcmp(text, unknown) != 0);
    }
}

static void test_not_initialized(void)
{
    sci_desc_t sd;
    sci_local_segment_t local = NULL;
    sci_remote_segment_t remote = NULL;
    sci_local_interrupt_t in = NULL;
    sci_remote_interrupt_t out = NULL;
    sci_local_data_interrupt_t data_in = NULL;
    sci_remote_data_interrupt_t data_out = NULL;
    sci_map_t map = NULL;
    unsigned int number = 0;
    const sci_error_t expected = SCI_ERR_NOT_INITIALIZED;
    SCITerminate();
    EXPECT(expected, SCIOpen(&sd, 0, &error));
    EXPECT(expected, SCIClose(NULL, 0, &error));
    EXPECT(expected, SCICreateSegment(NULL, &local, 1, PAGE, NULL, NULL, 0, &error));
    EXPECT(expected, SCIPrepareSegment(local, ADAPTER, 0, &error));
    EXPECT(expected, SCISetSegmentAvailable(local, ADAPTER, 0, &error));
    EXPECT(expected, SCISetSegmentUnavailable(local, ADAPTER, 0, &error));
    EXPECT(expected, CHECK(SCIMapLocalSegment(local, &map, 0, PAGE, NULL, 0, &error) == NULL));
    EXPECT(expected, SCIUnmapSegment(map, 0, &error));
    EXPECT(expected, SCIRemoveSegment(local, 0, &error));
    EXPECT(expected, SCIConnectSegment(NULL, &remote, 4, 1, ADAPTER, NULL, NULL, 0, 0, &error));
    EXPECT(expected, CHECK(SCIMapRemoteSegment(remote, &map, 0, PAGE, NULL, 0, &error) == NULL));
    EXPECT(expected, SCIDisconnectSegment(remote, 0, &error));
    EXPECT(expected, CHECK(SCIWaitForLocalSegmentEvent(local, &number, &number, 0, 0, &error) == 0));
    sci_error_t state;
    EXPECT(expected, CHECK(SCIWaitForRemoteSegmentEvent(remote, &state, 0, 0, &error) == 0));
    EXPECT(expected, SCICreateInterrupt(NULL, &in, ADAPTER, &number, NULL, NULL, 0, &error));
    EXPECT(expected, SCIRemoveInterrupt(in, 0, &error));
    EXPECT(expected, SCIWaitForInterrupt(in, 0, 0, &error));
    EXPECT(expected, SCIConnectInterrupt(NULL, &out, 4, ADAPTER, 1, 0, 0, &error));
    EXPECT(expected, SCIDisconnectInterrupt(out, 0, &error));
    EXPECT(expected, SCITriggerInterrupt(out, 0, &error));
    EXPECT(expected, SCICreateDataInterrupt(NULL, &data_in, ADAPTER, &number, NULL, NULL, 0, &error));
    EXPECT(expected, SCIRemoveDataInterrupt(data_in, 0, &error));
    EXPECT(expected, SCIWaitForDataInterrupt(data_in, &number, &number, 0, 0, &error));
    EXPECT(expected, SCIConnectDataInterrupt(NULL, &data_out, 4, ADAPTER, 1, 0, 0, &error));
    EXPECT(expected, SCIDisconnectDataInterrupt(data_out, 0, &error));
    EXPECT(expected, SCITriggerDataInterrupt(data_out, &number, sizeof number, 0, &error));
    EXPECT(expected, SCIGetLocalNodeId(ADAPTER, &number, 0, &error));
    CHECK(SCIGetRemoteSegmentSize(remote) == 0 && SCIGetRemoteSegmentId(remote) == 0 && SCIGetRemoteSegmentNodeId(remote) == 0);
    CHECK(SCIGetLocalSegmentSize(local) == 0 && SCIGetLocalSegmentId(local) == 0);
    EXPECT(expected, SCITransferBlock(map, 0, map, 0, 1, 0, &error));
    EXPECT(expected, SCICacheSync(map, NULL, 1, SCI_FLAG_CACHE_FLUSH, &error));
    EXPECT(expected, SCIMemWrite(NULL, &number, 1, 0, &error));
    CHECK(SCIShimInterruptDescriptor(in) == -1);
    SCIShimAcknowledgeInterrupt(in);
}

static void test_initialize(void)
{
    static const char *const bad[] = { "", "0", "65536", "x", "4x", " 4", "+4", "-4", "99999999999999999999" };
    EXPECT(SCI_ERR_ILLEGAL_FLAG, SCIInitialize(1, &error));
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        setenv("SISCI_SHIM_NODE", bad[i], 1);
        EXPECT(SCI_ERR_ILLEGAL_NODEID, SCIInitialize(0, &error));
    }
    unsetenv("SISCI_SHIM_NODE");
    unsigned int node = 0;
    SCIInitialize(0, NULL); /* NULL for the error is allowed */
    OK(SCIGetLocalNodeId(ADAPTER, &node, 0, &error));
    CHECK(node == 4);
    /* The second user of the library in a process does not end it for the first. */
    OK(SCIInitialize(0, &error));
    SCITerminate();
    OK(SCIGetLocalNodeId(ADAPTER, &node, 0, &error));
    SCITerminate();
    EXPECT(SCI_ERR_NOT_INITIALIZED, SCIGetLocalNodeId(ADAPTER, &node, 0, &error));
}

static void test_device_and_node(void)
{
    unsigned int own = use_own_node(), node = 0;
    sci_desc_t sd = begin(), other = NULL;
    EXPECT(SCI_ERR_ILLEGAL_FLAG, SCIOpen(&other, 2, &error));
    EXPECT(SCI_ERR_ILLEGAL_PARAMETER, SCIOpen(NULL, 0, &error));
    OK(SCIOpen(&other, SCI_FLAG_THREAD_SAFE, &error));
    OK(SCIClose(other, 0, &error));
    OK(SCIOpen(&other, 0, &error));
    EXPECT(SCI_ERR_ILLEGAL_FLAG, SCIClose(other, 1, &error));
    OK(SCIClose(other, 0, &error));
    EXPECT(SCI_ERR_ILLEGAL_PARAMETER, SCIClose(other, 0, &error));
    EXPECT(SCI_ERR_ILLEGAL_PARAMETER, SCIClose(NULL, 0, &error));
    EXPECT(SCI_ERR_ILLEGAL_PARAMETER, SCIClose((sci_desc_t)(uintptr_t)0xdeadbeefdeadbeef, 0, &error));

    sci_local_segment_t segment;
    OK(SCICreateSegment(sd, &segment, 1, PAGE, NULL, NULL, 0, &error));
    EXPECT(SCI_ERR_BUSY, SCIClose(sd, 0, &error));
    EXPECT(SCI_ERR_ILLEGAL_PARAMETER, SCIClose((sci_desc_t)segment, 0, &error)); /* a handle of another kind */
    OK(SCIRemoveSegment(segment, 0, &error));

    OK(SCIGetLocalNodeId(ADAPTER, &node, 0, &error));
    CHECK(node == own);
    EXPECT(SCI_ERR_NO_SUCH_ADAPTERNO, SCIGetLocalNodeId(1, &node, 0, &error));
    EXPECT(SCI_ERR_ILLEGAL_ADAPTERNO, SCIGetLocalNodeId(16, &node, 0, &error));
    EXPECT(SCI_ERR_ILLEGAL_FLAG, SCIGetLocalNodeId(ADAPTER, &node, 1, &error));
    EXPECT(SCI_ERR_ILLEGAL_PARAMETER, SCIGetLocalNodeId(ADAPTER, NULL, 0, &error));
    end(sd);
}

static void *wait_for_ever(void *interrupt)
{
    sci_error_t error;
    SCIWaitForInterrupt(interrupt, SCI_INFINITE_TIMEOUT, 0, &error);
    CHECK(error == SCI_ERR_CANCELLED || error == SCI_ERR_NOT_INITIALIZED);
    return NULL;
}

/* SCITerminate removes what a program has left. */
static void test_terminate_with_leftovers(void)
{
    int before = open_descriptors();
    unsigned int node = use_own_node(), number = 1;
    sci_desc_t sd = begin();
    sci_local_segment_t local = export_segment(sd, 1, PAGE, NULL, NULL);
    sci_remote_segment_t remote;
    sci_local_interrupt_t in;
    sci_remote_interrupt_t out;
    sci_map_t map;
    OK(SCIConnectSegment(sd, &remote, node, 1, ADAPTER, NULL, NULL, WHILE, 0, &error));
    volatile char *memory;
    OK(memory = SCIMapRemoteSegment(remote, &map, 0, PAGE, NULL, 0, &error));
    OK(SCICreateInterrupt(sd, &in, ADAPTER, &number, NULL, NULL, 0, &error));
    OK(SCIConnectInterrupt(sd, &out, node, ADAPTER, number, WHILE, 0, &error));
    OK(SCITriggerInterrupt(out, 0, &error));
    OK(SCIWaitForInterrupt(in, WHILE, 0, &error));
    /* The thread may wait already, or find the interrupt removed: it must return in either case. */
    pthread_t thread;
    CHECK(pthread_create(&thread, NULL, wait_for_ever, in) == 0);
    (void)local;
    SCITerminate();
    pthread_join(thread, NULL);
    memory[0] = 1; /* still mapped */
    CHECK(names_in_use() == 0);
    CHECK(open_descriptors() == before);
}

int main(void)
{
    test_names();
    test_flags();
    test_error_texts();
    test_not_initialized();
    test_initialize();
    test_device_and_node();
    test_terminate_with_leftovers();
    return 0;
}

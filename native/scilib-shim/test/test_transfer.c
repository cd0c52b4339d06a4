/* Copies from and to maps without a sequence, and the flags that change nothing here. */
#include <string.h>

#include "check.h"

enum { SIZE = PAGE + 100 };

static sci_desc_t sd;
static sci_local_segment_t local;
static sci_remote_segment_t remote;
static sci_map_t here, there;
static char *memory;
static volatile char *view;

static void test_write(void)
{
    char text[] = "written";
    EXPECT(SCI_ERR_ILLEGAL_FLAG, SCIMemWrite(text, view, 1, 1, &error));
    EXPECT(SCI_ERR_ILLEGAL_PARAMETER, SCIMemWrite(NULL, view, 1, 0, &error));
    EXPECT(SCI_ERR_ILLEGAL_PARAMETER, SCIMemWrite(text, NULL, 1, 0, &error));
    CHECK(memory[0] == 0);
    OK(SCIMemWrite(text, view + 3, sizeof text, 0, &error));
    OK(SCIMemWrite(text, view, 0, 0, &error));
    CHECK(memory[0] == 0 && memcmp(memory + 3, text, sizeof text) == 0);
    SCIMemWrite(text, view + PAGE, 1, 0, NULL);
    CHECK(memory[PAGE] == 'w');
    memset(memory, 0, SIZE);
}

static void test_transfer(void)
{
    sci_map_t readable;
    OK((void)SCIMapRemoteSegment(remote, &readable, 0, PAGE, NULL, SCI_FLAG_READONLY_MAP, &error));
    EXPECT(SCI_ERR_ILLEGAL_FLAG, SCITransferBlock(here, 0, there, 0, 1, 1, &error));
    EXPECT(SCI_ERR_ILLEGAL_PARAMETER, SCITransferBlock(NULL, 0, there, 0, 1, 0, &error));
    EXPECT(SCI_ERR_ILLEGAL_PARAMETER, SCITransferBlock(here, 0, (sci_map_t)remote, 0, 1, 0, &error));
    EXPECT(SCI_ERR_OUT_OF_RANGE, SCITransferBlock(here, 0, there, 1, SIZE, 0, &error));
    EXPECT(SCI_ERR_OUT_OF_RANGE, SCITransferBlock(here, 1, there, 0, SIZE, 0, &error));
    EXPECT(SCI_ERR_OUT_OF_RANGE, SCITransferBlock(here, SIZE_MAX, there, 0, 2, 0, &error));
    EXPECT(SCI_ERR_ILLEGAL_OPERATION, SCITransferBlock(here, 0, readable, 0, 1, 0, &error));
    strcpy(memory, "0123456789");
    OK(SCITransferBlock(readable, 0, there, PAGE, 10, 0, &error));
    CHECK(memcmp(memory + PAGE, "0123456789", 10) == 0);
    OK(SCITransferBlock(here, 0, here, 2, 8, 0, &error)); /* the places overlap */
    CHECK(memcmp(memory, "0101234567", 11) == 0);
    OK(SCITransferBlock(here, SIZE, there, SIZE, 0, 0, &error));
    OK(SCIUnmapSegment(readable, 0, &error));
    EXPECT(SCI_ERR_ILLEGAL_PARAMETER, SCITransferBlock(readable, 0, there, 0, 1, 0, &error));
}

/* As SCIMemCpy without a sequence, whose errors test_sequence.c tries. */
static void test_copy(void)
{
    char text[] = "copied", back[sizeof text] = "";
    EXPECT(SCI_ERR_ILLEGAL_FLAG, SCIMemCopy(text, there, 0, 1, 4, &error));
    EXPECT(SCI_ERR_ILLEGAL_PARAMETER, SCIMemCopy(NULL, there, 0, 1, 0, &error));
    EXPECT(SCI_ERR_ILLEGAL_PARAMETER, SCIMemCopy(text, (sci_map_t)remote, 0, 1, 0, &error));
    EXPECT(SCI_ERR_OUT_OF_RANGE, SCIMemCopy(text, there, SIZE, 1, 0, &error));
    OK(SCIMemCopy(text, there, PAGE, sizeof text, SCI_FLAG_ERROR_CHECK, &error));
    CHECK(memcmp(memory + PAGE, text, sizeof text) == 0);
    OK(SCIMemCopy(back, there, PAGE, sizeof back, SCI_FLAG_BLOCK_READ, &error));
    CHECK(memcmp(back, text, sizeof text) == 0);
    SCIFlushReadBuffers(NULL);
}

static void test_cache(void)
{
    const unsigned int both = SCI_FLAG_CACHE_FLUSH | SCI_FLAG_CACHE_INVALIDATE;
    EXPECT(SCI_ERR_ILLEGAL_FLAG, SCICacheSync(here, memory, 1, 1, &error));
    EXPECT(SCI_ERR_ILLEGAL_PARAMETER, SCICacheSync(here, memory, 1, 0, &error));
    EXPECT(SCI_ERR_ILLEGAL_PARAMETER, SCICacheSync(here, NULL, 1, both, &error));
    EXPECT(SCI_ERR_ILLEGAL_PARAMETER, SCICacheSync((sci_map_t)remote, memory, 1, both, &error));
    EXPECT(SCI_ERR_OUT_OF_RANGE, SCICacheSync(here, memory - 1, 1, both, &error));
    EXPECT(SCI_ERR_OUT_OF_RANGE, SCICacheSync(here, memory + SIZE, 1, both, &error));
    EXPECT(SCI_ERR_OUT_OF_RANGE, SCICacheSync(here, memory + 1, SIZE_MAX, both, &error));
    OK(SCICacheSync(here, memory, SIZE, both, &error));
    OK(SCICacheSync(here, memory + SIZE, 0, SCI_FLAG_CACHE_FLUSH, &error));
    OK(SCICacheSync(NULL, memory, SIZE, SCI_FLAG_CACHE_INVALIDATE, &error));
}

static void test_flags(void)
{
    sci_map_t map;
    OK((void)SCIMapRemoteSegment(remote, &map, 0, SIZE, NULL, SCI_FLAG_IO_MAP_IOSPACE, &error));
    OK(SCIUnmapSegment(map, 0, &error));
    SCIFlush(NULL, SCI_FLAG_FLUSH_CPU_BUFFERS_ONLY);
}

static void test_gone(void)
{
    sci_error_t status;
    OK(SCISetSegmentUnavailable(local, ADAPTER, SCI_FLAG_FORCE_DISCONNECT, &error));
    OK(CHECK(SCIWaitForRemoteSegmentEvent(remote, &status, WHILE, 0, &error) == SCI_CB_DISCONNECT));
    memory[0] = 'g';
    EXPECT(SCI_ERR_TRANSFER_FAILED, SCITransferBlock(here, 0, there, 1, 1, 0, &error));
    CHECK(memory[1] == 'g'); /* it was copied all the same */
    EXPECT(SCI_ERR_TRANSFER_FAILED, SCITransferBlock(there, 0, here, 2, 1, 0, &error));
    OK(SCITransferBlock(here, 0, here, 3, 1, 0, &error));
    EXPECT(SCI_ERR_TRANSFER_FAILED, SCIMemCopy(memory, there, 4, 1, SCI_FLAG_ERROR_CHECK, &error));
    CHECK(memory[4] == 'g');
    OK(SCIMemCopy(memory, there, 5, 1, 0, &error));
}

int main(void)
{
    unsigned int node = use_own_node();
    sd = begin();
    local = export_segment(sd, 1, SIZE, NULL, NULL);
    OK(memory = SCIMapLocalSegment(local, &here, 0, SIZE, NULL, 0, &error));
    OK(SCIConnectSegment(sd, &remote, node, 1, ADAPTER, NULL, NULL, WHILE, 0, &error));
    OK(view = SCIMapRemoteSegment(remote, &there, 0, SIZE, NULL, 0, &error));
    test_write();
    test_transfer();
    test_copy();
    test_cache();
    test_flags();
    test_gone();
    OK(SCIUnmapSegment(there, 0, &error));
    OK(SCIUnmapSegment(here, 0, &error));
    OK(SCIDisconnectSegment(remote, 0, &error));
    OK(SCIRemoveSegment(local, 0, &error));
    end(sd);
    return 0;
}

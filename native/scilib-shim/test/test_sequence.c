/* Sequences and copies: errors, what they keep busy, stale handles, and their results when the peer is gone. */
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

#include "check.h"

enum { SIZE = PAGE + 100, MANY = 1000 /* handles, so that their table grows several times */ };

static unsigned int node;
static sci_desc_t sd;
static sci_local_segment_t local;
static sci_remote_segment_t remote;
static sci_map_t here, there;
static char *memory;
static volatile char *view;

static void set_up(void)
{
    sd = begin();
    local = export_segment(sd, 1, SIZE, NULL, NULL);
    OK(memory = SCIMapLocalSegment(local, &here, 0, SIZE, NULL, 0, &error));
    OK(SCIConnectSegment(sd, &remote, node, 1, ADAPTER, NULL, NULL, WHILE, 0, &error));
    OK(view = SCIMapRemoteSegment(remote, &there, 0, SIZE, NULL, 0, &error));
}

static void tear_down_segments(void)
{
    OK(SCIUnmapSegment(there, 0, &error));
    OK(SCIUnmapSegment(here, 0, &error));
    OK(SCIDisconnectSegment(remote, 0, &error));
    OK(SCIRemoveSegment(local, 0, &error));
}

static void tear_down(void)
{
    tear_down_segments();
    end(sd);
}

static void expect_failing(sci_error_t expected, sci_sequence_t sequence, unsigned int flags)
{
    EXPECT(expected, CHECK(SCIStartSequence(sequence, flags, &error) == SCI_SEQ_NOT_RETRIABLE));
    EXPECT(expected, CHECK(SCICheckSequence(sequence, flags, &error) == SCI_SEQ_NOT_RETRIABLE));
}

static void test_not_initialized(void)
{
    sci_sequence_t sequence;
    char byte = 0;
    EXPECT(SCI_ERR_NOT_INITIALIZED, SCICreateMapSequence(NULL, &sequence, 0, &error));
    EXPECT(SCI_ERR_NOT_INITIALIZED, SCIRemoveSequence(NULL, 0, &error));
    EXPECT(SCI_ERR_NOT_INITIALIZED, SCIMemCpy(NULL, &byte, NULL, 0, 1, 0, &error));
    expect_failing(SCI_ERR_NOT_INITIALIZED, NULL, 0);
    expect_failing(SCI_ERR_NOT_INITIALIZED, NULL, 0x100);
    SCIStoreBarrier(NULL, 0);
    SCIFlush(NULL, 0);
}

static void test_life(void)
{
    sci_sequence_t sequence, other;
    EXPECT(SCI_ERR_ILLEGAL_FLAG, SCICreateMapSequence(there, &sequence, 0x100, &error));
    EXPECT(SCI_ERR_ILLEGAL_PARAMETER, SCICreateMapSequence(there, NULL, 0, &error));
    EXPECT(SCI_ERR_ILLEGAL_PARAMETER, SCICreateMapSequence(NULL, &sequence, 0, &error));
    EXPECT(SCI_ERR_ILLEGAL_PARAMETER, SCICreateMapSequence((sci_map_t)remote, &sequence, 0, &error));
    OK(SCICreateMapSequence(there, &sequence, SCI_FLAG_FAST_BARRIER, &error));
    OK(SCICreateMapSequence(there, &other, 0, &error));
    OK(CHECK(SCIStartSequence(sequence, 0, &error) == SCI_SEQ_OK));
    OK(CHECK(SCICheckSequence(sequence, 0, &error) == SCI_SEQ_OK));
    OK(CHECK(SCICheckSequence(sequence, SCI_FLAG_NO_FLUSH | SCI_FLAG_NO_STORE_BARRIER, &error) == SCI_SEQ_OK));
    CHECK(SCICheckSequence(sequence, 0, NULL) == SCI_SEQ_OK);
    expect_failing(SCI_ERR_ILLEGAL_FLAG, sequence, 0x100);
    expect_failing(SCI_ERR_ILLEGAL_PARAMETER, (sci_sequence_t)there, 0);

    EXPECT(SCI_ERR_ILLEGAL_FLAG, SCIRemoveSequence(other, 1, &error));
    OK(SCIRemoveSequence(other, 0, &error));
    EXPECT(SCI_ERR_ILLEGAL_PARAMETER, SCIRemoveSequence(other, 0, &error));
    EXPECT(SCI_ERR_ILLEGAL_PARAMETER, SCIRemoveSequence((sci_sequence_t)there, 0, &error));
    expect_failing(SCI_ERR_ILLEGAL_PARAMETER, other, 0);
    OK(SCIRemoveSequence(sequence, 0, &error));

    /* A local map's sequence is always SCI_SEQ_OK: the memory is this process's own. */
    OK(SCICreateMapSequence(here, &sequence, 0, &error));
    OK(CHECK(SCIStartSequence(sequence, 0, &error) == SCI_SEQ_OK));
    OK(CHECK(SCICheckSequence(sequence, 0, &error) == SCI_SEQ_OK));
    OK(SCIRemoveSequence(sequence, 0, &error));
}

/* As with a card, a map can be unmapped while it has sequences. They stay, and have nothing to check any more. */
static void test_unmapped(void)
{
    sci_map_t map, local_map;
    sci_sequence_t first, second, of_local;
    char byte = 'u';
    OK((void)SCIMapRemoteSegment(remote, &map, 0, SIZE, NULL, 0, &error));
    OK(SCIMapLocalSegment(local, &local_map, 0, SIZE, NULL, 0, &error));
    OK(SCICreateMapSequence(map, &first, 0, &error));
    OK(SCICreateMapSequence(map, &second, 0, &error));
    OK(SCICreateMapSequence(local_map, &of_local, 0, &error));
    int mappings = own_mappings();
    OK(SCIUnmapSegment(map, 0, &error));
    OK(SCIUnmapSegment(local_map, 0, &error));
    CHECK(own_mappings() == mappings - 2);
    EXPECT(SCI_ERR_ILLEGAL_PARAMETER, SCIUnmapSegment(map, 0, &error));
    sci_sequence_t left[] = { first, second, of_local };
    for (int i = 0; i < 3; i++) {
        EXPECT(SCI_ERR_SEGMENT_NOT_CONNECTED, CHECK(SCIStartSequence(left[i], 0, &error) == SCI_SEQ_NOT_RETRIABLE));
        OK(CHECK(SCICheckSequence(left[i], 0, &error) == SCI_SEQ_NOT_RETRIABLE));
        EXPECT(SCI_ERR_ILLEGAL_PARAMETER, SCIMemCpy(left[i], &byte, map, 0, 1, 0, &error));
        EXPECT(SCI_ERR_ILLEGAL_PARAMETER, SCIMemCpy(left[i], &byte, there, 0, 1, 0, &error)); /* another map's sequence */
        SCIStoreBarrier(left[i], 0);
        SCIFlush(left[i], 0);
    }
    EXPECT(SCI_ERR_ILLEGAL_PARAMETER, SCICreateMapSequence(map, &first, 0, &error));
    OK(SCIRemoveSequence(first, 0, &error));
    OK(CHECK(SCICheckSequence(second, 0, &error) == SCI_SEQ_NOT_RETRIABLE));
    OK(SCIRemoveSequence(second, 0, &error));
    EXPECT(SCI_ERR_ILLEGAL_PARAMETER, SCIRemoveSequence(second, 0, &error));
    OK(SCIRemoveSequence(of_local, 0, &error));
    /* The other maps of the segment are as before. */
    OK(SCICreateMapSequence(there, &first, 0, &error));
    OK(CHECK(SCIStartSequence(first, 0, &error) == SCI_SEQ_OK));
    OK(SCIRemoveSequence(first, 0, &error));
}

/* A sequence outlives its map, its segment and even the disconnection. */
static void test_outlives(void)
{
    set_up();
    sci_sequence_t sequence;
    OK(SCICreateMapSequence(there, &sequence, 0, &error));
    tear_down_segments();
    OK(CHECK(SCICheckSequence(sequence, 0, &error) == SCI_SEQ_NOT_RETRIABLE));
    OK(SCIRemoveSequence(sequence, 0, &error));
    end(sd);
    /* SCITerminate frees one that is left. */
    set_up();
    OK(SCICreateMapSequence(there, &sequence, 0, &error));
    tear_down_segments();
    end(sd);
    expect_failing(SCI_ERR_NOT_INITIALIZED, sequence, 0);
}

static void test_copy(void)
{
    sci_sequence_t sequence, of_here;
    char text[SIZE];
    OK(SCICreateMapSequence(there, &sequence, 0, &error));
    OK(SCICreateMapSequence(here, &of_here, 0, &error));
    EXPECT(SCI_ERR_ILLEGAL_FLAG, SCIMemCpy(sequence, text, there, 0, 1, 0x100, &error));
    EXPECT(SCI_ERR_ILLEGAL_PARAMETER, SCIMemCpy(sequence, NULL, there, 0, 1, 0, &error));
    EXPECT(SCI_ERR_ILLEGAL_PARAMETER, SCIMemCpy(sequence, text, NULL, 0, 1, 0, &error));
    EXPECT(SCI_ERR_ILLEGAL_PARAMETER, SCIMemCpy(NULL, text, (sci_map_t)remote, 0, 1, 0, &error));
    EXPECT(SCI_ERR_ILLEGAL_PARAMETER, SCIMemCpy(of_here, text, there, 0, 1, 0, &error));
    EXPECT(SCI_ERR_ILLEGAL_PARAMETER, SCIMemCpy((sci_sequence_t)there, text, there, 0, 1, 0, &error));
    EXPECT(SCI_ERR_ILLEGAL_PARAMETER, SCIMemCpy(NULL, text, there, 0, 1, SCI_FLAG_ERROR_CHECK, &error));
    EXPECT(SCI_ERR_OUT_OF_RANGE, SCIMemCpy(sequence, text, there, 0, SIZE + 1, 0, &error));
    EXPECT(SCI_ERR_OUT_OF_RANGE, SCIMemCpy(sequence, text, there, SIZE, 1, 0, &error));
    EXPECT(SCI_ERR_OUT_OF_RANGE, SCIMemCpy(sequence, text, there, SIZE_MAX, 2, 0, &error));
    EXPECT(SCI_ERR_OUT_OF_RANGE, SCIMemCpy(sequence, text, there, 1, SIZE_MAX, 0, &error));
    EXPECT(SCI_ERR_OUT_OF_RANGE, SCIMemCpy(sequence, text, there, SIZE + 1, 0, SCI_FLAG_BLOCK_READ, &error));
    for (int i = 0; i < SIZE; i++)
        CHECK(memory[i] == 0); /* the failed calls have written nothing */

    memset(text, 'a', sizeof text);
    OK(SCIMemCpy(NULL, text, there, PAGE, 100, 0, &error));
    OK(SCIMemCpy(sequence, text, there, 1, 2, SCI_FLAG_ERROR_CHECK, &error));
    OK(SCIMemCpy(sequence, text, there, SIZE, 0, 0, &error));
    CHECK(memory[0] == 0 && memory[1] == 'a' && memory[2] == 'a' && memory[3] == 0);
    CHECK(memory[PAGE - 1] == 0 && memory[PAGE] == 'a' && memory[SIZE - 1] == 'a');
    memory[7] = 'b';
    OK(SCIMemCpy(sequence, text, there, 6, 2, SCI_FLAG_BLOCK_READ | SCI_FLAG_ERROR_CHECK, &error));
    CHECK(text[0] == 0 && text[1] == 'b' && text[2] == 'a' && view[7] == 'b');
    OK(SCIRemoveSequence(of_here, 0, &error));
    OK(SCIRemoveSequence(sequence, 0, &error));

    /* Offsets count from the start of a map; a read-only map can be read. */
    sci_map_t window;
    OK((void)SCIMapRemoteSegment(remote, &window, PAGE, 100, NULL, SCI_FLAG_READONLY_MAP, &error));
    EXPECT(SCI_ERR_OUT_OF_RANGE, SCIMemCpy(NULL, text, window, 1, 100, SCI_FLAG_BLOCK_READ, &error));
    EXPECT(SCI_ERR_ILLEGAL_OPERATION, SCIMemCpy(NULL, text, window, 0, 1, 0, &error));
    OK(SCIMemCpy(NULL, text, window, 99, 1, SCI_FLAG_BLOCK_READ, &error));
    CHECK(text[0] == 'a');
    OK(SCIUnmapSegment(window, 0, &error));
    EXPECT(SCI_ERR_ILLEGAL_PARAMETER, SCIMemCpy(NULL, text, window, 0, 1, SCI_FLAG_BLOCK_READ, &error));
}

static atomic_bool over;

static void *use(void *sequence)
{
    char byte = 'c';
    while (!over) {
        CHECK(SCIStartSequence(sequence, 0, NULL) == SCI_SEQ_OK);
        OK(SCIMemCpy(sequence, &byte, there, 10, 1, SCI_FLAG_ERROR_CHECK, &error));
        CHECK(SCICheckSequence(sequence, 0, NULL) == SCI_SEQ_OK);
    }
    return NULL;
}

/* Handles are found without the lock while other handles come and go, and none leads to another's object. */
static void test_many(void)
{
    sci_sequence_t used, made[MANY], former[MANY] = { NULL };
    pthread_t user;
    OK(SCICreateMapSequence(there, &used, 0, &error));
    CHECK(pthread_create(&user, NULL, use, used) == 0);
    for (int round = 0; round < 3; round++) {
        for (int i = 0; i < MANY; i++) {
            OK(SCICreateMapSequence(there, &made[i], 0, &error));
            expect_failing(SCI_ERR_ILLEGAL_PARAMETER, former[i], 0);
        }
        for (int i = 0; i < MANY; i++) {
            OK(CHECK(SCICheckSequence(made[i], 0, &error) == SCI_SEQ_OK));
            OK(SCIRemoveSequence(made[i], 0, &error));
            former[i] = made[i];
        }
    }
    over = true;
    pthread_join(user, NULL);
    OK(SCIRemoveSequence(used, 0, &error));
    for (uint64_t number = 1; number != 0; number <<= 1) /* invented handles, for each size of the table */
        expect_failing(SCI_ERR_ILLEGAL_PARAMETER, (sci_sequence_t)(uintptr_t)(number | number << 32), 0);
    expect_failing(SCI_ERR_ILLEGAL_PARAMETER, (sci_sequence_t)UINTPTR_MAX, 0);
}

static void expect_gone(sci_sequence_t sequence)
{
    char byte = 'd';
    OK(CHECK(SCICheckSequence(sequence, 0, &error) == SCI_SEQ_NOT_RETRIABLE));
    EXPECT(SCI_ERR_SEGMENT_NOT_CONNECTED, CHECK(SCIStartSequence(sequence, 0, &error) == SCI_SEQ_NOT_RETRIABLE));
    EXPECT(SCI_ERR_TRANSFER_FAILED, SCIMemCpy(sequence, &byte, there, 0, 1, SCI_FLAG_ERROR_CHECK, &error));
    OK(SCIMemCpy(sequence, &byte, there, 0, 1, 0, &error)); /* the memory is still there */
    CHECK(view[0] == 'd');
}

static void test_removed(void)
{
    set_up();
    sci_sequence_t sequence;
    sci_error_t status;
    OK(SCICreateMapSequence(there, &sequence, 0, &error));
    OK(SCISetSegmentUnavailable(local, ADAPTER, SCI_FLAG_FORCE_DISCONNECT, &error));
    OK(CHECK(SCIWaitForRemoteSegmentEvent(remote, &status, WHILE, 0, &error) == SCI_CB_DISCONNECT));
    expect_gone(sequence);
    OK(SCIRemoveSequence(sequence, 0, &error));
    tear_down();
}

static void doomed(int channel)
{
    sd = begin();
    export_segment(sd, 2, SIZE, NULL, NULL);
    tell(channel, 1);
    listen_to(channel); /* never comes */
}

static void test_killed(void)
{
    struct peer peer = start_peer(doomed);
    sci_sequence_t sequence;
    sci_error_t status;
    listen_to(peer.channel);
    sd = begin();
    OK(SCIConnectSegment(sd, &remote, node, 2, ADAPTER, NULL, NULL, WHILE, 0, &error));
    OK(view = SCIMapRemoteSegment(remote, &there, 0, SIZE, NULL, 0, &error));
    OK(SCICreateMapSequence(there, &sequence, 0, &error));
    OK(CHECK(SCIStartSequence(sequence, 0, &error) == SCI_SEQ_OK));
    peer_kill(&peer);
    OK(CHECK(SCIWaitForRemoteSegmentEvent(remote, &status, WHILE, 0, &error) == SCI_CB_LOST));
    expect_gone(sequence);
    OK(SCIRemoveSequence(sequence, 0, &error));
    OK(SCIUnmapSegment(there, 0, &error));
    OK(SCIDisconnectSegment(remote, 0, &error));
    end(sd);
}

/* SCITerminate removes a sequence that is left. */
static void test_forgotten(void)
{
    sci_sequence_t sequence;
    set_up();
    OK(SCICreateMapSequence(there, &sequence, 0, &error));
    SCITerminate();
    expect_failing(SCI_ERR_NOT_INITIALIZED, sequence, 0);
    set_up();
    expect_failing(SCI_ERR_ILLEGAL_PARAMETER, sequence, 0);
    tear_down();
}

int main(void)
{
    node = use_own_node();
    test_killed(); /* forks: no thread may run then */
    test_not_initialized();
    set_up();
    test_life();
    test_unmapped();
    test_copy();
    test_many();
    tear_down();
    test_removed();
    test_outlives();
    test_forgotten();
    return 0;
}

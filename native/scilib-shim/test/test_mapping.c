/* Mapping: offsets, sizes, addresses, protection. */
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "check.h"

enum { SIZE = 4 * PAGE + 100, SEAL_EXEC = 0x20 /* on newer kernels: see test_memory.c */ };

static void test_arguments(sci_local_segment_t segment)
{
    sci_map_t map;
    EXPECT(SCI_ERR_ILLEGAL_PARAMETER, SCIMapLocalSegment(NULL, &map, 0, PAGE, NULL, 0, &error));
    EXPECT(SCI_ERR_ILLEGAL_PARAMETER, SCIMapLocalSegment(segment, NULL, 0, PAGE, NULL, 0, &error));
    EXPECT(SCI_ERR_ILLEGAL_PARAMETER, SCIMapLocalSegment(segment, &map, 0, 0, NULL, 0, &error));
    EXPECT(SCI_ERR_ILLEGAL_PARAMETER,
           SCIMapLocalSegment(segment, &map, 0, PAGE, NULL, SCI_FLAG_FIXED_MAP_ADDR, &error));
    EXPECT(SCI_ERR_ILLEGAL_FLAG, SCIMapLocalSegment(segment, &map, 0, PAGE, NULL, 0x100, &error));
    EXPECT(SCI_ERR_OUT_OF_RANGE, SCIMapLocalSegment(segment, &map, 0, SIZE + 1, NULL, 0, &error));
    EXPECT(SCI_ERR_OUT_OF_RANGE, SCIMapLocalSegment(segment, &map, PAGE, SIZE - PAGE + 1, NULL, 0, &error));
    EXPECT(SCI_ERR_OUT_OF_RANGE, SCIMapLocalSegment(segment, &map, SIZE_MAX - 1, 2, NULL, 0, &error));
    EXPECT(SCI_ERR_OUT_OF_RANGE, SCIMapLocalSegment(segment, &map, PAGE, SIZE_MAX, NULL, 0, &error));
    EXPECT(SCI_ERR_OFFSET_ALIGNMENT, SCIMapLocalSegment(segment, &map, 4, PAGE, NULL, 0, &error));
    EXPECT(SCI_ERR_ILLEGAL_FLAG, SCIUnmapSegment(NULL, 1, &error));
    EXPECT(SCI_ERR_ILLEGAL_PARAMETER, SCIUnmapSegment(NULL, 0, &error));
    EXPECT(SCI_ERR_ILLEGAL_PARAMETER, SCIUnmapSegment((sci_map_t)segment, 0, &error));
}

static void test_windows(sci_local_segment_t segment)
{
    sci_map_t whole, part;
    char *all, *window;
    OK(all = SCIMapLocalSegment(segment, &whole, 0, SIZE, NULL, 0, &error));
    OK(window = SCIMapLocalSegment(segment, &part, 4 * PAGE, 100, NULL, 0, &error));
    window[99] = 'w';
    CHECK(all[SIZE - 1] == 'w');
    EXPECT(SCI_ERR_BUSY, SCIRemoveSegment(segment, 0, &error));
    OK(SCIUnmapSegment(part, 0, &error));
    EXPECT(SCI_ERR_BUSY, SCIRemoveSegment(segment, 0, &error));
    OK(SCIUnmapSegment(whole, 0, &error));
}

static void test_fixed_address(sci_local_segment_t segment)
{
    sci_map_t map, other;
    /* A free address: that of a mapping which was removed. */
    char *place = mmap(NULL, 2 * PAGE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    CHECK(place != MAP_FAILED && munmap(place, 2 * PAGE) == 0);
    char *got;
    OK(got = SCIMapLocalSegment(segment, &map, 0, PAGE, place, SCI_FLAG_FIXED_MAP_ADDR, &error));
    CHECK(got == place);
    place[0] = 'p';
    /* Now it is taken: with FIXED_MAP_ADDR the call fails and changes nothing, without it the map is elsewhere. */
    EXPECT(SCI_ERR_ILLEGAL_PARAMETER,
           CHECK(SCIMapLocalSegment(segment, &other, PAGE, PAGE, place, SCI_FLAG_FIXED_MAP_ADDR, &error) == NULL));
    CHECK(place[0] == 'p');
    EXPECT(SCI_ERR_ILLEGAL_PARAMETER,
           SCIMapLocalSegment(segment, &other, 0, PAGE, place + PAGE + 1, SCI_FLAG_FIXED_MAP_ADDR, &error));
    OK(got = SCIMapLocalSegment(segment, &other, 0, PAGE, place, 0, &error));
    CHECK(got != place && got[0] == 'p');
    OK(SCIUnmapSegment(other, 0, &error));
    OK(SCIUnmapSegment(map, 0, &error));
}

static void test_read_only(sci_local_segment_t segment, sci_remote_segment_t remote)
{
    sci_map_t map, readable;
    char *memory;
    const volatile char *view;
    OK(memory = SCIMapLocalSegment(segment, &map, 0, PAGE, NULL, 0, &error));
    OK(view = SCIMapRemoteSegment(remote, &readable, 0, PAGE, NULL, SCI_FLAG_READONLY_MAP, &error));
    memory[5] = 'r';
    CHECK(view[5] == 'r');
    /* The kernel refuses a store through it. If a system call stores, that is an error and not a signal. */
    int pipe_ends[2];
    char byte = 1;
    CHECK(pipe2(pipe_ends, O_CLOEXEC) == 0 && write(pipe_ends[1], &byte, 1) == 1);
    CHECK(read(pipe_ends[0], (void *)view, 1) == -1);
    close(pipe_ends[0]);
    close(pipe_ends[1]);
    OK(SCIUnmapSegment(readable, 0, &error));
    OK(SCIUnmapSegment(map, 0, &error));
}

/* Neither side can shrink the memory under the other. */
static void test_seals(void)
{
    int found = 0;
    for (int fd = 3; fd < 64; fd++) {
        int seals = fcntl(fd, F_GET_SEALS);
        if (seals < 0)
            continue;
        found++;
        CHECK((seals & ~SEAL_EXEC) == (F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL));
        CHECK(ftruncate(fd, 0) == -1 && ftruncate(fd, 1 << 20) == -1);
        CHECK(fcntl(fd, F_GETFD) == FD_CLOEXEC);
    }
    CHECK(found == 2); /* both ends of the one connection */
}

static void test_close_on_exec(void)
{
    for (int fd = 3; fd < 64; fd++) {
        int flags = fcntl(fd, F_GETFD);
        CHECK(flags == -1 || flags == FD_CLOEXEC);
    }
}

int main(void)
{
    /* Inherited descriptors are not part of the test. */
    for (int fd = 3; fd < 64; fd++)
        if (fcntl(fd, F_GETFD) == 0)
            fcntl(fd, F_SETFD, FD_CLOEXEC);
    unsigned int node = use_own_node(), number = 0;
    sci_desc_t sd = begin();
    sci_local_segment_t segment = export_segment(sd, 1, SIZE, NULL, NULL);
    sci_remote_segment_t remote;
    sci_local_interrupt_t in;
    sci_remote_interrupt_t out;
    OK(SCIConnectSegment(sd, &remote, node, 1, ADAPTER, NULL, NULL, WHILE, 0, &error));
    OK(SCICreateInterrupt(sd, &in, ADAPTER, &number, NULL, NULL, 0, &error));
    OK(SCIConnectInterrupt(sd, &out, node, ADAPTER, number, 0, 0, &error));
    OK(SCITriggerInterrupt(out, 0, &error));
    test_seals();
    test_close_on_exec();

    EXPECT(SCI_ERR_ILLEGAL_PARAMETER, SCIMapRemoteSegment(NULL, NULL, 0, PAGE, NULL, 0, &error));
    EXPECT(SCI_ERR_OUT_OF_RANGE, (void)SCIMapRemoteSegment(remote, &(sci_map_t){ 0 }, 0, SIZE + 1, NULL, 0, &error));
    EXPECT(SCI_ERR_OFFSET_ALIGNMENT, (void)SCIMapRemoteSegment(remote, &(sci_map_t){ 0 }, 1, PAGE, NULL, 0, &error));
    test_read_only(segment, remote);
    OK(SCIDisconnectSegment(remote, 0, &error));

    test_arguments(segment);
    test_windows(segment);
    test_fixed_address(segment);
    OK(SCIDisconnectInterrupt(out, 0, &error));
    OK(SCIRemoveInterrupt(in, 0, &error));
    OK(SCIRemoveSegment(segment, 0, &error));
    end(sd);
    return 0;
}

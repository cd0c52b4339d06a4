/*
 * What the library tells the kernel of a segment's memory: it is never executed (kernels since 6.3), and has no huge pages,
 * of which an idle segment would keep one for a few bytes. With the argument "forbidden" the test runs in a PID namespace in
 * which the kernel refuses memory that can be executed (vm.memfd_noexec=2).
 */
#include <dirent.h>
#include <fcntl.h>
#include <sched.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"

#ifndef MFD_NOEXEC_SEAL
#define MFD_NOEXEC_SEAL 0x0008U
#endif
#ifndef MFD_EXEC
#define MFD_EXEC 0x0010U
#endif
#ifndef F_SEAL_EXEC
#define F_SEAL_EXEC 0x0020
#endif

enum { SEGMENT = 1, SEALS = F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL };

static unsigned int node;

/* Checks the seals of each segment's descriptor that this process has; returns the number of descriptors. */
static int check_seals(int expected)
{
    DIR *folder = opendir("/proc/self/fd");
    CHECK(folder != NULL);
    int count = 0;
    for (struct dirent *entry = readdir(folder); entry != NULL; entry = readdir(folder)) {
        char target[64] = "";
        if (readlinkat(dirfd(folder), entry->d_name, target, sizeof target - 1) > 0 &&
            strstr(target, "memfd:sisci-segment") != NULL) {
            CHECK(fcntl(atoi(entry->d_name), F_GET_SEALS) == expected);
            count++;
        }
    }
    closedir(folder);
    return count;
}

/* The number of segments' mappings that may get huge pages. */
static int with_huge_pages(void)
{
    char line[1024];
    FILE *file = fopen("/proc/self/smaps", "re");
    CHECK(file != NULL);
    int count = 0;
    bool segment = false;
    while (fgets(line, sizeof line, file) != NULL) {
        if (strstr(line, " /memfd:") != NULL)
            segment = strstr(line, "/memfd:sisci-segment") != NULL;
        else if (strncmp(line, "VmFlags:", 8) == 0) {
            count += segment && strstr(line, " nh") == NULL;
            segment = false;
        }
    }
    fclose(file);
    return count;
}

static bool kernel_knows_noexec(void)
{
    int fd = memfd_create("test", MFD_CLOEXEC | MFD_NOEXEC_SEAL);
    if (fd >= 0)
        close(fd);
    return fd >= 0;
}

static bool kernel_has_huge_pages(void)
{
    void *page = mmap(NULL, PAGE, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    CHECK(page != MAP_FAILED);
    int status = madvise(page, PAGE, MADV_NOHUGEPAGE);
    munmap(page, PAGE);
    return status == 0;
}

static void *map_remote(sci_remote_segment_t remote, sci_map_t *map)
{
    void *memory = NULL;
    OK(memory = (void *)SCIMapRemoteSegment(remote, map, 0, PAGE, NULL, 0, &error));
    return memory;
}

static void read_from_parent(int channel)
{
    sci_desc_t sd = begin();
    sci_remote_segment_t remote;
    sci_map_t map;
    listen_to(channel); /* until there is a segment */
    OK(SCIConnectSegment(sd, &remote, node, SEGMENT, ADAPTER, NULL, NULL, SCI_INFINITE_TIMEOUT, 0, &error));
    char *memory = map_remote(remote, &map);
    CHECK(memory[0] == 'x');
    CHECK(own_mappings() == 1);
    CHECK(with_huge_pages() == 0 || !kernel_has_huge_pages());
    OK(SCIUnmapSegment(map, 0, &error));
    OK(SCIDisconnectSegment(remote, 0, &error));
    OK(SCIClose(sd, 0, &error));
    SCITerminate();
}

static void share(void)
{
    struct peer reader = start_peer(read_from_parent);
    sci_desc_t sd = begin();
    sci_local_segment_t segment = export_segment(sd, SEGMENT, PAGE, NULL, NULL);
    sci_map_t map;
    char *memory = NULL;
    OK(memory = SCIMapLocalSegment(segment, &map, 0, PAGE, NULL, 0, &error));
    memory[0] = 'x';
    CHECK(own_mappings() == 1);
    CHECK(with_huge_pages() == 0 || !kernel_has_huge_pages());
    CHECK(check_seals(kernel_knows_noexec() ? SEALS | F_SEAL_EXEC : SEALS) == 1);
    tell(reader.channel, 0);
    peer_finish(&reader);
    OK(SCIUnmapSegment(map, 0, &error));
    OK(SCIRemoveSegment(segment, 0, &error));
    end(sd);
}

/* Sets this process's own PID namespace, which ends with it. */
static bool forbid_programs(void)
{
    int setting = open("/proc/sys/vm/memfd_noexec", O_WRONLY | O_CLOEXEC);
    bool done = setting >= 0 && write(setting, "2", 1) == 1;
    if (setting >= 0)
        close(setting);
    return done && memfd_create("test", MFD_CLOEXEC | MFD_EXEC) < 0;
}

int main(int argc, char **argv)
{
    node = use_own_node();
    if (argc == 1) {
        share();
        return 0;
    }
    CHECK(strcmp(argv[1], "forbidden") == 0);
    if (unshare(CLONE_NEWPID) < 0) {
        puts("no PID namespace can be made");
        return SKIPPED;
    }
    pid_t first = fork();
    CHECK(first >= 0);
    if (first == 0) {
        if (!forbid_programs())
            exit(SKIPPED);
        share();
        exit(0);
    }
    int status;
    CHECK(waitpid(first, &status, 0) == first && WIFEXITED(status));
    if (WEXITSTATUS(status) == SKIPPED)
        puts("vm.memfd_noexec=2 can't be set, or this kernel does not heed it");
    return WEXITSTATUS(status);
}

/*
 * Descriptors of all kinds come in place of a segment's memory, or where none should come. The library maps only what
 * memory_create makes, loses no descriptor, and asks none a question that the descriptor's sender would have to answer.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/fuse.h>
#include <pthread.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "check.h"
#include "raw.h"

#ifndef SYS_memfd_secret
#define SYS_memfd_secret 447
#endif

enum { FAKE = 0xfa, REAL = 0x5e, SEALS = F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL };

static unsigned int node;
static sci_desc_t sd;
static int fake_listener;

static int memory(size_t size, int seals, unsigned int flags)
{
    int fd = memfd_create("test", MFD_CLOEXEC | MFD_ALLOW_SEALING | flags);
    if (fd < 0)
        return -1;
    CHECK(ftruncate(fd, (off_t)size) == 0);
    CHECK(seals == 0 || fcntl(fd, F_ADD_SEALS, seals) == 0);
    return fd;
}

/* What a fake exporter answers. */
struct lie {
    struct wire_answer answer;
    size_t size; /* 0: the exporter hangs up instead */
    int fds[RAW_DESCRIPTORS];
    size_t fd_count;
    bool silent; /* sends nothing */
    int held;    /* the exporter's end of the connection */
};

static void *tell_lie(void *argument)
{
    struct lie *lie = argument;
    struct wire_request request;
    lie->held = accept4(fake_listener, NULL, NULL, SOCK_CLOEXEC);
    CHECK(lie->held >= 0);
    CHECK(recv(lie->held, &request, sizeof request, 0) == sizeof request);
    CHECK(request.head.magic == WIRE_MAGIC && request.head.version == WIRE_VERSION);
    CHECK(request.head.kind == WIRE_REQUEST && request.node == node && request.adapter == ADAPTER);
    if (lie->silent)
        return NULL;
    if (lie->size > 0)
        send_packet(lie->held, &lie->answer, lie->size, lie->fds, lie->fd_count);
    if (lie->size == 0) {
        close(lie->held);
        lie->held = -1;
    }
    return NULL;
}

static struct lie truth(int fd)
{
    return (struct lie){ .answer = { .head = { .magic = WIRE_MAGIC, .version = WIRE_VERSION, .kind = WIRE_ANSWER },
                                     .size = PAGE },
                         .size = sizeof(struct wire_answer), .fds = { fd }, .fd_count = fd >= 0 };
}

/* Lets the library connect to a fake exporter. */
static sci_error_t hear(struct lie *lie, unsigned int timeout)
{
    pthread_t thread;
    sci_remote_segment_t remote;
    sci_error_t outcome = (sci_error_t)-1;
    CHECK(pthread_create(&thread, NULL, tell_lie, lie) == 0);
    SCIConnectSegment(sd, &remote, node, FAKE, ADAPTER, NULL, NULL, timeout, 0, &outcome);
    pthread_join(thread, NULL);
    if (outcome == SCI_ERR_OK)
        OK(SCIDisconnectSegment(remote, 0, &error));
    return outcome;
}

static void close_own(struct lie *lie)
{
    if (lie->held >= 0)
        close(lie->held);
    for (size_t i = 0; i < lie->fd_count; i++)
        close(lie->fds[i]);
}

/* The same; closes the lie's descriptors, and checks that no other one is left open. */
static void expect_lie(sci_error_t expected, struct lie lie, unsigned int timeout)
{
    int before = open_descriptors() - (int)lie.fd_count;
    EXPECT(expected, error = hear(&lie, timeout));
    close_own(&lie);
    await_descriptors(before);
}

static void expect_refused(int fd)
{
    CHECK(fd >= 0);
    expect_lie(SCI_ERR_CONNECTION_REFUSED, truth(fd), WHILE);
}

static void test_memory(void)
{
    expect_lie(SCI_ERR_OK, truth(memory(PAGE, SEALS, 0)), WHILE);
    expect_refused(memory(PAGE, 0, 0));
    expect_refused(memory(PAGE, F_SEAL_SHRINK | F_SEAL_GROW, 0));
    expect_refused(memory(PAGE, F_SEAL_GROW | F_SEAL_SEAL, 0));
    expect_refused(memory(PAGE, F_SEAL_SHRINK | F_SEAL_SEAL, 0));
    expect_refused(memory(PAGE, SEALS | F_SEAL_WRITE, 0));
    expect_refused(memory(PAGE, SEALS | F_SEAL_FUTURE_WRITE, 0));
    expect_refused(memory(2 * PAGE, SEALS, 0));
    expect_refused(memory(PAGE - 1, SEALS, 0));
    expect_refused(memory(0, SEALS, 0));
    int huge = memory(2 << 20, SEALS, MFD_HUGETLB);
    if (huge >= 0) {
        struct lie lie = truth(huge);
        lie.answer.size = 2 << 20;
        expect_lie(SCI_ERR_CONNECTION_REFUSED, lie, WHILE);
    } else {
        puts("memory of huge pages was not tried: this kernel has none");
    }
    int sealed = memory(PAGE, SEALS, 0);
    char path[32];
    snprintf(path, sizeof path, "/proc/self/fd/%d", sealed);
    expect_refused(open(path, O_RDONLY | O_CLOEXEC));
    expect_refused(open(path, O_WRONLY | O_CLOEXEC));
    expect_refused(open(path, O_PATH | O_CLOEXEC));
    close(sealed);
    int secret = (int)syscall(SYS_memfd_secret, O_CLOEXEC);
    if (secret >= 0) {
        CHECK(ftruncate(secret, PAGE) == 0);
        expect_refused(secret);
    } else {
        puts("secret memory was not tried: this kernel has none");
    }
}

static void test_no_memory(void)
{
    int pipe_ends[2], sockets[2];
    CHECK(pipe2(pipe_ends, O_CLOEXEC) == 0);
    close(pipe_ends[1]);
    expect_refused(pipe_ends[0]);
    CHECK(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, sockets) == 0);
    close(sockets[1]);
    expect_refused(sockets[0]);
    expect_refused(open("/dev/null", O_RDWR | O_CLOEXEC));
    expect_refused(open("/dev/zero", O_RDWR | O_CLOEXEC));
    expect_refused(open("/", O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    expect_refused(open("/proc/self/mem", O_RDWR | O_CLOEXEC));
    expect_refused(eventfd(0, EFD_CLOEXEC));
    expect_refused(epoll_create1(EPOLL_CLOEXEC));
    const char *folders[] = { "/tmp", "/dev/shm" }; /* a file of either can be truncated while others read it */
    for (int i = 0; i < 2; i++) {
        int file = open(folders[i], O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
        if (file >= 0) {
            CHECK(ftruncate(file, PAGE) == 0);
            expect_refused(file);
        } else {
            printf("a file of %s was not tried: %s\n", folders[i], strerror(errno));
        }
    }
}

static void test_words(void)
{
    const sci_error_t refused = SCI_ERR_CONNECTION_REFUSED;
    struct lie lie;
    expect_lie(refused, truth(-1), WHILE);
    for (size_t count = 2; count <= RAW_DESCRIPTORS; count *= 5) {
        lie = truth(memory(PAGE, SEALS, 0));
        for (lie.fd_count = 1; lie.fd_count < count; lie.fd_count++)
            lie.fds[lie.fd_count] = memory(PAGE, SEALS, 0);
        expect_lie(refused, lie, WHILE);
    }
    lie = truth(memory(PAGE, SEALS, 0));
    lie.answer.size = 0;
    expect_lie(refused, lie, WHILE);
    lie = truth(memory(PAGE, SEALS, 0));
    lie.answer.size = UINT64_MAX;
    expect_lie(refused, lie, WHILE);
    lie = truth(memory(PAGE, SEALS, 0));
    lie.size -= 4;
    expect_lie(refused, lie, WHILE);
    lie = truth(memory(PAGE, SEALS, 0));
    lie.answer.head.magic++;
    expect_lie(refused, lie, WHILE);
    lie = truth(memory(PAGE, SEALS, 0));
    lie.answer.head.version++;
    expect_lie(SCI_ERR_INCONSISTENT_VERSIONS, lie, WHILE);
    lie = truth(memory(PAGE, SEALS, 0));
    lie.answer.status = SCI_ERR_BUSY; /* a refusal carries no memory */
    expect_lie(refused, lie, WHILE);
    lie = truth(-1);
    lie.size = 0;
    expect_lie(SCI_ERR_NO_SUCH_SEGMENT, lie, WHILE);
    lie.silent = true;
    expect_lie(SCI_ERR_TIMEOUT, lie, 50);
}

/* Newer kernels refuse to send any descriptors; older kernels are not tested. */
static void test_where_none_is_awaited(void)
{
    int before = open_descriptors(), peer;
    sci_local_segment_t segment = export_segment(sd, REAL, PAGE, NULL, NULL);
    int fd = lingering(&peer), socket = raw_connect(node, REAL);
    struct wire_request request = { .head = { .magic = WIRE_MAGIC, .version = WIRE_VERSION, .kind = WIRE_REQUEST } };
    bool refused = !try_packet(socket, &request, sizeof request, &fd, 1);
    if (refused) {
        unsigned int number = 0;
        sci_local_interrupt_t interrupt;
        OK(SCICreateInterrupt(sd, &interrupt, ADAPTER, &number, NULL, NULL, 0, &error));
        int sender = raw_interrupt(node, number);
        CHECK(!try_packet(sender, "", 1, &fd, 1));
        send_packet(sender, "", 1, NULL, 0);
        OK(SCIWaitForInterrupt(interrupt, WHILE, 0, &error));
        OK(SCIRemoveInterrupt(interrupt, 0, &error));
        close(sender);
    }
    close(socket);
    OK(SCIRemoveSegment(segment, SCI_FLAG_FORCE_REMOVE, &error));
    close(peer); /* with unread bytes, which ends the lingering */
    close(fd);
    await_descriptors(before);
}

/*
 * A file system that consists of one file. It answers until the file is open, and no question after that. It runs in a
 * process of its own, whose end makes all questions fail. The process ends soon, so that a call that waits for an answer
 * fails and doesn't hang.
 */
static char fuse_path[] = "/tmp/shim-test-XXXXXX";

static void reply(int device, uint64_t unique, const void *body, size_t size)
{
    char message[sizeof(struct fuse_out_header) + 256];
    struct fuse_out_header head = { .len = (uint32_t)(sizeof head + size), .unique = unique };
    memcpy(message, &head, sizeof head);
    memcpy(message + sizeof head, body, size);
    CHECK(write(device, message, head.len) == (ssize_t)head.len);
}

static void answer_until_open(int device)
{
    static char request[1 << 17];
    for (;;) {
        CHECK(read(device, request, sizeof request) >= (ssize_t)sizeof(struct fuse_in_header));
        const struct fuse_in_header *head = (const struct fuse_in_header *)request;
        if (head->opcode == FUSE_INIT) {
            struct fuse_init_out out = { .major = 7, .minor = 31, .max_write = 4096, .max_readahead = 4096 };
            reply(device, head->unique, &out, sizeof out);
        } else if (head->opcode == FUSE_GETATTR) {
            struct fuse_attr_out out = { .attr = { .ino = 1, .size = PAGE, .mode = S_IFREG | 0600, .nlink = 1 } };
            reply(device, head->unique, &out, sizeof out);
        } else if (head->opcode == FUSE_OPEN) {
            struct fuse_open_out out = { .fh = 1 };
            reply(device, head->unique, &out, sizeof out);
            return;
        }
    }
}

static void serve_file(int channel)
{
    char options[64];
    alarm(50); /* less than the test's time-out, and more than the test takes */
    int device = open("/dev/fuse", O_RDWR | O_CLOEXEC);
    snprintf(options, sizeof options, "fd=%d,rootmode=%o,user_id=0,group_id=0", device, S_IFREG);
    /* Valgrind asks each file for more than this one answers. */
    bool mounted = device >= 0 && getenv("UNDER_VALGRIND") == NULL &&
                   mount("shim-test", fuse_path, "fuse", MS_NOSUID | MS_NODEV, options) == 0;
    tell(channel, mounted);
    if (mounted) {
        answer_until_open(device);
        listen_to(channel);
    }
}

static void test_fuse(struct peer *peer)
{
    if (!listen_to(peer->channel)) {
        puts("a file of FUSE was not tried: mounting one takes root and /dev/fuse");
        peer_finish(peer);
        return;
    }
    int before = open_descriptors();
    struct lie lie = truth(open(fuse_path, O_RDWR | O_CLOEXEC));
    CHECK(lie.fd_count == 1);
    EXPECT(SCI_ERR_CONNECTION_REFUSED, error = hear(&lie, WHILE)); /* the library asks it nothing, and waits for no close */
    tell(peer->channel, 0);
    peer_finish(peer);
    close_own(&lie);
    CHECK(umount2(fuse_path, MNT_DETACH) == 0);
    await_descriptors(before - 1); /* the channel */
}

int main(void)
{
    node = use_own_node();
    int place = mkstemp(fuse_path);
    CHECK(place >= 0 && close(place) == 0);
    if (unshare(CLONE_NEWNS) == 0) /* the mount ends with this process; otherwise nothing is mounted */
        mount("none", "/", "none", MS_REC | MS_PRIVATE, NULL);
    struct peer fuse = start_peer(serve_file);
    sd = begin();
    OK(SCIRemoveSegment(export_segment(sd, REAL, PAGE, NULL, NULL), 0, &error)); /* the library's thread runs from now on */
    struct sockaddr_un address;
    socklen_t length;
    fake_listener = raw_socket(&address, &length, node, FAKE);
    CHECK(bind(fake_listener, (struct sockaddr *)&address, length) == 0 && listen(fake_listener, 8) == 0);
    test_memory();
    test_no_memory();
    test_words();
    test_where_none_is_awaited();
    test_fuse(&fuse);
    unlink(fuse_path);
    close(fake_listener);
    end(sd);
    return 0;
}

/*
 * Peers that don't keep to the rules: exporters that send something else than a segment's memory, connectors that send
 * nonsense or nothing, a stopped process, no descriptors left. The answer is a clean error, no descriptor
 * is lost, and others are served on.
 */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"
#include "wire.h"

enum { FAKE = 0xfa, REAL = 0x5e, SEALS = F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL };

static unsigned int node;

static int raw_socket(struct sockaddr_un *address, socklen_t *length, unsigned int id)
{
    *address = (struct sockaddr_un){ .sun_family = AF_UNIX };
    int size = snprintf(address->sun_path + 1, sizeof address->sun_path - 1, "sisci-shim/1/seg/%u/%x", node, id);
    *length = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + (size_t)size);
    int fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
    CHECK(fd >= 0);
    return fd;
}

static int raw_connect(unsigned int id)
{
    struct sockaddr_un address;
    socklen_t length;
    int fd = raw_socket(&address, &length, id);
    CHECK(connect(fd, (struct sockaddr *)&address, length) == 0);
    return fd;
}

static void send_packet(int socket, const void *packet, size_t size, const int *fds, size_t count)
{
    union {
        char bytes[CMSG_SPACE(4 * sizeof(int))];
        struct cmsghdr aligned;
    } control = { .bytes = { 0 } };
    struct iovec part = { .iov_base = (void *)packet, .iov_len = size };
    struct msghdr message = { .msg_iov = &part, .msg_iovlen = 1 };
    if (count > 0) {
        message.msg_control = control.bytes;
        message.msg_controllen = CMSG_SPACE(count * sizeof(int));
        struct cmsghdr *rights = CMSG_FIRSTHDR(&message);
        rights->cmsg_level = SOL_SOCKET;
        rights->cmsg_type = SCM_RIGHTS;
        rights->cmsg_len = CMSG_LEN(count * sizeof(int));
        memcpy(CMSG_DATA(rights), fds, count * sizeof(int));
    }
    CHECK(sendmsg(socket, &message, MSG_NOSIGNAL) == (ssize_t)size);
}

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
    int listener;
    struct wire_answer answer;
    size_t size;
    int fds[4];
    size_t fd_count;
    bool silent; /* holds the connection instead, until told */
    int held;
};

static void *tell_lie(void *argument)
{
    struct lie *lie = argument;
    struct wire_request request;
    int socket = accept4(lie->listener, NULL, NULL, SOCK_CLOEXEC);
    CHECK(socket >= 0);
    CHECK(recv(socket, &request, sizeof request, 0) == sizeof request);
    CHECK(request.head.magic == WIRE_MAGIC && request.head.version == WIRE_VERSION);
    CHECK(request.head.kind == WIRE_REQUEST && request.node == node && request.adapter == ADAPTER);
    if (lie->silent) {
        lie->held = socket;
        return NULL;
    }
    if (lie->size > 0)
        send_packet(socket, &lie->answer, lie->size, lie->fds, lie->fd_count);
    close(socket);
    return NULL;
}

static struct lie truth(int fd)
{
    return (struct lie){ .answer = { .head = { .magic = WIRE_MAGIC, .version = WIRE_VERSION, .kind = WIRE_ANSWER },
                                     .size = PAGE },
                         .size = sizeof(struct wire_answer), .fds = { fd }, .fd_count = fd >= 0 };
}

static sci_desc_t sd;
static int fake_listener;

/* Has the library connect to a fake exporter; closes the lie's descriptors, and sees that no other is open after. */
static void expect_lie(sci_error_t expected, struct lie lie, unsigned int timeout)
{
    int before = open_descriptors();
    pthread_t thread;
    sci_remote_segment_t remote;
    lie.listener = fake_listener;
    CHECK(pthread_create(&thread, NULL, tell_lie, &lie) == 0);
    EXPECT(expected, SCIConnectSegment(sd, &remote, node, FAKE, ADAPTER, NULL, NULL, timeout, 0, &error));
    pthread_join(thread, NULL);
    if (expected == SCI_ERR_OK)
        OK(SCIDisconnectSegment(remote, 0, &error));
    if (lie.silent)
        close(lie.held);
    CHECK(open_descriptors() == before);
    for (size_t i = 0; i < lie.fd_count; i++)
        close(lie.fds[i]);
}

static void test_lying_exporters(void)
{
    struct sockaddr_un address;
    socklen_t length;
    fake_listener = raw_socket(&address, &length, FAKE);
    CHECK(bind(fake_listener, (struct sockaddr *)&address, length) == 0 && listen(fake_listener, 8) == 0);
    const sci_error_t refused = SCI_ERR_CONNECTION_REFUSED;
    struct lie lie;
    int pipe_ends[2];

    expect_lie(SCI_ERR_OK, truth(memory(PAGE, SEALS, 0)), WHILE);
    CHECK(pipe2(pipe_ends, O_CLOEXEC) == 0);
    close(pipe_ends[1]);
    expect_lie(refused, truth(pipe_ends[0]), WHILE);
    expect_lie(refused, truth(memory(PAGE, 0, 0)), WHILE);
    expect_lie(refused, truth(memory(PAGE, F_SEAL_SHRINK | F_SEAL_GROW, 0)), WHILE);
    expect_lie(refused, truth(memory(PAGE, F_SEAL_GROW | F_SEAL_SEAL, 0)), WHILE);
    expect_lie(refused, truth(memory(PAGE, SEALS | F_SEAL_WRITE, 0)), WHILE);
    expect_lie(refused, truth(memory(2 * PAGE, SEALS, 0)), WHILE);
    expect_lie(refused, truth(memory(0, SEALS, 0)), WHILE);
    expect_lie(refused, truth(open("/dev/null", O_RDWR | O_CLOEXEC)), WHILE);
    int huge = memory(2 << 20, SEALS, MFD_HUGETLB);
    if (huge >= 0) {
        lie = truth(huge);
        lie.answer.size = 2 << 20;
        expect_lie(refused, lie, WHILE);
    }
    int sealed = memory(PAGE, SEALS, 0);
    char path[32];
    snprintf(path, sizeof path, "/proc/self/fd/%d", sealed);
    expect_lie(refused, truth(open(path, O_RDONLY | O_CLOEXEC)), WHILE);
    close(sealed);

    expect_lie(refused, truth(-1), WHILE);
    for (size_t count = 2; count <= 4; count++) {
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
    close(fake_listener);
}

static struct gauge *served; /* counts the events of the real segment: two for a connection */

static sci_callback_action_t on_event(void *arg, sci_local_segment_t segment, sci_segment_cb_reason_t reason,
                                      unsigned int from, unsigned int adapter, sci_error_t error)
{
    (void)segment, (void)reason, (void)from, (void)adapter, (void)error;
    gauge_add(arg, 1);
    return SCI_CALLBACK_CONTINUE;
}

static void expect_served(void)
{
    sci_remote_segment_t remote;
    OK(SCIConnectSegment(sd, &remote, node, REAL, ADAPTER, NULL, NULL, WHILE, 0, &error));
    OK(SCIDisconnectSegment(remote, 0, &error));
}

static void expect_closed(int socket)
{
    char byte;
    ssize_t got = recv(socket, &byte, sizeof byte, 0);
    CHECK(got == 0 || (got < 0 && errno == ECONNRESET));
    close(socket);
}

/* By this process, and the connection is cleared away at both ends when this returns. */
static void expect_served_here(void)
{
    int events = gauge_read(served);
    expect_served();
    gauge_await(served, events + 2, WHILE);
}

static void test_lying_connectors(void)
{
    served = gauge_new();
    sci_local_segment_t segment = offer(sd, REAL, PAGE, on_event, served);
    expect_served_here();
    int before = open_descriptors();

    /* Many that connect and say nothing don't keep others out, and are not held for ever. */
    enum { SILENT = 200 };
    int silent[SILENT];
    for (int i = 0; i < SILENT; i++) {
        silent[i] = raw_connect(REAL);
        if (i % 20 == 0)
            expect_served_here();
    }
    expect_served_here();
    for (int i = 0; i < SILENT; i++)
        expect_closed(silent[i]);

    struct wire_request request = { .head = { .magic = WIRE_MAGIC, .version = WIRE_VERSION, .kind = WIRE_REQUEST } };
    int socket = raw_connect(REAL);
    send_packet(socket, "nonsense", 8, NULL, 0);
    expect_closed(socket);
    socket = raw_connect(REAL);
    send_packet(socket, &request, sizeof request - 1, NULL, 0);
    expect_closed(socket);
    socket = raw_connect(REAL);
    struct wire_head bye = { .magic = WIRE_MAGIC, .version = WIRE_VERSION, .kind = WIRE_BYE };
    send_packet(socket, &bye, sizeof bye, NULL, 0);
    expect_closed(socket);

    /* Descriptors that come along with a request are not taken. */
    struct wire_answer answer;
    int fds[] = { 0, 1, 2 };
    socket = raw_connect(REAL);
    send_packet(socket, &request, sizeof request, fds, 3);
    CHECK(recv(socket, &answer, sizeof answer, 0) == sizeof answer && answer.status == SCI_ERR_OK);
    CHECK(open_descriptors() == before + 2); /* both ends of this connection */
    /* A second request on an established link ends it. */
    send_packet(socket, &request, sizeof request, NULL, 0);
    struct wire_head farewell;
    CHECK(recv(socket, &farewell, sizeof farewell, 0) == sizeof farewell && farewell.kind == WIRE_BYE);
    close(socket);

    request.head.version++;
    socket = raw_connect(REAL);
    send_packet(socket, &request, sizeof request, NULL, 0);
    CHECK(recv(socket, &answer, sizeof answer, 0) == sizeof answer);
    CHECK(answer.status == SCI_ERR_INCONSISTENT_VERSIONS);
    expect_closed(socket);
    expect_served_here();
    OK(SCIRemoveSegment(segment, SCI_FLAG_FORCE_REMOVE, &error));
    CHECK(open_descriptors() == before - 2); /* name, memory */
    free(served);
}

/* The parent has no descriptor left to accept with: the connector waits, and succeeds when there is one again. */
static void starving_connector(int channel)
{
    sd = begin();
    sci_remote_segment_t remote;
    listen_to(channel);
    EXPECT(SCI_ERR_TIMEOUT, SCIConnectSegment(sd, &remote, node, REAL, ADAPTER, NULL, NULL, 100, 0, &error));
    tell(channel, 0);
    expect_served();
    OK(SCIClose(sd, 0, &error));
    SCITerminate();
}

static void test_no_descriptors(void)
{
    struct peer peer = start_peer(starving_connector);
    sd = begin();
    sci_local_segment_t segment = offer(sd, REAL, PAGE, NULL, NULL);
    struct rlimit limit, none;
    CHECK(getrlimit(RLIMIT_NOFILE, &limit) == 0);
    none = limit;
    none.rlim_cur = 3;
    CHECK(setrlimit(RLIMIT_NOFILE, &none) == 0);
    sci_local_segment_t other;
    EXPECT(SCI_ERR_SYSTEM, SCICreateSegment(sd, &other, 1, PAGE, NULL, NULL, 0, &error));
    tell(peer.channel, 0);
    listen_to(peer.channel);
    CHECK(setrlimit(RLIMIT_NOFILE, &limit) == 0);
    peer_finish(&peer);
    OK(SCIRemoveSegment(segment, SCI_FLAG_FORCE_REMOVE, &error));
    end(sd);
}

/* A stopped exporter: a time-out, also when its backlog is full, and its death ends the wait. */
static void stopped_exporter(int channel)
{
    sd = begin();
    offer(sd, REAL, PAGE, NULL, NULL);
    tell(channel, 0);
    listen_to(channel);
}

static void *wait_for_answer(void *device)
{
    sci_remote_segment_t remote;
    EXPECT(SCI_ERR_NO_SUCH_SEGMENT,
           SCIConnectSegment(device, &remote, node, REAL, ADAPTER, NULL, NULL, SCI_INFINITE_TIMEOUT, 0, &error));
    return NULL;
}

static void test_stopped_exporter(void)
{
    struct peer peer = start_peer(stopped_exporter);
    sd = begin();
    listen_to(peer.channel);
    int status;
    CHECK(kill(peer.pid, SIGSTOP) == 0 && waitpid(peer.pid, &status, WUNTRACED) == peer.pid && WIFSTOPPED(status));
    sci_remote_segment_t remote;
    EXPECT(SCI_ERR_TIMEOUT, SCIConnectSegment(sd, &remote, node, REAL, ADAPTER, NULL, NULL, 0, 0, &error));
    EXPECT(SCI_ERR_TIMEOUT, SCIConnectSegment(sd, &remote, node, REAL, ADAPTER, NULL, NULL, 50, 0, &error));
    pthread_t waiter;
    CHECK(pthread_create(&waiter, NULL, wait_for_answer, sd) == 0);

    enum { MORE_THAN_BACKLOG = 100 };
    int raw[MORE_THAN_BACKLOG], count = 0;
    struct sockaddr_un address;
    socklen_t length;
    do {
        CHECK(count < MORE_THAN_BACKLOG);
        raw[count] = raw_socket(&address, &length, REAL);
        fcntl(raw[count], F_SETFL, O_NONBLOCK);
    } while (connect(raw[count++], (struct sockaddr *)&address, length) == 0);
    CHECK(errno == EAGAIN);
    EXPECT(SCI_ERR_TIMEOUT, SCIConnectSegment(sd, &remote, node, REAL, ADAPTER, NULL, NULL, 0, 0, &error));
    EXPECT(SCI_ERR_TIMEOUT, SCIConnectSegment(sd, &remote, node, REAL, ADAPTER, NULL, NULL, 50, 0, &error));
    peer_kill(&peer);
    pthread_join(waiter, NULL);
    while (count > 0)
        close(raw[--count]);
    end(sd);
}

int main(void)
{
    node = use_own_node();
    test_no_descriptors();
    test_stopped_exporter();
    sd = begin();
    test_lying_connectors();
    test_lying_exporters(); /* counts descriptors: the library's thread runs by now */
    end(sd);
    return 0;
}

/*
 * Peers that break the protocol: connectors that send invalid packets or nothing, a stopped process, no descriptors left.
 * The result is a clean error, no descriptor is lost, and other peers are served as before. For what exporters send instead
 * of memory see test_descriptors.
 */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "check.h"
#include "raw.h"

enum { REAL = 0x5e };

static unsigned int node;
static sci_desc_t sd;

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

/* Connects from this process. When this returns, the connection has ended at both ends. */
static void expect_served_here(void)
{
    int events = gauge_read(served);
    expect_served();
    gauge_await(served, events + 2, WHILE);
}

static void test_lying_connectors(void)
{
    served = gauge_new();
    sci_local_segment_t segment = export_segment(sd, REAL, PAGE, on_event, served);
    expect_served_here();
    int before = open_descriptors();

    /* Many connectors that send nothing don't keep others out, and are not held for ever. */
    enum { SILENT = 200 };
    int silent[SILENT];
    for (int i = 0; i < SILENT; i++) {
        silent[i] = raw_connect(node, REAL);
        if (i % 20 == 0)
            expect_served_here();
    }
    expect_served_here();
    for (int i = 0; i < SILENT; i++)
        expect_closed(silent[i]);

    struct wire_request request = { .head = { .magic = WIRE_MAGIC, .version = WIRE_VERSION, .kind = WIRE_REQUEST } };
    int socket = raw_connect(node, REAL);
    send_packet(socket, "nonsense", 8, NULL, 0);
    expect_closed(socket);
    socket = raw_connect(node, REAL);
    send_packet(socket, &request, sizeof request - 1, NULL, 0);
    expect_closed(socket);
    socket = raw_connect(node, REAL);
    struct wire_head bye = { .magic = WIRE_MAGIC, .version = WIRE_VERSION, .kind = WIRE_BYE };
    send_packet(socket, &bye, sizeof bye, NULL, 0);
    expect_closed(socket);

    /* Descriptors that come along with a request are not taken; newer kernels don't even send them. */
    struct wire_answer answer;
    int fds[] = { 0, 1, 2 };
    socket = raw_connect(node, REAL);
    if (!try_packet(socket, &request, sizeof request, fds, 3))
        send_packet(socket, &request, sizeof request, NULL, 0);
    CHECK(recv(socket, &answer, sizeof answer, 0) == sizeof answer && answer.status == SCI_ERR_OK);
    CHECK(open_descriptors() == before + 2); /* both ends of this connection */
    /* A second request on an established link ends it. */
    send_packet(socket, &request, sizeof request, NULL, 0);
    struct wire_head farewell;
    CHECK(recv(socket, &farewell, sizeof farewell, 0) == sizeof farewell && farewell.kind == WIRE_BYE);
    close(socket);

    request.head.version++;
    socket = raw_connect(node, REAL);
    send_packet(socket, &request, sizeof request, NULL, 0);
    CHECK(recv(socket, &answer, sizeof answer, 0) == sizeof answer);
    CHECK(answer.status == SCI_ERR_INCONSISTENT_VERSIONS);
    expect_closed(socket);
    expect_served_here();
    OK(SCIRemoveSegment(segment, SCI_FLAG_FORCE_REMOVE, &error));
    CHECK(open_descriptors() == before - 2); /* name, memory */
    free(served);
}

enum { STARVING = 300 /* ms */ };

/* The parent has no descriptor left to accept with: the connector waits, and succeeds when there is one again. */
static void starving_connector(int channel)
{
    sd = begin();
    sci_remote_segment_t remote;
    listen_to(channel);
    EXPECT(SCI_ERR_TIMEOUT, SCIConnectSegment(sd, &remote, node, REAL, ADAPTER, NULL, NULL, STARVING, 0, &error));
    tell(channel, 0);
    expect_served();
    OK(SCIClose(sd, 0, &error));
    SCITerminate();
}

static uint64_t processor_milliseconds(void)
{
    struct timespec spent;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &spent);
    return (uint64_t)spent.tv_sec * 1000 + (uint64_t)spent.tv_nsec / 1000000;
}

static void test_no_descriptors(void)
{
    struct peer peer = start_peer(starving_connector);
    sd = begin();
    sci_local_segment_t segment = export_segment(sd, REAL, PAGE, NULL, NULL);
    struct rlimit limit, none;
    CHECK(getrlimit(RLIMIT_NOFILE, &limit) == 0);
    none = limit;
    none.rlim_cur = 3;
    CHECK(setrlimit(RLIMIT_NOFILE, &none) == 0);
    sci_local_segment_t other;
    EXPECT(SCI_ERR_SYSTEM, SCICreateSegment(sd, &other, 1, PAGE, NULL, NULL, 0, &error));
    uint64_t spent = processor_milliseconds();
    tell(peer.channel, 0);
    listen_to(peer.channel);
    CHECK(processor_milliseconds() - spent < STARVING / 10); /* the library does not try in a loop */
    CHECK(setrlimit(RLIMIT_NOFILE, &limit) == 0);
    peer_finish(&peer);
    OK(SCIRemoveSegment(segment, SCI_FLAG_FORCE_REMOVE, &error));
    end(sd);
}

/* A stopped exporter: connectors get a time-out, also when its backlog is full, and its death ends their wait. */
static void stopped_exporter(int channel)
{
    sd = begin();
    export_segment(sd, REAL, PAGE, NULL, NULL);
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

enum { TICK = 20 /* ms */, TICKS = 10000 / TICK }; /* so many take longer than a connect with a short time-out may take */

static void count_tick(int signal)
{
    static volatile sig_atomic_t ticks;
    (void)signal;
    if (++ticks > TICKS)
        _exit(1);
}

/* Signals end the system's wait for room in the backlog each time, but the time-out holds all the same. */
static void expect_timeout_among_signals(void)
{
    const struct sigaction counted = { .sa_handler = count_tick };
    const struct itimerval ticking = { .it_interval.tv_usec = TICK * 1000, .it_value.tv_usec = TICK * 1000 }, none = { 0 };
    struct sigaction before;
    sci_remote_segment_t remote;
    CHECK(sigaction(SIGALRM, &counted, &before) == 0 && setitimer(ITIMER_REAL, &ticking, NULL) == 0);
    EXPECT(SCI_ERR_TIMEOUT, SCIConnectSegment(sd, &remote, node, REAL, ADAPTER, NULL, NULL, 5 * TICK, 0, &error));
    CHECK(setitimer(ITIMER_REAL, &none, NULL) == 0 && sigaction(SIGALRM, &before, NULL) == 0);
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
        raw[count] = raw_socket(&address, &length, node, REAL);
        fcntl(raw[count], F_SETFL, O_NONBLOCK);
    } while (connect(raw[count++], (struct sockaddr *)&address, length) == 0);
    CHECK(errno == EAGAIN);
    EXPECT(SCI_ERR_TIMEOUT, SCIConnectSegment(sd, &remote, node, REAL, ADAPTER, NULL, NULL, 0, 0, &error));
    EXPECT(SCI_ERR_TIMEOUT, SCIConnectSegment(sd, &remote, node, REAL, ADAPTER, NULL, NULL, 50, 0, &error));
    expect_timeout_among_signals();
    peer_kill(&peer);
    pthread_join(waiter, NULL);
    while (count > 0)
        close(raw[--count]);
    end(sd);
}

static void expect_data(sci_local_data_interrupt_t in, sci_remote_data_interrupt_t out)
{
    static unsigned int sent;
    unsigned int got = 0, length = sizeof got;
    sent++;
    OK(SCITriggerDataInterrupt(out, &sent, sizeof sent, 0, &error));
    OK(SCIWaitForDataInterrupt(in, &got, &length, WHILE, 0, &error));
    CHECK(got == sent && length == sizeof sent);
}

/* Remotes of a queue that send what the library never sends are dropped; triggers of the others arrive. */
static void test_lying_remotes(void)
{
    static char data[1 << 16];
    unsigned int number = 0, length = sizeof data;
    sci_local_data_interrupt_t in;
    sci_remote_data_interrupt_t out;
    OK(SCICreateDataInterrupt(sd, &in, ADAPTER, &number, NULL, NULL, 0, &error));
    OK(SCIConnectDataInterrupt(sd, &out, node, ADAPTER, number, 0, 0, &error));
    expect_data(in, out);
    int before = open_descriptors();

    int socket = raw_queue("dat", node, number);
    send_packet(socket, data, 8193, NULL, 0); /* longer than a data interrupt allows */
    expect_data(in, out);
    EXPECT(SCI_ERR_TIMEOUT, SCIWaitForDataInterrupt(in, data, &length, 0, 0, &error));
    expect_closed(socket);
    socket = raw_queue("dat", node, number);
    send_packet(socket, data, 0, NULL, 0); /* an empty packet */
    EXPECT(SCI_ERR_TIMEOUT, SCIWaitForDataInterrupt(in, data, &length, 0, 0, &error));
    expect_closed(socket);

    /* A packet with descriptors, if the kernel lets them pass: none of them is taken. */
    int fds[] = { 0, 1, 2 };
    socket = raw_queue("dat", node, number);
    bool passed = try_packet(socket, data, 1, fds, 3);
    EXPECT(SCI_ERR_TIMEOUT, SCIWaitForDataInterrupt(in, data, &length, 0, 0, &error));
    if (passed)
        expect_closed(socket);
    else
        close(socket);

    /* Remotes that send nothing, and remotes that hang up before they are admitted. */
    enum { SILENT = 100 };
    int silent[SILENT];
    for (int i = 0; i < SILENT; i++) {
        silent[i] = raw_queue("dat", node, number);
        close(raw_queue("dat", node, number));
    }
    for (int i = 0; i < 5; i++) /* enough waits to admit them all */
        expect_data(in, out);
    for (int i = 0; i < SILENT; i++)
        close(silent[i]);
    for (int i = 0; i < 5; i++)
        EXPECT(SCI_ERR_TIMEOUT, SCIWaitForDataInterrupt(in, data, &length, 0, 0, &error));
    await_descriptors(before);

    /* Too many that wait to be admitted keep new ones out, until they are looked at. Triggers of connected remotes arrive. */
    sci_remote_data_interrupt_t late;
    sci_error_t status;
    raw_crowd("dat", node, number);
    EXPECT(SCI_ERR_BUSY, SCIConnectDataInterrupt(sd, &late, node, ADAPTER, number, 0, 0, &error));
    expect_data(in, out);
    do {
        EXPECT(SCI_ERR_TIMEOUT, SCIWaitForDataInterrupt(in, data, &length, 0, 0, &error));
        SCIConnectDataInterrupt(sd, &late, node, ADAPTER, number, 0, 0, &status);
    } while (status == SCI_ERR_BUSY);
    CHECK(status == SCI_ERR_OK);
    expect_data(in, late);
    OK(SCIDisconnectDataInterrupt(late, 0, &error));
    OK(SCIRemoveDataInterrupt(in, 0, &error));
    OK(SCIDisconnectDataInterrupt(out, 0, &error));
}

int main(void)
{
    node = use_own_node();
    if (getenv("UNDER_VALGRIND") == NULL) /* valgrind applies the limit itself: it closes what the kernel has accepted beyond it */
        test_no_descriptors();
    test_stopped_exporter();
    sd = begin();
    test_lying_connectors();
    test_lying_remotes();
    end(sd);
    return 0;
}

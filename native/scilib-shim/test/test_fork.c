/*
 * Children of fork: the library is not initialised there, the child holds and disturbs nothing of the parent's, and no lock
 * is left taken.
 */
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"
#include "raw.h"

enum { OURS = 1, THEIRS = 2, RAW = 3, SMALL = 10 /* first number of the interrupts, one for each kind */, KINDS = 4, FORKS = 40 };

static unsigned int node;
static sci_desc_t sd;
static const unsigned int flags_of[KINDS] = { 0, 4 /* SHARED_INT */, 0x20 /* COUNTING_INT */, 0x24 };

static bool threads_work = true;

static pid_t fork_child(void)
{
    pid_t pid = fork();
    CHECK(pid >= 0);
    if (pid > 0)
        return pid;
    alarm(60); /* a child that hangs is killed */
#ifdef __SANITIZE_THREAD__
    threads_work = false; /* with that sanitizer the child of a process that had threads can't start any */
#endif
    return 0;
}

/* Ends a child without a search for leaks, which would report the data of the threads that the child does not have. */
static _Noreturn void leave(void)
{
    execlp("true", "true", (char *)NULL);
    _exit(1);
}

static void reap(pid_t pid)
{
    int status;
    CHECK(waitpid(pid, &status, 0) == pid && WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

static sci_callback_action_t witness(void *arg, sci_local_segment_t segment, sci_segment_cb_reason_t reason,
                                     unsigned int from, unsigned int adapter, sci_error_t error)
{
    (void)segment, (void)from, (void)adapter, (void)error;
    gauge_add(arg, (int)reason);
    return SCI_CALLBACK_CONTINUE;
}

static sci_callback_action_t remote_witness(void *arg, sci_remote_segment_t segment, sci_segment_cb_reason_t reason,
                                            sci_error_t error)
{
    (void)segment, (void)error;
    gauge_add(arg, (int)reason);
    return SCI_CALLBACK_CONTINUE;
}

static void use_segment(sci_desc_t own, unsigned int id)
{
    struct gauge *seen = gauge_new();
    sci_remote_segment_t remote;
    sci_local_segment_t segment = export_segment(own, id, PAGE, witness, seen);
    OK(SCIConnectSegment(own, &remote, node, id, ADAPTER, NULL, NULL, WHILE, 0, &error));
    gauge_await(seen, SCI_CB_CONNECT, WHILE);
    OK(SCIDisconnectSegment(remote, 0, &error));
    gauge_await(seen, SCI_CB_CONNECT + SCI_CB_DISCONNECT, WHILE);
    OK(SCIRemoveSegment(segment, 0, &error));
    free(seen);
}

/* Uses everything, with the library's thread. */
static void use_everything(unsigned int id)
{
    sci_desc_t own = NULL;
    sci_local_interrupt_t in;
    sci_remote_interrupt_t out;
    unsigned int number = 0;
    OK(SCIInitialize(0, &error));
    OK(SCIOpen(&own, 0, &error));
    if (threads_work)
        use_segment(own, id);
    for (int k = 0; k < KINDS; k++) {
        OK(SCICreateInterrupt(own, &in, ADAPTER, &number, NULL, NULL, flags_of[k], &error));
        OK(SCIConnectInterrupt(own, &out, node, ADAPTER, number, 0, 0, &error));
        OK(SCITriggerInterrupt(out, 0, &error));
        OK(SCIWaitForInterrupt(in, WHILE, 0, &error));
        OK(SCIDisconnectInterrupt(out, 0, &error));
        OK(SCIRemoveInterrupt(in, 0, &error));
    }
    OK(SCIClose(own, 0, &error));
    SCITerminate();
}

/* What the parent of a child has. */
static struct {
    sci_local_segment_t segment;
    sci_map_t map;
    unsigned char *memory;
    sci_remote_segment_t remote;
    sci_local_interrupt_t in[KINDS];
    sci_remote_interrupt_t out;
    sci_local_data_interrupt_t data_in;
} has;

static void have_everything(void)
{
    sd = begin();
    has.segment = export_segment(sd, THEIRS, PAGE, NULL, NULL);
    has.memory = SCIMapLocalSegment(has.segment, &has.map, 0, PAGE, NULL, 0, NULL);
    CHECK(has.memory != NULL);
    has.memory[0] = 42;
    for (unsigned int k = 0; k < KINDS; k++) {
        unsigned int number = SMALL + k;
        OK(SCICreateInterrupt(sd, &has.in[k], ADAPTER, &number, NULL, NULL, flags_of[k] | SCI_FLAG_FIXED_INTNO, &error));
    }
    unsigned int number = SMALL;
    OK(SCICreateDataInterrupt(sd, &has.data_in, ADAPTER, &number, NULL, NULL, SCI_FLAG_FIXED_INTNO, &error));
    OK(SCIConnectSegment(sd, &has.remote, node, OURS, ADAPTER, NULL, NULL, WHILE, 0, &error));
    OK(SCIConnectInterrupt(sd, &has.out, node, ADAPTER, SMALL + KINDS, 0, 0, &error));
}

static bool has_open(int descriptors)
{
    return open_descriptors() == descriptors || getenv("UNDER_VALGRIND") != NULL; /* valgrind has some of its own */
}

/* The state that a child finds. */
static void expect_nothing(int descriptors)
{
    unsigned int own;
    sci_desc_t other = NULL;
    CHECK(has_open(descriptors) && own_threads() == 1);
    EXPECT(SCI_ERR_NOT_INITIALIZED, SCIGetLocalNodeId(ADAPTER, &own, 0, &error));
    EXPECT(SCI_ERR_NOT_INITIALIZED, SCIRemoveSegment(has.segment, SCI_FLAG_FORCE_REMOVE, &error));
    EXPECT(SCI_ERR_NOT_INITIALIZED, SCITriggerInterrupt(has.out, 0, &error));
    EXPECT(SCI_ERR_NOT_INITIALIZED, SCIWaitForInterrupt(has.in[0], 0, 0, &error));
    CHECK(SCIShimInterruptDescriptor(has.in[0]) == -1);
    SCITerminate();
    CHECK(has.memory[0] == 42);

    /* The child's own library does not know the parent's handles. */
    OK(SCIInitialize(0, &error));
    OK(SCIOpen(&other, 0, &error));
    EXPECT(SCI_ERR_ILLEGAL_PARAMETER, SCIClose(sd, 0, &error));
    EXPECT(SCI_ERR_ILLEGAL_PARAMETER, SCIRemoveSegment(has.segment, SCI_FLAG_FORCE_REMOVE, &error));
    EXPECT(SCI_ERR_ILLEGAL_PARAMETER, SCIUnmapSegment(has.map, 0, &error));
    EXPECT(SCI_ERR_ILLEGAL_PARAMETER, SCITriggerInterrupt(has.out, 0, &error));
    EXPECT(SCI_ERR_ILLEGAL_PARAMETER, SCIRemoveDataInterrupt(has.data_in, 0, &error));
    OK(SCIClose(other, 0, &error));
    SCITerminate();
    use_everything(100 + (unsigned int)getpid());
    CHECK(has_open(descriptors));
}

/* A thread that connects to a segment that never answers. */
static void *wait_for_answer(void *unused)
{
    (void)unused;
    sci_remote_segment_t remote;
    EXPECT(SCI_ERR_NO_SUCH_SEGMENT,
           SCIConnectSegment(sd, &remote, node, RAW, ADAPTER, NULL, NULL, SCI_INFINITE_TIMEOUT, 0, &error));
    return NULL;
}

static void parent(int channel)
{
    int before = open_descriptors();
    pthread_t connecting;
    listen_to(channel);
    have_everything();
    CHECK(pthread_create(&connecting, NULL, wait_for_answer, NULL) == 0);
    listen_to(channel); /* the thread has connected */
    if (fork_child() == 0) {
        expect_nothing(before);
        tell(channel, 0);
        listen_to(channel); /* the parent is dead, and its peers have noticed */
        use_everything(100);
        leave();
    }
    pause();
}

/* A parent is killed while its child lives: its peers notice at once, and its names are free. */
static void test_killed_parent(void)
{
    struct sockaddr_un address;
    socklen_t length;
    int before = names_in_use(), listener = raw_socket(&address, &length, node, RAW);
    CHECK(bind(listener, (struct sockaddr *)&address, length) == 0 && listen(listener, 1) == 0);
    CHECK(prctl(PR_SET_CHILD_SUBREAPER, 1) == 0);
    struct peer peer = start_peer(parent);
    sd = begin();
    struct gauge *events = gauge_new(), *remote_events = gauge_new();
    unsigned int number = SMALL + KINDS;
    sci_local_segment_t segment = export_segment(sd, OURS, PAGE, witness, events);
    sci_local_interrupt_t in, again;
    OK(SCICreateInterrupt(sd, &in, ADAPTER, &number, NULL, NULL, SCI_FLAG_FIXED_INTNO, &error));
    tell(peer.channel, 0);
    int link = accept(listener, NULL, NULL);
    char request[64];
    CHECK(link >= 0 && recv(link, request, sizeof request, 0) > 0);
    gauge_await(events, SCI_CB_CONNECT, WHILE);
    sci_remote_segment_t remote;
    sci_remote_interrupt_t out[KINDS];
    sci_remote_data_interrupt_t data_out;
    OK(SCIConnectSegment(sd, &remote, node, THEIRS, ADAPTER, remote_witness, remote_events, WHILE,
                         SCI_FLAG_USE_CALLBACK, &error));
    for (unsigned int k = 0; k < KINDS; k++)
        OK(SCIConnectInterrupt(sd, &out[k], node, ADAPTER, SMALL + k, 0, 0, &error));
    OK(SCIConnectDataInterrupt(sd, &data_out, node, ADAPTER, SMALL, 0, 0, &error));

    tell(peer.channel, 0);
    listen_to(peer.channel); /* the child has made its checks */
    CHECK(kill(peer.pid, SIGKILL) == 0);
    int status;
    CHECK(waitpid(peer.pid, &status, 0) == peer.pid && WIFSIGNALED(status));
    gauge_await(events, SCI_CB_CONNECT + SCI_CB_LOST, WHILE);
    gauge_await(remote_events, SCI_CB_LOST, WHILE);
    CHECK(recv(link, request, sizeof request, 0) == 0);
    for (unsigned int k = 0; k < KINDS; k++) {
        number = SMALL + k;
        EXPECT(SCI_ERR_NOT_CONNECTED, SCITriggerInterrupt(out[k], 0, &error));
        OK(SCICreateInterrupt(sd, &again, ADAPTER, &number, NULL, NULL, SCI_FLAG_FIXED_INTNO, &error));
        OK(SCIRemoveInterrupt(again, 0, &error));
        OK(SCIDisconnectInterrupt(out[k], 0, &error));
    }
    EXPECT(SCI_ERR_NOT_CONNECTED, SCITriggerDataInterrupt(data_out, &number, sizeof number, 0, &error));
    OK(SCIDisconnectDataInterrupt(data_out, 0, &error));
    OK(SCIRemoveSegment(export_segment(sd, THEIRS, PAGE, NULL, NULL), 0, &error));

    tell(peer.channel, 0);
    CHECK(waitpid(-1, &status, 0) > 0 && WIFEXITED(status) && WEXITSTATUS(status) == 0);
    OK(SCIDisconnectSegment(remote, 0, &error));
    OK(SCIRemoveSegment(segment, 0, &error));
    OK(SCIRemoveInterrupt(in, 0, &error));
    close(peer.channel);
    close(link);
    close(listener);
    CHECK(names_in_use() == before);
    end(sd);
    free(events);
    free(remote_events);
}

static void be_another_node(int channel)
{
    unsigned int own = use_own_node();
    begin();
    if (fork_child() == 0) {
        tell(channel, own);
        listen_to(channel);
        leave();
    }
    pause();
}

/* A child does not belong to its parent's node. */
static void test_presence(void)
{
    int status;
    struct peer peer = start_peer(be_another_node);
    sd = begin();
    unsigned int other = (unsigned int)listen_to(peer.channel);
    OK(CHECK(SCIProbeNode(sd, ADAPTER, other, 0, &error) == 1));
    CHECK(kill(peer.pid, SIGKILL) == 0);
    CHECK(waitpid(peer.pid, &status, 0) == peer.pid && WIFSIGNALED(status));
    EXPECT(SCI_ERR_NO_SUCH_NODEID, SCIProbeNode(sd, ADAPTER, other, 0, &error));
    tell(peer.channel, 0);
    CHECK(waitpid(-1, &status, 0) > 0 && WIFEXITED(status) && WEXITSTATUS(status) == 0);
    close(peer.channel);
    end(sd);
}

static struct gauge *calls, *events; /* also for a child of a callback, which ends when its thread does */
static atomic_int child_in_callback; /* the child of the last callback; 0: none */

static sci_callback_action_t forks(void *arg, sci_local_interrupt_t interrupt, sci_error_t error)
{
    (void)arg, (void)interrupt, (void)error;
    int call = gauge_read(calls);
    if (getenv("UNDER_VALGRIND") == NULL) { /* valgrind would report this thread's data as lost */
        pid_t pid = fork_child();
        if (pid == 0) {
            if (call == 0)
                use_everything(100);
            else if (threads_work)
                export_segment(begin(), 100, PAGE, witness, gauge_new()); /* starts the library's thread */
            return SCI_CALLBACK_CONTINUE; /* which ends the process */
        }
        child_in_callback = pid;
    }
    gauge_add(calls, 1);
    return SCI_CALLBACK_CONTINUE;
}

/* Children come and go; the parent is not disturbed. */
static void test_undisturbed(void)
{
    calls = gauge_new();
    int before = open_descriptors();
    events = gauge_new();
    sci_desc_t first = begin();
    sci_local_segment_t segment = export_segment(first, OURS, PAGE, witness, events);
    sci_local_interrupt_t called;
    sci_remote_interrupt_t call;
    unsigned int number = SMALL + KINDS;
    OK(SCICreateInterrupt(first, &called, ADAPTER, &number, forks, NULL, SCI_FLAG_FIXED_INTNO | SCI_FLAG_USE_CALLBACK,
                          &error));
    have_everything();
    OK(SCIConnectInterrupt(sd, &call, node, ADAPTER, number, 0, 0, &error));
    for (int i = 0; i < 3; i++) {
        pid_t pid = fork_child();
        if (pid == 0) {
            expect_nothing(before);
            leave();
        }
        reap(pid);
        OK(SCITriggerInterrupt(call, 0, &error));
        gauge_await(calls, i + 1, WHILE);
        if (child_in_callback != 0)
            reap(child_in_callback);
        for (unsigned int k = 0; k < KINDS; k++) {
            sci_remote_interrupt_t out;
            OK(SCIConnectInterrupt(sd, &out, node, ADAPTER, SMALL + k, 0, 0, &error));
            OK(SCITriggerInterrupt(out, 0, &error));
            OK(SCIWaitForInterrupt(has.in[k], WHILE, 0, &error));
            OK(SCIDisconnectInterrupt(out, 0, &error));
        }
    }
    OK(SCIDisconnectSegment(has.remote, 0, &error));
    gauge_await(events, SCI_CB_CONNECT + SCI_CB_DISCONNECT, WHILE);
    OK(SCIRemoveSegment(segment, 0, &error));
    SCITerminate();
    SCITerminate();
    CHECK(open_descriptors() == before && names_in_use() == 0);
    free(events);
    free(calls);
}

static atomic_bool enough;
static _Atomic(sci_local_interrupt_t) waited_for;

static void *wait_often(void *unused)
{
    (void)unused;
    while (!enough) {
        sci_error_t error;
        SCIWaitForInterrupt(waited_for, SCI_INFINITE_TIMEOUT, 0, &error);
        CHECK(error == SCI_ERR_CANCELLED || error == SCI_ERR_ILLEGAL_PARAMETER /* the interrupt is not there yet, or not any more */);
    }
    return NULL;
}

static void *acknowledge_often(void *unused)
{
    (void)unused;
    while (!enough)
        SCIShimAcknowledgeInterrupt(waited_for);
    return NULL;
}

static void *remove_often(void *device)
{
    while (!enough) {
        sci_local_interrupt_t in;
        unsigned int number = 0;
        OK(SCICreateInterrupt(device, &in, ADAPTER, &number, NULL, NULL, 0, &error));
        waited_for = in;
        sched_yield();
        OK(SCIRemoveInterrupt(in, 0, &error));
    }
    return NULL;
}

static void *make_and_remove(void *base)
{
    for (unsigned int i = 0; !enough; i++) {
        use_everything((unsigned int)(uintptr_t)base + i % 1000);
        SCIShimAllowUsers(&(uid_t){ 1 }, i % 2);
    }
    return NULL;
}

/* Threads are anywhere in the library while another thread forks: the child finds no lock taken, and no descriptor open. */
static void test_busy_parent(void)
{
    enum { THREADS = 6 };
    pthread_t threads[THREADS];
    int before = open_descriptors();
    sd = begin();
    CHECK(pthread_create(&threads[0], NULL, wait_often, NULL) == 0);
    CHECK(pthread_create(&threads[1], NULL, remove_often, sd) == 0);
    CHECK(pthread_create(&threads[2], NULL, acknowledge_often, NULL) == 0);
    for (uintptr_t i = 3; i < THREADS; i++)
        CHECK(pthread_create(&threads[i], NULL, make_and_remove, (void *)(0x10000 * (i + 1))) == 0);
    for (int i = 0; i < FORKS; i++) {
        pid_t pid = fork_child();
        if (pid == 0) {
            CHECK(has_open(before));
            use_everything(0x90000);
            leave();
        }
        reap(pid);
    }
    enough = true;
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    SCITerminate();
    await_descriptors(before);
}

int main(void)
{
    node = use_own_node();
    test_killed_parent();
    test_presence();
    test_undisturbed();
#ifndef __SANITIZE_ADDRESS__ /* the sanitizer's own allocator stays locked in the child if another thread was in it */
    test_busy_parent();
#else
    (void)test_busy_parent;
#endif
    return 0;
}

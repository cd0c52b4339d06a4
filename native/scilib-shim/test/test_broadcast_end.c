/* Members of broadcast groups that die, stop, fork, misbehave, or join all at once: there is one memory, as long as one is left. */
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"
#include "member.h"
#include "raw.h"

enum { CROWD = 6, ROUNDS = 25, LITTLE = 300 /* ms */ };

/* The memory outlives the member that made it, and each other one that dies. */
static void test_deaths(void)
{
    struct peer first = start_member(), second = start_member(), third = start_member(), writer = start_member();
    struct peer newcomer = start_member(), last = start_member();
    CHECK(member_create(&first, MEMBER_SIZE) == SCI_ERR_OK);
    CHECK(member_create(&second, MEMBER_SIZE) == SCI_ERR_OK && member_make_available(&second, true) == SCI_ERR_OK);
    CHECK(member_create(&third, MEMBER_SIZE) == SCI_ERR_OK);
    CHECK(member_connect(&writer, WHILE) == SCI_ERR_OK);
    member_store(&writer, 1, 10);
    peer_kill(&first);
    member_store(&writer, 2, 20);
    CHECK(member_load(&second, 1) == 10 && member_load(&second, 2) == 20 && member_load(&third, 2) == 20);

    /* All readers go: the writer still has the memory, and a reader that starts again sees what it has written. */
    peer_kill(&second);
    member_finish(&third);
    CHECK(member_connect(&last, WHILE) == SCI_ERR_NO_SUCH_SEGMENT); /* a writer is no reader */
    member_store(&writer, 3, 30);
    CHECK(member_create(&newcomer, MEMBER_SIZE) == SCI_ERR_OK && member_make_available(&newcomer, true) == SCI_ERR_OK);
    CHECK(member_load(&newcomer, 1) == 10 && member_load(&newcomer, 3) == 30);
    member_store(&writer, 4, 40);
    CHECK(member_load(&newcomer, 4) == 40);

    /* The writer dies: the reader keeps what it has, and the next writer writes to the same memory. */
    peer_kill(&writer);
    CHECK(member_load(&newcomer, 4) == 40);
    CHECK(member_connect(&last, WHILE) == SCI_ERR_OK);
    member_store(&last, 5, 50);
    CHECK(member_load(&newcomer, 5) == 50 && member_load(&newcomer, 4) == 40);

    /* The last one goes: the next group of the id has new memory. */
    member_remove(&newcomer);
    member_disconnect(&last);
    CHECK(group_names() == 0);
    CHECK(member_create(&newcomer, MEMBER_SIZE) == SCI_ERR_OK && member_load(&newcomer, 4) == 0);
    member_finish(&newcomer);
    member_finish(&last);
    CHECK(group_names() == 0);
}

/* A stopped member gives nothing: another one does. If there is only that one, a join waits, and makes no second memory. */
static void test_stopped(void)
{
    struct peer stopped = start_member(), running = start_member(), newcomer = start_member();
    CHECK(member_create(&stopped, MEMBER_SIZE) == SCI_ERR_OK && member_make_available(&stopped, true) == SCI_ERR_OK);
    CHECK(kill(stopped.pid, SIGSTOP) == 0);
    CHECK(waitpid(stopped.pid, NULL, WUNTRACED) == stopped.pid);
    CHECK(member_connect(&newcomer, LITTLE) == SCI_ERR_TIMEOUT);
    CHECK(member_create(&running, MEMBER_SIZE) == SCI_ERR_TIMEOUT);
    CHECK(kill(stopped.pid, SIGCONT) == 0);
    CHECK(member_create(&running, MEMBER_SIZE) == SCI_ERR_OK && member_make_available(&running, true) == SCI_ERR_OK);
    CHECK(kill(stopped.pid, SIGSTOP) == 0);
    CHECK(waitpid(stopped.pid, NULL, WUNTRACED) == stopped.pid);
    CHECK(member_connect(&newcomer, WHILE) == SCI_ERR_OK);
    member_store(&newcomer, 9, 90);
    CHECK(kill(stopped.pid, SIGCONT) == 0);
    CHECK(member_load(&stopped, 9) == 90 && member_load(&running, 9) == 90);
    member_finish(&stopped);
    member_finish(&running);
    member_finish(&newcomer);
}

static atomic_int *start_word; /* shared by all children: the round that may begin */

/* Joins and adds one to the memory's first word; then waits until all have, so that no one is the last and first again. */
static void crowd_member(int channel)
{
    for (int round = 1; round <= ROUNDS; round++) {
        sci_desc_t sd = begin();
        while (atomic_load(start_word) < round)
            ;
        sci_local_segment_t segment;
        sci_map_t map;
        OK(SCICreateSegment(sd, &segment, own_group(), PAGE, NULL, NULL, SCI_FLAG_BROADCAST, &error));
        atomic_int *count;
        OK(count = SCIMapLocalSegment(segment, &map, 0, PAGE, NULL, 0, &error));
        atomic_fetch_add(count, 1);
        tell(channel, 1);
        listen_to(channel);
        tell(channel, (uint64_t)atomic_load(count));
        listen_to(channel);
        SCITerminate(); /* leaves the map */
        tell(channel, 1);
    }
}

/* GROUP-1: processes that create the group at the same instant get one memory. */
static void test_all_at_once(void)
{
    start_word = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    CHECK(start_word != MAP_FAILED);
    struct peer peers[CROWD];
    for (int i = 0; i < CROWD; i++)
        peers[i] = start_peer(crowd_member);
    for (int round = 1; round <= ROUNDS; round++) {
        atomic_store(start_word, round);
        for (int i = 0; i < CROWD; i++)
            listen_to(peers[i].channel);
        CHECK(group_names() == CROWD);
        for (int i = 0; i < CROWD; i++)
            tell(peers[i].channel, 1);
        for (int i = 0; i < CROWD; i++)
            CHECK(listen_to(peers[i].channel) == CROWD);
        for (int i = 0; i < CROWD; i++)
            tell(peers[i].channel, 1);
        for (int i = 0; i < CROWD; i++)
            listen_to(peers[i].channel); /* all have left: the next round begins without memory */
    }
    for (int i = 0; i < CROWD; i++)
        peer_finish(&peers[i]);
    CHECK(group_names() == 0);
}

/* Creates and removes without an end. It may be killed at each step. */
static void restless_member(int channel)
{
    sci_desc_t sd = begin();
    tell(channel, 1);
    for (;;) {
        sci_local_segment_t segment;
        sci_remote_segment_t remote;
        OK(SCICreateSegment(sd, &segment, own_group(), MEMBER_SIZE, NULL, NULL, SCI_FLAG_BROADCAST, &error));
        OK(SCIConnectSegment(sd, &remote, DIS_BROADCAST_NODEID_GROUP_ALL, own_group(), ADAPTER, NULL, NULL, WHILE,
                             SCI_FLAG_BROADCAST, &error));
        OK(SCIRemoveSegment(segment, 0, &error));
        OK(SCIDisconnectSegment(remote, 0, &error));
    }
}

/* Deaths at any step of joining keep no other process from joining, and lose no memory that a member has. */
static void test_deaths_while_joining(void)
{
    struct peer restless[ROUNDS], keeper = start_member(), other = start_member();
    CHECK(member_create(&keeper, MEMBER_SIZE) == SCI_ERR_OK && member_make_available(&keeper, true) == SCI_ERR_OK);
    CHECK(member_connect(&keeper, WHILE) == SCI_ERR_OK);
    member_store(&keeper, 1, 1234);
    for (int i = 0; i < ROUNDS; i++) {
        restless[i] = start_peer(restless_member);
        listen_to(restless[i].channel);
        CHECK(member_create(&other, MEMBER_SIZE) == SCI_ERR_OK);
        CHECK(member_load(&other, 1) == 1234);
        peer_kill(&restless[i]);
        member_remove(&other);
    }
    CHECK(group_names() == 2);
    member_finish(&other);
    member_finish(&keeper);
}

/* A child that goes on without exec keeps no place, and does not keep the turn. */
static void test_fork(void)
{
    sci_desc_t sd = begin();
    sci_local_segment_t segment;
    OK(SCICreateSegment(sd, &segment, own_group(), PAGE, NULL, NULL, SCI_FLAG_BROADCAST, &error));
    int ends[2];
    CHECK(socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) == 0);
    pid_t pid = fork();
    CHECK(pid >= 0);
    if (pid == 0) {
        tell(ends[1], 1); /* the library has forgotten everything by now */
        listen_to(ends[1]);
        _exit(0);
    }
    listen_to(ends[0]);
    CHECK(group_names() == 1);
    OK(SCIRemoveSegment(segment, 0, &error));
    CHECK(group_names() == 0);
    tell(ends[0], 1);
    close(ends[0]);
    close(ends[1]);
    int status;
    CHECK(waitpid(pid, &status, 0) == pid && status == 0);
    end(sd);
}

static sci_desc_t joining_device;

static void *join_stopped(void *unused)
{
    sci_remote_segment_t remote;
    OK(SCIConnectSegment(joining_device, &remote, DIS_BROADCAST_NODEID_GROUP_ALL, own_group(), ADAPTER, NULL, NULL,
                         SCI_INFINITE_TIMEOUT, SCI_FLAG_BROADCAST, &error));
    return unused;
}

/* Children that are made while a thread joins, which goes on until the only member, which is stopped, goes on. */
static void test_forks_while_joining(void)
{
    struct peer stopped = start_member();
    CHECK(member_create(&stopped, MEMBER_SIZE) == SCI_ERR_OK && member_make_available(&stopped, true) == SCI_ERR_OK);
    CHECK(kill(stopped.pid, SIGSTOP) == 0 && waitpid(stopped.pid, NULL, WUNTRACED) == stopped.pid);
    joining_device = begin();
    pthread_t thread;
    CHECK(pthread_create(&thread, NULL, join_stopped, NULL) == 0);
    int ends[2];
    CHECK(socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) == 0);
    pid_t children[5];
    for (int i = 0; i < 5; i++) {
        while (group_names() < 2) /* the thread has the turn */
            sched_yield();
        children[i] = fork();
        CHECK(children[i] >= 0);
        if (children[i] == 0) {
            prctl(PR_SET_PDEATHSIG, SIGKILL);
            tell(ends[1], 1); /* the library has forgotten everything by now */
            pause();
            _exit(0);
        }
        listen_to(ends[0]);
    }
    close(ends[0]);
    close(ends[1]);
    CHECK(kill(stopped.pid, SIGCONT) == 0);
    pthread_join(thread, NULL);
    CHECK(group_names() == 2); /* the member's place and the thread's: no child has the turn */
    for (int i = 0; i < 5; i++)
        CHECK(kill(children[i], SIGKILL) == 0 && waitpid(children[i], NULL, 0) == children[i]);
    SCITerminate();
    member_finish(&stopped);
}

/* A process at a place that gives what is no memory of a group. */
static void test_false_member(void)
{
    sci_desc_t sd = begin();
    int listener = raw_group(own_group(), "3");
    sci_local_segment_t segment;
    /* Bound, but it does not listen: not a member. */
    OK(SCICreateSegment(sd, &segment, own_group(), PAGE, NULL, NULL, SCI_FLAG_BROADCAST, &error));
    OK(SCIRemoveSegment(segment, 0, &error));
    CHECK(listen(listener, 8) == 0);
    pid_t pid = fork(); /* the library is not initialised in the child */
    CHECK(pid >= 0);
    if (pid == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        const struct wire_answer answer = { .head = { .magic = WIRE_MAGIC, .version = WIRE_VERSION, .kind = WIRE_ANSWER },
                                            .status = SCI_ERR_OK, .flags = WIRE_AVAILABLE, .size = PAGE };
        for (int i = 0;; i++) {
            int socket = accept(listener, NULL, NULL);
            int fd = memfd_create("other", MFD_CLOEXEC); /* not sealed */
            CHECK(ftruncate(fd, PAGE) == 0);
            if (i % 2 == 0)
                try_packet(socket, &answer, sizeof answer, &fd, 1); /* if this comes late, the receiver has hung up */
            else
                try_packet(socket, "nonsense", 8, NULL, 0);
            close(fd);
            close(socket);
        }
    }
    for (int i = 0; i < 4; i++) {
        sci_remote_segment_t remote;
        EXPECT(SCI_ERR_SEGMENTID_USED,
               SCICreateSegment(sd, &segment, own_group(), PAGE, NULL, NULL, SCI_FLAG_BROADCAST, &error));
        EXPECT(SCI_ERR_CONNECTION_REFUSED, SCIConnectSegment(sd, &remote, DIS_BROADCAST_NODEID_GROUP_ALL, own_group(), ADAPTER,
                                                             NULL, NULL, WHILE, SCI_FLAG_BROADCAST, &error));
    }
    CHECK(kill(pid, SIGKILL) == 0 && waitpid(pid, NULL, 0) == pid);
    close(listener);
    OK(SCICreateSegment(sd, &segment, own_group(), PAGE, NULL, NULL, SCI_FLAG_BROADCAST, &error));
    OK(SCIRemoveSegment(segment, 0, &error));
    end(sd);
}

/* A process that holds the turn and does not go on: others give up in time, and go on when it has died. */
static void test_turn(void)
{
    sci_desc_t sd = begin();
    for (int listens = 0; listens < 2; listens++) {
        int turn = raw_group(own_group(), "turn");
        if (listens)
            CHECK(listen(turn, 8) == 0);
        sci_remote_segment_t remote;
        EXPECT(SCI_ERR_TIMEOUT, SCIConnectSegment(sd, &remote, DIS_BROADCAST_NODEID_GROUP_ALL, own_group(), ADAPTER, NULL, NULL,
                                                  LITTLE, SCI_FLAG_BROADCAST, &error));
        close(turn);
        EXPECT(SCI_ERR_NO_SUCH_SEGMENT, SCIConnectSegment(sd, &remote, DIS_BROADCAST_NODEID_GROUP_ALL, own_group(), ADAPTER,
                                                          NULL, NULL, WHILE, SCI_FLAG_BROADCAST, &error));
    }
    end(sd);
}

int main(void)
{
    own_group();
    test_deaths();
    test_stopped();
    test_all_at_once();
    test_deaths_while_joining();
    test_fork();
    test_forks_while_joining();
    test_false_member();
    test_turn();
    CHECK(group_names() == 0);
    return 0;
}

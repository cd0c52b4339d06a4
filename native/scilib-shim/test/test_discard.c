/*
 * An exporter answers with descriptors that take long to close: only one thread of the library waits for that. If exporters
 * go on doing so, the library refuses to connect until the descriptors are closed. The same with a process that asks a member
 * of a broadcast group for its memory. Linked with the build of the library in which calls can fail.
 */
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "check.h"
#include "failures.h"
#include "raw.h"

enum { FAKE = 0xfa, MANY = 40, ANSWERS_MAX = 100 };

static unsigned int node;
static sci_desc_t sd;
static int listener;
static int threads; /* without the one that closes */

/* The descriptors of the fake exporter's next answer; it closes its own copies. */
static int bag[MANY];
static size_t bag_size;

/* What the fake exporter sends just before its answer. */
static enum { NOTHING, EMPTY_PACKETS, TRUE_ANSWER } preface;

static int memory(void)
{
    int fd = memfd_create("test", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    CHECK(ftruncate(fd, PAGE) == 0 && fcntl(fd, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) == 0);
    return fd;
}

static void *answer(void *unused)
{
    struct wire_answer word = { .head = { .magic = WIRE_MAGIC, .version = WIRE_VERSION, .kind = WIRE_ANSWER },
                                .size = PAGE };
    struct wire_request request;
    (void)unused;
    for (int socket; (socket = accept4(listener, NULL, NULL, SOCK_CLOEXEC)) >= 0;) {
        CHECK(recv(socket, &request, sizeof request, 0) == sizeof request);
        for (int i = 0; i < 3 && preface == EMPTY_PACKETS; i++)
            send_packet(socket, "", 0, NULL, 0);
        if (preface == TRUE_ANSWER) {
            int fd = memory();
            send_packet(socket, &word, sizeof word, &fd, 1);
            close(fd);
        }
        send_packet(socket, &word, sizeof word, bag, bag_size);
        for (; bag_size > 0; bag_size--)
            close(bag[bag_size - 1]);
        close(socket);
        let_receive();
    }
    return NULL;
}

static sci_error_t connect_once(void)
{
    sci_error_t outcome = (sci_error_t)-1;
    sci_remote_segment_t remote;
    hold_receives(); /* until the exporter has closed its copies: the last close must be the library's */
    SCIConnectSegment(sd, &remote, node, FAKE, ADAPTER, NULL, NULL, WHILE, 0, &outcome);
    let_receive();
    if (outcome == SCI_ERR_OK)
        OK(SCIDisconnectSegment(remote, 0, &error));
    return outcome;
}

static void fill_lingering(int *peers, size_t count)
{
    for (bag_size = 0; bag_size < count; bag_size++)
        bag[bag_size] = lingering(&peers[bag_size]);
}

static void fill_memory(void)
{
    bag[0] = memory();
    bag_size = 1;
}

/* Closes with unread bytes, which ends the lingering. */
static void close_peers(const int *peers, size_t count)
{
    for (size_t i = 0; i < count; i++)
        close(peers[i]);
}

static void await_end_of_closing(int descriptors)
{
    await_descriptors(descriptors);
    await_threads(threads);
}

static void test_one_too_many(void)
{
    int descriptors = open_descriptors(), peer;
    fill_memory();
    bag[bag_size++] = lingering(&peer);
    EXPECT(SCI_ERR_CONNECTION_REFUSED, error = connect_once());
    close(peer);
    await_end_of_closing(descriptors);
}

static void test_many_answers(void)
{
    int descriptors = open_descriptors(), peers[MANY], refused = 0;
    fill_lingering(peers, MANY);
    EXPECT(SCI_ERR_CONNECTION_REFUSED, error = connect_once());
    sci_error_t outcome;
    do {
        CHECK(++refused < ANSWERS_MAX);
        bag_size = MANY;
        for (size_t i = 0; i < bag_size; i++)
            bag[i] = open("/dev/null", O_RDWR | O_CLOEXEC); /* it waits behind those that linger */
        outcome = connect_once();
        CHECK(own_threads() <= threads + 1);
        CHECK(open_descriptors() <= descriptors + 2 * MANY + 2 * (refused + 1));
    } while (outcome == SCI_ERR_CONNECTION_REFUSED);
    CHECK(outcome == SCI_ERR_SYSTEM && strncmp(SCIShimFailure(), "close: ", 7) == 0);
    for (; bag_size > 0; bag_size--) /* the library has not asked for it */
        close(bag[bag_size - 1]);

    close_peers(peers, MANY);
    await_end_of_closing(descriptors);
    fill_memory();
    OK(error = connect_once());
    CHECK(own_threads() == threads); /* no thread for what can be closed at once */
    printf("%d answers, then no more\n", refused);
}

/* Descriptors in packets that the library doesn't read: behind empty packets, and behind a correct answer. */
static void test_unread(void)
{
    int descriptors = open_descriptors(), peers[2];
    fill_lingering(peers, 2);
    preface = EMPTY_PACKETS;
    EXPECT(SCI_ERR_NO_SUCH_SEGMENT, error = connect_once());
    close_peers(peers, 2);
    await_end_of_closing(descriptors);
    fill_lingering(peers, 2);
    preface = TRUE_ANSWER; /* the library's thread gets what follows, under the library's lock */
    OK(error = connect_once());
    OK(SCIRemoveSegment(export_segment(sd, FAKE + 1, PAGE, NULL, NULL), 0, &error));
    preface = NOTHING;
    close_peers(peers, 2);
    await_end_of_closing(descriptors);
}

static void test_no_thread(void)
{
    int descriptors = open_descriptors(), peers[2];
    fail_always("pthread_create");
    fill_lingering(peers, 2);
    EXPECT(SCI_ERR_CONNECTION_REFUSED, error = connect_once());
    CHECK(own_threads() == threads && open_descriptors() == descriptors + 2 /* peers */ + 2);
    fail_always(NULL);
    fill_memory();
    OK(error = connect_once()); /* starts the thread that could not be started before */
    CHECK(own_threads() == threads + 1);
    close_peers(peers, 2);
    await_end_of_closing(descriptors);
}

enum { GROUP_ID = 0xfb };

static int asker;

/* Runs in the library's thread, which accepts the asker afterwards, so that its packet is there then. */
static void ask_with_lingering(void)
{
    asker = raw_join(GROUP_ID, "0");
    send_packet(asker, "", 0, bag, bag_size);
    for (; bag_size > 0; bag_size--)
        close(bag[bag_size - 1]);
}

/* The member answers, and hangs up with the packet unread. */
static void test_asker_of_a_group(void)
{
    sci_local_segment_t member;
    int descriptors = open_descriptors(), peer;
    fail_always("setsockopt"); /* as on a kernel before Linux 6.16: descriptors are not refused */
    OK(SCICreateSegment(sd, &member, GROUP_ID, PAGE, NULL, NULL, SCI_FLAG_BROADCAST, &error));
    fail_always(NULL);
    fill_lingering(&peer, 1);
    when_fetched(ask_with_lingering);
    close(raw_join(GROUP_ID, "0")); /* an event for the library's thread */
    wait_after_fetched();
    struct wire_answer word;
    CHECK(recv(asker, &word, sizeof word, 0) == sizeof word && word.status == SCI_ERR_OK && word.size == PAGE);
    CHECK(recv(asker, &word, sizeof word, 0) == 0);
    OK(SCIRemoveSegment(member, 0, &error)); /* it needs the library's lock */
    CHECK(own_threads() == threads + 1);
    close(asker);
    close(peer);
    await_end_of_closing(descriptors);
}

/* SCITerminate does not wait for a close, and does not forget the waiting descriptors. */
static void test_end(void)
{
    int descriptors = open_descriptors(), peer;
    fail_always("pthread_create");
    fill_lingering(&peer, 1);
    EXPECT(SCI_ERR_CONNECTION_REFUSED, error = connect_once());
    fail_always(NULL);
    OK(SCIClose(sd, 0, &error));
    SCITerminate();
    close(peer);
    await_descriptors(descriptors - 3); /* the library's own: its node's, its thread's epoll and eventfd */
}

int main(void)
{
    node = use_own_node();
    sd = begin();
    OK(SCIRemoveSegment(export_segment(sd, FAKE, PAGE, NULL, NULL), 0, &error)); /* the library's thread runs from now on */
    struct sockaddr_un address;
    socklen_t length;
    pthread_t thread;
    listener = raw_socket(&address, &length, node, FAKE);
    CHECK(bind(listener, (struct sockaddr *)&address, length) == 0 && listen(listener, 8) == 0);
    CHECK(pthread_create(&thread, NULL, answer, NULL) == 0);
    threads = own_threads();
    test_one_too_many();
    test_many_answers();
    test_unread();
    test_no_thread();
    test_asker_of_a_group();
    test_end();
    shutdown(listener, SHUT_RDWR);
    pthread_join(thread, NULL);
    close(listener);
    return 0;
}

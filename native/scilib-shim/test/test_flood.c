/*
 * Processes that do nothing but trigger an interrupt: one of this user, and as root one of another user, whose triggers are
 * ignored. The test prints the processor time that this takes there and here.
 */
#include <errno.h>
#include <inttypes.h>
#include <poll.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "check.h"
#include "raw.h"

enum { STRANGER = 12345 };

static unsigned int node;
static unsigned int rings = 300000;

static uint64_t cpu_micros(void)
{
    struct timespec used;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
    return (uint64_t)used.tv_sec * 1000000 + (uint64_t)used.tv_nsec / 1000;
}

/* Without the library, which would trigger less often in the same time. */
static void ring(int channel)
{
    int socket = raw_interrupt(node, (unsigned int)listen_to(channel));
    uint64_t before = cpu_micros();
    for (unsigned int i = 0; i < rings; i++)
        CHECK(send(socket, "", 1, MSG_DONTWAIT | MSG_NOSIGNAL) == 1 || errno == EAGAIN);
    tell(channel, cpu_micros() - before);
    close(socket);
}

static void ring_as_stranger(int channel)
{
    CHECK(setresuid(STRANGER, STRANGER, STRANGER) == 0);
    ring(channel);
}

static void test_flood(sci_desc_t sd, const char *whose, struct peer *peer)
{
    sci_local_interrupt_t in;
    sci_remote_interrupt_t out;
    unsigned int number = 0, wakeups = 0;
    OK(SCICreateInterrupt(sd, &in, ADAPTER, &number, NULL, NULL, 0, &error));
    OK(SCIConnectInterrupt(sd, &out, node, ADAPTER, number, WHILE, 0, &error));

    struct pollfd events[] = { { .fd = SCIShimInterruptDescriptor(in), .events = POLLIN },
                               { .fd = peer->channel, .events = POLLIN } };
    uint64_t before = cpu_micros();
    tell(peer->channel, number);
    for (;;) {
        CHECK(poll(events, 2, WHILE) > 0);
        if (events[0].revents == 0)
            break; /* all triggers are taken, and the other process has reported its time */
        SCIShimAcknowledgeInterrupt(in);
        wakeups++;
    }
    uint64_t here = cpu_micros() - before, theirs = listen_to(peer->channel);
    printf("%u rings of %s took it %" PRIu64 " us of processor time, and here %" PRIu64 " us, for %u wake-ups\n", rings, whose,
           theirs, here, wakeups);

    /* A single trigger wakes a wait as before. */
    OK(SCITriggerInterrupt(out, 0, &error));
    OK(SCIWaitForInterrupt(in, WHILE, 0, &error));
    OK(SCIDisconnectInterrupt(out, 0, &error));
    OK(SCIRemoveInterrupt(in, 0, &error));
    peer_finish(peer);
}

int main(void)
{
    node = use_own_node();
    if (getenv("UNDER_VALGRIND") != NULL)
        rings /= 100;
    struct peer user = start_peer(ring), stranger = { 0 };
    if (geteuid() == 0)
        stranger = start_peer(ring_as_stranger);
    sci_desc_t sd = begin();
    test_flood(sd, "a process of this user", &user);
    if (geteuid() == 0)
        test_flood(sd, "a process of another user", &stranger);
    else
        printf("no other user's, which takes root\n");
    end(sd);
    return 0;
}

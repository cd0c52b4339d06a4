/*
 * A message-passing layer in the style of MPI's over MX, between three and four processes, again and again: unexpected messages,
 * headers on the stack, probes by length, any source and tag, and requests that are given away when they are buffered.
 *
 * usage: test_layer [RUNS [shared|apart NAMESPACE...]]
 * Each run starts all processes anew. They enter these network namespaces (files such as /run/netns/NAME) in turn. They share IPC,
 * which is System V's and /dev/shm, or each process has its own.
 */
#include "check.h"

#include <fcntl.h>
#include <sched.h>
#include <string.h>
#include <sys/mount.h>
#include <unistd.h>

enum {
    RANKS_MAX = 4,
    ROUNDS = 20,
    EACH = 12,     /* messages of a round to each other rank */
    LARGE = 70000, /* is fetched when a receive has matched it */
    PENDING_MAX = 4096,
    BARRIER = 0xffff
};

/* What a message begins with. The layer keeps it on its stack. */
struct header {
    uint32_t source, tag, number, length;
};

struct pending {
    mx_request_t request;
    unsigned char *bytes;
};

static mx_endpoint_t endpoint;
static mx_endpoint_addr_t others[RANKS_MAX];
static uint32_t rank, ranks;
static struct pending pending[PENDING_MAX];
static unsigned int pendings;
static const char *network; /* the namespace that the process to be started next enters; NULL: it stays where it is */
static bool apart;

static uint64_t bits(uint32_t source, uint32_t tag)
{
    return (uint64_t)1 << 63 | (uint64_t)source << 32 | tag;
}

#define ANY_SOURCE (~((uint64_t)0x7fffffff << 32))

/* Frees the memory of sends that are complete. */
static void tidy(void)
{
    for (unsigned int i = 0; i < pendings;) {
        mx_status_t status;
        uint32_t done;
        OK(mx_test(endpoint, &pending[i].request, &status, &done));
        if (!done) {
            i++;
            continue;
        }
        CHECK_STATUS(MX_STATUS_SUCCESS, status);
        free(pending[i].bytes);
        pending[i] = pending[--pendings];
    }
}

/* Sends the header and the bytes, which the call takes over. Returns at once. */
static void post(uint32_t to, uint32_t tag, uint32_t number, unsigned char *bytes, uint32_t length)
{
    struct header header = { rank, tag, number, length };
    mx_segment_t segments[] = { { &header, sizeof header }, { bytes, length } };
    mx_request_t request;
    uint32_t buffered;
    if (length + sizeof header > 128) { /* the header must outlive this call */
        struct header *copy = malloc(sizeof header + length);
        CHECK(copy != NULL);
        *copy = header;
        memcpy(copy + 1, bytes, length);
        free(bytes);
        bytes = (unsigned char *)copy;
        segments[0] = (mx_segment_t){ copy, (uint32_t)sizeof header + length };
    }
    bool whole = segments[0].segment_ptr == bytes;
    OK(mx_isend(endpoint, segments, whole ? 1 : 2, others[to], bits(rank, tag), NULL, &request));
    OK(mx_ibuffered(endpoint, &request, &buffered));
    CHECK(buffered || whole);
    if (buffered) {
        OK(mx_forget(endpoint, &request));
        free(bytes);
    } else {
        CHECK(pendings < PENDING_MAX);
        pending[pendings++] = (struct pending){ request, bytes };
    }
    memset(&header, 0x55, sizeof header);
}

/* Waits for a message, finds out its length by a probe, and receives exactly it. Returns its header, and its bytes. */
static struct header take(uint64_t match, uint64_t mask, unsigned char **bytes)
{
    mx_status_t found, status;
    uint32_t result = 0;
    for (double since = milliseconds(); !result;) {
        OK(mx_iprobe(endpoint, match, mask, &found, &result));
        CHECK(milliseconds() - since < WHILE);
        if (!result) { /* as a program that yields while it waits */
            tidy();
            OK(mx_probe(endpoint, 10, match, mask, &found, &result));
        }
    }
    struct header header;
    uint32_t length = found.xfer_length - (uint32_t)sizeof header;
    *bytes = malloc(length + 1);
    CHECK(*bytes != NULL);
    mx_segment_t segments[] = { { &header, sizeof header }, { *bytes, length } };
    mx_request_t request;
    OK(mx_irecv(endpoint, segments, 2, found.match_info, MX_MATCH_MASK_NONE, NULL, &request));
    status = await(endpoint, &request);
    CHECK_STATUS(MX_STATUS_SUCCESS, status);
    CHECK(status.msg_length == found.xfer_length && header.length == length);
    CHECK(bits(header.source, header.tag) == found.match_info);
    CHECK(memcmp(&status.source, &others[header.source], sizeof status.source) == 0);
    return header;
}

/* A message of each other rank to each other rank: nobody leaves before all have come. */
static void barrier(uint32_t number)
{
    for (uint32_t other = 0; other < ranks; other++)
        if (other != rank)
            post(other, BARRIER, number, NULL, 0);
    for (uint32_t other = 0; other < ranks; other++) {
        unsigned char *bytes;
        if (other == rank)
            continue;
        CHECK(take(bits(other, BARRIER), MX_MATCH_MASK_NONE, &bytes).number == number);
        free(bytes);
    }
}

static uint64_t seed_of(uint32_t source, uint32_t to, uint32_t number)
{
    return ((uint64_t)source * RANKS_MAX + to) * 100003 + number;
}

static uint32_t length_of(uint64_t seed)
{
    static const uint32_t lengths[] = { 0, 4, 100, 112, 113, 500, 9000, LARGE };
    return lengths[seed * 2654435761u % 4294967296u >> 29];
}

/*
 * Each rank sends to all others, long before anybody receives. Then it receives from anyone, each second round first the last
 * tag, and checks contents, and the order of each source's messages of one tag.
 */
static void exchange(uint32_t round)
{
    uint32_t next[RANKS_MAX][2];
    for (uint32_t i = 0; i < EACH; i++) {
        for (uint32_t other = 0; other < ranks; other++) {
            uint32_t number = round * EACH + i;
            uint64_t seed = seed_of(rank, other, number);
            if (other != rank)
                post(other, i % 2, number, filled(length_of(seed), seed), length_of(seed));
        }
    }
    for (uint32_t other = 0; other < ranks; other++)
        for (uint32_t tag = 0; tag < 2; tag++)
            next[other][tag] = round * EACH + tag;
    for (uint32_t i = 0; i < EACH * (ranks - 1); i++) {
        unsigned char *bytes;
        bool of_tag = round % 2 == 1 && i < EACH / 2 * (ranks - 1);
        struct header header = of_tag            ? take(bits(0, 1), ANY_SOURCE, &bytes)
                               : round % 2 == 1 ? take(bits(0, 0), ANY_SOURCE, &bytes)
                                                : take(bits(0, 0), ANY_SOURCE & ~(uint64_t)1, &bytes);
        CHECK(header.source < ranks && header.source != rank && header.tag < 2 && (!of_tag || header.tag == 1));
        CHECK(header.number == next[header.source][header.tag]);
        next[header.source][header.tag] += 2;
        uint64_t seed = seed_of(header.source, rank, header.number);
        CHECK(header.length == length_of(seed) && is_filled(bytes, header.length, seed));
        free(bytes);
    }
    barrier(round);
}

static void enter_namespaces(void)
{
    if (network == NULL)
        return;
    int file = open(network, O_RDONLY | O_CLOEXEC);
    CHECK(file >= 0 && setns(file, CLONE_NEWNET) == 0);
    close(file);
    CHECK(unshare(CLONE_NEWNS | (apart ? CLONE_NEWIPC : 0)) == 0);
    CHECK(mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) == 0);
    CHECK(mount("none", "/sys", "sysfs", 0, NULL) == 0); /* UCX looks there for the namespace's interfaces */
    CHECK(!apart || mount("none", "/dev/shm", "tmpfs", 0, NULL) == 0);
}

/* A rank learns its number, how many there are, and where the others are. */
static void play(int channel)
{
    enter_namespaces();
    begin();
    endpoint = open_any();
    tell(channel, nic_of(endpoint));
    tell(channel, id_of(endpoint));
    rank = (uint32_t)listen_to(channel);
    ranks = (uint32_t)listen_to(channel);
    for (uint32_t other = 0; other < ranks; other++) {
        uint64_t nic = listen_to(channel);
        uint32_t id = (uint32_t)listen_to(channel);
        if (other != rank)
            OK(mx_connect(endpoint, nic, id, KEY, WHILE, &others[other]));
    }
    tell(channel, 0);
    attend_to(channel, endpoint); /* all are connected */
    for (uint32_t round = 0; round < ROUNDS; round++)
        exchange(round);
    for (double since = milliseconds(); pendings > 0; tidy())
        CHECK(milliseconds() - since < WHILE);
    tell(channel, 0);
    attend_to(channel, endpoint);
    end(endpoint);
}

static void run(uint32_t count, char **networks, int different)
{
    struct peer peers[RANKS_MAX];
    uint64_t nics[RANKS_MAX], ids[RANKS_MAX];
    for (uint32_t i = 0; i < count; i++) {
        network = different > 0 ? networks[i % (uint32_t)different] : NULL;
        peers[i] = start_peer(play);
    }
    for (uint32_t i = 0; i < count; i++) {
        nics[i] = listen_to(peers[i].channel);
        ids[i] = listen_to(peers[i].channel);
    }
    for (uint32_t i = 0; i < count; i++) {
        tell(peers[i].channel, i);
        tell(peers[i].channel, count);
        for (uint32_t other = 0; other < count; other++) {
            tell(peers[i].channel, nics[other]);
            tell(peers[i].channel, ids[other]);
        }
    }
    for (int step = 0; step < 2; step++) { /* connected; done */
        for (uint32_t i = 0; i < count; i++)
            listen_to(peers[i].channel);
        for (uint32_t i = 0; i < count; i++)
            tell(peers[i].channel, 0);
    }
    for (uint32_t i = 0; i < count; i++)
        peer_finish(&peers[i]);
}

int main(int argc, char **argv)
{
    need_mx();
    int runs = argc > 1 ? atoi(argv[1]) : 6;
    int different = argc > 3 ? argc - 3 : 0;
    apart = different > 0 && strcmp(argv[2], "apart") == 0;
    for (int i = 0; i < runs; i++)
        run(3 + (uint32_t)i % 2, argv + 3, different);
    printf("%d runs\n", runs);
    return 0;
}

/*
 * What SCIStoreBarrier promises, between two processes. A process that sees a store made after the barrier sees the stores
 * made before it. If each of two processes stores, passes the barrier and loads the other's word, at least one of them sees
 * the other's store.
 */
#include <sched.h>
#include <time.h>

#include "check.h"

enum { ROUNDS = 100000, SECONDS = 3 /* at most, if other programs use the processors */ };
enum { WORDS = 16, DELAYS = 200, FIRST = 1, SECOND = 2 };

/*
 * Each process has such a segment, and writes to the other process's, as on a card: write remote, read local.
 *
 *   0       64       128    192             256
 *   phase | stored | seen | message, words  | last
 */
struct box {
    _Alignas(64) volatile uint32_t phase; /* the writer's progress: three steps a round */
    _Alignas(64) volatile uint32_t stored;
    _Alignas(64) volatile uint32_t seen; /* what the writer has loaded from "stored" */
    _Alignas(64) volatile uint32_t message[WORDS];
    _Alignas(64) volatile uint32_t last; /* last round; the first process may lower it to the round that it begins */
};

static unsigned int node;

static void await(const struct box *in, uint32_t phase)
{
    for (unsigned int spins = 1; in->phase < phase; spins++)
        if (spins % 1000 == 0)
            sched_yield(); /* the other process may need this processor */
    __atomic_thread_fence(__ATOMIC_ACQUIRE);
}

static void meet(struct box *out, const struct box *in, uint32_t phase, sci_sequence_t sequence)
{
    SCIStoreBarrier(sequence, 0);
    out->phase = phase;
    await(in, phase);
}

static void play(struct box *out, const struct box *in, sci_sequence_t sequence, bool decides)
{
    time_t end = time(NULL) + SECONDS;
    const volatile uint32_t *last = decides ? &out->last : &in->last;
    for (uint32_t round = 1; round <= *last; round++) {
        for (int i = 0; i < WORDS; i++)
            out->message[i] = round;
        if (decides && time(NULL) >= end)
            out->last = round;
        meet(out, in, 3 * round, sequence);
        for (int i = 0; i < WORDS; i++)
            CHECK(in->message[i] == round);

        for (volatile uint32_t i = decides ? round % DELAYS : 0; i > 0; i--)
            continue; /* the process that came first to the meeting leaves it later */
        out->stored = round;
        SCIStoreBarrier(sequence, 0);
        uint32_t seen = in->stored;
        out->seen = seen;
        meet(out, in, 3 * round + 1, sequence);
        CHECK(seen == round || in->seen == round);
        meet(out, in, 3 * round + 2, sequence);
    }
}

static void run(int channel, unsigned int own, unsigned int other)
{
    sci_desc_t sd = begin();
    sci_remote_segment_t remote;
    sci_map_t to, from;
    sci_sequence_t sequence;
    sci_local_segment_t local = export_segment(sd, own, sizeof(struct box), NULL, NULL);
    struct box *in;
    volatile void *out;
    OK(in = SCIMapLocalSegment(local, &from, 0, sizeof *in, NULL, SCI_FLAG_READONLY_MAP, &error));
    tell(channel, 1);
    listen_to(channel);
    OK(SCIConnectSegment(sd, &remote, node, other, ADAPTER, NULL, NULL, WHILE, 0, &error));
    OK(out = SCIMapRemoteSegment(remote, &to, 0, sizeof *in, NULL, 0, &error));
    OK(SCICreateMapSequence(to, &sequence, 0, &error));
    ((volatile struct box *)out)->last = ROUNDS;
    tell(channel, 2);
    listen_to(channel);
    play((struct box *)out, in, sequence, own == FIRST);
    OK(CHECK(SCICheckSequence(sequence, 0, &error) == SCI_SEQ_OK));
    tell(channel, 3);
    listen_to(channel); /* the other process has made its check, too */
    OK(SCIRemoveSequence(sequence, 0, &error));
    OK(SCIUnmapSegment(to, 0, &error));
    OK(SCIDisconnectSegment(remote, 0, &error));
    OK(SCIUnmapSegment(from, 0, &error));
    OK(SCIRemoveSegment(local, SCI_FLAG_FORCE_REMOVE, &error));
    OK(SCIClose(sd, 0, &error));
    SCITerminate();
}

static void other_side(int channel)
{
    run(channel, SECOND, FIRST);
}

int main(void)
{
    node = use_own_node();
    struct peer peer = start_peer(other_side);
    run(peer.channel, FIRST, SECOND);
    peer_finish(&peer);
    return 0;
}

/*
 * The other end writes random values into the memory. Each call of the ring must end, and return a number that its caller
 * can use, or RING_CORRUPT. The seed is printed; as an argument it repeats a failure.
 */
#include <string.h>
#include <time.h>

#include "check.h"
#include "ring.h"

enum { WINDOW = INBOX_WINDOW_MIN, ROUNDS = 3000, STEPS = 100, LONGEST = 2 * WINDOW };

static struct inbox *receivers, *senders;
static struct ring_sender sender;
static struct ring_receiver receiver;
static unsigned char buffer[LONGEST];
static uint64_t state;

static uint64_t random64(void)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state;
}

static size_t below(size_t limit)
{
    return (size_t)(random64() % limit);
}

static void begin_round(void)
{
    memset(receivers, 0, INBOX_PAGE + WINDOW);
    memset(senders, 0, INBOX_PAGE);
    ring_sender_init(&sender, receivers, senders, WINDOW);
    ring_receiver_init(&receiver, receivers, WINDOW);
    ring_receiver_attach(&receiver, senders);
}

static bool within(int64_t outcome, size_t most)
{
    CHECK(outcome >= RING_CORRUPT && outcome <= (int64_t)most);
    return outcome != RING_CORRUPT;
}

/* Makes a random call. False: the call has noticed a forged value. */
static bool use(void)
{
    size_t size = 1 + below(below(2) == 0 ? 100 : LONGEST - 1);
    switch (below(6)) {
    case 0:
        ring_zero_ahead(&sender);
        return within(ring_send(&sender, buffer, size), size);
    case 1:
        return within(ring_send(&sender, buffer, size), size);
    case 2:
    case 3:
        return within(ring_receive(&receiver, buffer, size), size);
    case 4:
        ring_has_news(&receiver);
        ring_take_published(&receiver);
        return within(ring_available(&receiver, INT64_MAX), 2 * WINDOW);
    default:
        return within(ring_fits(&sender, (int64_t)size), 1) && within(ring_room(&sender), WINDOW);
    }
}

static void lie(void)
{
    _Atomic int64_t *word = below(3) == 0 ? &senders->head
                                          : (void *)(receivers->ring + below(WINDOW / INBOX_LINE) * INBOX_LINE);
    switch (below(7)) {
    case 0: *word = (int64_t)random64(); break;
    case 1: *word = INT64_MIN + (int64_t)below(3); break;
    case 2: *word = INT64_MAX - (int64_t)below(3); break;
    case 3: *word = (int64_t)INT32_MAX + (int64_t)below(3) - 1; break;
    case 4: *word = (int64_t)below(2 * WINDOW); break;
    case 5: *word = (int64_t)below(4) - 2; break;
    default: *word += (int64_t)below(2 * INBOX_PAGE) - INBOX_PAGE / 2; break;
    }
}

int main(int argc, char **argv)
{
    uint64_t seed = argc > 1 ? strtoull(argv[1], NULL, 10) : (uint64_t)time(NULL);
    printf("seed %llu\n", (unsigned long long)seed);
    fflush(stdout);
    receivers = aligned_alloc(INBOX_PAGE, INBOX_PAGE + WINDOW);
    senders = aligned_alloc(INBOX_PAGE, INBOX_PAGE);
    CHECK(receivers != NULL && senders != NULL);
    state = seed * 2 + 1;
    int noticed = 0;
    for (int round = 0; round < ROUNDS; round++) {
        begin_round();
        bool fine = true;
        for (int step = 0; fine && step < STEPS; step++) {
            if (below(3) == 0)
                lie();
            else
                fine = use();
        }
        noticed += !fine;
    }
    CHECK(noticed > ROUNDS / 2);
    free(receivers);
    free(senders);
    return 0;
}

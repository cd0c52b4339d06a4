/*
 * When a thread that looks again and again for news should let other threads have its core, as an algorithm: it knows times, not
 * threads. All times are those of clock_us, in microseconds.
 *
 * The news comes from another process. If that process waits for the very core that the thread holds, the thread looks in vain
 * until the kernel takes the core away, after some milliseconds. So a thread that has looked in vain for a while yields its core.
 * If only the other process wants the core, this is the fastest way to the news. But if a program that computes wants it too, the
 * thread gets the core back after a whole slice of time. After such a loss it rests: it does not yield for a multiple of the time
 * that was lost.
 */
#ifndef SHIM_CORE_SPIN_H
#define SHIM_CORE_SPIN_H

#include <stdbool.h>
#include <stdint.h>

enum {
    SPIN_US = 5,       /* of looks in vain, until the first yield and between two; a yield of a core that nobody wants takes 0.4 */
    SPIN_GAP_US = 20,  /* between two looks: the program does something else meanwhile, and needs its core for that */
    SPIN_LOSS_US = 500, /* another process that waits for news, too, gives the core back sooner than this */
    SPIN_PAUSE_US = 20000, /* longer than any slice of time: after that the process or the machine was stopped, which says nothing */
    SPIN_REST = 16     /* so many times what was lost: programs that compute take at most a part in 16 of the time by yields */
};

struct spin {
    uint64_t since; /* when the looks in vain began, or the last yield ended */
    uint64_t last;  /* the last look in vain; 0: none since the last news */
    uint64_t rest;  /* the end of the rest */
};

/* A look has found news. */
static inline void spin_news(struct spin *spin)
{
    spin->last = 0;
}

static inline bool spin_rests(const struct spin *spin, uint64_t now)
{
    return now < spin->rest;
}

/* A look at this time has found nothing. True: the thread should yield its core now, and call spin_yielded. */
static inline bool spin_in_vain(struct spin *spin, uint64_t now)
{
    if (spin->last == 0 || now - spin->last > SPIN_GAP_US)
        spin->since = now;
    spin->last = now;
    return now - spin->since >= SPIN_US && !spin_rests(spin, now);
}

/* The thread has yielded its core, and has it back. */
static inline void spin_yielded(struct spin *spin, uint64_t from, uint64_t to)
{
    spin->since = spin->last = to;
    if (to - from >= SPIN_LOSS_US && to - from < SPIN_PAUSE_US)
        spin->rest = to + (to - from) * SPIN_REST;
}

#endif

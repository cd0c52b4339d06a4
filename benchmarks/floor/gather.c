/*
 * One core copies a vector of 1,000 blocks into one piece, from warm memory. Each block begins two blocks' lengths behind the one
 * before. Beside `copy`, which copies as many bytes that lie in one piece already, it shows what the gaps cost by themselves: no
 * program that sends such a vector can do with less.
 */
#include "floor.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

enum { BLOCKS = 1000, STRIDE = 2 /* blocks' lengths */ };

struct gather {
  unsigned char *from, *to;
  size_t block; /* bytes */
};

static void fill(void *context, unsigned seed) {
  struct gather *g = context;
  const size_t bytes = BLOCKS * g->block;
  floor_fill_pattern(g->to, bytes, seed);
  for (size_t i = 0; i < BLOCKS; i++) memcpy(g->from + STRIDE * i * g->block, g->to + i * g->block, g->block);
  memset(g->to, 0, bytes);
}

/* Inline, so that the compiler makes a loop without calls for each length that the caller names by a constant. */
static inline __attribute__((always_inline)) void blocks(const struct gather *g, size_t length) {
  for (size_t i = 0; i < BLOCKS; i++) memcpy(g->to + i * length, g->from + STRIDE * i * length, length);
}

static void run(void *context, uint64_t rounds) {
  struct gather *g = context;
  for (uint64_t i = 0; i < rounds; i++) {
    switch (g->block) {
      case 8: blocks(g, 8); break;
      case 32: blocks(g, 32); break;
      case 128: blocks(g, 128); break;
      default: blocks(g, g->block); break;
    }
    __asm__ volatile("" : : "r"(g->to) : "memory"); /* or the compiler may make one copy for all rounds */
  }
}

static void check(void *context, unsigned seed, uint64_t rounds) {
  struct gather *g = context;
  (void)rounds;
  errno = 0;
  if (!floor_pattern_arrived(g->to, BLOCKS * g->block, seed, 0)) floor_fail("the copy differs");
}

int main(int argc, char **argv) {
  const struct options options = floor_options(argc, argv);
  errno = 0;
  if (options.bytes % BLOCKS) floor_fail("--bytes: a vector has 1,000 blocks, so allowed are multiples of 1000");
  struct gather g = {.from = floor_buffer(STRIDE * options.bytes), .to = floor_buffer(options.bytes), .block = options.bytes / BLOCKS};
  const struct trials trials = {.fill = fill, .run = run, .check = check, .context = &g};
  const struct timing one = floor_measure(&trials, options.seconds);
  printf("floor program=gather bytes=%zu ns=%.2f least_ns=%.2f trials=%d\n", options.bytes, one.median * 1e9, one.least * 1e9,
         one.trials);
  printf("%d blocks of %zu bytes: %.3f us (median of %d trials, copy checked)\n", BLOCKS, g.block, one.median * 1e6, one.trials);
  return 0;
}

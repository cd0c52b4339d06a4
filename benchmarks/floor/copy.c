/* One core copies a warm buffer. Any transport between processes spends of this bandwidth, once for each copy that it makes. */
#include "floor.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

struct copy {
  unsigned char *from, *to;
  size_t bytes;
};

static void fill(void *context, unsigned seed) {
  struct copy *c = context;
  floor_fill_pattern(c->from, c->bytes, seed);
  memset(c->to, 0, c->bytes);
}

static void run(void *context, uint64_t rounds) {
  struct copy *c = context;
  for (uint64_t i = 0; i < rounds; i++) {
    memcpy(c->to, c->from, c->bytes);
    __asm__ volatile("" : : "r"(c->to) : "memory"); /* or the compiler may make one copy for all rounds */
  }
}

static void check(void *context, unsigned seed, uint64_t rounds) {
  struct copy *c = context;
  (void)rounds;
  errno = 0;
  if (!floor_pattern_arrived(c->to, c->bytes, seed, 0)) floor_fail("the copy differs");
}

int main(int argc, char **argv) {
  const struct options options = floor_options(argc, argv);
  struct copy c = {.from = floor_buffer(options.bytes), .to = floor_buffer(options.bytes), .bytes = options.bytes};
  const struct trials trials = {.fill = fill, .run = run, .check = check, .context = &c};
  const struct timing one = floor_measure(&trials, options.seconds);
  const double megabytes = (double)options.bytes / one.median * 1e-6;
  printf("floor program=copy bytes=%zu ns=%.2f least_ns=%.2f MBps=%.3f trials=%d\n", options.bytes, one.median * 1e9,
         one.least * 1e9, megabytes, one.trials);
  printf("%zu bytes: %.3f us a copy, %.1f MB/s on one core (median of %d trials, copy checked)\n", options.bytes,
         one.median * 1e6, megabytes, one.trials);
  return 0;
}

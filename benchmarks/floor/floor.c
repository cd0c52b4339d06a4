#define _GNU_SOURCE
#include "floor.h"

#include <errno.h>
#include <getopt.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* The time determines the number of trials. If trials are short, other programs leave some of them undisturbed. */
enum { TRIALS_LEAST = 11, TRIALS_MOST = 501, ROUNDS_LEAST = 200, ROUNDS_TO_JUDGE = 8 };

_Noreturn static void usage(void) {
  fprintf(stderr, "usage: %s [--bytes N] [--seconds S]   (1 <= N <= 1 GiB, 0 < S <= 3600; default 1 byte, 1 second)\n",
          program_invocation_short_name);
  exit(2);
}

struct options floor_options(int argc, char **argv) {
  static const struct option known[] = {
    {"bytes", required_argument, NULL, 'b'}, {"seconds", required_argument, NULL, 's'}, {NULL, 0, NULL, 0}};
  struct options options = {.bytes = 1, .seconds = 1.0};
  for (int option; (option = getopt_long(argc, argv, "", known, NULL)) != -1;) {
    char *end = NULL;
    if (option == 'b') {
      const long long bytes = strtoll(optarg, &end, 10);
      if (bytes < 1 || bytes > 1LL << 30) usage();
      options.bytes = (size_t)bytes;
    } else if (option == 's') {
      options.seconds = strtod(optarg, &end);
      if (!(options.seconds > 0 && options.seconds <= 3600)) usage();
    }
    if (!end || *end) usage();
  }
  if (optind != argc) usage();
  return options;
}

_Noreturn void floor_fail(const char *message) {
  if (errno) fprintf(stderr, "%s: %s: %s\n", program_invocation_short_name, message, strerror(errno));
  else fprintf(stderr, "%s: %s\n", program_invocation_short_name, message);
  exit(1);
}

void *floor_buffer(size_t bytes) {
  enum { PAGE = 4096 };
  void *buffer = aligned_alloc(PAGE, (bytes + PAGE - 1) / PAGE * PAGE);
  if (!buffer) floor_fail("no memory");
  memset(buffer, 0, bytes);
  return buffer;
}

void floor_bind_to_core(int index) {
  cpu_set_t allowed, one;
  if (sched_getaffinity(0, sizeof allowed, &allowed) != 0) return;
  CPU_ZERO(&one);
  for (int core = 0; core < CPU_SETSIZE; core++) {
    if (CPU_ISSET(core, &allowed) && index-- == 0) {
      CPU_SET(core, &one);
      sched_setaffinity(0, sizeof one, &one);
    }
  }
}

pid_t floor_fork(void) {
  const pid_t parent = getpid();
  const pid_t child = fork();
  if (child < 0) floor_fail("fork");
  if (child == 0) {
    if (prctl(PR_SET_PDEATHSIG, SIGKILL) != 0) _exit(1);
    if (getppid() != parent) _exit(1); /* the parent died before the call of prctl */
  }
  return child;
}

void floor_check_peer(pid_t child) {
  if (waitpid(child, NULL, WNOHANG) != 0) {
    errno = 0;
    floor_fail("the other process has ended");
  }
}

void floor_end_peer(pid_t child) {
  kill(child, SIGKILL);
  while (waitpid(child, NULL, 0) < 0 && errno == EINTR) {}
}

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static double timed_trial(const struct trials *t, unsigned seed, uint64_t rounds) {
  t->fill(t->context, seed);
  const double start = now();
  t->run(t->context, rounds);
  const double seconds = now() - start;
  t->check(t->context, seed, rounds);
  return seconds;
}

static int ascending(const void *a, const void *b) {
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* The number of trials. It is odd, so that the median is one of the trials. */
static int trials_in(double seconds, double round) {
  const double trials = seconds / (ROUNDS_LEAST * round);
  return trials < TRIALS_LEAST ? TRIALS_LEAST : trials > TRIALS_MOST ? TRIALS_MOST : (int)trials | 1;
}

struct timing floor_measure(const struct trials *trials, double seconds) {
  /* A twelfth of the time is used to find how long a round takes. This is the warm-up as well. */
  const double warming = seconds / (TRIALS_LEAST + 1);
  unsigned seed = 1;
  uint64_t rounds = 1;
  double round = timed_trial(trials, seed++, rounds);
  while (rounds < ROUNDS_TO_JUDGE || round * (double)rounds < warming / 4) {
    rounds *= 2;
    const double average = timed_trial(trials, seed++, rounds) / (double)rounds;
    if (average < round) round = average; /* a longer average was disturbed */
  }
  const int count = trials_in(seconds - warming, round);
  rounds = (uint64_t)((seconds - warming) / count / round);
  if (rounds < 1) rounds = 1;

  double each[TRIALS_MOST];
  for (int i = 0; i < count; i++) each[i] = timed_trial(trials, seed++, rounds) / (double)rounds;
  qsort(each, (size_t)count, sizeof each[0], ascending);
  return (struct timing){.median = each[count / 2], .least = each[0], .trials = count};
}

void floor_print_pingpong(const char *name, size_t bytes, struct timing round) {
  const double one_way = round.median / 2, megabytes = (double)bytes / one_way * 1e-6;
  printf("floor program=%s bytes=%zu ns=%.2f least_ns=%.2f MBps=%.3f trials=%d\n", name, bytes, one_way * 1e9,
         round.least / 2 * 1e9, megabytes, round.trials);
  printf("%zu bytes: %.3f us one way, %.1f MB/s (median of %d trials, payload checked)\n", bytes, one_way * 1e6, megabytes,
         round.trials);
}

void floor_fill_pattern(unsigned char *buffer, size_t bytes, unsigned seed) {
  uint32_t x = seed * 2654435761u;
  for (size_t i = 0; i < bytes; i++) {
    x = x * 1664525u + 1013904223u;
    buffer[i] = (unsigned char)(x >> 24);
  }
}

int floor_pattern_arrived(const unsigned char *buffer, size_t bytes, unsigned seed, uint64_t hops) {
  unsigned char *expected = floor_buffer(bytes);
  floor_fill_pattern(expected, bytes, seed);
  expected[bytes - 1] = (unsigned char)(expected[bytes - 1] + hops);
  const int same = memcmp(buffer, expected, bytes) == 0;
  free(expected);
  return same;
}

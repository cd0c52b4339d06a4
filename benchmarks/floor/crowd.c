/*
 * Pairs of threads in two processes. All pairs bounce a message at the same time, and a thread that has to wait sleeps. This
 * shows what the machine can do with more conversations than cores.
 *
 * A waiting thread looks for its message, yields once, looks again, then sleeps in a futex. With more pairs than cores this is
 * the fastest way that we found. With one pair, spinning is faster (shm_pingpong.c). If other programs compute, they get the
 * core that a thread yields.
 */
#define _GNU_SOURCE
#include "floor.h"

#include <errno.h>
#include <getopt.h>
#include <linux/futex.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { PAIRS_MOST = 1000, BYTES = 64, STACK = 64 << 10 };

/*
 * One direction of a pair. The word `sleeping` is the futex. With any other word as the futex, a wake-up for one message could
 * clear the receiver's announcement for the next message. Then no thread would wake the receiver for that message.
 *
 *     0  +----------+  sender: messages ever sent
 *        | sent     |  uint32
 *    64  +----------+  sender, before `sent`
 *        | payload  |  64 bytes
 *   128  +----------+  receiver: 1 before it sleeps; the sender that takes the 1 wakes it
 *        | sleeping |  uint32
 *   256  +----------+
 */
struct direction {
  _Alignas(128) _Atomic uint32_t sent;
  _Alignas(64) unsigned char payload[BYTES];
  _Alignas(128) _Atomic uint32_t sleeping;
};

struct pair {
  struct direction there, back;
};

static const double LOOK_SECONDS = 0.1; /* between two checks that the other process still runs */

static struct pair *pairs;
static atomic_bool over;
static _Atomic uint64_t rounds;

static void send_message(struct direction *d, const unsigned char *message) {
  memcpy(d->payload, message, BYTES);
  atomic_fetch_add(&d->sent, 1); /* before the load of `sleeping`: both are sequentially consistent */
  if (atomic_load(&d->sleeping) && atomic_exchange(&d->sleeping, 0))
    syscall(SYS_futex, &d->sleeping, FUTEX_WAKE, 1, NULL, NULL, 0);
}

static int arrived(struct direction *d, uint32_t number) {
  return atomic_load(&d->sent) == number;
}

static void receive_message(struct direction *d, uint32_t number, unsigned char *message) {
  if (!arrived(d, number)) sched_yield();
  while (!arrived(d, number)) {
    atomic_store(&d->sleeping, 1);
    if (!arrived(d, number)) syscall(SYS_futex, &d->sleeping, FUTEX_WAIT, 1, NULL, NULL, 0);
    atomic_store(&d->sleeping, 0);
  }
  memcpy(message, d->payload, BYTES);
}

static void *serve(void *of) {
  struct pair *pair = of;
  unsigned char message[BYTES];
  for (uint32_t number = 1;; number++) {
    receive_message(&pair->there, number, message);
    message[BYTES - 1]++;
    send_message(&pair->back, message);
  }
  return NULL;
}

static void *ask(void *of) {
  struct pair *pair = of;
  unsigned char message[BYTES];
  const unsigned seed = (unsigned)(pair - pairs);
  floor_fill_pattern(message, BYTES, seed);
  uint32_t number = 0;
  while (!atomic_load_explicit(&over, memory_order_relaxed)) {
    send_message(&pair->there, message);
    receive_message(&pair->back, ++number, message);
  }
  if (!floor_pattern_arrived(message, BYTES, seed, number)) floor_fail("the payload did not arrive intact");
  atomic_fetch_add(&rounds, number);
  return NULL;
}

static void start_threads(void *(*run)(void *), pthread_t *threads, int count) {
  pthread_attr_t small;
  pthread_attr_init(&small);
  pthread_attr_setstacksize(&small, STACK);
  for (int i = 0; i < count; i++)
    if ((errno = pthread_create(&threads[i], &small, run, &pairs[i])) != 0) floor_fail("pthread_create");
}

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static double seconds_of(const struct rusage *used) {
  return (double)(used->ru_utime.tv_sec + used->ru_stime.tv_sec)
         + (double)(used->ru_utime.tv_usec + used->ru_stime.tv_usec) * 1e-6;
}

/* Processor time of this process (RUSAGE_SELF), or of the child after the wait for its end (RUSAGE_CHILDREN). */
static double processor_seconds(int of) {
  struct rusage used;
  if (getrusage(of, &used) != 0) floor_fail("getrusage");
  return seconds_of(&used);
}

_Noreturn static void usage(const char *name) {
  fprintf(stderr, "usage: %s [--pairs N] [--seconds S]   (1 <= N <= %d, 0 < S <= 3600; default 1 pair, 1 second)\n", name,
          PAIRS_MOST);
  exit(2);
}

int main(int argc, char **argv) {
  static const struct option known[] = {{"pairs", required_argument, NULL, 'p'}, {"seconds", required_argument, NULL, 's'}, {0}};
  long count = 1;
  double seconds = 1;
  for (int option; (option = getopt_long(argc, argv, "", known, NULL)) != -1;) {
    char *end = NULL;
    if (option == 'p') count = strtol(optarg, &end, 10);
    else if (option == 's') seconds = strtod(optarg, &end);
    if (!end || *end) usage(argv[0]);
  }
  if (optind != argc || count < 1 || count > PAIRS_MOST || !(seconds > 0 && seconds <= 3600)) usage(argv[0]);

  static pthread_t threads[PAIRS_MOST];
  pairs = mmap(NULL, (size_t)count * sizeof *pairs, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (pairs == MAP_FAILED) floor_fail("mmap");
  const pid_t server = floor_fork();
  if (server == 0) {
    start_threads(serve, threads, (int)count);
    pthread_join(threads[0], NULL); /* the threads run until the parent kills this process */
  }
  const double from = now();
  start_threads(ask, threads, (int)count);
  while (now() - from < seconds) {
    const double left = seconds - (now() - from);
    nanosleep(&(struct timespec){.tv_nsec = left < LOOK_SECONDS ? (long)(left * 1e9) : (long)(LOOK_SECONDS * 1e9)}, NULL);
    floor_check_peer(server);
  }
  atomic_store(&over, true);
  for (long i = 0; i < count; i++) {
    struct timespec until;
    do {
      floor_check_peer(server);
      clock_gettime(CLOCK_REALTIME, &until);
      until.tv_sec++;
    } while (pthread_timedjoin_np(threads[i], NULL, &until) != 0);
  }
  const double elapsed = now() - from;
  floor_end_peer(server);
  const double processor = processor_seconds(RUSAGE_SELF) + processor_seconds(RUSAGE_CHILDREN), all = (double)rounds;
  if (rounds == 0) floor_fail("no round trip was completed in the time given");
  printf("floor program=crowd pairs=%ld ns=%.1f processor_ns=%.1f\n", count, elapsed / all * 1e9, processor / all * 1e9);
  printf("%ld pairs, %d bytes: %.0f round trips a second, %.2f us of processor time for each\n", count, BYTES, all / elapsed,
         processor / all * 1e6);
}

/*
 * A request that threads hand on, as in programs whose selectors have workers. What does it cost that client and server are two
 * processes, and how should their selectors wait?
 *
 *   caller ------> server's selector --> worker --> ... --> worker --+
 *   caller <-- worker <-- ... <-- worker <-- client's selector <-----+
 *
 * Each thread computes for --work microseconds and wakes the next one by a futex. With --workers 0 the selectors do it all. The two long
 * arrows are the connection: TCP, whose selectors sleep in epoll_wait, or memory. There they sleep in a futex, at once or after a poll of
 * 80 us, which yields the core after 20 us or after 1 us. All modes take turns, with both ends in one process and in two.
 */
#define _GNU_SOURCE
#include "floor.h"

#include <errno.h>
#include <getopt.h>
#include <linux/futex.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum mode { TCP, FUTEX, POLL_20, POLL_1, MODES };

/* The caller looks so often whether the other process is there. */
static const struct timespec LOOK = {.tv_nsec = 200000000};

static const char *const NAMES[MODES] = {"tcp", "futex", "poll-20", "poll-1"};

enum { WORKERS_MOST = 6, TURNS_MOST = 99, BYTES = 128, POLL_NS = 80000, LOOKS = 32, PROCESSES = 2 };

/* The threads that wait. The workers of the server follow, then those of the client. */
enum waiter { SERVER, CLIENT, CALLER, WORKERS, WAITERS = WORKERS + 2 * WORKERS_MOST };

struct word {
  _Alignas(128) _Atomic uint32_t news;
  _Alignas(128) _Atomic uint32_t asleep;
};

/* Shared by the two processes, and by the one that asks for the figure. */
struct shared {
  struct word words[WAITERS];
  double seconds; /* of a request */
};

/* Of the present measurement. The processes are forked after these are set, so each has them. */
static struct shared *shared;
static enum mode mode;
static int workers = 1;
static uint64_t work_rounds; /* of a thread's share */
static int sockets[2];       /* the client's, the server's */
static int epolls[2];
static pid_t server; /* the other process; 0 for none, or in that process */

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static void compute(uint64_t rounds) {
  for (volatile uint64_t i = 0; i < rounds; i++)
    ;
}

/*
 * Dekker's order, by sequentially consistent accesses: the waker stores news and then looks for a sleeper, the sleeper the other way
 * round.
 */
static void wake(int waiter) {
  struct word *word = &shared->words[waiter];
  atomic_store(&word->news, 1);
  if (atomic_load(&word->asleep) && atomic_exchange(&word->asleep, 0))
    syscall(SYS_futex, &word->asleep, FUTEX_WAKE, 1, NULL, NULL, 0);
}

static bool poll_word(struct word *word) {
  double begun = now(), yields = begun + (mode == POLL_1 ? 1e-6 : 20e-6);
  for (double t = begun; t - begun < POLL_NS * 1e-9; t = now()) {
    for (int i = 0; i < LOOKS; i++) {
      if (atomic_load(&word->news))
        return true;
#if defined(__x86_64__) || defined(__i386__)
      __builtin_ia32_pause();
#elif defined(__aarch64__)
      __asm__ volatile("isb");
#endif
    }
    if (t > yields)
      sched_yield();
  }
  return false;
}

static void await(int waiter) {
  struct word *word = &shared->words[waiter];
  bool polls = (mode == POLL_20 || mode == POLL_1) && (waiter == SERVER || waiter == CLIENT);
  if (!polls || !poll_word(word)) {
    for (;;) {
      atomic_store(&word->asleep, 1);
      if (atomic_load(&word->news))
        break;
      syscall(SYS_futex, &word->asleep, FUTEX_WAIT, 1, &LOOK, NULL, 0);
      if (waiter == CALLER && server > 0)
        floor_check_peer(server);
    }
    atomic_store(&word->asleep, 0);
  }
  atomic_store(&word->news, 0);
}

static void send_from(enum waiter end) {
  char bytes[BYTES] = {0};
  if (mode != TCP)
    wake(end == SERVER ? CLIENT : SERVER);
  else if (write(sockets[end == SERVER], bytes, BYTES) != BYTES)
    floor_fail("write");
}

static void receive_at(enum waiter end) {
  char bytes[BYTES];
  struct epoll_event event;
  if (mode != TCP) {
    await(end);
    return;
  }
  while (epoll_wait(epolls[end == SERVER], &event, 1, -1) < 1)
    if (errno != EINTR)
      floor_fail("epoll_wait");
  if (read(sockets[end == SERVER], bytes, BYTES) != BYTES)
    floor_fail("read");
}

/* A thread of this end has done its share, and its successor is the index-th worker, or who comes after the last one. */
static void hand_on(enum waiter end, int index) {
  if (index < workers)
    wake(WORKERS + (end == SERVER ? 0 : WORKERS_MOST) + index);
  else if (end == SERVER)
    send_from(SERVER);
  else
    wake(CALLER);
}

struct role {
  enum waiter end;
  int index; /* of a worker; -1 for the selector */
};

static void *serve(void *argument) {
  struct role role = *(struct role *)argument;
  free(argument);
  for (;;) {
    if (role.index < 0)
      receive_at(role.end);
    else
      await(WORKERS + (role.end == SERVER ? 0 : WORKERS_MOST) + role.index);
    compute(work_rounds);
    hand_on(role.end, role.index + 1);
  }
  return NULL;
}

static void start_threads(enum waiter end) {
  for (int i = -1; i < workers; i++) {
    pthread_t thread;
    struct role *role = malloc(sizeof *role);
    if (!role)
      floor_fail("malloc");
    *role = (struct role){end, i};
    errno = pthread_create(&thread, NULL, serve, role);
    if (errno)
      floor_fail("pthread_create");
  }
}

static void connect_sockets(void) {
  const int one = 1;
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  socklen_t length = sizeof address;
  int listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockets[0] = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (listener < 0 || sockets[0] < 0 || bind(listener, (struct sockaddr *)&address, length) < 0 || listen(listener, 1) < 0 ||
      getsockname(listener, (struct sockaddr *)&address, &length) < 0 || connect(sockets[0], (struct sockaddr *)&address, length) < 0)
    floor_fail("connect");
  sockets[1] = accept(listener, NULL, NULL);
  close(listener);
  for (int i = 0; i < 2; i++) {
    struct epoll_event event = {.events = EPOLLIN};
    epolls[i] = epoll_create1(EPOLL_CLOEXEC);
    if (sockets[i] < 0 || epolls[i] < 0 || setsockopt(sockets[i], IPPROTO_TCP, TCP_NODELAY, &one, sizeof one) < 0 ||
        epoll_ctl(epolls[i], EPOLL_CTL_ADD, sockets[i], &event) < 0)
      floor_fail("epoll");
  }
}

/* The caller, in a process of its own. The first third of the time warms up. */
static void call(int processes, double seconds) {
  connect_sockets();
  if (processes == 2) {
    server = floor_fork();
    if (server == 0) {
      start_threads(SERVER);
      for (;;)
        pause();
    }
  } else {
    start_threads(SERVER);
  }
  start_threads(CLIENT);
  double begun = now(), counted = 0;
  uint64_t requests = 0;
  for (double t = begun; t - begun < seconds || requests == 0; t = now()) {
    if (counted == 0 && t - begun > seconds / 3) {
      counted = t;
      requests = 0;
    }
    compute(work_rounds);
    send_from(CLIENT);
    await(CALLER);
    requests++;
  }
  shared->seconds = (now() - (counted > 0 ? counted : begun)) / (double)requests;
  if (server > 0)
    floor_end_peer(server);
}

static double measure(enum mode which, int processes, double seconds) {
  mode = which;
  memset(shared, 0, sizeof *shared);
  pid_t caller = floor_fork();
  if (caller == 0) {
    call(processes, seconds);
    _exit(0);
  }
  int status;
  if (waitpid(caller, &status, 0) < 0)
    floor_fail("waitpid");
  if (status != 0) {
    errno = 0;
    floor_fail("the caller's process has failed");
  }
  return shared->seconds;
}

static uint64_t rounds_of(double seconds) {
  enum { SAMPLE = 5000000 };
  double begun = now();
  compute(SAMPLE);
  return (uint64_t)(seconds * SAMPLE / (now() - begun));
}

static int compare(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static double number(const char *name, const char *text, double least, double most) {
  char *end;
  double value = strtod(text, &end);
  if (end == text || *end || !(value >= least && value <= most)) {
    fprintf(stderr, "handover: --%s %s: allowed is %g to %g\n", name, text, least, most);
    exit(2);
  }
  return value;
}

int main(int argc, char **argv) {
  static const struct option OPTIONS[] = {{"workers", required_argument, NULL, 'w'}, {"work", required_argument, NULL, 'u'},
                                          {"seconds", required_argument, NULL, 's'}, {"turns", required_argument, NULL, 't'},
                                          {0}};
  double work = 10, seconds = 0.7;
  int turns = 3;
  for (int option; (option = getopt_long(argc, argv, "", OPTIONS, NULL)) != -1;) {
    switch (option) {
    case 'w':
      workers = (int)number("workers", optarg, 0, WORKERS_MOST);
      break;
    case 'u':
      work = number("work", optarg, 0, 10000);
      break;
    case 's':
      seconds = number("seconds", optarg, 0.01, 60);
      break;
    case 't':
      turns = (int)number("turns", optarg, 1, TURNS_MOST);
      break;
    default:
      fprintf(stderr, "usage: handover [--workers N at each end] [--work US of a thread] [--seconds S of a turn] [--turns N]\n");
      return 2;
    }
  }
  if (optind < argc) {
    fprintf(stderr, "handover: %s: no argument is allowed\n", argv[optind]);
    return 2;
  }
  shared = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (shared == MAP_FAILED)
    floor_fail("mmap");
  work_rounds = rounds_of(work * 1e-6);
  static double all[MODES][PROCESSES][TURNS_MOST];
  for (int turn = 0; turn < turns; turn++)
    for (int i = 0; i < MODES; i++)
      for (int processes = 1; processes <= PROCESSES; processes++)
        all[i][processes - 1][turn] = measure(i, processes, seconds);
  for (int i = 0; i < MODES; i++) {
    for (int processes = 1; processes <= PROCESSES; processes++) {
      double *each = all[i][processes - 1];
      qsort(each, (size_t)turns, sizeof *each, compare);
      printf("handover mode=%s workers=%d processes=%d us=%.1f least_us=%.1f most_us=%.1f\n", NAMES[i], workers, processes,
             each[turns / 2] * 1e6, each[0] * 1e6, each[turns - 1] * 1e6);
    }
  }
  return 0;
}

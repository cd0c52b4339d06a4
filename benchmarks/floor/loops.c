/*
 * Two processes with one thread each, an event loop (epoll), and several connections between them. The client's loop has one message
 * of 64 bytes on the way on each connection, and the server's loop sends each message back. With --period the client sends a message
 * each so many microseconds instead, so that both loops sleep. This shows how a selector over shared memory should be woken: the modes.
 *
 * In all modes but `tcp` the messages are in shared memory. A loop that finds no message, and none after its patience either, arms its
 * connections: it stores 1 into their words `asleep`, executes a full fence, and looks again. Then it sleeps in epoll_wait. The
 * sender of a message that finds the word set takes it (exchanges it for 0), and then rings the bell. The TCP connections are in each
 * loop's epoll set in all modes, as they would be in a selector's.
 */
#define _GNU_SOURCE
#include "floor.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <math.h>
#include <netinet/tcp.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum mode {
  TCP,      /* no shared memory: the messages go over the TCP connections */
  TCP_BELL, /* the bell is one byte over the connection's TCP socket */
  TCP_RUNG, /* the same, but one byte for each process: a word `rung` says that a bell is on its way, which is not rung twice then */
  EVENTFD,  /* one eventfd for each process, with `rung` as well */
  ONE_WORD, /* the same, and the loop has one word `asleep` for all its connections, which makes `rung` needless */
  PIPE,     /* as EVENTFD, but a pipe, of which the peer has the end that can't be read */
  DATAGRAM, /* as EVENTFD, but the bell is a Unix datagram socket */
  HOP,      /* as DATAGRAM, but a second thread hears the bell, in an epoll set of its own, and wakes the loop by an eventfd */
  HOP_LATE, /* as HOP, but the loop takes `rung` back, not the second thread, which is sooner */
  MODES
};

static const char *const NAMES[MODES] = {"tcp", "tcp-bell", "tcp-rung", "eventfd", "one-word", "pipe", "datagram", "hop", "hop-late"};

/* What a loop that has found no message does before it arms its connections. */
enum patience { NONE, YIELD /* it yields its core once, and looks */, SPIN /* it looks for --spin microseconds */, PATIENCES };

enum { CONNECTIONS_MOST = 400, TURNS_MOST = 99, BYTES = 64, EVENTS = 64, BELL = -1, LOOK_MS = 100, SAMPLES_MOST = 100000 };

static const double WARMING_SECONDS = 0.02;

/* One direction of a connection. There is one message at most, because each end waits for the other one's. */
struct direction {
  _Alignas(128) _Atomic uint32_t sent; /* sender: messages ever sent */
  unsigned char payload[BYTES];        /* sender, before `sent` */
  _Alignas(128) _Atomic uint32_t asleep;
};

struct shared_loop { /* what the other process sees of a loop */
  _Alignas(128) _Atomic uint32_t rung, asleep;
  _Alignas(128) _Atomic uint64_t bells; /* that this loop has rung */
};

struct shared {
  struct shared_loop loops[2];
  struct direction directions[][2]; /* [connection][process that sends] */
};

struct connection {
  struct direction *in, *out;
  uint32_t received, sent, rounds;
  int socket;
  size_t got; /* bytes of a message that has come in part, over TCP */
  unsigned char message[BYTES];
};

struct loop {
  enum mode mode;
  enum patience patience;
  double spin, work; /* seconds; `work` is what a program does with each message */
  pid_t child;       /* the server, or 0 in the server itself */
  bool is_last;      /* the client sends no message after the present ones */
  int count, in_flight, epoll, bell_in, bell_out;
  int second_epoll, second_bell; /* of the second thread */
  struct shared_loop *own, *peer;
  struct connection connections[CONNECTIONS_MOST];
};

struct figures {
  double rate, processor_us, bells, median_us, p99_us; /* `rate`: a second; the next two: for a round trip */
};

struct settings {
  long connections, turns, busy, mode; /* mode: -1 for all */
  double seconds, spin_us, work_us, period_us;
};

static double seconds_of(clockid_t clock) {
  struct timespec t;
  if (clock_gettime(clock, &t) != 0) floor_fail("clock_gettime");
  return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static double now(void) {
  return seconds_of(CLOCK_MONOTONIC);
}

static void peer_has_ended(const struct loop *l) {
  errno = 0;
  if (l->child) floor_fail("the other process has ended");
  _exit(0);
}

static void ring(struct loop *l, const struct connection *c) {
  static const uint64_t one = 1;
  if (l->mode != TCP_BELL && l->mode != ONE_WORD && atomic_exchange(&l->peer->rung, 1)) return;
  atomic_store_explicit(&l->own->bells, l->own->bells + 1, memory_order_relaxed);
  if (l->mode == TCP_BELL || l->mode == TCP_RUNG) {
    if (send(c->socket, &one, 1, MSG_NOSIGNAL) != 1) peer_has_ended(l);
  } else if (write(l->bell_out, &one, sizeof one) < 0) {
    peer_has_ended(l);
  }
}

static void send_message(struct loop *l, struct connection *c) {
  if (l->mode == TCP) {
    if (send(c->socket, c->message, BYTES, MSG_NOSIGNAL) != BYTES) peer_has_ended(l);
    return;
  }
  memcpy(c->out->payload, c->message, BYTES);
  atomic_store(&c->out->sent, ++c->sent); /* before the load of `asleep`: both are sequentially consistent */
  _Atomic uint32_t *asleep = l->mode == ONE_WORD ? &l->peer->asleep : &c->out->asleep;
  if (atomic_load(asleep) && atomic_exchange(asleep, 0)) ring(l, c);
}

static void answer(struct loop *l, struct connection *c) {
  c->rounds++;
  if (l->work > 0)
    for (const double until = now() + l->work; now() < until;) {}
  if (l->child) {
    if (l->is_last) {
      l->in_flight--;
      return;
    }
  } else {
    c->message[BYTES - 1]++;
  }
  send_message(l, c);
}

static int wait_for_events(const struct loop *l, int epoll, struct epoll_event *events, int timeout) {
  int n;
  while ((n = epoll_wait(epoll, events, EVENTS, timeout)) == 0 && timeout != 0)
    if (l->child) floor_check_peer(l->child);
  if (n < 0 && errno != EINTR) floor_fail("epoll_wait");
  return n;
}

static int serve_tcp(struct loop *l, int timeout) {
  struct epoll_event events[EVENTS];
  const int n = wait_for_events(l, l->epoll, events, timeout);
  for (int i = 0; i < n; i++) {
    struct connection *c = &l->connections[events[i].data.fd];
    const ssize_t bytes = recv(c->socket, c->message + c->got, BYTES - c->got, MSG_DONTWAIT);
    if (bytes <= 0) peer_has_ended(l);
    c->got = (c->got + (size_t)bytes) % BYTES;
    if (c->got == 0) answer(l, c);
  }
  return n;
}

/* Answers the messages that are there. Returns how many there were. */
static int look(struct loop *l) {
  if (l->mode == TCP) return serve_tcp(l, 0);
  int news = 0;
  for (struct connection *c = l->connections; c < l->connections + l->count; c++) {
    if (atomic_load_explicit(&c->in->sent, memory_order_acquire) == c->received) continue;
    c->received++;
    memcpy(c->message, c->in->payload, BYTES);
    answer(l, c);
    news++;
  }
  return news;
}

static void set_asleep(struct loop *l, uint32_t asleep) {
  if (l->mode == ONE_WORD) {
    atomic_store_explicit(&l->own->asleep, asleep, memory_order_relaxed);
    return;
  }
  for (struct connection *c = l->connections; c < l->connections + l->count; c++)
    if (atomic_load_explicit(&c->in->asleep, memory_order_relaxed) != asleep)
      atomic_store_explicit(&c->in->asleep, asleep, memory_order_relaxed);
}

/* Takes `rung` back before the look that follows. So a sender that has found `rung` set has sent before that look. */
static void hear(struct loop *l, int fd, bool takes_back) {
  char bells[BYTES];
  if (read(fd, bells, sizeof bells) < 0 && errno != EAGAIN) floor_fail("read of the bell");
  if (takes_back) atomic_exchange(&l->own->rung, 0);
}

static void sleep_in_epoll(struct loop *l) {
  struct epoll_event events[EVENTS];
  set_asleep(l, 1);
  atomic_thread_fence(memory_order_seq_cst);
  const bool has_news = look(l) > 0;
  const int n = has_news ? 0 : wait_for_events(l, l->epoll, events, LOOK_MS);
  set_asleep(l, 0);
  for (int i = 0; i < n; i++) {
    if (events[i].data.fd == BELL) {
      hear(l, l->bell_in, l->mode != HOP);
    } else {
      char bells[BYTES];
      if (recv(l->connections[events[i].data.fd].socket, bells, sizeof bells, MSG_DONTWAIT) == 0) peer_has_ended(l);
      if (l->mode == TCP_RUNG) atomic_exchange(&l->own->rung, 0); /* see `hear` */
    }
  }
}

static bool found_late(struct loop *l) {
  if (l->patience == NONE) return false;
  if (l->patience == YIELD) {
    sched_yield();
    return look(l) > 0;
  }
  for (const double until = now() + l->spin; now() < until;)
    if (look(l) > 0) return true;
  return false;
}

/* Runs until that time, or until no message is on its way. */
static void run(struct loop *l, double until) {
  while (l->in_flight > 0 && now() < until) {
    if (l->mode != TCP && look(l) > 0) continue;
    if (found_late(l)) continue;
    if (l->mode == TCP) serve_tcp(l, LOOK_MS);
    else sleep_in_epoll(l);
  }
}

static void watch(int epoll, int fd, int data) {
  struct epoll_event event = {.events = EPOLLIN, .data.fd = data};
  if (epoll_ctl(epoll, EPOLL_CTL_ADD, fd, &event) != 0) floor_fail("epoll_ctl");
}

static void *hop(void *of) {
  struct loop *l = of;
  struct epoll_event events[EVENTS];
  for (;;) {
    wait_for_events(l, l->second_epoll, events, -1);
    hear(l, l->second_bell, l->mode == HOP);
    if (eventfd_write(l->bell_in, 1) != 0) floor_fail("eventfd_write");
  }
  return NULL;
}

static int tcp_socket(int listener, const struct sockaddr_in *address) {
  const int on = 1, fd = address ? socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0) : accept4(listener, NULL, NULL, SOCK_CLOEXEC);
  if (fd < 0 || setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on) != 0) floor_fail("socket");
  if (address && connect(fd, (const struct sockaddr *)address, sizeof *address) != 0) floor_fail("connect");
  return fd;
}

static int ascending(const void *a, const void *b) {
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static void send_first(struct loop *l, int connection) {
  l->in_flight++;
  send_message(l, &l->connections[connection]);
}

/* One message each period. Returns how many there were, and the times of the round trips in `us`. */
static int run_in_periods(struct loop *l, const struct settings *o, double *us) {
  int n = 0;
  l->is_last = true;
  for (double next = now(), end = next + o->seconds; next < end && n < SAMPLES_MOST; next += o->period_us * 1e-6) {
    const struct timespec until = {.tv_sec = (time_t)next, .tv_nsec = (long)((next - (double)(time_t)next) * 1e9)};
    while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, NULL) == EINTR) {}
    const double from = now();
    send_first(l, n % l->count);
    run(l, INFINITY);
    us[n++] = (now() - from) * 1e6;
  }
  return n;
}

/* The client: measures, and checks what came. */
static struct figures ask(struct loop *l, struct shared *shared, const struct settings *o) {
  static double us[SAMPLES_MOST];
  clockid_t server;
  for (int i = 0; i < l->count; i++) floor_fill_pattern(l->connections[i].message, BYTES, (unsigned)i);
  if (o->period_us == 0) {
    for (int i = 0; i < l->count; i++) send_first(l, i);
    run(l, now() + WARMING_SECONDS);
  }
  errno = clock_getcpuclockid(l->child, &server);
  if (errno != 0) floor_fail("clock_getcpuclockid");
  uint64_t rounds = 0;
  for (int i = 0; i < l->count; i++) rounds -= l->connections[i].rounds;
  const uint64_t bells = shared->loops[0].bells + shared->loops[1].bells;
  const double from = now(), processor = seconds_of(CLOCK_PROCESS_CPUTIME_ID) + seconds_of(server);
  const int samples = o->period_us > 0 ? run_in_periods(l, o, us) : (run(l, from + o->seconds), 0);
  const double took = now() - from, used = seconds_of(CLOCK_PROCESS_CPUTIME_ID) + seconds_of(server) - processor;
  for (int i = 0; i < l->count; i++) rounds += l->connections[i].rounds;
  if (rounds == 0) floor_fail("no round trip was completed in the time given");
  struct figures f = {.rate = (double)rounds / took, .processor_us = used / (double)rounds * 1e6,
                      .bells = (double)(shared->loops[0].bells + shared->loops[1].bells - bells) / (double)rounds};
  l->is_last = true;
  run(l, INFINITY);
  for (int i = 0; i < l->count; i++)
    if (!floor_pattern_arrived(l->connections[i].message, BYTES, (unsigned)i, l->connections[i].rounds))
      floor_fail("the payload did not arrive intact");
  if (samples > 0) {
    qsort(us, (size_t)samples, sizeof us[0], ascending);
    f.median_us = us[samples / 2];
    f.p99_us = us[(int)(samples * 0.99)];
  }
  return f;
}

/* Two new loops with new connections. */
static struct figures trial(const struct settings *o, enum mode mode, enum patience patience) {
  const size_t size = sizeof(struct shared) + (size_t)o->connections * sizeof(struct direction[2]);
  struct shared *shared = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  socklen_t length = sizeof address;
  const int listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  int events[2], grams[2], pipes[2][2];
  for (int i = 0; i < 2; i++) events[i] = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
  if (shared == MAP_FAILED || bind(listener, (struct sockaddr *)&address, length) != 0 || listen(listener, CONNECTIONS_MOST) != 0 ||
      getsockname(listener, (struct sockaddr *)&address, &length) != 0 || events[0] < 0 || events[1] < 0 ||
      pipe2(pipes[0], O_CLOEXEC | O_NONBLOCK) != 0 || pipe2(pipes[1], O_CLOEXEC | O_NONBLOCK) != 0 ||
      socketpair(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0, grams) != 0) {
    floor_fail("memory, listener or bells");
  }
  static struct loop l;
  l = (struct loop){.mode = mode, .patience = patience, .spin = o->spin_us * 1e-6, .work = o->work_us * 1e-6, .count = (int)o->connections};
  l.child = floor_fork();
  const int self = l.child == 0;
  const bool has_hop = mode == HOP || mode == HOP_LATE;
  l.own = &shared->loops[self];
  l.peer = &shared->loops[!self];
  l.bell_in = mode == DATAGRAM ? grams[self] : mode == PIPE ? pipes[self][0] : events[self];
  l.bell_out = mode == DATAGRAM || has_hop ? grams[self] : mode == PIPE ? pipes[!self][1] : events[!self];
  l.second_bell = grams[self];
  l.epoll = epoll_create1(EPOLL_CLOEXEC);
  l.second_epoll = epoll_create1(EPOLL_CLOEXEC);
  watch(l.epoll, l.bell_in, BELL);
  watch(l.second_epoll, l.second_bell, BELL);
  for (int i = 0; i < l.count; i++) {
    struct direction *both = shared->directions[i];
    const int fd = tcp_socket(listener, self ? &address : NULL);
    l.connections[i] = (struct connection){.in = &both[!self], .out = &both[self], .socket = fd};
    watch(l.epoll, fd, i);
  }
  pthread_t second;
  if (has_hop && (errno = pthread_create(&second, NULL, hop, &l)) != 0) floor_fail("pthread_create");
  if (self) {
    l.in_flight = 1; /* for ever */
    run(&l, INFINITY);
    _exit(0);
  }
  const struct figures f = ask(&l, shared, o);
  if (has_hop && (pthread_cancel(second) != 0 || pthread_join(second, NULL) != 0)) floor_fail("pthread_cancel");
  floor_end_peer(l.child);
  for (int i = 0; i < l.count; i++) close(l.connections[i].socket);
  for (int i = 0; i < 2; i++) close(events[i]), close(grams[i]), close(pipes[i][0]), close(pipes[i][1]);
  close(l.epoll);
  close(l.second_epoll);
  close(listener);
  munmap(shared, size);
  return f;
}

static double column(const struct figures *f, int index) {
  return (const double[]){f->rate * 1e-3, f->processor_us, f->bells, f->median_us, f->p99_us}[index];
}

/* Prints the median of the turns and their least and greatest, of a column or of its ratio to TCP's in the same turn. */
static void print_column(const struct figures *turns, const struct figures *tcp, long count, int index) {
  double of[TURNS_MOST];
  for (long i = 0; i < count; i++) of[i] = column(&turns[i], index) / (tcp ? column(&tcp[i], index) : 1);
  qsort(of, (size_t)count, sizeof of[0], ascending);
  printf(" %.3g (%.3g..%.3g) |", of[count / 2], of[0], of[count - 1]);
}

static void print_row(const struct settings *o, int mode, int patience, const struct figures *turns, const struct figures *tcp) {
  static const char *const patiences[PATIENCES] = {"", "yields", "spins"};
  static const int busy[] = {0, 1, 2}, asleep[] = {3, 4, 1, 2};
  const int *columns = o->period_us > 0 ? asleep : busy, count = o->period_us > 0 ? 4 : 3;
  printf("| %ld | %s | %s |", o->connections, NAMES[mode], patiences[patience]);
  for (int i = 0; i < count; i++) {
    print_column(turns, NULL, o->turns, columns[i]);
    if (columns[i] == 2) continue; /* TCP has no bells */
    if (tcp && tcp != turns) print_column(turns, tcp, o->turns, columns[i]);
    else printf(" |");
  }
  printf("\n");
}

_Noreturn static void usage(const char *name) {
  fprintf(stderr, "usage: %s [--connections N] [--turns N] [--seconds S] [--spin US] [--work US] [--period US] [--busy N] [--mode NAME]\n"
          "N connections (8, at most %d). N turns (11, at most %d). In each turn each mode runs for S seconds (0.2) in each of three\n"
          "ways: a loop without messages sleeps at once, after a yield of its core, or after US microseconds of spinning (20). Each end\n"
          "computes for US microseconds (0) after each message. Messages are sent all the time (0), or one each US microseconds. N\n"
          "processes beside it compute (0). The modes:", name, CONNECTIONS_MOST, TURNS_MOST);
  for (int i = 0; i < MODES; i++) fprintf(stderr, " %s", NAMES[i]);
  fprintf(stderr, "\n");
  exit(2);
}

static struct settings options_of(int argc, char **argv) {
  static const struct option known[] = {
    {"connections", required_argument, NULL, 'c'}, {"turns", required_argument, NULL, 't'}, {"seconds", required_argument, NULL, 's'},
    {"spin", required_argument, NULL, 'p'}, {"period", required_argument, NULL, 'e'}, {"busy", required_argument, NULL, 'b'},
    {"mode", required_argument, NULL, 'm'}, {"work", required_argument, NULL, 'w'}, {0}};
  struct settings o = {.connections = 8, .turns = 11, .seconds = 0.2, .spin_us = 20, .mode = -1};
  for (int option; (option = getopt_long(argc, argv, "", known, NULL)) != -1;) {
    char *end = NULL;
    if (option == 'c') o.connections = strtol(optarg, &end, 10);
    else if (option == 't') o.turns = strtol(optarg, &end, 10);
    else if (option == 'b') o.busy = strtol(optarg, &end, 10);
    else if (option == 's') o.seconds = strtod(optarg, &end);
    else if (option == 'p') o.spin_us = strtod(optarg, &end);
    else if (option == 'w') o.work_us = strtod(optarg, &end);
    else if (option == 'e') o.period_us = strtod(optarg, &end);
    else if (option == 'm') {
      for (int i = 0; i < MODES; i++)
        if (strcmp(optarg, NAMES[i]) == 0) o.mode = i;
      if (o.mode >= 0) end = "";
    }
    if (!end || *end) usage(argv[0]);
  }
  if (optind != argc || o.connections < 1 || o.connections > CONNECTIONS_MOST || o.turns < 1 || o.turns > TURNS_MOST || o.busy < 0 ||
      o.busy > 1000 || !(o.seconds > 0 && o.seconds <= 3600) || !(o.spin_us >= 0 && o.spin_us <= 1e6) ||
      !(o.work_us >= 0 && o.work_us <= 1e6) || !(o.period_us >= 0 && o.period_us <= 1e6)) {
    usage(argv[0]);
  }
  return o;
}

int main(int argc, char **argv) {
  static struct figures all[MODES][PATIENCES][TURNS_MOST];
  const struct settings o = options_of(argc, argv);
  const int first = o.mode < 0 ? 0 : (int)o.mode, end = o.mode < 0 ? MODES : first + 1;
  for (long i = 0; i < o.busy; i++) {
    if (floor_fork() != 0) continue;
    for (volatile unsigned n = 0;; n++) {}
  }
  for (long turn = 0; turn < o.turns; turn++)
    for (int mode = first; mode < end; mode++)
      for (int patience = 0; patience < PATIENCES; patience++)
        all[mode][patience][turn] = trial(&o, (enum mode)mode, (enum patience)patience);

  printf("%ld turns of %g s, %g us of work for each message, beside %ld busy processes; medians, and the least and the greatest\n\n",
         o.turns, o.seconds, o.work_us, o.busy);
  printf(o.period_us > 0 ? "| connections | bell | first | median us | to tcp | p99 us | to tcp | CPU us | to tcp | bells |\n"
                         : "| connections | bell | first | thousand a second | to tcp | CPU us | to tcp | bells |\n");
  printf(o.period_us > 0 ? "|---:|---|---|---:|---:|---:|---:|---:|---:|---:|\n" : "|---:|---|---|---:|---:|---:|---:|---:|---:|\n");
  for (int mode = first; mode < end; mode++)
    for (int patience = 0; patience < PATIENCES; patience++)
      print_row(&o, mode, patience, all[mode][patience], first == TCP ? all[TCP][NONE] : NULL);
  return 0;
}

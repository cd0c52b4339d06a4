/*
 * What it costs two processes to make a shared segment and an interrupt in each direction, and to remove them. Three ways:
 *   - by SISCI calls;
 *   - by hand: memfd, eventfd and mmap, passed by SCM_RIGHTS over a socket that exists already;
 *   - by hand over a socket that is connected by name for this purpose, as two unrelated processes have to, and as SISCI does.
 * The ways take turns, so that all are measured on the machine in the same state.
 */
#define _GNU_SOURCE
#include "floor.h"

#include <errno.h>
#include <sisci_api.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

enum { SISCI, CONNECTED, BY_HAND, WAYS };
enum { WARM_UP = 50, MOST = 1 << 18, LIMIT_MS = 20000 };

struct end {
  int channel;  /* to the other process */
  int listener; /* in the first process; -1 in the second */
  struct sockaddr_un name; /* of the listener */
  size_t bytes;
  unsigned own, other; /* segment ids */
  unsigned node;
  sci_desc_t device;
  int prove; /* not 0: this round is not timed, but it uses what it makes */
};

static void must(sci_error_t error, const char *call) {
  errno = 0;
  if (error == SCI_ERR_OK) return;
  fprintf(stderr, "%s: %s\n", call, SCIGetErrorString(error));
  exit(1);
}

/* Waits until the other process has come to the same call. Returns the word that the other process has sent. */
static unsigned meet(const struct end *e, unsigned word) {
  if (send(e->channel, &word, sizeof word, MSG_NOSIGNAL) != sizeof word ||
      recv(e->channel, &word, sizeof word, 0) != sizeof word)
    floor_fail("the other process has ended");
  return word;
}

static void write_remote(const struct end *e, volatile void *remote) {
  *(volatile unsigned *)remote = e->own + 1;
}

static void check_local(const struct end *e, const volatile void *local) {
  errno = 0;
  if (*(const volatile unsigned *)local != e->other + 1) floor_fail("the memory is not shared");
}

static void by_sisci(const struct end *e) {
  sci_error_t error;
  sci_local_segment_t local;
  sci_remote_segment_t remote;
  sci_map_t local_map, remote_map;
  sci_local_interrupt_t in;
  sci_remote_interrupt_t out;
  unsigned number;

  SCICreateSegment(e->device, &local, e->own, e->bytes, NULL, NULL, 0, &error);
  must(error, "SCICreateSegment");
  SCIPrepareSegment(local, 0, 0, &error);
  must(error, "SCIPrepareSegment");
  void *here = SCIMapLocalSegment(local, &local_map, 0, e->bytes, NULL, 0, &error);
  must(error, "SCIMapLocalSegment");
  SCICreateInterrupt(e->device, &in, 0, &number, NULL, NULL, 0, &error);
  must(error, "SCICreateInterrupt");
  SCISetSegmentAvailable(local, 0, 0, &error);
  must(error, "SCISetSegmentAvailable");
  number = meet(e, number);
  SCIConnectSegment(e->device, &remote, e->node, e->other, 0, NULL, NULL, LIMIT_MS, 0, &error);
  must(error, "SCIConnectSegment");
  volatile void *there = SCIMapRemoteSegment(remote, &remote_map, 0, e->bytes, NULL, 0, &error);
  must(error, "SCIMapRemoteSegment");
  SCIConnectInterrupt(e->device, &out, e->node, 0, number, LIMIT_MS, 0, &error);
  must(error, "SCIConnectInterrupt");

  if (e->prove) {
    write_remote(e, there);
    SCITriggerInterrupt(out, 0, &error);
    must(error, "SCITriggerInterrupt");
    SCIWaitForInterrupt(in, LIMIT_MS, 0, &error);
    must(error, "SCIWaitForInterrupt");
    check_local(e, here);
  }
  meet(e, 0);
  SCIDisconnectInterrupt(out, 0, &error);
  must(error, "SCIDisconnectInterrupt");
  SCIUnmapSegment(remote_map, 0, &error);
  must(error, "SCIUnmapSegment");
  SCIDisconnectSegment(remote, 0, &error);
  must(error, "SCIDisconnectSegment");
  SCIRemoveInterrupt(in, 0, &error);
  must(error, "SCIRemoveInterrupt");
  SCIUnmapSegment(local_map, 0, &error);
  must(error, "SCIUnmapSegment");
  SCIRemoveSegment(local, SCI_FLAG_FORCE_REMOVE, &error); /* the other process may still be connected */
  must(error, "SCIRemoveSegment");
}

static void exchange(int channel, int fds[2]) {
  union {
    char bytes[CMSG_SPACE(2 * sizeof(int))];
    struct cmsghdr aligned;
  } control = {.bytes = {0}};
  char byte = 0;
  struct iovec part = {.iov_base = &byte, .iov_len = 1};
  struct msghdr message = {
    .msg_iov = &part, .msg_iovlen = 1, .msg_control = control.bytes, .msg_controllen = sizeof control.bytes};
  struct cmsghdr *rights = CMSG_FIRSTHDR(&message);
  rights->cmsg_level = SOL_SOCKET;
  rights->cmsg_type = SCM_RIGHTS;
  rights->cmsg_len = CMSG_LEN(2 * sizeof(int));
  memcpy(CMSG_DATA(rights), fds, 2 * sizeof(int));
  if (sendmsg(channel, &message, MSG_NOSIGNAL) != 1) floor_fail("sendmsg");
  message.msg_controllen = sizeof control.bytes;
  if (recvmsg(channel, &message, MSG_CMSG_CLOEXEC) != 1 || message.msg_controllen < CMSG_LEN(2 * sizeof(int)))
    floor_fail("recvmsg");
  memcpy(fds, CMSG_DATA(CMSG_FIRSTHDR(&message)), 2 * sizeof(int));
}

static void *map(int fd, size_t bytes) {
  void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  if (memory == MAP_FAILED) floor_fail("mmap");
  return memory;
}

static void over(const struct end *e, int channel) {
  const int memory = memfd_create("by-hand", MFD_CLOEXEC), bell = eventfd(0, EFD_CLOEXEC);
  if (memory < 0 || bell < 0 || ftruncate(memory, (off_t)e->bytes) != 0) floor_fail("memfd_create, eventfd or ftruncate");
  void *here = map(memory, e->bytes);
  int fds[2] = {memory, bell};
  exchange(channel, fds);
  void *there = map(fds[0], e->bytes);

  if (e->prove) {
    eventfd_t rings;
    write_remote(e, there);
    if (eventfd_write(fds[1], 1) != 0 || eventfd_read(bell, &rings) != 0) floor_fail("eventfd");
    check_local(e, here);
  }
  meet(e, 0);
  munmap(there, e->bytes);
  close(fds[0]);
  close(fds[1]);
  munmap(here, e->bytes);
  close(memory);
  close(bell);
}

static void by_hand(const struct end *e) {
  over(e, e->channel);
}

static void by_hand_connected(const struct end *e) {
  const int channel =
      e->listener >= 0 ? accept4(e->listener, NULL, NULL, SOCK_CLOEXEC) : socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
  if (channel < 0) floor_fail("accept4 or socket");
  if (e->listener < 0 && connect(channel, (const struct sockaddr *)&e->name, sizeof e->name) != 0) floor_fail("connect");
  over(e, channel);
  close(channel);
}

static void (*const way_of[WAYS])(const struct end *) = {
  [SISCI] = by_sisci, [CONNECTED] = by_hand_connected, [BY_HAND] = by_hand};

static double seconds_of(void (*way)(const struct end *), const struct end *e) {
  struct timespec begun, ended;
  meet(e, 0); /* until the other process has ended the last round */
  clock_gettime(CLOCK_MONOTONIC, &begun);
  way(e);
  clock_gettime(CLOCK_MONOTONIC, &ended);
  return (double)(ended.tv_sec - begun.tv_sec) + (double)(ended.tv_nsec - begun.tv_nsec) * 1e-9;
}

/* Runs the rounds and returns their number. After each round the first process decides whether another one follows. */
static size_t run(struct end *e, double seconds, double *took[WAYS]) {
  for (e->prove = 1; e->prove <= WARM_UP; e->prove++)
    for (int way = 0; way < WAYS; way++) way_of[way](e);
  e->prove = 0;
  double spent = 0;
  size_t count = 0;
  unsigned again = 1;
  while (again) {
    for (int way = 0; way < WAYS; way++) spent += took[way][count] = seconds_of(way_of[way], e);
    count++;
    const unsigned wish = spent < seconds && count < MOST, wish_of_other = meet(e, wish);
    again = e->listener >= 0 ? wish : wish_of_other;
  }
  return count;
}

static int ascending(const void *a, const void *b) {
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static void print(const struct end *e, size_t rounds, double *took[WAYS]) {
  double median[WAYS];
  for (int way = 0; way < WAYS; way++) {
    qsort(took[way], rounds, sizeof *took[way], ascending);
    median[way] = took[way][rounds / 2] * 1e9;
  }
  printf("floor program=sisci-setup bytes=%zu ns=%.0f connected_ns=%.0f by_hand_ns=%.0f rounds=%zu\n", e->bytes,
         median[SISCI], median[CONNECTED], median[BY_HAND], rounds);
  printf("%zu bytes and an interrupt each way: SISCI %.1f us; by hand with a connection %.1f us (%.2f x), without %.1f us "
         "(%.2f x)\n",
         e->bytes, median[SISCI] * 1e-3, median[CONNECTED] * 1e-3, median[SISCI] / median[CONNECTED],
         median[BY_HAND] * 1e-3, median[SISCI] / median[BY_HAND]);
}

int main(int argc, char **argv) {
  const struct options options = floor_options(argc, argv);
  struct end e = {.bytes = options.bytes, .name.sun_family = AF_UNIX};
  int ends[2];
  snprintf(e.name.sun_path + 1, sizeof e.name.sun_path - 1, "sisci-setup/%d", getpid());
  const int listener = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
  if (listener < 0 || bind(listener, (const struct sockaddr *)&e.name, sizeof e.name) != 0 || listen(listener, 1) != 0 ||
      socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0)
    floor_fail("sockets");
  char node[16];
  snprintf(node, sizeof node, "%d", 1 + getpid() % 65535); /* this run's own node */
  setenv("SISCI_SHIM_NODE", node, 1);

  const pid_t child = floor_fork();
  const int first = child != 0;
  close(ends[first]);
  e.channel = ends[!first];
  e.listener = first ? listener : -1;
  e.own = (unsigned)first;
  e.other = (unsigned)!first;
  double *took[WAYS];
  for (int way = 0; way < WAYS; way++) took[way] = floor_buffer(MOST * sizeof *took[way]);

  sci_error_t error;
  SCIInitialize(0, &error);
  must(error, "SCIInitialize");
  SCIOpen(&e.device, 0, &error);
  must(error, "SCIOpen");
  SCIGetLocalNodeId(0, &e.node, 0, &error);
  must(error, "SCIGetLocalNodeId");
  const size_t rounds = run(&e, options.seconds, took);
  SCIClose(e.device, 0, &error);
  must(error, "SCIClose");
  SCITerminate();
  if (first) {
    print(&e, rounds, took);
    floor_end_peer(child);
  }
  return 0;
}

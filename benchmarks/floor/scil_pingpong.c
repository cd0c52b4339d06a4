/* Two processes bounce a message over two SCILib queues, one each way. This is the native floor under Java on such queues. */
#define _GNU_SOURCE
#include "floor.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "scilib.h"

enum { ADAPTER = 0, THERE = 1, BACK = 2, COUNT = 16, SMALLEST = 4096, START_MS = 10000, PATIENCE_MS = 1000 };

struct end {
  sci_msq_queue_t in, out;
  unsigned char *buffer;
  size_t bytes;
  pid_t child; /* 0 in the child itself */
};

static void must(sci_error_t status, const char *what) {
  if (status == SCI_ERR_OK) return;
  errno = 0;
  fprintf(stderr, "%s: ", SCIGetErrorString(status));
  floor_fail(what);
}

static void open_queues(struct end *e, unsigned node, unsigned in, unsigned out) {
  const unsigned size = (unsigned)(e->bytes > SMALLEST ? e->bytes : SMALLEST);
  must(SCILInit(0), "SCILInit");
  must(SCILCreateMsgQueue(&e->in, ADAPTER, node, in, COUNT, size, 0, 0), "SCILCreateMsgQueue");
  must(SCILConnectMsgQueue(&e->out, ADAPTER, node, out, COUNT, size, START_MS, 0), "SCILConnectMsgQueue");
}

static void send_message(struct end *e) {
  must(SCILSendMsgWait(e->out, e->buffer, e->bytes, NULL, SCI_INFINITE_TIMEOUT, 0), "SCILSendMsgWait");
}

static void receive_message(struct end *e) {
  must(SCILReceiveMsgWait(e->in, e->buffer, e->bytes, NULL, SCI_INFINITE_TIMEOUT, 0), "the other process has ended");
  e->buffer[e->bytes - 1]++;
}

static void run(void *context, uint64_t rounds) {
  struct end *e = context;
  for (uint64_t i = 0; i < rounds; i++) {
    send_message(e);
    receive_message(e);
  }
}

static void fill(void *context, unsigned seed) {
  struct end *e = context;
  floor_fill_pattern(e->buffer, e->bytes, seed);
}

static void check(void *context, unsigned seed, uint64_t rounds) {
  struct end *e = context;
  errno = 0;
  if (!floor_pattern_arrived(e->buffer, e->bytes, seed, 2 * rounds)) floor_fail("the payload did not arrive intact");
}

int main(int argc, char **argv) {
  const struct options options = floor_options(argc, argv);
  struct end e = {.buffer = floor_buffer(options.bytes), .bytes = options.bytes};
  const unsigned node = 1 + (unsigned)getpid() % 65535; /* this run's own node, so that several runs are possible at once */
  char text[16];
  snprintf(text, sizeof text, "%u", node);
  setenv("SISCI_SHIM_NODE", text, 1);
  e.child = floor_fork();
  floor_bind_to_core(e.child == 0);
  if (e.child == 0) {
    open_queues(&e, node, THERE, BACK);
    for (;;) {
      receive_message(&e);
      send_message(&e);
    }
  }
  open_queues(&e, node, BACK, THERE);
  const struct trials trials = {.fill = fill, .run = run, .check = check, .context = &e};
  const struct timing round = floor_measure(&trials, options.seconds);
  floor_end_peer(e.child);
  floor_print_pingpong("scil-pingpong", options.bytes, round);
  return 0;
}

/*
 * Two spinning processes bounce a message over shared memory. This is the hardware floor under every transport between two
 * processes of one host that copies. Sockets must copy: from the sender's buffer in, and out into the receiver's buffer.
 */
#define _GNU_SOURCE
#include "floor.h"

#include <errno.h>
#include <stdalign.h>
#include <stdatomic.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

enum {
  LINE = 64,
  WINDOW = 2 << 20,
#ifdef WHOLE
  IN_PLACE = WINDOW,
  CHUNK = WINDOW,
#else
  IN_PLACE = 8192,
  CHUNK = 16384,
#endif
  PATIENCE = 4000 /* spins before a call of look_around, some 100 us; a reply comes within some 10 us */
};

/*
 * One direction. The count and the first bytes share a cache line, so that a small message crosses in one transfer. The
 * sender publishes a larger message chunk by chunk, so that one core copies in while the other copies out.
 *
 * Messages up to IN_PLACE use the same, hot lines again and again. Larger messages go on around the window, which is twice
 * the size of a second-level cache. So a line has left the private caches of both cores before it is written again. To take
 * it from the shared cache is up to three times faster than from the other core. (All three sizes were measured, on a Zen 4.)
 */
struct channel {
  alignas(4096) _Atomic uint64_t taken;         /* only for messages over WINDOW: else the reply tells the same */
  alignas(2 * LINE) _Atomic uint64_t published; /* two lines further, since lines are fetched in pairs */
  unsigned char data[WINDOW];
};

struct end {
  struct channel *in, *out;
  unsigned char *buffer;
  size_t bytes;
  uint64_t received, sent; /* stream positions */
  pid_t child;             /* 0 in the child itself */
};

/* The peer process may have ended. If there is only one core, the peer process may wait for that core. */
static __attribute__((noinline, cold)) void look_around(pid_t child) {
  if (child) floor_check_peer(child);
  nanosleep(&(struct timespec){.tv_nsec = 1000}, NULL);
}

/* Without this instruction the core has a queue of speculated loads when the line arrives. That costs some ten nanoseconds. */
static inline void spin_wait(void) {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  __asm__ volatile("isb");
#endif
}

static inline void await(const _Atomic uint64_t *count, uint64_t wanted, pid_t child) {
  for (unsigned spins = 0; atomic_load_explicit(count, memory_order_acquire) < wanted;) {
    spin_wait();
    if (++spins == PATIENCE) {
      look_around(child);
      spins = 0;
    }
  }
}

static inline size_t least(size_t a, size_t b) {
  return a < b ? a : b;
}

static inline size_t place(size_t bytes, uint64_t position) {
  return bytes <= IN_PLACE ? 0 : position % WINDOW;
}

static inline size_t part_at(size_t place, size_t left) {
  return least(left, least(CHUNK, WINDOW - place));
}

static inline void send_message(struct end *e, size_t bytes) {
  for (size_t done = 0, part; done < bytes; done += part) {
    const size_t at = place(bytes, e->sent);
    part = part_at(at, bytes - done);
    if (done + part > WINDOW) await(&e->out->taken, e->sent + part - WINDOW, e->child);
    memcpy(e->out->data + at, e->buffer + done, part);
    e->sent += part;
    atomic_store_explicit(&e->out->published, e->sent, memory_order_release);
  }
}

static inline void receive_message(struct end *e, size_t bytes) {
  for (size_t done = 0, part; done < bytes; done += part) {
    const size_t at = place(bytes, e->received);
    part = part_at(at, bytes - done);
    await(&e->in->published, e->received + part, e->child);
    memcpy(e->buffer + done, e->in->data + at, part);
    e->received += part;
    if (bytes > WINDOW) atomic_store_explicit(&e->in->taken, e->received, memory_order_release);
  }
  e->buffer[bytes - 1]++;
}

static inline void bounce(struct end *e, size_t bytes, uint64_t rounds) {
  for (uint64_t i = 0; i < rounds; i++) {
    send_message(e, bytes);
    receive_message(e, bytes);
  }
}

static void run(void *context, uint64_t rounds) {
  struct end *e = context;
  if (e->bytes == 1) bounce(e, 1, rounds); /* a constant size: then one byte needs no call of memcpy */
  else bounce(e, e->bytes, rounds);
}

static inline void echo(struct end *e, size_t bytes) {
  for (;;) {
    receive_message(e, bytes);
    send_message(e, bytes);
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
  struct channel *channels =
      mmap(NULL, 2 * sizeof *channels, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
  if (channels == MAP_FAILED) floor_fail("mmap");

  struct end e = {.in = &channels[0], .out = &channels[1], .buffer = floor_buffer(options.bytes), .bytes = options.bytes};
  e.child = floor_fork();
  floor_bind_to_core(e.child == 0);
  if (e.child == 0) {
    e.in = &channels[1];
    e.out = &channels[0];
    if (e.bytes == 1) echo(&e, 1);
    else echo(&e, e.bytes);
  }
  const struct trials trials = {.fill = fill, .run = run, .check = check, .context = &e};
  const struct timing round = floor_measure(&trials, options.seconds);
  floor_end_peer(e.child);
  floor_print_pingpong(program_invocation_short_name, options.bytes, round);
  return 0;
}

/*
 * What the floor programs share: options, time, the second process, and trials.
 *
 * A floor program answers one question: how fast can this machine do it at all, without Java and without JFS? So its
 * measured loop is written out in its own file, where the compiler sees all of it; only what runs around that loop is here.
 */
#ifndef JFS_FLOOR_H
#define JFS_FLOOR_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct options {
  size_t bytes;    /* the size of a message, at least 1 */
  double seconds;  /* how long to measure, all trials together */
};

/* `--bytes N` and `--seconds S`; anything else prints the usage and exits with 2. */
struct options floor_options(int argc, char **argv);

/* Prints the message with errno's text (if any) after the program's name, and exits with 1. */
_Noreturn void floor_fail(const char *message);

/* Memory that is present before anything is timed, from the beginning of a page. */
void *floor_buffer(size_t bytes);

/* fork() whose child dies with its parent, however that one ends. */
pid_t floor_fork(void);

/*
 * Binds this process to the index-th of the cores that it may use (taskset chooses others): on a busy machine two processes
 * that spin would else share one for seconds. With fewer cores it stays unbound: the floor is slow then, but not wrong.
 */
void floor_bind_to_core(int index);

/* Fails this process if the child has ended: for the slow path of a loop that waits for it. */
void floor_check_peer(pid_t child);

/* Ends the child, if it has not ended already, and collects it. */
void floor_end_peer(pid_t child);

struct trials {
  void (*fill)(void *context, unsigned seed);       /* prepares a fresh payload, not timed */
  void (*run)(void *context, uint64_t rounds);      /* timed */
  void (*check)(void *context, unsigned seed, uint64_t rounds);  /* fails if the payload is not intact, not timed */
  void *context;
};

struct timing {
  double median;  /* seconds for one round */
  double least;
  int trials;
};

/* Finds how many rounds fill a trial, then times several: the median is what the machine does, the least what it can do. */
struct timing floor_measure(const struct trials *trials, double seconds);

/* The two lines of a ping-pong's result; a round is there and back. */
void floor_print_pingpong(const char *name, size_t bytes, struct timing round);

/* A payload that differs from seed to seed, so that bytes of an earlier trial can't pass for those of this one. */
void floor_fill_pattern(unsigned char *buffer, size_t bytes, unsigned seed);

/*
 * Whether the buffer holds that pattern, its last byte raised by `hops`: each end adds one before it passes the message
 * on, which proves that every message was carried.
 */
int floor_pattern_arrived(const unsigned char *buffer, size_t bytes, unsigned seed, uint64_t hops);

#endif

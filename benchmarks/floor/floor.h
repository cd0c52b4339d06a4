/*
 * Code that the floor programs share: options, time, the second process, and trials.
 *
 * A floor program answers one question: how fast can this machine do a task at all, without Java and without JFS? Each
 * program has its measured loop in its own file, where the compiler sees all of it. Only the code around that loop is here.
 */
#ifndef JFS_FLOOR_H
#define JFS_FLOOR_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct options {
  size_t bytes;    /* the size of a message, at least 1 */
  double seconds;  /* the time of all trials together */
};

/* Reads `--bytes N` and `--seconds S`. Anything else prints the usage and exits with 2. */
struct options floor_options(int argc, char **argv);

/* Prints the message with errno's text (if any) after the program's name, and exits with 1. */
_Noreturn void floor_fail(const char *message);

/* Allocates memory from the beginning of a page, and zeroes it, so that it is present before anything is timed. */
void *floor_buffer(size_t bytes);

/* Calls fork(). The kernel kills the child when the parent ends, in whatever way the parent ends. */
pid_t floor_fork(void);

/*
 * Binds this process to the index-th (from 0) of the cores that it may use. (taskset can allow other cores.) Otherwise two
 * spinning processes may share a core for seconds on a busy machine. If the process may use fewer cores, it stays unbound:
 * the floor is then slow, but not wrong.
 */
void floor_bind_to_core(int index);

/* Exits with an error if the child has ended. A loop that waits for the child calls this in its slow path. */
void floor_check_peer(pid_t child);

/* Kills the child if it still runs, and waits for its end. */
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

/* Finds how many rounds fill a trial, then times several trials. The median is the usual time, the least the best possible. */
struct timing floor_measure(const struct trials *trials, double seconds);

/* Prints the two lines of a ping-pong's result. A round is one message there and one back. */
void floor_print_pingpong(const char *name, size_t bytes, struct timing round);

/* Fills the buffer with a payload that depends on the seed, so that bytes of an earlier trial can't pass for those of this one. */
void floor_fill_pattern(unsigned char *buffer, size_t bytes, unsigned seed);

/*
 * Returns 1 if the buffer holds that pattern with its last byte raised by `hops`, else 0. Each end adds 1 to the last byte
 * before it passes the message on. So the sum proves that every message was carried.
 */
int floor_pattern_arrived(const unsigned char *buffer, size_t bytes, unsigned seed, uint64_t hops);

#endif

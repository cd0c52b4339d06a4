/* A build of the library in which one of its calls to the system fails, as if something had run out. */
#ifndef SHIM_TEST_FAILURES_H
#define SHIM_TEST_FAILURES_H

#include <stdbool.h>

/* The number-th call from now on fails, counted over all threads. 0: none. */
void fail_call(int number);

/* The name of the one that has failed; NULL: there were not so many. */
const char *failed_call(void);

/* Each call of that name fails from now on; NULL: none. */
void fail_always(const char *name);

/* Between these two nothing is received; the call waits. */
void hold_receives(void);
void let_receive(void);

/*
 * Has the library's thread run this once, as soon as it has fetched events, of which it has handled none yet. Then
 * wait_after_fetched tells how long, in milliseconds, that thread meant to wait for the next ones; -1: for ever.
 */
void when_fetched(void (*action)(void));
int wait_after_fetched(void);

/* Has the thread that is next to unmap something run this once, before. */
void when_unmapped(void (*action)(void));

#endif

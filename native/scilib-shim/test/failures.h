/* A build of the library in which one of its calls to the system fails, as if a resource had run out. */
#ifndef SHIM_TEST_FAILURES_H
#define SHIM_TEST_FAILURES_H

#include <stdbool.h>

/* The number-th call from now on fails, counted over all threads. 0: none. */
void fail_call(int number);

/* The name of the call that has failed; NULL: there were not so many calls. */
const char *failed_call(void);

/* Each call of that name fails from now on; NULL: none. */
void fail_always(const char *name);

/* Between these two calls recvmsg waits. */
void hold_receives(void);
void let_receive(void);

/*
 * Lets the library's thread run an action once, when it has fetched events and before it handles any. Afterwards
 * wait_after_fetched tells for how long, in milliseconds, that thread then waits for the next events; -1: for ever.
 */
void when_fetched(void (*action)(void));
int wait_after_fetched(void);

/* Lets the thread that unmaps next run an action once, before it unmaps. */
void when_unmapped(void (*action)(void));

#endif

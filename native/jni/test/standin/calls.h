/*
 * What all stand-ins for vendors' libraries do: write down what was called, and fail what a test wants to fail. Their
 * settings are variables of the environment:
 *   STANDIN_DIR    a folder that all processes of a "fabric" share. There is what each has called: calls-PID, a line for
 *                  each call: its name, "ok" or the error. A line "VIOLATION: ..." is what no caller may do.
 *   STANDIN_FAIL   NAME:N[+][:ERROR] the Nth call of that name fails (and all that come after it), with this error;
 *                  N = 0: all fail once there is a file STANDIN_DIR/fail. A callback that fails is not made.
 */
#ifndef STANDIN_CALLS_H
#define STANDIN_CALLS_H

#include <stdbool.h>

enum { PATH_BYTES = 300 };

/* A line of the record, which ends with a line feed. Any thread; aborts where it can't be written. */
void calls_line(const char *text);

void calls_violation(const char *name, const char *text);

/* Whether it is the call that STANDIN_FAIL means: then *error is what it gives, if an error is named (in that base). */
bool calls_is_to_fail(const char *name, int base, unsigned long *error);

#endif

/*
 * What all stand-ins for vendors' libraries do: they record the calls, and let those calls fail that a test wants to fail.
 * Their settings are environment variables:
 *   STANDIN_DIR    a folder that all processes of a "fabric" share. Each process records its calls there in the file
 *                  calls-PID. A call's line has its name, then "ok" or the error. A line "VIOLATION: ..." names something
 *                  that a caller must not do.
 *   STANDIN_FAIL   NAME:N[+][:ERROR] the Nth call of that name fails with this error; with "+" all later ones fail too.
 *                  N = 0: all fail as soon as there is a file STANDIN_DIR/fail. A callback that fails is not made.
 */
#ifndef STANDIN_CALLS_H
#define STANDIN_CALLS_H

#include <stdbool.h>

enum { PATH_BYTES = 300 };

/* Appends a line, which ends with a line feed, to the record. Any thread. Aborts if the line can't be written. */
void calls_line(const char *text);

void calls_violation(const char *name, const char *text);

/* Whether STANDIN_FAIL lets this call fail. Then *error is the error that it names, in that base, if it names one. */
bool calls_is_to_fail(const char *name, int base, unsigned long *error);

#endif

/*
 * Closing what others have a hand in. A close may take as long as they like: a socket lingers, a file system of their
 * own does not answer. So one thread ("sisci-discard") closes, one descriptor after the other, and nobody waits for it.
 * It starts when there is something to close and ends when there is nothing left.
 *
 * Meanwhile, or where no thread can be had, descriptors wait, open. Each has its place reserved before it can come, so
 * that none is ever closed elsewhere for want of room; and once many wait nothing more is reserved. So at most that
 * many wait, and those that had their place by then.
 *
 * A close that never ends keeps the thread, and what waits, until the process ends; SCITerminate does not wait for it.
 */
#ifndef SHIM_DISCARD_H
#define SHIM_DISCARD_H

#include <stdbool.h>

/* Callers may hold the library's lock or not; nothing here blocks. */

/* Reserves a place; false, with errno, when too many descriptors wait or there is no memory. */
bool discard_reserve(void);

/* Gives a place back that isn't needed. */
void discard_release(void);

/* Closes a descriptor, sooner or later; uses up a place. */
void discard(int fd);

/* Around a fork; and in the child, which has no thread, and whose callers that had reserved places are gone. */
void discard_lock(void);
void discard_unlock(void);
void discard_forget(void);

/* Tries again to get a thread for what waits, if there was none to be had; each reservation does, too. */
void discard_retry(void);

#endif

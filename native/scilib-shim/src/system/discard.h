/*
 * Closes descriptors that come from another process, or hold descriptors of another process. Such a close may take as long
 * as that process likes: a socket lingers, or a file system of its own does not answer. So one thread ("sisci-discard")
 * closes one descriptor after the other, and no other thread waits for it. It starts when there is a descriptor to close
 * and ends when none is left.
 *
 * Until then, or if no thread can be started, the descriptors wait, open. Each one's place is reserved before it can arrive,
 * so none has to be closed elsewhere for lack of room. Once MOST_WAITING descriptors wait, no place is reserved any more.
 * So at most that many wait, and those whose places were reserved by then.
 *
 * If a close never ends, the thread and the waiting descriptors stay until the process ends. SCITerminate does not wait
 * for them.
 */
#ifndef SHIM_DISCARD_H
#define SHIM_DISCARD_H

#include <stdbool.h>

/* Callers may hold the library's lock or not; nothing here blocks. */

/* Reserves a place; false, with errno, when too many descriptors wait or there is no memory. */
bool discard_reserve(void);

/* Gives back a place that isn't needed. */
void discard_release(void);

/* Closes a descriptor, sooner or later; uses up a place. */
void discard(int fd);

/* Called around a fork; and in the child, which has no such thread, and no threads that have reserved places. */
void discard_lock(void);
void discard_unlock(void);
void discard_forget(void);

/* Tries again to start a thread for waiting descriptors, if that has failed before. Each reservation tries, too. */
void discard_retry(void);

#endif

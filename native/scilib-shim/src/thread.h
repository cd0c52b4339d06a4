/* Threads of the library's own. */
#ifndef SHIM_THREAD_H
#define SHIM_THREAD_H

#include <pthread.h>
#include <stdbool.h>

/* Starts one with a small stack and all signals blocked, for those are the program's business; false, with errno, if it
 * can't be had. */
bool thread_start(pthread_t *thread, const char *name, void *(*body)(void *), void *argument);

#endif

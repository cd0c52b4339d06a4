/* Threads of the library's own. */
#ifndef SHIM_THREAD_H
#define SHIM_THREAD_H

#include <pthread.h>
#include <stdbool.h>

/*
 * Starts a thread with a small stack and all signals blocked, because signals are for the program's threads. False, with
 * errno, if the thread can't be started.
 */
bool thread_start(pthread_t *thread, const char *name, void *(*body)(void *), void *argument);

#endif

/*
 * The library's own thread ("sisci-shim"): answers connectors, notices deaths, runs callbacks.
 *
 * It starts with the first descriptor to watch and ends in SCITerminate. It does bounded work under the library's lock
 * for each event and never blocks but in epoll_wait and in callbacks, so that no connector, slow or hostile,
 * keeps another from being served.
 */
#ifndef SHIM_SERVICE_H
#define SHIM_SERVICE_H

#include <stdbool.h>
#include <stdint.h>

#include "handles.h"
#include "sisci_api.h"

/* All calls need the library's lock. */

/* Watches a descriptor that belongs to an object; SCI_ERR_SYSTEM when the system refuses. */
sci_error_t service_watch(int fd, const struct object *object);

/* The same for one event, after which service_rearm is needed. */
sci_error_t service_watch_once(int fd, const struct object *object);
void service_rearm(int fd, const struct object *object);

/* Whether to call for a descriptor that service_watch got, as long as it stays ready: not, for what can't be done now. */
void service_heed(int fd, const struct object *object, bool heed);

/* Must precede the close of a watched descriptor. */
void service_unwatch(int fd);

/* Calls local_segment_event, local_interrupt_event for what is starved in a little while. */
void service_retry_later(void);

/* Ends the thread and waits for it; lets the lock go meanwhile. */
void service_stop(void);

/* In the child of a fork, which has no such thread: closes its descriptors, and nothing else. */
void service_forget(void);

/* True on the library's thread, hence in a callback. */
bool service_is_caller(void);

/*
 * Around a callback for a handle, which runs without the lock. After it nothing found before is valid;
 * leave tells whether the callback's object still is, as NULL or the object.
 */
void service_enter_callback(uint64_t handle);
void *service_leave_callback(void);

/* Returns when no other thread runs a callback for the handle, which has been dropped; may let the lock go. */
void service_settle(uint64_t handle);

#endif

/*
 * The library's own thread ("sisci-shim"): answers connectors, notices deaths, runs callbacks.
 *
 * It starts with the first descriptor to watch and ends in SCITerminate. For each event it does a bounded amount of work
 * under the library's lock. It blocks only in epoll_wait and in callbacks. So no slow or hostile connector keeps another
 * one from being served.
 */
#ifndef SHIM_SERVICE_H
#define SHIM_SERVICE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/handles.h"
#include "sisci_api.h"

/* All calls need the library's lock. */

/* What the thread does. It calls these functions with the lock. They release the lock only for callbacks of the program. */
struct service_handlers {
    /* A watched descriptor of this object is ready. */
    void (*ready)(struct object *object);
    /* Some time has passed since service_retry_later: tries again what the system had no descriptor for. */
    void (*retry)(void);
    /* Ends what is overdue. Returns when it wants to be called again, by clock_now; UINT64_MAX for never. */
    uint64_t (*expire)(void);
};

/* To be called before a descriptor is watched. The structure stays the caller's, and in place. */
void service_set_handlers(const struct service_handlers *handlers);

/* Watches a descriptor that belongs to an object; SCI_ERR_SYSTEM when the system refuses. */
sci_error_t service_watch(int fd, const struct object *object);

/* The same for one event only; service_rearm watches for the next one. */
sci_error_t service_watch_once(int fd, const struct object *object);
void service_rearm(int fd, const struct object *object);

/* Turns the events of a watched descriptor on or off: off while it stays ready, but its event can't be handled yet. */
void service_heed(int fd, const struct object *object, bool heed);

/* Must precede the close of a watched descriptor. */
void service_unwatch(int fd);

/* Calls the handler retry after a little while. */
void service_retry_later(void);

/* Ends the thread and waits for its end; releases the lock meanwhile. */
void service_stop(void);

/* Called in the child of a fork, which has no such thread: closes the thread's descriptors and resets its state. */
void service_forget(void);

/* True on the library's thread, hence in a callback. */
bool service_is_caller(void);

/*
 * Called before and after a callback for a handle: the callback runs without the lock. An object that was found before it
 * may have been freed when it returns. service_leave_callback returns the callback's object, NULL if it is gone.
 */
void service_enter_callback(uint64_t handle);
void *service_leave_callback(void);

/* Waits until no other thread runs a callback for the handle, which has been dropped; may release the lock. */
void service_settle(uint64_t handle);

#endif

/*
 * What the library does in a child of fork. It is not initialised there, and closes its copies of the parent's descriptors
 * at once: as long as a process holds a copy, a socket keeps its name, and its peers do not notice the parent's death.
 * They are only closed: to shut them down, or to take them out of an epoll, would change the parent's sockets and epolls.
 * Memory stays mapped, as after SCITerminate.
 */
#ifndef SHIM_FORK_H
#define SHIM_FORK_H

#include <stdbool.h>

/* Whether the library is notified of forks; if not, errno has the reason. */
bool forks_noticed(void);

#endif

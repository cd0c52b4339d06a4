/* The users whose processes may share memory with this one. Any thread; the list has its own lock. */
#ifndef SHIM_PEERS_H
#define SHIM_PEERS_H

#include <stdbool.h>
#include <sys/types.h>

bool peer_user_allowed(uid_t uid);

/* Lock the list while the process forks. */
void peers_lock(void);
void peers_unlock(void);

/* The same for the user at the other end of a connected Unix socket, as the kernel reports it. */
bool peer_socket_allowed(int socket);

#endif

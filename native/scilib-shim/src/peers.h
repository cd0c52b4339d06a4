/* The users with whose processes this process shares memory. Any thread; the list has a lock of its own. */
#ifndef SHIM_PEERS_H
#define SHIM_PEERS_H

#include <stdbool.h>
#include <sys/types.h>

bool peer_user_allowed(uid_t uid);

/* Keep other threads away from the list while the process forks. */
void peers_lock(void);
void peers_unlock(void);

/* The same for the user at the other end of a connected Unix socket, as the kernel reports it. */
bool peer_socket_allowed(int socket);

#endif

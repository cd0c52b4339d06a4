/* Whom this process shares memory with. Any thread; a lock of its own. */
#ifndef SHIM_PEERS_H
#define SHIM_PEERS_H

#include <stdbool.h>
#include <sys/types.h>

bool peer_user_allowed(uid_t uid);

/* Keep the list as it is while the process forks. */
void peers_lock(void);
void peers_unlock(void);

/* The same for whoever is at the other end of a connected Unix socket, by the kernel's word. */
bool peer_socket_allowed(int socket);

#endif

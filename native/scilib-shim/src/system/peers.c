#include "system/peers.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "exports.h"
#include "sisci_shim.h"

/* Stands for every user that has no id in this user namespace, so it identifies no user. */
static const uid_t OVERFLOW_USER = 65534;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static uid_t *allowed;
static size_t allowed_count;

bool peer_user_allowed(uid_t uid)
{
    if (uid == OVERFLOW_USER)
        return false;
    if (uid == geteuid())
        return true;
    bool found = false;
    pthread_mutex_lock(&lock);
    for (size_t i = 0; i < allowed_count && !found; i++)
        found = allowed[i] == uid;
    pthread_mutex_unlock(&lock);
    return found;
}

void peers_lock(void)
{
    pthread_mutex_lock(&lock);
}

void peers_unlock(void)
{
    pthread_mutex_unlock(&lock);
}

bool peer_socket_allowed(int socket)
{
    struct ucred peer;
    socklen_t length = sizeof peer;
    return getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &peer, &length) == 0 && length == sizeof peer &&
           peer_user_allowed(peer.uid);
}

SHIM_EXPORTED void SCIShimAllowUsers(const uid_t *uids, size_t count)
{
    uid_t *copy = uids != NULL && count > 0 ? calloc(count, sizeof *copy) : NULL;
    if (copy != NULL)
        memcpy(copy, uids, count * sizeof *copy);
    pthread_mutex_lock(&lock);
    uid_t *former = allowed;
    allowed = copy;
    allowed_count = copy != NULL ? count : 0;
    pthread_mutex_unlock(&lock);
    free(former);
}

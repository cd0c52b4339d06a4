/*
 * What the library does in a child of fork. It is not initialised there, and closes its copies of the parent's descriptors
 * at once: as long as a process holds a copy, a socket keeps its name, and its peers do not notice the parent's death.
 * They are only closed: to shut them down, or to take them out of an epoll, would change the parent's sockets and epolls.
 * Memory stays mapped, as after SCITerminate.
 */
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

#include "discard.h"
#include "interrupt.h"
#include "library.h"
#include "link.h"
#include "peers.h"
#include "service.h"

/* Locks in the order in which they are taken elsewhere. So no other thread holds one when the process is copied. */
static void before_fork(void)
{
    pthread_mutex_lock(&library.lock);
    peers_lock();
    discard_lock();
}

static void unlock(void)
{
    discard_unlock();
    peers_unlock();
    pthread_mutex_unlock(&library.lock);
}

static void forget(void *it)
{
    struct object *object = it;
    switch (object->kind) {
    case KIND_LOCAL_SEGMENT:
        local_segment_forget(it);
        break;
    case KIND_LINK:
        link_forget(it);
        break;
    case KIND_REMOTE_SEGMENT:
        remote_segment_forget(it);
        break;
    case KIND_LOCAL_INTERRUPT:
    case KIND_LOCAL_DATA_INTERRUPT:
    case KIND_REMOVED_INTERRUPT:
        local_interrupt_forget(it);
        break;
    case KIND_REMOTE_INTERRUPT:
    case KIND_REMOTE_DATA_INTERRUPT:
        remote_interrupt_forget(it);
        break;
    default:
        break; /* has no descriptor */
    }
    handle_drop(object);
    free(object);
}

static void in_child(void)
{
    for (enum kind kind = KIND_DESCRIPTOR; kind < KINDS; kind++)
        handle_each(kind, forget);
    links_forget_half_open();
    remote_segments_forget_attaching();
    doorbell_socket_close();
    number_finder_close();
    service_forget();
    discard_forget();
    node_leave();
    library_forget();
    unlock();
}

static int refused; /* why the library isn't notified of forks; 0: it is */

__attribute__((constructor)) static void watch_forks(void)
{
    refused = pthread_atfork(before_fork, unlock, in_child);
}

bool forks_noticed(void)
{
    errno = refused;
    return refused == 0;
}

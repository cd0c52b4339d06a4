#include "lifecycle/fork.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>

#include "base/handles.h"
#include "base/library.h"
#include "base/node.h"
#include "base/service.h"
#include "dma/dma_engine.h"
#include "dma/dma.h"
#include "interrupt/interrupt_doorbell.h"
#include "interrupt/interrupt_local.h"
#include "interrupt/interrupt_number.h"
#include "interrupt/interrupt_remote.h"
#include "segment/attach.h"
#include "segment/link.h"
#include "segment/segment_local.h"
#include "segment/segment_remote.h"
#include "segment/sequence.h"
#include "system/discard.h"
#include "system/peers.h"

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
    case KIND_DMA_QUEUE:
    case KIND_REMOVED_DMA_QUEUE:
        dma_queue_forget(it);
        break;
    case KIND_SEQUENCE:
        sequence_destroy(it);
        return;
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
    attach_forget_all();
    dma_engine_forget();
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

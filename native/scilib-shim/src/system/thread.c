#include "system/thread.h"

#include <errno.h>
#include <limits.h>
#include <signal.h>

enum { STACK_SIZE = 256 * 1024 };

bool thread_start(pthread_t *thread, const char *name, void *(*body)(void *), void *argument)
{
    size_t stack = STACK_SIZE > PTHREAD_STACK_MIN ? STACK_SIZE : (size_t)PTHREAD_STACK_MIN;
    pthread_attr_t attributes;
    if ((errno = pthread_attr_init(&attributes)) != 0)
        return false;
    pthread_attr_setstacksize(&attributes, stack);
    /* A thread inherits the signal mask of the thread that starts it. */
    sigset_t all, former;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &former);
    int status = pthread_create(thread, &attributes, body, argument);
    pthread_sigmask(SIG_SETMASK, &former, NULL);
    pthread_attr_destroy(&attributes);
    if (status == 0)
        pthread_setname_np(*thread, name);
    errno = status;
    return status == 0;
}

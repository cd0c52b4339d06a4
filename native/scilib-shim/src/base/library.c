#include "base/library.h"

struct library library = {
    .lock = PTHREAD_MUTEX_INITIALIZER,
    .settled = PTHREAD_COND_INITIALIZER,
};

bool library_enter(void)
{
    pthread_mutex_lock(&library.lock);
    if (library.initialized > 0)
        return true;
    pthread_mutex_unlock(&library.lock);
    return false;
}

sci_error_t library_leave(sci_error_t status)
{
    pthread_mutex_unlock(&library.lock);
    return status;
}

void library_forget(void)
{
    library.initialized = 0;
    library.terminating = false;
    library.settled = (pthread_cond_t)PTHREAD_COND_INITIALIZER; /* the threads that wait do not exist in the child */
}

#include "api/library.h"

#include "api/errors.h"
#include "core/registry.h"
#include "mx_shim.h"

static bool initialised;

mx_return_t library_check(void)
{
    return __atomic_load_n(&initialised, __ATOMIC_ACQUIRE) ? MX_SUCCESS : MX_NOT_INITIALIZED;
}

static void end(void)
{
    __atomic_store_n(&initialised, false, __ATOMIC_RELEASE);
}

static void before_fork(void)
{
    pthread_mutex_lock(&registry_lock);
}

static void after_fork(void)
{
    pthread_mutex_unlock(&registry_lock);
}

/* A child doesn't have the endpoints of its parent, and touches none of them. */
static void after_fork_in_child(void)
{
    end();
    transport_forget();
    registry_forget();
}

static void notice_forks(void)
{
    pthread_atfork(before_fork, after_fork, after_fork_in_child);
}

static mx_return_t initialise(int api)
{
    char reason[MX_SHIM_REASON_BYTES];
    if ((api & ~0xff) != (MX_API & ~0xff) || api > MX_API)
        return MX_BAD_LIB_VERSION;
    if (initialised)
        return MX_ALREADY_INITIALIZED;
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, notice_forks);
    if (mx_shim_probe(reason) != 0)
        return MX_NO_DEV;
    __atomic_store_n(&initialised, true, __ATOMIC_RELEASE);
    return MX_SUCCESS;
}

EXPORTED mx_return_t mx__init_api(int api)
{
    pthread_mutex_lock(&registry_lock);
    mx_return_t result = initialise(api);
    pthread_mutex_unlock(&registry_lock);
    return result == MX_SUCCESS || result == MX_ALREADY_INITIALIZED ? result : report(NULL, "mx_init", result);
}

EXPORTED mx_return_t mx_finalize(void)
{
    pthread_mutex_lock(&registry_lock);
    mx_return_t result = library_check();
    if (result == MX_SUCCESS && !TAILQ_EMPTY(&registry_endpoints))
        result = MX_BUSY;
    if (result == MX_SUCCESS)
        end();
    pthread_mutex_unlock(&registry_lock);
    return result == MX_SUCCESS ? result : report(NULL, __func__, result);
}

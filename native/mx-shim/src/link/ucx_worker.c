#include "link/ucx_worker.h"

#include <pthread.h>
#include <signal.h>

static enum transport_error create(struct worker *worker, enum ucx_transports transports, const char *interface)
{
    const char *what;
    ucs_status_t status;
    worker->context = ucx_create_context(transports, &what, &status);
    if (worker->context == NULL)
        return TRANSPORT_NO_RESOURCES;
    enum transport_error error = interface == NULL ? TRANSPORT_OPEN : ucx_check_interface(worker->context, interface);
    if (error != TRANSPORT_OPEN)
        return error;
    ucp_worker_params_t params = {
        .field_mask = UCP_WORKER_PARAM_FIELD_THREAD_MODE,
        .thread_mode = UCS_THREAD_MODE_SERIALIZED,
    };
    if (ucx.ucp_worker_create(worker->context, &params, &worker->ucp) == UCS_OK)
        return TRANSPORT_OPEN;
    worker->ucp = NULL;
    return TRANSPORT_NO_RESOURCES;
}

static bool receive_all_kinds(struct worker *worker, ucp_am_recv_callback_t received)
{
    for (unsigned int number = 0; number < UCX_KINDS; number++) {
        worker->kinds[number] = (struct kind){ worker, number };
        ucp_am_handler_param_t param = {
            .field_mask = UCP_AM_HANDLER_PARAM_FIELD_ID | UCP_AM_HANDLER_PARAM_FIELD_FLAGS | UCP_AM_HANDLER_PARAM_FIELD_CB
                          | UCP_AM_HANDLER_PARAM_FIELD_ARG,
            .id = number,
            .flags = UCP_AM_FLAG_WHOLE_MSG,
            .cb = received,
            .arg = &worker->kinds[number],
        };
        if (ucx.ucp_worker_set_am_recv_handler(worker->ucp, &param) != UCS_OK)
            return false;
    }
    return true;
}

enum transport_error worker_open(struct worker *worker, struct transport *transport, enum ucx_transports transports,
                                 const char *interface, ucp_am_recv_callback_t received)
{
    sigset_t all, before;
    *worker = (struct worker){ .transport = transport, .descriptor = -1 };
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before); /* UCX's threads inherit it: signals are for the program's threads */
    enum transport_error error = create(worker, transports, interface);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (error == TRANSPORT_OPEN
        && (!receive_all_kinds(worker, received) || ucx.ucp_worker_get_efd(worker->ucp, &worker->descriptor) != UCS_OK))
        error = TRANSPORT_NO_RESOURCES;
    if (error != TRANSPORT_OPEN)
        worker_close(worker);
    return error;
}

void worker_close(struct worker *worker)
{
    if (worker->ucp != NULL)
        ucx.ucp_worker_destroy(worker->ucp);
    if (worker->context != NULL)
        ucx.ucp_cleanup(worker->context);
    worker->ucp = NULL;
    worker->context = NULL;
    worker->descriptor = -1;
}

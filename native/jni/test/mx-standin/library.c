/* The library's beginning and end, its error handlers, and its texts. */
#include "standin.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

static mx_return_t print_and_abort(char *text, mx_return_t error)
{
    (void)error;
    fprintf(stderr, "%s\n", text);
    abort();
}

static mx_return_t return_it(char *text, mx_return_t error)
{
    (void)text;
    return error;
}

EXPORTED const mx_error_handler_t MX_ERRORS_ARE_FATAL = print_and_abort;
EXPORTED const mx_error_handler_t MX_ERRORS_RETURN = return_it;

static _Atomic mx_error_handler_t handler = print_and_abort;
static atomic_bool initialised;

bool library_is_initialised(void)
{
    return atomic_load(&initialised);
}

mx_return_t library_report(const char *name, mx_return_t error)
{
    char text[200];
    snprintf(text, sizeof text, "%s: %s", name, mx_strerror(error));
    return atomic_load(&handler)(text, error);
}

EXPORTED mx_error_handler_t mx_set_error_handler(mx_error_handler_t it)
{
    return atomic_exchange(&handler, it);
}

EXPORTED mx_return_t mx__init_api(int api)
{
    unsigned long error = MX_FAILURE;
    const char *speaks = getenv("STANDIN_API");
    int own = speaks == NULL ? MX_API : (int)strtol(speaks, NULL, 16);
    if (getenv("STANDIN_DIR") == NULL)
        return library_report(__func__, MX_NO_DEV); /* there is no folder to record the call in */
    if (calls_is_to_fail(__func__, 10, &error)) {
        record(__func__, (unsigned)error);
        return library_report(__func__, (mx_return_t)error);
    }
    error = api >> 8 != own >> 8 || api > own ? MX_BAD_LIB_VERSION
            : atomic_exchange(&initialised, true) ? MX_ALREADY_INITIALIZED
                                                  : MX_SUCCESS;
    record(__func__, (unsigned)error);
    return error == MX_SUCCESS ? MX_SUCCESS : library_report(__func__, (mx_return_t)error);
}

EXPORTED mx_return_t mx_finalize(void)
{
    mx_return_t error;
    if (!ENTER(NULL, &error))
        return error;
    atomic_store(&initialised, false);
    return LEAVE(NULL, MX_SUCCESS);
}

EXPORTED const char *mx_strerror(mx_return_t error)
{
    static _Thread_local char text[60];
    snprintf(text, sizeof text, "error %d, says the stand-in", (int)error);
    return text;
}

EXPORTED const char *mx_strstatus(mx_status_code_t status)
{
    static _Thread_local char text[60];
    snprintf(text, sizeof text, "status %d, says the stand-in", (int)status);
    return text;
}

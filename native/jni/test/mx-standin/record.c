/* Records calls and violations, and lets those calls fail that a test wants to fail. */
#include "standin.h"

#include <stdio.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void record(const char *name, unsigned error)
{
    char text[200];
    if (error == 0)
        snprintf(text, sizeof text, "%s ok\n", name);
    else
        snprintf(text, sizeof text, "%s %u\n", name, error);
    calls_line(text);
}

bool enter(const char *name, struct mx_endpoint *endpoint, mx_return_t *error)
{
    unsigned long with = MX_FAILURE;
    if (!library_is_initialised()) {
        calls_violation(name, "not initialised");
        *error = library_report(name, MX_NOT_INITIALIZED);
        return false;
    }
    pthread_mutex_lock(&lock);
    if (endpoint != NULL && endpoint->closed) {
        calls_violation(name, "an endpoint that was closed");
        with = MX_BAD_ENDPOINT;
    } else if (!calls_is_to_fail(name, 10, &with)) {
        if (endpoint != NULL)
            endpoint->users++;
        return true;
    }
    pthread_mutex_unlock(&lock);
    record(name, (unsigned)with);
    *error = library_report(name, (mx_return_t)with);
    return false;
}

mx_return_t leave(const char *name, struct mx_endpoint *endpoint, mx_return_t error, bool recorded)
{
    if (endpoint != NULL)
        endpoint->users--;
    pthread_mutex_unlock(&lock);
    if (recorded || error != MX_SUCCESS)
        record(name, (unsigned)error);
    return error == MX_SUCCESS ? error : library_report(name, error);
}

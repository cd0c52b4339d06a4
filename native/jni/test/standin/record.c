/* Records calls and violations, and lets those calls fail that a test wants to fail. */
#include "standin.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void standin_record(const char *name, sci_error_t error)
{
    char text[200];
    if (error == SCI_ERR_OK)
        snprintf(text, sizeof text, "%s ok\n", name);
    else
        snprintf(text, sizeof text, "%s %x\n", name, (unsigned)error);
    calls_line(text);
}

void standin_violation(const char *name, const char *what)
{
    calls_violation(name, what);
}

static bool is_to_fail(const char *name, sci_error_t *error)
{
    unsigned long with = SCI_ERR_SYSTEM;
    bool is = calls_is_to_fail(name, 16, &with);
    if (is)
        *error = (sci_error_t)with;
    return is;
}

bool standin_enter(const char *name, sci_error_t *error, unsigned flags, unsigned allowed)
{
    sci_error_t ignored;
    if (error == NULL) {
        standin_violation(name, "no error");
        error = &ignored;
    }
    if (standin_registry == NULL && strcmp(name, "SCIInitialize") != 0) {
        standin_violation(name, "not initialised");
        *error = SCI_ERR_NOT_INITIALIZED;
        return false;
    }
    if (standin_is_monitor())
        standin_violation(name, "from a callback");
    if ((flags & ~allowed) != 0) {
        standin_violation(name, "flags");
        *error = SCI_ERR_ILLEGAL_FLAG;
        return false;
    }
    if (is_to_fail(name, error)) {
        standin_record(name, *error);
        return false;
    }
    return true;
}

struct handle *standin_check(const char *name, void *handle, enum kind kind, sci_error_t *error)
{
    struct handle *it = handle;
    bool known = false;
    standin_lock();
    for (struct handle *h = standin_handles; h != NULL; h = h->next)
        known |= h == it;
    standin_unlock();
    if (known && it->kind == kind && !it->ended)
        return it;
    standin_violation(name, !known ? "no handle" : it->kind != kind ? "another kind of handle" : "a handle that has ended");
    *error = SCI_ERR_ILLEGAL_PARAMETER;
    return NULL;
}

struct handle *standin_handle(enum kind kind)
{
    struct handle *it = calloc(1, sizeof *it);
    if (it == NULL)
        abort();
    it->kind = kind;
    standin_lock();
    it->next = standin_handles;
    standin_handles = it;
    standin_unlock();
    return it;
}

void standin_finish(const char *name, sci_error_t *error, sci_error_t result)
{
    *error = result;
    standin_record(name, result);
}

/* What was called, what must not be, and what is to fail. */
#include "standin.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void line(const char *text)
{
    char path[PATH_BYTES];
    snprintf(path, sizeof path, "%s/calls-%d", getenv("STANDIN_DIR"), (int)getpid());
    int file = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    if (file < 0 || write(file, text, strlen(text)) < 0) /* whole lines, since it appends */
        abort();
    close(file);
}

void standin_record(const char *name, sci_error_t error)
{
    char text[200];
    if (error == SCI_ERR_OK)
        snprintf(text, sizeof text, "%s ok\n", name);
    else
        snprintf(text, sizeof text, "%s %x\n", name, (unsigned)error);
    line(text);
}

void standin_violation(const char *name, const char *what)
{
    char text[300];
    snprintf(text, sizeof text, "VIOLATION: %s: %s\n", name, what);
    line(text);
}

/* Whether it is the call that STANDIN_FAIL means. */
static bool is_to_fail(const char *name, sci_error_t *error)
{
    static atomic_uint calls;
    const char *what = getenv("STANDIN_FAIL");
    size_t length = strlen(name);
    if (what == NULL || strncmp(what, name, length) != 0 || what[length] != ':')
        return false;
    char *rest;
    unsigned long which = strtoul(what + length + 1, &rest, 10);
    if (atomic_fetch_add(&calls, 1) + 1 != which)
        return false;
    *error = *rest == ':' ? (sci_error_t)strtoul(rest + 1, NULL, 16) : SCI_ERR_SYSTEM;
    return true;
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

#include "calls.h"

#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void calls_line(const char *text)
{
    char path[PATH_BYTES];
    snprintf(path, sizeof path, "%s/calls-%d", getenv("STANDIN_DIR"), (int)getpid());
    int file = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    if (file < 0 || write(file, text, strlen(text)) < 0) /* O_APPEND keeps lines whole */
        abort();
    close(file);
}

void calls_violation(const char *name, const char *what)
{
    char text[300];
    snprintf(text, sizeof text, "VIOLATION: %s: %s\n", name, what);
    calls_line(text);
}

static bool told_to_fail(void)
{
    char path[PATH_BYTES];
    snprintf(path, sizeof path, "%s/fail", getenv("STANDIN_DIR"));
    return access(path, F_OK) == 0;
}

bool calls_is_to_fail(const char *name, int base, unsigned long *error)
{
    static atomic_uint calls;
    const char *what = getenv("STANDIN_FAIL");
    size_t length = strlen(name);
    if (what == NULL || strncmp(what, name, length) != 0 || what[length] != ':')
        return false;
    char *rest;
    unsigned long which = strtoul(what + length + 1, &rest, 10);
    unsigned long this = atomic_fetch_add(&calls, 1) + 1ul;
    bool on = *rest == '+';
    if (which == 0 ? !told_to_fail() : this < which || (this > which && !on))
        return false;
    rest += on;
    if (*rest == ':')
        *error = strtoul(rest + 1, NULL, base);
    return true;
}

#include "link/environment.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char *setting(const struct variable *variable)
{
    size_t size = strlen(variable->name) + strlen(variable->value) + 2;
    char *text = malloc(size);
    if (text != NULL)
        snprintf(text, size, "%s=%s", variable->name, variable->value);
    return text;
}

/*
 * setenv would move the array while another thread reads it in getenv. This function makes a second array and puts it in place
 * by one store. The array stays allocated, because a thread may still be reading it.
 */
void environment_extend(struct environment *environment, const struct variable *variables, size_t count)
{
    size_t length = 0;
    while (environ != NULL && environ[length] != NULL)
        length++;
    environment->former = environ;
    environment->ours = malloc((length + count + 1) * sizeof *environ);
    if (environment->ours == NULL)
        return;
    if (length > 0)
        memcpy(environment->ours, environ, length * sizeof *environ);
    for (size_t i = 0; i < count; i++) {
        char *text = getenv(variables[i].name) == NULL ? setting(&variables[i]) : NULL;
        if (text != NULL)
            environment->ours[length++] = text;
    }
    environment->ours[length] = NULL;
    __atomic_store_n(&environ, environment->ours, __ATOMIC_RELEASE);
}

void environment_restore(const struct environment *environment)
{
    char **ours = environment->ours;
    if (ours != NULL)
        __atomic_compare_exchange_n(&environ, &ours, environment->former, false, __ATOMIC_RELEASE, __ATOMIC_RELAXED);
}

/*
 * More environment for the length of a call, so that a library that is being loaded reads it. Other threads may read the
 * environment meanwhile: what they look at is never changed nor freed.
 */
#ifndef SHIM_ENVIRONMENT_H
#define SHIM_ENVIRONMENT_H

#include <stddef.h>

struct variable {
    const char *name, *value;
};

struct environment {
    char **former, **ours;
};

/* Adds those that are not set. Does nothing if there is no memory. */
void environment_extend(struct environment *, const struct variable *, size_t count);

/* Takes them away again, unless somebody else has put another environment in place of ours. */
void environment_restore(const struct environment *);

#endif

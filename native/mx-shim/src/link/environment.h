/*
 * Adds variables to the environment for the length of a call, so that a library that is being loaded reads them. Other threads
 * may read the environment meanwhile: the memory that they read is never changed or freed.
 */
#ifndef SHIM_LINK_ENVIRONMENT_H
#define SHIM_LINK_ENVIRONMENT_H

#include <stddef.h>

struct variable {
    const char *name, *value;
};

struct environment {
    char **former, **ours;
};

/* Adds the variables that are not set. Does nothing if there is no memory. */
void environment_extend(struct environment *, const struct variable *, size_t count);

/* Removes the added variables, unless another thread has put another environment in place of ours. */
void environment_restore(const struct environment *);

#endif

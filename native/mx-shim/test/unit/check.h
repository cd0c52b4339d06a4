#ifndef MX_UNIT_CHECK_H
#define MX_UNIT_CHECK_H

#include <stdio.h>
#include <stdlib.h>

#define CHECK(condition)                                                                  \
    do {                                                                                  \
        if (!(condition)) {                                                               \
            fprintf(stderr, "%s:%d: failed: %s\n", __FILE__, __LINE__, #condition);       \
            exit(1);                                                                      \
        }                                                                                 \
    } while (0)

/* The same numbers in each run: a failure can be had again. */
static inline unsigned int chance(unsigned int *state, unsigned int below)
{
    *state = *state * 1664525u + 1013904223u;
    return (*state >> 8) % below;
}

#endif

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

/* Pseudo-random numbers, the same in each run, so that a failure can be repeated. */
static inline unsigned int chance(unsigned int *state, unsigned int below)
{
    *state = *state * 1664525u + 1013904223u;
    return (*state >> 8) % below;
}

#endif

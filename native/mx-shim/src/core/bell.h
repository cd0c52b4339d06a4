/* A bell: a descriptor at which a thread sleeps, and which another thread makes readable. The endpoint's lock guards it. */
#ifndef SHIM_CORE_BELL_H
#define SHIM_CORE_BELL_H

#include <stdbool.h>

struct bell {
    int fd;     /* an eventfd; -1: not open */
    bool armed; /* the next bell_ring makes it readable */
    bool rung;  /* it has been rung since it was armed: readable */
};

/* False: there is no descriptor left. errno says why. */
bool bell_open(struct bell *);

/* Makes the bell readable, if it is armed. */
void bell_ring(struct bell *);

/* From here on the bell is not readable, until bell_ring. */
void bell_arm(struct bell *);

#endif

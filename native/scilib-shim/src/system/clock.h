/* Time-outs. Any thread may call these functions. */
#ifndef SHIM_CLOCK_H
#define SHIM_CLOCK_H

#include <stdint.h>

/* Milliseconds on the monotonic clock. */
uint64_t clock_now(void);

/* The time at which a time-out of the interface ends; UINT64_MAX for SCI_INFINITE_TIMEOUT. */
uint64_t clock_deadline(unsigned int timeout);

/* The time until a deadline as poll takes it: 0 if past, -1 if infinite. A long time is cut: ask again after the poll. */
int clock_poll_time(uint64_t deadline);

#endif

/* Time: the monotonic clock, for deadlines in milliseconds; and the wall clock, for when an endpoint was opened. */
#ifndef SHIM_CORE_CLOCK_H
#define SHIM_CORE_CLOCK_H

#include <stdint.h>
#include <time.h>

#define NEVER UINT64_MAX

static inline uint64_t clock_us(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000 + (uint64_t)now.tv_nsec / 1000;
}

static inline uint64_t clock_ms(void)
{
    return clock_us() / 1000;
}

/* Microseconds since 1970. They tell apart processes of a host that follow each other. This clock may be set back. */
static inline uint64_t clock_wall_us(void)
{
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    return (uint64_t)now.tv_sec * 1000000 + (uint64_t)now.tv_nsec / 1000;
}

/* When an MX time-out is over, in clock_ms. The time-out 0 (MX_INFINITE) is never over. */
static inline uint64_t clock_deadline(uint32_t timeout_ms)
{
    return timeout_ms == 0 ? NEVER : clock_ms() + timeout_ms;
}

#endif

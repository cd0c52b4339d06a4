/* Random numbers that other processes can't guess. */
#ifndef SHIM_CORE_RANDOM_H
#define SHIM_CORE_RANDOM_H

#include <stdint.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "core/clock.h"

/* Never 0. */
static inline uint32_t random_number(void)
{
    uint32_t number = 0;
    if (syscall(SYS_getrandom, &number, sizeof number, 0) != (long)sizeof number)
        number = (uint32_t)clock_us(); /* a kernel older than 3.17 */
    return number != 0 ? number : 1;
}

#endif

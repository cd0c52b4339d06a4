#include "system/clock.h"

#include <limits.h>
#include <time.h>

#include "sisci_api.h"

uint64_t clock_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}

uint64_t clock_deadline(unsigned int timeout)
{
    return timeout == SCI_INFINITE_TIMEOUT ? UINT64_MAX : clock_now() + timeout;
}

int clock_poll_time(uint64_t deadline)
{
    if (deadline == UINT64_MAX)
        return -1;
    uint64_t now = clock_now();
    if (now >= deadline)
        return 0;
    return deadline - now < INT_MAX ? (int)(deadline - now) : INT_MAX;
}

/*
 * The timer of programs in the style of a card's demonstrations, which find it in a header of this name. The project's own code;
 * all is in the header. Any thread may make these calls; they don't block.
 */
#ifndef SISCI_TESTLIB_H
#define SISCI_TESTLIB_H

#include <stddef.h>
#include <sys/time.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
    struct timeval start_time; /* by the clock of the day: a program whose clock is set meanwhile gets a wrong time */
} timer_start_t;

static inline void StartTimer(timer_start_t *timer_start)
{
    gettimeofday(&timer_start->start_time, NULL);
}

/* Microseconds since StartTimer. */
static inline double StopTimer(timer_start_t timer_start)
{
    struct timeval now;
    gettimeofday(&now, NULL);
    return (double)(now.tv_sec - timer_start.start_time.tv_sec) * 1e6 +
           (double)(now.tv_usec - timer_start.start_time.tv_usec);
}

#ifdef __cplusplus
}
#endif

#endif

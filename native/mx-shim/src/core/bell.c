#include "core/bell.h"

#include <sys/eventfd.h>

bool bell_open(struct bell *bell)
{
    bell->armed = bell->rung = false;
    return (bell->fd = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC)) >= 0;
}

void bell_ring(struct bell *bell)
{
    if (!bell->armed)
        return;
    bell->armed = false;
    bell->rung = true;
    eventfd_write(bell->fd, 1);
}

void bell_arm(struct bell *bell)
{
    eventfd_t value;
    if (bell->rung)
        eventfd_read(bell->fd, &value);
    bell->rung = false;
    bell->armed = true;
}

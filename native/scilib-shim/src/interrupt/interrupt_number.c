#include "interrupt/interrupt_number.h"

#include <errno.h>
#include <sys/random.h>
#include <unistd.h>

#include "base/errors.h"
#include "interrupt/interrupt.h"
#include "system/discard.h"
#include "system/wire.h"

enum { NUMBER_ATTEMPTS = 100, LOWEST_RANDOM_NUMBER = 0x10000, HIGHEST_RANDOM_NUMBER = 0x7fffffff, BACKLOG = 4096 };

static const char *const names[SORTS] = { "int", "shr", "cnt", "dat" };

int sort_socket_type(enum sort sort)
{
    return sort == SORT_DOORBELL ? SOCK_DGRAM : SOCK_SEQPACKET;
}

socklen_t number_address(const struct number *number, unsigned int place, struct sockaddr_un *address)
{
    const char *name = names[number->sort];
    return number->shared
               ? wire_shared_interrupt_name(address, name, number->node, number->adapter, number->value, place)
               : wire_interrupt_name(address, name, number->node, number->adapter, number->value);
}

/* Connects to the first place that is taken; SCI_ERR_BUSY if too many connect there at once. */
static sci_error_t knock(int socket, const struct number *number)
{
    for (unsigned int place = 0; place < (number->shared ? SHARERS : 1); place++) {
        struct sockaddr_un address;
        socklen_t length = number_address(number, place, &address);
        if (connect(socket, (const struct sockaddr *)&address, length) == 0)
            return SCI_ERR_OK;
        if (errno == EAGAIN)
            return SCI_ERR_BUSY;
        if (errno != ECONNREFUSED && errno != EPROTOTYPE)
            return failed("connect", SCI_ERR_SYSTEM);
    }
    return SCI_ERR_NO_SUCH_INTNO;
}

/* Whether a queue with this number exists. Its user doesn't matter here. Its owner sees a remote that hangs up at once. */
static sci_error_t probe_queue(const struct number *number)
{
    if (!discard_reserve())
        return failed("close", SCI_ERR_SYSTEM);
    int fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    sci_error_t status = fd < 0 ? failed("socket", SCI_ERR_SYSTEM) : knock(fd, number);
    if (status == SCI_ERR_OK) {
        wire_close(fd, false);
        return status;
    }
    if (fd >= 0)
        close(fd);
    discard_release();
    return status == SCI_ERR_BUSY ? SCI_ERR_OK : status;
}

/* A socket without a name that connects to doorbells to see whether they exist, and sends nothing; -1 until it is needed. */
static int finder = -1;

static sci_error_t probe_doorbell(const struct number *number)
{
    if (finder < 0)
        finder = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    return finder < 0 ? failed("socket", SCI_ERR_SYSTEM) : knock(finder, number);
}

void number_finder_close(void)
{
    if (finder >= 0)
        close(finder);
    finder = -1;
}

static sci_error_t probe(const struct number *number)
{
    return number->sort == SORT_DOORBELL ? probe_doorbell(number) : probe_queue(number);
}

/* Tries every other way to use the number, another sort or sharing, and finds the first one with an interrupt. */
static sci_error_t find_other(const struct number *own, struct number *other)
{
    static const struct {
        enum sort sort;
        bool shared;
    } ways[] = { { SORT_DOORBELL, false }, { SORT_COUNTING, false }, { SORT_SHARED, true }, { SORT_COUNTING, true },
                 { SORT_DATA, false },     { SORT_DATA, true } };
    sci_error_t status = SCI_ERR_NO_SUCH_INTNO;
    for (size_t i = 0; i < sizeof ways / sizeof ways[0] && status == SCI_ERR_NO_SUCH_INTNO; i++) {
        *other = *own;
        other->sort = ways[i].sort;
        other->shared = ways[i].shared;
        if ((other->sort == SORT_DATA) == (own->sort == SORT_DATA) &&
            (other->sort != own->sort || other->shared != own->shared))
            status = probe(other);
    }
    return status;
}

sci_error_t number_find(struct number *number)
{
    struct number other;
    sci_error_t status = probe(number);
    if (status == SCI_ERR_NO_SUCH_INTNO && (status = find_other(number, &other)) == SCI_ERR_OK)
        *number = other;
    return status;
}

static sci_error_t bind_value(const struct number *number, int socket)
{
    struct sockaddr_un address;
    for (unsigned int place = 0; place < (number->shared ? SHARERS : 1); place++) {
        socklen_t length = number_address(number, place, &address);
        if (bind(socket, (const struct sockaddr *)&address, length) == 0)
            return SCI_ERR_OK;
        if (errno != EADDRINUSE)
            return failed("bind", SCI_ERR_SYSTEM);
    }
    return number->shared ? failed("bind", SCI_ERR_NOSPC) : SCI_ERR_INTNO_USED;
}

/* Numbers are random, not counted: processes need not know of each other, and a freed number isn't soon in use again. */
static sci_error_t bind_any(struct number *number, int socket)
{
    sci_error_t status = SCI_ERR_INTNO_USED;
    for (int i = 0; i < NUMBER_ATTEMPTS && status == SCI_ERR_INTNO_USED; i++) {
        unsigned int random;
        if (getrandom(&random, sizeof random, 0) != (ssize_t)sizeof random)
            return failed("getrandom", SCI_ERR_SYSTEM);
        number->value = LOWEST_RANDOM_NUMBER + random % (HIGHEST_RANDOM_NUMBER - LOWEST_RANDOM_NUMBER + 1);
        status = bind_value(number, socket);
    }
    return status;
}

sci_error_t number_bind(struct number *number, bool fixed, int socket)
{
    sci_error_t status = fixed ? bind_value(number, socket) : bind_any(number, socket);
    if (status == SCI_ERR_OK && number->sort != SORT_DOORBELL && listen(socket, BACKLOG) < 0)
        status = failed("listen", SCI_ERR_SYSTEM);
    if (status != SCI_ERR_OK || !fixed) /* a random number is in use in another way once in 2^31 times */
        return status;
    /*
     * First bind, then look for an interrupt that has the number in another way. If two processes do so at the same time,
     * at least one of them sees the other. If both do, neither gets the number, as if it had been in use.
     */
    struct number other;
    status = find_other(number, &other);
    return status == SCI_ERR_OK ? SCI_ERR_INTNO_USED : status == SCI_ERR_NO_SUCH_INTNO ? SCI_ERR_OK : status;
}

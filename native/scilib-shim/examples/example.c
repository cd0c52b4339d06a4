#define _GNU_SOURCE
#include "example.h"

#include <errno.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { BATCHES = 51 };

static _Noreturn void usage(const char *program)
{
    fprintf(stderr,
            "usage: %s -server|-client [options]\n"
            "  -rn N         node id of the other process (default: our own)\n"
            "  -adapterno N  default: 0\n"
            "  -id N         first segment id or interrupt number, of two (default: 4097)\n"
            "  -size N       bytes in a message (default: 8), or in the largest block of dma_bench (default: 2097152)\n"
            "  -seconds S    how long the client measures (default: 1)\n",
            program);
    exit(2);
}

static unsigned long number(const char *text, unsigned long most, const char *program)
{
    char *end;
    errno = 0;
    unsigned long value = strtoul(text, &end, 0);
    if (text[0] < '0' || text[0] > '9' || *end != '\0' || errno != 0 || value > most)
        usage(program);
    return value;
}

struct options options_of(int count, char **arguments, size_t size)
{
    struct options options = { .base = 0x1001, .size = size, .seconds = 1 };
    bool client = false;
    for (int i = 1; i < count; i++) {
        const char *option = arguments[i], *value = i + 1 < count ? arguments[i + 1] : "";
        if (strcmp(option, "-server") == 0 || strcmp(option, "-client") == 0) {
            options.server = option[1] == 's';
            client = option[1] == 'c';
            continue;
        }
        if (strcmp(option, "-rn") == 0)
            options.remote_node = (unsigned int)number(value, 65535, arguments[0]);
        else if (strcmp(option, "-adapterno") == 0)
            options.adapter = (unsigned int)number(value, 15, arguments[0]);
        else if (strcmp(option, "-id") == 0)
            options.base = (unsigned int)number(value, 0x7fffffff, arguments[0]);
        else if (strcmp(option, "-size") == 0)
            options.size = number(value, 1ul << 30, arguments[0]);
        else if (strcmp(option, "-seconds") == 0)
            options.seconds = strtod(value, NULL);
        else
            usage(arguments[0]);
        i++;
    }
    if (options.server == client || options.size == 0 || !(options.seconds > 0 && options.seconds <= 3600))
        usage(arguments[0]);
    return options;
}

sci_desc_t start(struct options *options)
{
    sci_error_t error;
    sci_desc_t device;
    SCIInitialize(NO_FLAGS, &error);
    must(error, "SCIInitialize");
    SCIOpen(&device, NO_FLAGS, &error);
    must(error, "SCIOpen");
    if (options->remote_node == 0) {
        SCIGetLocalNodeId(options->adapter, &options->remote_node, NO_FLAGS, &error);
        must(error, "SCIGetLocalNodeId");
    }
    return device;
}

void finish(sci_desc_t device)
{
    sci_error_t error;
    SCIClose(device, NO_FLAGS, &error);
    must(error, "SCIClose");
    SCITerminate();
}

void must(sci_error_t error, const char *call)
{
    if (error != SCI_ERR_OK) {
        fprintf(stderr, "%s: %s (%#x)\n", call, SCIGetErrorString(error), (unsigned int)error);
        exit(1);
    }
}

void fail(const char *message)
{
    fprintf(stderr, "%s\n", message);
    exit(1);
}

void use_own_processor(const struct options *options)
{
    cpu_set_t allowed, one;
    int index = options->server ? 0 : 1;
    CPU_ZERO(&one);
    if (sched_getaffinity(0, sizeof allowed, &allowed) != 0 || CPU_COUNT(&allowed) < 2)
        return;
    for (size_t processor = 0; CPU_COUNT(&one) == 0; processor++)
        if (CPU_ISSET(processor, &allowed) && index-- == 0)
            CPU_SET(processor, &one);
    sched_setaffinity(0, sizeof one, &one);
}

double milliseconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec * 1e3 + (double)now.tv_nsec * 1e-6;
}

bool is_not_there_yet(sci_error_t error, double since)
{
    /* SCI_ERR_NO_SUCH_INTNO has the code of SCI_ERR_NO_SUCH_SEGMENT. */
    if ((error != SCI_ERR_NO_SUCH_SEGMENT && error != SCI_ERR_TIMEOUT) || milliseconds() - since > PATIENCE)
        return false;
    nanosleep(&(struct timespec){ .tv_nsec = 1000000 }, NULL);
    return true;
}

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

double measure(void (*rounds)(void *context, unsigned long count), void *context, double seconds)
{
    double batch[BATCHES], share = seconds * 1e3 / BATCHES, took = 0;
    unsigned long count = 1;
    for (;; count *= 2) { /* this warms everything up as well */
        double begun = milliseconds();
        rounds(context, count);
        took = milliseconds() - begun;
        if (took >= share / 2)
            break;
    }
    for (int i = 0; i < BATCHES; i++) {
        double begun = milliseconds();
        rounds(context, count);
        batch[i] = (milliseconds() - begun) / (double)count * 1e-3;
    }
    qsort(batch, BATCHES, sizeof batch[0], ascending);
    return batch[BATCHES / 2];
}

/*
 * A wire between two hosts, which are network namespaces, that is late and loses things:
 *
 *   wire PID PID [delay TIME [JITTER]] [loss PERCENT] [seed NUMBER]
 *   wire 4711 4712 delay 30ms 10ms loss 0.5%
 *
 * It makes a TAP device jfs0 in the network namespace of each of the two processes and carries every Ethernet frame from
 * one to the other. The words are those of tc's netem, which not every kernel has, and so is what they mean, each way: a
 * frame takes TIME, give or take at most JITTER, any of these times as likely as another; so with JITTER frames overtake
 * each other, as on several ways through a network, which is worse than a queue that keeps their order. PERCENT of them are
 * lost at random. A way has room for FRAMES_MAX frames and drops what comes beyond, as a device does. The same seed makes
 * the same random numbers, though not the same frames.
 *
 * It says "seed NUMBER", then "ready" when both devices are there (the hosts give them addresses and switch them on), ends with its
 * standard input, and the devices with it, and then says how many frames were carried, lost and dropped, each way. Exit
 * status 2: bad arguments, 1: the system refuses something. Needs CAP_SYS_ADMIN and CAP_NET_ADMIN.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/if_tun.h>
#include <net/if.h>
#include <poll.h>
#include <sched.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

#define DEVICE "jfs0"
#define SECOND INT64_C(1000000000)

enum {
    FRAMES_MAX = 1000,
    SLOTS = FRAMES_MAX + 1, /* one is for a frame of which nobody knows yet whether there is room */
    FRAME_BYTES = 14 + 1500,
    SECONDS_MAX = 60
};

struct frame {
    int64_t due;
    size_t length;
    unsigned char bytes[FRAME_BYTES];
};

/* One way. Frames under way are slots[first] to slots[first + count - 1], modulo SLOTS, by the time that they are due. */
struct way {
    int from, to;
    struct frame *slots[SLOTS];
    size_t first, count;
    unsigned long carried, lost, dropped;
};

static struct {
    int64_t delay, jitter; /* nanoseconds */
    double loss;           /* of 1 */
    long seed;
} how;

__attribute__((noreturn, format(printf, 2, 3))) static void fail(int status, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    fputs("wire: ", stderr);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
    va_end(arguments);
    exit(status);
}

/* ---- arguments ---- */

static double number(const char *text, const char **unit)
{
    char *end;
    double n = strtod(text, &end);
    *unit = end;
    return end == text ? -1 : n;
}

static int is_time(const char *text, int64_t *nanoseconds)
{
    const char *unit;
    double n = number(text, &unit);
    double scale = strcmp(unit, "us") == 0 ? 1e3 : strcmp(unit, "ms") == 0 ? 1e6 : strcmp(unit, "s") == 0 ? 1e9 : -1;
    if (scale < 0 || !(n >= 0 && n * scale <= (double)SECONDS_MAX * SECOND))
        return 0;
    *nanoseconds = (int64_t)(n * scale);
    return 1;
}

static int is_share(const char *text, double *share)
{
    const char *unit;
    double n = number(text, &unit);
    *share = n / 100;
    return strcmp(unit, "%") == 0 && n >= 0 && n <= 100;
}

static int is_whole(const char *text, long *n)
{
    char *end;
    errno = 0;
    *n = strtol(text, &end, 10);
    return end != text && *end == '\0' && errno == 0;
}

/* From the third argument on. */
static void parse(char **argument)
{
    how.seed = (long)time(NULL) ^ (long)getpid() << 16;
    while (*argument != NULL) {
        const char *word = *argument++, *value = *argument;
        if (value == NULL)
            fail(2, "%s what?", word);
        argument++;
        if (strcmp(word, "delay") == 0) {
            if (!is_time(value, &how.delay))
                fail(2, "%s is no delay: a number of us, ms or s, %d s at most", value, SECONDS_MAX);
            how.jitter = 0;
            if (*argument != NULL && is_time(*argument, &how.jitter))
                argument++;
            if (how.jitter > how.delay)
                fail(2, "the jitter may not be longer than the delay");
        } else if (strcmp(word, "loss") == 0) {
            if (!is_share(value, &how.loss))
                fail(2, "%s is no loss: 0%% to 100%%", value);
        } else if (strcmp(word, "seed") == 0) {
            if (!is_whole(value, &how.seed))
                fail(2, "%s is no seed: a whole number", value);
        } else {
            fail(2, "%s is neither delay nor loss nor seed", word);
        }
    }
}

/* ---- devices ---- */

static int device(const char *pid)
{
    long n;
    char path[64];
    if (!is_whole(pid, &n) || n <= 0)
        fail(2, "%s is no process", pid);
    snprintf(path, sizeof path, "/proc/%ld/ns/net", n);
    int host = open(path, O_RDONLY | O_CLOEXEC);
    if (host < 0)
        fail(1, "%s: %s", path, strerror(errno));
    if (setns(host, CLONE_NEWNET) < 0)
        fail(1, "setns %s: %s", path, strerror(errno));
    close(host);
    int tap = open("/dev/net/tun", O_RDWR | O_NONBLOCK | O_CLOEXEC); /* belongs to the namespace of who opens it */
    if (tap < 0)
        fail(1, "/dev/net/tun: %s", strerror(errno));
    struct ifreq request = { .ifr_name = DEVICE, .ifr_flags = IFF_TAP | IFF_NO_PI };
    if (ioctl(tap, TUNSETIFF, &request) < 0)
        fail(1, "a device " DEVICE " at process %ld: %s", n, strerror(errno));
    return tap;
}

static void make(struct way *way, int from, int to)
{
    way->from = from;
    way->to = to;
    struct frame *frames = calloc(SLOTS, sizeof *frames);
    if (frames == NULL)
        fail(1, "no memory");
    for (size_t i = 0; i < SLOTS; i++)
        way->slots[i] = frames + i;
}

/* ---- frames ---- */

static int64_t now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * SECOND + time.tv_nsec;
}

/* One frame, if there is any, to its place. */
static void take(struct way *way)
{
    struct frame **slots = way->slots, *frame = slots[(way->first + way->count) % SLOTS];
    ssize_t length = read(way->from, frame->bytes, sizeof frame->bytes);
    if (length < 0 && errno != EAGAIN)
        fail(1, "a device " DEVICE " is gone: %s", strerror(errno));
    if (length <= 0)
        return;
    if (drand48() < how.loss) {
        way->lost++;
        return;
    }
    if (way->count == FRAMES_MAX) {
        way->dropped++;
        return;
    }
    frame->length = (size_t)length;
    frame->due = now() + how.delay + (int64_t)((double)how.jitter * (2 * drand48() - 1));
    size_t at = way->first + way->count++;
    for (; at > way->first && slots[(at - 1) % SLOTS]->due > frame->due; at--)
        slots[at % SLOTS] = slots[(at - 1) % SLOTS];
    slots[at % SLOTS] = frame;
}

static int64_t next_due(const struct way *way)
{
    return way->count == 0 ? INT64_MAX : way->slots[way->first % SLOTS]->due;
}

static void deliver(struct way *way)
{
    while (next_due(way) <= now()) {
        const struct frame *frame = way->slots[way->first++ % SLOTS];
        way->count--;
        if (write(way->to, frame->bytes, frame->length) < 0 && errno != EIO) /* that is a device that is down */
            fail(1, "a device " DEVICE " takes no frame: %s", strerror(errno));
        way->carried++;
    }
}

/* Whether there will be no more of it. */
static int has_ended(int in)
{
    char ignored[256];
    return read(in, ignored, sizeof ignored) <= 0;
}

static void carry(struct way ways[2])
{
    struct pollfd fds[] = {
        { .fd = ways[0].from, .events = POLLIN },
        { .fd = ways[1].from, .events = POLLIN },
        { .fd = STDIN_FILENO, .events = POLLIN },
    };
    while (fds[2].revents == 0 || !has_ended(STDIN_FILENO)) {
        int64_t due = next_due(&ways[0]) < next_due(&ways[1]) ? next_due(&ways[0]) : next_due(&ways[1]);
        int64_t left = due - now();
        struct timespec time = { .tv_sec = left / SECOND, .tv_nsec = left % SECOND };
        if (left < 0)
            time = (struct timespec){ 0 };
        if (ppoll(fds, 3, due == INT64_MAX ? NULL : &time, NULL) < 0)
            fail(1, "ppoll: %s", strerror(errno));
        for (int i = 0; i < 2; i++) {
            if (fds[i].revents != 0)
                take(&ways[i]);
            deliver(&ways[i]);
        }
    }
}

int main(int argc, char **argv)
{
    if (argc < 3)
        fail(2, "usage: wire PID PID [delay TIME [JITTER]] [loss PERCENT] [seed NUMBER]");
    parse(argv + 3);
    srand48(how.seed);
    static struct way ways[2];
    int one = device(argv[1]), other = device(argv[2]);
    make(&ways[0], one, other);
    make(&ways[1], other, one);
    printf("seed %ld\nready\n", how.seed);
    fflush(stdout);
    carry(ways);
    for (int i = 0; i < 2; i++)
        printf("from %s: carried %lu lost %lu dropped %lu\n", argv[1 + i], ways[i].carried, ways[i].lost, ways[i].dropped);
    return 0;
}

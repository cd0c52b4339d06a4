/* A process that reaches the ports at which an endpoint listens can send any bytes there. They do no harm. */
#include "check.h"

#include <arpa/inet.h>
#include <dirent.h>
#include <errno.h>
#include <poll.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

enum { MOST = 16 };

struct place {
    uint32_t address; /* as in struct in_addr */
    uint16_t port;
};

/* The ports at which this process listens, as /proc shows them. */
static int listening(struct place *places)
{
    static unsigned long inodes[4096];
    int sockets = 0, count = 0;
    DIR *directory = opendir("/proc/self/fd");
    CHECK(directory != NULL);
    for (struct dirent *entry; (entry = readdir(directory)) != NULL;) {
        char path[300], target[64] = "";
        snprintf(path, sizeof path, "/proc/self/fd/%s", entry->d_name);
        if (readlink(path, target, sizeof target - 1) > 0 && sscanf(target, "socket:[%lu]", &inodes[sockets]) == 1)
            CHECK(++sockets < 4096);
    }
    closedir(directory);
    FILE *table = fopen("/proc/net/tcp", "re");
    CHECK(table != NULL);
    char line[512];
    while (fgets(line, sizeof line, table) != NULL) {
        unsigned int address, port, state;
        unsigned long inode;
        if (sscanf(line, " %*d: %x:%x %*x:%*x %x %*s %*s %*s %*d %*d %lu", &address, &port, &state, &inode) != 4 || state != 10)
            continue;
        for (int i = 0; i < sockets && count < MOST; i++)
            if (inodes[i] == inode)
                places[count++] = (struct place){ .address = address, .port = (uint16_t)port };
    }
    fclose(table);
    return count;
}

/* The bytes of kind k, of some length: nothing, zeros, ones, text, huge lengths, or noise. */
static size_t garbage(unsigned char *bytes, size_t room, int kind)
{
    static const size_t lengths[] = { 0, 1, 7, 8, 64, 4096, 60000 };
    size_t length = lengths[kind % 7];
    CHECK(length <= room);
    uint32_t noise = (uint32_t)kind * 2654435761u;
    for (size_t i = 0; i < length; i++) {
        noise = noise * 1664525 + 1013904223;
        bytes[i] = kind % 5 == 0 ? 0 : kind % 5 == 1 ? 0xff : kind % 5 == 2 ? (unsigned char)"GET / HTTP/1.0\r\n"[i % 16]
                                                                        : (unsigned char)(noise >> 24);
    }
    return length;
}

/* Connects to a port. -1: no process listens there any more; UCX closes a port that it turns out not to need. */
static int dial(struct place place)
{
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    CHECK(fd >= 0);
    struct sockaddr_in to = { .sin_family = AF_INET, .sin_port = htons(place.port), .sin_addr = { place.address } };
    if (to.sin_addr.s_addr == INADDR_ANY)
        to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    if (connect(fd, (struct sockaddr *)&to, sizeof to) == 0)
        return fd;
    CHECK(errno == ECONNREFUSED);
    close(fd);
    return -1;
}

static int filling[1000], filled_up;

static void fill_up(int descriptor)
{
    while ((filling[filled_up] = dup(descriptor)) >= 0)
        CHECK(++filled_up < 1000);
}

/*
 * A connection that comes while no descriptor is left keeps no thread from sleeping, and is accepted when there is a descriptor
 * again.
 */
static void no_descriptor(mx_endpoint_t endpoint)
{
    int knocking = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    struct rlimit limit, low;
    CHECK(knocking >= 0 && getrlimit(RLIMIT_NOFILE, &limit) == 0);
    low = limit;
    low.rlim_cur = (rlim_t)knocking + 100;
    CHECK(setrlimit(RLIMIT_NOFILE, &low) == 0);
    fill_up(knocking);
    struct sockaddr_in to = {
        .sin_family = AF_INET,
        .sin_port = htons((uint16_t)(strtoul(getenv("MX_SHIM_PORT"), NULL, 10) + id_of(endpoint))),
        .sin_addr.s_addr = htonl((uint32_t)nic_of(endpoint)),
    };
    CHECK(connect(knocking, (struct sockaddr *)&to, sizeof to) == 0);
    struct pollfd readable = { .fd = mx_shim_descriptor(endpoint), .events = POLLIN };
    for (double since = milliseconds(); mx_shim_arm(endpoint) != MX_SHIM_ARMED || poll(&readable, 1, 0) != 0;) {
        fill_up(knocking); /* UCX still closes some after a while */
        CHECK(milliseconds() - since < WHILE / 10);
    }
    while (filled_up > 0)
        close(filling[--filled_up]);
    CHECK(setrlimit(RLIMIT_NOFILE, &limit) == 0);
    const char words[8] = "";
    CHECK(send(knocking, words, sizeof words, MSG_NOSIGNAL) == sizeof words);
    struct pollfd ended = { .fd = knocking, .events = POLLIN }; /* wrong words: the port mapper reads them and closes the connection */
    for (double since = milliseconds(); poll(&ended, 1, 0) == 0;) {
        OK(mx_progress(endpoint));
        CHECK(milliseconds() - since < WHILE / 10);
    }
    close(knocking);
}

/* A stranger sends garbage, and closes the connection or keeps it; meanwhile the endpoint sends messages to itself. */
int main(void)
{
    static unsigned char bytes[60000];
    need_mx();
    begin();
    mx_endpoint_t endpoint = open_any();
    mx_endpoint_addr_t self = connect_to(endpoint, id_of(endpoint));
    struct place places[MOST];
    int count = listening(places), staying[256], stays = 0, dialled = 0;
    CHECK(count > 0);
    for (int kind = 0; kind < 105; kind++) {
        size_t length = garbage(bytes, sizeof bytes, kind);
        for (int i = 0; i < count; i++) {
            int fd = dial(places[i]);
            if (fd < 0)
                continue;
            dialled++;
            for (size_t sent = 0; sent < length;) {
                ssize_t part = send(fd, bytes + sent, length - sent, MSG_NOSIGNAL | MSG_DONTWAIT);
                if (part < 0)
                    break; /* refused, or more than the receiver takes */
                sent += (size_t)part;
            }
            if (kind % 3 == 0 && stays < 256) {
                staying[stays++] = fd;
            } else {
                if (kind % 3 == 1)
                    setsockopt(fd, SOL_SOCKET, SO_LINGER, &(struct linger){ .l_onoff = 1 }, sizeof(struct linger));
                close(fd);
            }
        }
        uint64_t out = (uint64_t)kind, in = 0;
        mx_request_t receive = start_receive(endpoint, 1, MX_MATCH_MASK_NONE, &in, sizeof in);
        send_message(endpoint, self, 1, &out, sizeof out);
        CHECK_STATUS(MX_STATUS_SUCCESS, await(endpoint, &receive));
        CHECK(in == out);
    }
    CHECK(dialled >= 105);
    /* Other endpoints can connect while strangers keep their connections. */
    mx_endpoint_t other = open_any();
    mx_request_t request;
    OK(mx_iconnect(other, nic_of(endpoint), id_of(endpoint), KEY, 1, NULL, &request));
    CHECK_STATUS(MX_STATUS_SUCCESS, await_both(other, &request, endpoint));
    OK(mx_close_endpoint(other));
    mx_status_t status;
    uint32_t result;
    OK(mx_iprobe(endpoint, 0, 0, &status, &result));
    CHECK(result == 0);
    for (int i = 0; i < stays; i++)
        close(staying[i]);
    no_descriptor(endpoint);
    end(endpoint);
    struct rusage usage;
    CHECK(getrusage(RUSAGE_SELF, &usage) == 0);
    CHECK(usage.ru_maxrss < 512 * KB); /* in KB: the library believed none of the lengths that strangers sent */
    return 0;
}

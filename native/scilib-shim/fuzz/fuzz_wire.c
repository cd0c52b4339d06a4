/*
 * What a peer may send to the library, for libFuzzer or replay.c. Each input is sent twice: by a peer that connects to a
 * segment of the library, and by a peer that the library connects to.
 *
 *   byte  which descriptors come with each packet: enum gift
 *   then packets: byte n, n bytes
 */
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <unistd.h>

#include "sisci_api.h"
#include "system/wire.h"

enum { OURS = 1, THEIRS = 2, PAGE = 4096, WHILE = 10000, SEALS = F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL };
enum gift { NOTHING, SEGMENT, UNSEALED, PIPE, GIFTS };

static unsigned int node;
static sci_desc_t device;
static int listener, asked;
static struct {
    const uint8_t *data;
    size_t size;
} input;

static void need(int condition, const char *what)
{
    if (!condition) {
        fprintf(stderr, "fuzz_wire: %s\n", what);
        abort();
    }
}

static int unwrap(enum gift gift)
{
    int fds[2];
    switch (gift) {
    case SEGMENT:
    case UNSEALED:
        fds[0] = memfd_create("fuzz", MFD_CLOEXEC | MFD_ALLOW_SEALING);
        need(ftruncate(fds[0], PAGE) == 0 && (gift == UNSEALED || fcntl(fds[0], F_ADD_SEALS, SEALS) == 0), "memfd");
        return fds[0];
    case PIPE:
        need(pipe2(fds, O_CLOEXEC) == 0, "pipe");
        close(fds[1]);
        return fds[0];
    default:
        return -1;
    }
}

/* Sends the packets and hangs up. */
static void say(int socket)
{
    enum gift gift = input.size > 0 ? input.data[0] % GIFTS : NOTHING;
    for (size_t at = 1; at < input.size; at += 1 + input.data[at]) {
        size_t rest = input.size - at - 1;
        int fd = unwrap(gift);
        wire_send(socket, input.data + at + 1, input.data[at] < rest ? input.data[at] : rest, fd);
        if (fd >= 0)
            close(fd);
    }
    close(socket);
}

/* Waits for a connection, or until "asked" is readable: then there will be none, since the library's call has ended without one. */
static void *answer(void *unused)
{
    (void)unused;
    union wire_packet request;
    struct pollfd sources[2] = { { .fd = listener, .events = POLLIN }, { .fd = asked, .events = POLLIN } };
    need(poll(sources, 2, -1) > 0, "poll");
    if (sources[0].revents == 0)
        return NULL;
    int socket = accept4(listener, NULL, NULL, SOCK_CLOEXEC);
    need(socket >= 0, "accept");
    recv(socket, &request, sizeof request, 0);
    say(socket);
    return NULL;
}

static void begin(void)
{
    sci_error_t error = SCI_ERR_OK;
    sci_local_segment_t segment;
    struct sockaddr_un address;
    char text[16];
    node = 1 + (unsigned int)getpid() % 65535;
    snprintf(text, sizeof text, "%u", node);
    setenv("SISCI_SHIM_NODE", text, 1);
    SCIInitialize(0, &error);
    SCIOpen(&device, 0, &error);
    SCICreateSegment(device, &segment, OURS, PAGE, NULL, NULL, 0, &error);
    SCIPrepareSegment(segment, 0, 0, &error);
    SCISetSegmentAvailable(segment, 0, 0, &error);
    need(error == SCI_ERR_OK, "segment");
    listener = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
    socklen_t length = wire_segment_name(&address, node, THEIRS);
    need(bind(listener, (struct sockaddr *)&address, length) == 0 && listen(listener, 8) == 0, "listener");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (device == NULL)
        begin();
    input.data = data;
    input.size = size;

    struct sockaddr_un address;
    socklen_t length = wire_segment_name(&address, node, OURS);
    int socket_to_us = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
    need(connect(socket_to_us, (struct sockaddr *)&address, length) == 0, "connect");
    say(socket_to_us);

    pthread_t thread;
    sci_remote_segment_t remote;
    sci_error_t error;
    asked = eventfd(0, EFD_CLOEXEC);
    need(asked >= 0, "eventfd");
    need(pthread_create(&thread, NULL, answer, NULL) == 0, "thread");
    SCIConnectSegment(device, &remote, node, THEIRS, 0, NULL, NULL, WHILE, 0, &error);
    need(error != SCI_ERR_TIMEOUT, "time-out"); /* the library does not wait for a peer that has hung up */
    need(eventfd_write(asked, 1) == 0, "eventfd");
    if (error == SCI_ERR_OK) {
        sci_map_t map;
        volatile unsigned char *memory = SCIMapRemoteSegment(remote, &map, 0, 1, NULL, 0, &error);
        if (error == SCI_ERR_OK) { /* the peer may have hung up meanwhile; if not, every byte is there */
            memory[SCIGetRemoteSegmentSize(remote) > 0 ? SCIGetRemoteSegmentSize(remote) - 1 : 0] = 1;
            SCIUnmapSegment(map, 0, &error);
        }
        SCIDisconnectSegment(remote, 0, &error);
    }
    pthread_join(thread, NULL);
    close(asked);
    return 0;
}

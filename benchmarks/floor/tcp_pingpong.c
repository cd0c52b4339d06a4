/* Two processes bounce a message over loopback TCP with blocking calls. This is the cost of the kernel's sockets without Java. */
#define _GNU_SOURCE
#include "floor.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

struct end {
  int socket;
  unsigned char *buffer;
  size_t bytes;
};

static void send_message(const struct end *e) {
  for (size_t done = 0; done < e->bytes;) {
    const ssize_t n = send(e->socket, e->buffer + done, e->bytes - done, MSG_NOSIGNAL);
    if (n > 0) done += (size_t)n;
    else if (errno != EINTR) floor_fail("send");
  }
}

/* Returns 1 if a message came, 0 if the other end has closed the connection. */
static int receive_message(const struct end *e) {
  for (size_t done = 0; done < e->bytes;) {
    const ssize_t n = recv(e->socket, e->buffer + done, e->bytes - done, 0);
    if (n > 0) done += (size_t)n;
    else if (n == 0) return 0;
    else if (errno != EINTR) floor_fail("recv");
  }
  e->buffer[e->bytes - 1]++;
  return 1;
}

static void run(void *context, uint64_t rounds) {
  const struct end *e = context;
  for (uint64_t i = 0; i < rounds; i++) {
    send_message(e);
    if (!receive_message(e)) {
      errno = 0;
      floor_fail("the other process has ended");
    }
  }
}

static void fill(void *context, unsigned seed) {
  const struct end *e = context;
  floor_fill_pattern(e->buffer, e->bytes, seed);
}

static void check(void *context, unsigned seed, uint64_t rounds) {
  const struct end *e = context;
  errno = 0;
  if (!floor_pattern_arrived(e->buffer, e->bytes, seed, 2 * rounds)) floor_fail("the payload did not arrive intact");
}

static int without_delay(int fd) {
  const int on = 1;
  if (fd < 0 || setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on) != 0) floor_fail("socket");
  return fd;
}

int main(int argc, char **argv) {
  const struct options options = floor_options(argc, argv);
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  socklen_t length = sizeof address;
  const int listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (listener < 0 || bind(listener, (struct sockaddr *)&address, length) != 0 || listen(listener, 1) != 0 ||
      getsockname(listener, (struct sockaddr *)&address, &length) != 0) {
    floor_fail("listen");
  }

  struct end e = {.buffer = floor_buffer(options.bytes), .bytes = options.bytes};
  const pid_t child = floor_fork();
  if (child == 0) {
    e.socket = without_delay(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
    if (connect(e.socket, (struct sockaddr *)&address, length) != 0) floor_fail("connect");
    close(listener);
    while (receive_message(&e)) send_message(&e);
    _exit(0);
  }
  e.socket = without_delay(accept4(listener, NULL, NULL, SOCK_CLOEXEC));
  const struct trials trials = {.fill = fill, .run = run, .check = check, .context = &e};
  const struct timing round = floor_measure(&trials, options.seconds);
  floor_end_peer(child);
  floor_print_pingpong("tcp-pingpong", options.bytes, round);
  return 0;
}

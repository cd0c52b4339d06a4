/* A TCP connection's tuple as Java reads and writes it: the local end, then the remote end. */
#ifndef JFS_TUPLE_H
#define JFS_TUPLE_H

/*
 * One end:
 *    0  address, 16 bytes, IPv4 as ::ffff:a.b.c.d
 *   16  scope id, 4 bytes big-endian, 0 unless link-local
 *   20  port, 4 bytes big-endian
 */
enum { END_SCOPE = 16, END_PORT = 20, END_BYTES = 24 };
static const unsigned char mapped_prefix[12] = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff};

#endif

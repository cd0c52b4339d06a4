/**
 * The handshake between processes of one host: its control connection is a Unix socket. A listening socket also listens at a Unix socket
 * with an abstract {@linkplain jfs.negotiation.handshake.local.Names name} that follows from its address and port. A connecting process
 * sends its offer there. The kernel tells each process who the other one is, and both show each other by a {@linkplain
 * jfs.negotiation.handshake.local.Token token} that they hold the two ends of the TCP connection.
 */
package jfs.negotiation.handshake.local;

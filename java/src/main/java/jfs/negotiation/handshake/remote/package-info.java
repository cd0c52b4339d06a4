/**
 * The handshake between processes of two hosts, for connections for which a rule has chosen MX. Its control connection is a TCP connection
 * of its own. Each process listens at one of a few rendezvous ports ({@code jfs.hosts.ports}). A connecting process asks one port after the
 * other. Every frame proves by a key that its sender may speak ({@link jfs.negotiation.handshake.remote.Transcript}).
 */
package jfs.negotiation.handshake.remote;

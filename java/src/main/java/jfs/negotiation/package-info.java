/**
 * How two processes find out that they hold the two ends of one TCP connection, and agree on a fast path for it. {@link
 * jfs.negotiation.Negotiator} is all that sockets know of it. No application byte goes through here, and no thread of the application
 * waits: all of it happens on one event loop's thread.
 *
 * <ol>
 * <li>{@code policy} decides from the settings and the connection's addresses what the connection may use.
 * <li>{@code handshake} makes an offer to the peer process, and answers offers: what does not depend on how the messages are carried.
 * <li>{@code handshake.local} carries them between processes of one host, by Unix sockets with abstract names.
 * <li>{@code handshake.remote} carries them between hosts, by TCP connections with proofs by a key.
 * </ol>
 */
package jfs.negotiation;

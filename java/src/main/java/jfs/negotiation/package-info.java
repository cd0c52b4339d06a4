/**
 * How two processes find out that they hold the two ends of one TCP connection, and agree on a fast path for it. Sockets use {@link
 * jfs.negotiation.Negotiator} only. No byte of the application goes through these packages, and no thread of the application waits for
 * them: one event loop's thread does all the work.
 *
 * <ol>
 * <li>{@code policy} decides from the settings and the connection's addresses what the connection may use.
 * <li>{@code handshake} makes an offer to the peer process, and answers offers. It has what does not depend on the control connection, by
 * which the messages go.
 * <li>{@code handshake.local} has the control connections between processes of one host: Unix sockets with abstract names.
 * <li>{@code handshake.remote} has the control connections between hosts: TCP connections with proofs by a key.
 * </ol>
 */
package jfs.negotiation;

/**
 * How two processes find out that they hold the two ends of one TCP connection, and agree on a fast path for it. Moves
 * no application byte and never makes an application's thread wait: all of it happens on one thread of its own.
 *
 * <p>{@link jfs.negotiation.Policy} decides which connections are worth it at all: by {@link jfs.negotiation.Rules} and
 * {@code jfs.transport}.
 *
 * <ol>
 * <li>{@link jfs.negotiation.Names}: a listening socket also listens on an abstract Unix socket named after its port.
 * <li>{@link jfs.negotiation.OfferingSide}: the client connects to that name and sends an offer.
 * <li>{@link jfs.negotiation.AcceptingSide}: the server process finds its end by the kernel's tuple and answers.
 * </ol>
 */
package jfs.negotiation;

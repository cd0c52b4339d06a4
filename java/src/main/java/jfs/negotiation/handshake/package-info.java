/**
 * An offer and its answer, by whichever control connection they go: {@link jfs.negotiation.handshake.OutgoingOffer} at the connecting end,
 * {@link jfs.negotiation.handshake.IncomingOffer} at the accepting end, {@link jfs.negotiation.handshake.Message} between them. An offer is
 * given its control connection. There are two kinds: one for processes of one host, and one for processes of two hosts.
 *
 * <p>At the offerer's end an {@code OfferQueue} limits how many offers to one listener are under way. {@code LastFound} and {@code
 * RecentFailures} remember what earlier offers have found out. At the acceptor's end {@code AcceptedSockets} has the sockets that offers
 * may be for. {@code ClientLimit} and {@code JoinTimeLimit} bound what peer processes can take.
 */
package jfs.negotiation.handshake;

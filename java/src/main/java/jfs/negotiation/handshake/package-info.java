/**
 * An offer and its answer, whatever carries them: {@link jfs.negotiation.handshake.OutgoingOffer} at the connecting end, {@link
 * jfs.negotiation.handshake.IncomingOffer} at the accepting end, {@link jfs.negotiation.handshake.Message} between them. A control
 * connection is passed in. There is one for processes of one host, and one for processes of two hosts.
 *
 * <p>The offerer's end: an {@code OfferQueue} lets so many offers to one listener be under way. {@code LastFound} and {@code
 * RecentFailures} spare it what other offers have found out. The acceptor's end: {@code AcceptedSockets} are those that offers may be for.
 * {@code ClientLimit} and {@code JoinTimeLimit} bound what peer processes can take.
 */
package jfs.negotiation.handshake;

package jfs.negotiation.policy;

import jfs.spi.TransportProvider;

/**
 * The transport that a connection may use.
 *
 * @param refusal why the connection stays on TCP; null if it may use a fast transport
 * @param transport the fast transport; null if there is a refusal
 * @param trusted for a transport between hosts: whether the rule asks for no proof that the peer has the key
 */
public record Choice(Refusal refusal, TransportProvider transport, boolean trusted) {

    public static Choice of(TransportProvider transport, boolean trusted) {
        return new Choice(null, transport, trusted);
    }

    public static Choice tcp(Refusal refusal) {
        return new Choice(refusal, null, false);
    }

    /** Whether the transport is one between hosts. A rule has chosen it then. */
    public boolean betweenHosts() {
        return transport != null && transport.betweenHosts();
    }
}

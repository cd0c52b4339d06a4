package jfs.negotiation;

/**
 * What a connection may use.
 *
 * @param refusal why it stays on TCP, or null
 * @param betweenHosts whether it is MX, which a rule has chosen; else it is shared memory
 * @param trusted whether that rule asks for no proof that the peer has the key
 */
public record Choice(Refusal refusal, boolean betweenHosts, boolean trusted) {

    static final Choice SHARED_MEMORY = new Choice(null, false, false);

    static Choice mx(boolean trusted) {
        return new Choice(null, true, trusted);
    }

    static Choice tcp(Refusal refusal) {
        return new Choice(refusal, false, false);
    }
}

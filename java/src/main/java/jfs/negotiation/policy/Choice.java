package jfs.negotiation.policy;

/**
 * The transport that a connection may use.
 *
 * @param refusal why the connection stays on TCP; null if it may use a fast transport
 * @param betweenHosts true if a rule has chosen MX; else the connection may use shared memory, unless there is a refusal
 * @param trusted whether that rule asks for no proof that the peer has the key
 */
public record Choice(Refusal refusal, boolean betweenHosts, boolean trusted) {

    public static final Choice SHARED_MEMORY = new Choice(null, false, false);

    static Choice mx(boolean trusted) {
        return new Choice(null, true, trusted);
    }

    public static Choice tcp(Refusal refusal) {
        return new Choice(refusal, false, false);
    }
}

package jfs.negotiation.handshake;

/** What this process knows of whether a peer process holds an end of a connection (NEG-7). */
public enum Proof {
    /** The peer process holds it, or is to be believed without a proof ({@code jfs.unproven}). */
    SHOWN,
    /** The kernel says that the peer process does not hold it, or that there is no such end. */
    REFUTED,
    /** The kernel says neither. */
    UNPROVEN
}

package jfs.stat;

/** Why a connection stays on TCP. Every connection that is not fast has exactly one. */
public enum Reason {

    UNAVAILABLE("there is no fast path in this process: its native library can't be used"),
    TRANSPORT_OFF("no fast transport is allowed by jfs.transport"),
    RULE("a rule in jfs.rules says tcp"),
    NO_MX("a rule in jfs.rules says mx, and this process has no MX library that works"),
    NO_RDMA("a rule in jfs.rules says mx, but the MX library finds only TCP and no RDMA; a rule with mx forced uses it all the same"),
    NO_TRANSPORT("the transport of this connection can't be used in this process"),
    NOT_ASKED("the connection ended before it was worth an offer (jfs.upgrade.after; for channels also jfs.nio=auto)"),
    NO_OFFER("the client made no offer: it is not running JFS, or had its own reason"),
    OTHER_SELECTOR("the program's channel is in a selector that is not JFS's, and does not learn of what comes by a path"),
    SENDFILE("the program sends files by FileChannel.transferTo, and the kernel copies them fewer times than a path would"),
    PROXIED("the connection goes through a SOCKS proxy"),
    NO_NAME("the listening socket found no free name in this network namespace, or was closed"),
    OTHER_HOST("the peer is on another host"),
    NO_PEER("the peer is not running JFS, or not in this network namespace"),
    OTHER_FABRIC("no connection of the peer may use this transport (jfs.transport, jfs.rules), "
            + "or one end uses a card and the other does not (jfs.sci.library)"),
    PEER_BUSY("the peer has too many offers to take another one now"),
    NO_RENDEZVOUS("no JFS process that accepts mx answers on the peer's host (jfs.rules and jfs.hosts.ports there)"),
    WRONG_KEY("the two hosts don't have the same key (jfs.hosts.key), or only one of their rules says trusted"),
    TRANSLATED("no JFS process on the peer's host holds the other end: addresses are translated on the way, or the peer does not run JFS"),
    ALTERED("the bytes that one end received are not those that the other end sent: a proxy between them changes bytes"),
    OTHER_TRANSPORT("the two ends choose different transports (jfs.rules, jfs.transport)"),
    FOREIGN_USER("the peer runs as a user who is not allowed (jfs.allow.uids)"),
    UNPROVEN("the peer process did not prove that it holds this connection's other end (jfs.unproven=allow trusts its user)"),
    NOT_MINE("no JFS process here holds the other end of this connection"),
    NO_ANSWER("the peer did not answer the offer in time"),
    HUNG_UP("the peer hung up on the offer: it was ending, has too many, does not allow this user, "
            + "or waited long enough for accept"),
    DECLINED("the peer declined the offer"),
    BAD_MESSAGE("the peer sent bytes that are not a message of JFS's protocol"),
    VERSION("the peer runs another version of JFS, and the two have no protocol version in common"),
    NO_RESOURCES("the system has, or allows, no more descriptors, memory or threads for a fast path"),
    STALE("the connection ended or changed during the offer"),
    FAILED("setting up the fast path failed"),
    PATH_FAILED("the fast path failed before a byte went by it, or the peer never had its end of the path");

    private final String text;

    Reason(String text) {
        this.text = text;
    }

    /** @return the reason of that name, or the other one if there is none of that name */
    public static Reason named(String name, Reason otherwise) {
        for (Reason it : values()) {
            if (it.name().equals(name)) {
                return it;
            }
        }
        return otherwise;
    }

    /** Whether an offer that failed for this reason may succeed later, on the same connection. */
    public boolean canPass() {
        return switch (this) {
            case NO_PEER, NOT_MINE, NO_ANSWER, HUNG_UP, PEER_BUSY, NO_RESOURCES, NO_RENDEZVOUS -> true;
            default -> false;
        };
    }

    /** The reason in words, for users. */
    public String text() {
        return text;
    }
}

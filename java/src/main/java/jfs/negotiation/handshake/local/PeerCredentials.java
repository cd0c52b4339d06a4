package jfs.negotiation.handshake.local;

import java.util.Set;
import jfs.config.Settings;
import jfs.nativelib.Posix;
import jfs.negotiation.handshake.Proof;
import jfs.negotiation.handshake.Tuple;
import jfs.procfs.Descriptors;
import jfs.spi.NoResourcesException;

/** Decides which processes may share memory with this one: of which users (NEG-2), and for which connections (NEG-7). */
public final class PeerCredentials {

    static final long STRANGER = -1;

    private final Set<Integer> allowed;
    private final boolean unproven;
    private final int self = Posix.effectiveUser();

    /**
     * @param allowed other users whose processes may share memory with this one
     * @param unproven whether a process of one of these users, or of this process's user, needs no proof that it holds the connection
     *            that an offer is for
     */
    public PeerCredentials(Set<Integer> allowed, boolean unproven) {
        this.allowed = Set.copyOf(allowed);
        this.unproven = unproven;
    }

    /** @return whether the process at the other end of a Unix socket may share memory, by the user id that the kernel tells */
    boolean mayShare(int unixSocket) {
        return party(unixSocket) != STRANGER;
    }

    /**
     * Limits are counted by party. A process of this process's user is a party of its own. All processes of another user are one party,
     * because such a user could start as many processes as he likes.
     *
     * @return the party of the process at the other end of a Unix socket; {@link #STRANGER} if it may not share memory with this one
     */
    long party(int unixSocket) {
        long credentials = Posix.peerCredentials(unixSocket);
        if (isError(credentials)) {
            return STRANGER; // the kernel does not tell its user
        }
        int user = user(credentials);
        if (user == Settings.OVERFLOW_USER) {
            return STRANGER;
        }
        return user == self ? credentials : allowed.contains(user) ? (long) user << 32 : STRANGER;
    }

    /** @return why the process that has connected to this one's Unix socket is a {@link #STRANGER}, in words for users */
    String whyStranger(int unixSocket) {
        return whyStranger(unixSocket, "the peer runs as user ");
    }

    /**
     * Any user can take a name that a listener may have. So its owner need not be the peer of the TCP connection.
     *
     * @return why the process that listens at a name, to which this one has connected, is a {@link #STRANGER}, in words for users
     */
    String whyForeign(int unixSocket) {
        return whyStranger(unixSocket, "the listener's name belongs to a process of user ");
    }

    private static String whyStranger(int unixSocket, String hasUser) {
        long credentials = Posix.peerCredentials(unixSocket);
        if (isError(credentials)) {
            return "the kernel does not tell the peer's user: " + Posix.errorText((int) -credentials);
        }
        int user = user(credentials);
        return user == Settings.OVERFLOW_USER
                ? "the peer's user has no number in this process's user namespace (the kernel shows " + user
                        + "), so jfs.allow.uids can't name it"
                : hasUser + Integer.toUnsignedString(user) + ", whom jfs.allow.uids of this process does not name";
    }

    /**
     * Why a process at the other end of a Unix socket may have hung up, though this process would share memory with it.
     *
     * @return in words for users; null if it has this process's user, so that the user is not why
     */
    String whyHungUp(int unixSocket) {
        long credentials = Posix.peerCredentials(unixSocket);
        return isError(credentials) || user(credentials) == self ? null
                : "the peer runs as user " + Integer.toUnsignedString(user(credentials))
                        + " and hung up: jfs.allow.uids there does not name user " + Integer.toUnsignedString(self)
                        + ", or can't (another user namespace), or the peer was ending";
    }

    /** @return whether a {@link #party} is this process; also false if a security manager refuses to tell this process's id */
    boolean isOurselves(long party) {
        try {
            return party == ((long) self << 32 | ProcessHandle.current().pid());
        } catch (SecurityException e) {
            return false;
        }
    }

    /**
     * Tells whether the process at the other end of a Unix socket holds that end of an established TCP connection (NEG-7). It does if the
     * TCP socket shows the process's {@link Token}, or if the process's descriptors can be read and that socket is among them.
     *
     * @param token what the process would show; null if it has no token, as builds of version 1
     * @throws NoResourcesException if there is no descriptor or no memory to ask the kernel
     */
    Proof proof(int unixSocket, Tuple end, Token token) throws NoResourcesException {
        long credentials = Posix.peerCredentials(unixSocket);
        TcpOwners.Owner owner = isError(credentials) ? null : TcpOwners.of(end);
        if (owner == null) {
            return Proof.REFUTED;
        }
        if (token != null && token.isShownBy(owner)) {
            return Proof.SHOWN;
        }
        int process = (int) credentials;
        Boolean holds = process > 0 ? Descriptors.holds(process, owner.inode()) : null; // 0: a process of another PID namespace
        if (holds != null) {
            return holds ? Proof.SHOWN : Proof.REFUTED;
        }
        boolean plausible = user(credentials) == self || owner.user() == Integer.toUnsignedLong(user(credentials));
        return unproven && plausible ? Proof.SHOWN : Proof.UNPROVEN;
    }

    static int user(long credentials) {
        return (int) (credentials >>> 32);
    }

    /** A negative number above -4096 is an errno. Any other negative number is the credentials of a user whose id is 2^31 or more. */
    static boolean isError(long credentials) {
        return credentials < 0 && credentials > -4096;
    }
}

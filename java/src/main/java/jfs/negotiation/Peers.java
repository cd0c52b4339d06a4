package jfs.negotiation;

import java.util.Set;
import jfs.config.Settings;
import jfs.nativelib.Posix;
import jfs.procfs.Descriptors;
import jfs.spi.NoResourcesException;

/** Which processes may share memory with this one: of which users (NEG-2), and for which connections (NEG-7). */
final class Peers {

    static final long STRANGER = -1;

    private final Set<Integer> allowed;
    private final boolean unproven;
    private final int self = Posix.effectiveUser();

    /**
     * @param allowed other users
     * @param unproven whether a process of one of these users, or of our own, is believed what nothing shows: that it holds the
     *            connection it speaks of
     */
    Peers(Set<Integer> allowed, boolean unproven) {
        this.allowed = Set.copyOf(allowed);
        this.unproven = unproven;
    }

    /** Whether the process at the other end of a Unix socket may; as the kernel vouches for it. */
    boolean mayShare(int unixSocket) {
        return party(unixSocket) != STRANGER;
    }

    /**
     * Whose share of our time that process takes: its own if it is one of our user's, its user's otherwise, who could
     * start as many as he likes.
     *
     * @return {@link #STRANGER} if it may not share memory with us
     */
    long party(int unixSocket) {
        long credentials = Posix.peerCredentials(unixSocket);
        if (isError(credentials)) {
            return STRANGER; // nobody vouches
        }
        int user = user(credentials);
        if (user == Settings.OVERFLOW_USER) {
            return STRANGER;
        }
        return user == self ? credentials : allowed.contains(user) ? (long) user << 32 : STRANGER;
    }

    /** Whether a {@link #party} is this process; false as well where a security manager refuses the number of this process. */
    boolean isOurselves(long party) {
        try {
            return party == ((long) self << 32 | ProcessHandle.current().pid());
        } catch (SecurityException e) {
            return false;
        }
    }

    /** What is known of whether a process holds an end of a connection. */
    enum Holding {
        /** It does, or it is to be taken for one that does ({@code jfs.unproven}). */
        SHOWN,
        /** The kernel says that it does not, or that there is no such end. */
        REFUTED,
        /** The kernel says neither. */
        UNPROVEN
    }

    /**
     * Whether the process at the other end of a Unix socket holds that end of an established TCP connection (NEG-7): it shows a
     * {@link Token} there, or its descriptors can be seen and have that socket.
     *
     * @param token what it would show; null for a peer that knows of none, as builds of version 1
     * @throws NoResourcesException if there is no descriptor or no memory to ask with
     */
    Holding holding(int unixSocket, Tuple end, Token token) throws NoResourcesException {
        long credentials = Posix.peerCredentials(unixSocket);
        TcpOwners.Owner owner = isError(credentials) ? null : TcpOwners.of(end);
        if (owner == null) {
            return Holding.REFUTED;
        }
        if (token != null && token.isShownBy(owner)) {
            return Holding.SHOWN;
        }
        int process = (int) credentials;
        Boolean holds = process > 0 ? Descriptors.holds(process, owner.inode()) : null; // 0: of another PID namespace
        if (holds != null) {
            return holds ? Holding.SHOWN : Holding.REFUTED;
        }
        boolean plausible = user(credentials) == self || owner.user() == Integer.toUnsignedLong(user(credentials));
        return unproven && plausible ? Holding.SHOWN : Holding.UNPROVEN;
    }

    private static int user(long credentials) {
        return (int) (credentials >>> 32);
    }

    /** Small negative numbers are errnos; a large one is the number of a user beyond 2^31. */
    private static boolean isError(long credentials) {
        return credentials < 0 && credentials > -4096;
    }
}

package jfs.negotiation;

import jfs.config.Settings;
import jfs.nativelib.Posix;

import java.util.Set;

/** Whose processes may share memory with this one (P8, R2). */
final class Peers {

    static final long STRANGER = -1;

    private final Set<Integer> allowed;
    private final int self = Posix.effectiveUser();

    Peers(Set<Integer> allowed) {
        this.allowed = Set.copyOf(allowed);
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

    /**
     * Whether that process's user owns this end of a connection. A process of our own user could do as it likes with us
     * anyway; one of another user, though allowed, must not get hold of a third user's connections.
     */
    boolean owns(int unixSocket, Tuple end) {
        long credentials = Posix.peerCredentials(unixSocket);
        if (isError(credentials)) {
            return false;
        }
        if (user(credentials) == self) {
            return true;
        }
        TcpOwners.Owner owner = TcpOwners.of(end);
        return owner != null && owner.user() == Integer.toUnsignedLong(user(credentials));
    }

    private static int user(long credentials) {
        return (int) (credentials >>> 32);
    }

    /** Small negative numbers are errnos; a large one is the number of a user beyond 2^31. */
    private static boolean isError(long credentials) {
        return credentials < 0 && credentials > -4096;
    }
}

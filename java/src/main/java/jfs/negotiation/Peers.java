package jfs.negotiation;

import jfs.config.Settings;
import jfs.nativelib.Posix;

import java.util.Set;

/** Whose processes may share memory with this one (P8, R2). */
final class Peers {

    private final Set<Integer> allowed;
    private final int self = Posix.effectiveUser();

    Peers(Set<Integer> allowed) {
        this.allowed = Set.copyOf(allowed);
    }

    /** Whether the process at the other end of a Unix socket may; as the kernel vouches for it. */
    boolean mayShare(int unixSocket) {
        long credentials = Posix.peerCredentials(unixSocket);
        if (credentials < 0 && credentials > -4096) {
            return false; // an errno: nobody vouches
        }
        int user = (int) (credentials >>> 32);
        return user != Settings.OVERFLOW_USER && (user == self || allowed.contains(user));
    }
}

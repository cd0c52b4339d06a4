package jfs.negotiation;

import jfs.nativelib.Posix;
import jfs.procfs.TcpTable;
import jfs.spi.NoResourcesException;

/**
 * Whose an end of an established TCP connection is, by the kernel's word (NEG-7). It is asked for that one socket where it
 * answers such questions (sock_diag), else its list of all is read.
 */
final class TcpOwners {

    /**
     * Set by the first answer. "No such socket" and "nothing is known of TCP" are the same error, so without it the list
     * is read as well.
     */
    private static volatile boolean answers;

    private TcpOwners() {
    }

    /**
     * @param user its number
     * @param inode of the socket; 0 if the program has not accepted it yet
     * @param pacing the limit of what it sends, bytes a second: how it shows a {@link Token}; 0 if that is not known
     */
    record Owner(long user, long inode, long pacing) {
    }

    /**
     * Null if this network namespace has no such socket that we can see.
     *
     * @throws NoResourcesException if there is no descriptor or no memory to ask with
     */
    static Owner of(Tuple end) throws NoResourcesException {
        long[] owner = new long[3];
        int status = Posix.tcpOwner(end.toBytes(), owner);
        if (status == 0) {
            answers = true;
            return new Owner(owner[0], owner[1], owner[2]);
        }
        if (status == -Posix.EMFILE || status == -Posix.ENFILE || status == -Posix.ENOMEM || status == -Posix.ENOBUFS) {
            throw new NoResourcesException("sock_diag: " + Posix.errorText(-status));
        }
        boolean none = status == -Posix.ESRCH || status == -Posix.ENOENT && answers;
        return none ? null : listed(end);
    }

    /** As the kernel lists it, which takes as long as the list is, and has no pacing. */
    static Owner listed(Tuple end) {
        TcpTable.Row row = TcpTable.find(it -> it.state() == TcpTable.ESTABLISHED
                && end.connects(it.local(), it.localPort(), it.remote(), it.remotePort()));
        return row == null ? null : new Owner(row.user(), row.inode(), 0);
    }
}

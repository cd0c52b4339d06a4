package jfs.negotiation.handshake.local;

import jfs.nativelib.Posix;
import jfs.negotiation.handshake.Tuple;
import jfs.procfs.TcpTable;
import jfs.spi.NoResourcesException;

/**
 * Asks the kernel who owns an end of an established TCP connection (NEG-7). Where the kernel has sock_diag, it is asked for that one
 * socket. Elsewhere its list of all TCP sockets is read.
 */
final class TcpOwners {

    /**
     * Set by the first answer of sock_diag. The kernel has the same error for "no such socket" and for "no sock_diag for TCP". As long as
     * there was no answer, the list is therefore read as well.
     */
    private static volatile boolean answers;

    private TcpOwners() {
    }

    /**
     * @param user the user id
     * @param inode of the socket; 0 if the program has not accepted it yet
     * @param pacing the pacing limit of the socket, bytes per second, by which it shows a {@link Token}; 0 if it is not known
     */
    record Owner(long user, long inode, long pacing) {
    }

    /**
     * @return null if this process can see no such socket in its network namespace
     * @throws NoResourcesException if there is no descriptor or no memory to ask the kernel
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

    /** Reads the kernel's list. This takes longer the longer the list is. The list has no pacing limits. */
    static Owner listed(Tuple end) {
        TcpTable.Row row = TcpTable.find(it -> it.state() == TcpTable.ESTABLISHED
                && end.connects(it.local(), it.localPort(), it.remote(), it.remotePort()));
        return row == null ? null : new Owner(row.user(), row.inode(), 0);
    }
}

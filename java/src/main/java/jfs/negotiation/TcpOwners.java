package jfs.negotiation;

import jfs.procfs.TcpTable;

/**
 * Which user owns an end of a TCP connection, as the kernel lists it (R2). The list may be long, so this is for peers
 * of another user only, who are rare.
 */
final class TcpOwners {

    private TcpOwners() {
    }

    /** @return the user's number, or -1 if this network namespace has no such socket that we can see */
    static long userOf(Tuple end) {
        TcpTable.Row row = TcpTable.find(
                it -> end.connects(it.local(), it.localPort(), it.remote(), it.remotePort()));
        return row == null ? -1 : row.user();
    }
}

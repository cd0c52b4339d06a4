package jfs.launcher.status;

import java.util.HashMap;
import java.util.Map;
import jfs.procfs.TcpTable;

/** The kernel's lists of TCP sockets, each of which is read once: all processes of a network namespace have the same list. */
final class KernelSockets {

    private final Map<String, Map<Long, TcpTable.Row>> lists = new HashMap<>();

    /**
     * The sockets that some process has, by inode.
     *
     * @param pid a process of that namespace
     * @param namespace empty if it is not known; then the list is read for that process alone
     */
    Map<Long, TcpTable.Row> of(String pid, String namespace) {
        return namespace.isEmpty() ? read(pid) : lists.computeIfAbsent(namespace, it -> read(pid));
    }

    private static Map<Long, TcpTable.Row> read(String pid) {
        Map<Long, TcpTable.Row> rows = new HashMap<>();
        TcpTable.find(pid, row -> {
            if (row.inode() != 0) {
                rows.put(row.inode(), row);
            }
            return false;
        });
        return rows;
    }
}

package jfs.launcher.status;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import jfs.procfs.Descriptors;
import jfs.procfs.TcpTable;

/**
 * The kernel's lists of TCP sockets. Each is read once, and again for a process that misses a socket in it: all processes of a network
 * namespace have the same list. And which processes hold the sockets, which is read only if somebody asks for it. One thread uses an
 * instance.
 */
final class KernelSockets {

    private record Ends(ByteBuffer local, int localPort, ByteBuffer remote, int remotePort) {
    }

    private final Map<String, Map<Long, TcpTable.Row>> lists = new HashMap<>();
    private final Map<String, Map<Ends, Long>> inodes = new HashMap<>();
    /** Process by inode. Null before somebody asks. */
    private Map<Long, String> holders;

    /**
     * The sockets that some process has, by inode.
     *
     * @param pid a process of that namespace
     * @param namespace empty if it is not known; then the list is read for that process alone
     * @param again whether the process misses a socket in the list; then the list is read again, and gets what was missing
     */
    Map<Long, TcpTable.Row> of(String pid, String namespace, boolean again) {
        Map<Long, TcpTable.Row> list = lists.get(namespace);
        if (list != null && !again) {
            return list;
        }
        Map<Long, TcpTable.Row> rows = read(pid);
        // The list of a process that has ended is empty or cut off. It must not become that of the whole namespace.
        if (namespace.isEmpty() || !namespace.equals(namespace(pid))) {
            return rows;
        }
        inodes.remove(namespace);
        lists.computeIfAbsent(namespace, it -> new HashMap<>()).putAll(rows);
        return lists.get(namespace);
    }

    /** The network namespace of a process; empty if this user may not know it, or the process has ended. */
    static String namespace(String pid) {
        return Descriptors.target(Path.of("/proc", pid, "ns", "net"));
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

    /** The process that holds the other end of a connection in this namespace, by its number. @return null if that is not known */
    String otherHolder(String namespace, TcpTable.Row one) {
        Map<Ends, Long> byEnds = inodes.computeIfAbsent(namespace, it -> {
            Map<Ends, Long> all = new HashMap<>();
            lists.getOrDefault(it, Map.of()).forEach((inode, row) -> all.put(new Ends(ByteBuffer.wrap(row.local()), row.localPort(),
                    ByteBuffer.wrap(row.remote()), row.remotePort()), inode));
            return all;
        });
        Long inode = byEnds.get(new Ends(ByteBuffer.wrap(one.remote()), one.remotePort(), ByteBuffer.wrap(one.local()), one.localPort()));
        if (inode == null) {
            return null;
        }
        if (holders == null) {
            holders = new HashMap<>();
            try (DirectoryStream<Path> processes = Files.newDirectoryStream(Path.of("/proc"), "[1-9]*")) {
                for (Path process : processes) {
                    String pid = process.getFileName().toString();
                    Map<Integer, Long> sockets = Descriptors.sockets(pid);
                    if (sockets != null) {
                        sockets.values().forEach(it -> holders.put(it, pid));
                    }
                }
            } catch (IOException | DirectoryIteratorException e) {
                // Then less is known.
            }
        }
        return holders.get(inode);
    }
}

package jfs.management;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import jfs.monitor.ConnectionView;
import jfs.negotiation.policy.MappedAddress;
import jfs.procfs.TcpTable;
import jfs.stat.Reason;

/**
 * The connections of one process at one moment: its table, joined with the kernel's list of TCP sockets. The MXBean shows those of its
 * own process, the command {@code status} those of other processes. A connection that the kernel does not have any more is left out: it
 * has ended meanwhile, or the program forgot to close it. One reading of the list does not prove that: it may miss a socket
 * ({@link TcpTable}), or may be older than the connection. So a connection is left out only if a second reading does not have it either.
 * The newest connection comes first.
 */
public final class JoinedConnections {

    private final List<Connection> connections = new ArrayList<>();
    private final int outOfReach;

    /** How the kernel's list of the process's sockets is read. */
    @FunctionalInterface
    public interface Sockets {

        /**
         * The process's sockets in the kernel's list.
         *
         * @param again whether a connection had no row in the first reading; then a list that was read before does not do
         * @return null if they can't be known
         */
        Collection<TcpTable.Row> read(boolean again);
    }

    /**
     * A connection with what the kernel adds.
     *
     * @param row null if the kernel's list can't be known
     */
    public record Connection(ConnectionView view, TcpTable.Row row) {

        /** In text; null if the kernel's list can't be known. */
        public String ownAddress() {
            try {
                return row == null ? null : InetAddress.getByAddress(row.local()).getHostAddress();
            } catch (UnknownHostException e) {
                throw new IllegalArgumentException(e); // only for another length
            }
        }
    }

    /** What the table and the kernel's list both have of a connection. {@code remote} has 16 bytes, IPv4 as IPv4-mapped. */
    private record Ends(int localPort, int remotePort, ByteBuffer remote) {

        static Ends of(TcpTable.Row row) {
            return new Ends(row.localPort(), row.remotePort(), ByteBuffer.wrap(row.remote()));
        }

        static Ends of(ConnectionView view) {
            return new Ends(view.ownPort(), view.port(), ByteBuffer.wrap(MappedAddress.of(view.peer())));
        }
    }

    /**
     * Reads the kernel's list once, and a second time if a connection of the table has no row in it.
     *
     * @param views what the table has
     */
    public static JoinedConnections of(List<ConnectionView> views, Sockets sockets) {
        Collection<TcpTable.Row> rows = sockets.read(false);
        JoinedConnections joined = new JoinedConnections(views, rows);
        if (joined.connections.size() == views.size()) {
            return joined;
        }
        Collection<TcpTable.Row> more = sockets.read(true);
        return more == null ? joined : new JoinedConnections(views, union(rows, more));
    }

    /** The rows of both readings. Of a socket that both have, the later row. */
    private static Collection<TcpTable.Row> union(Collection<TcpTable.Row> first, Collection<TcpTable.Row> second) {
        Map<Long, TcpTable.Row> byInode = new LinkedHashMap<>();
        first.forEach(row -> byInode.put(row.inode(), row));
        second.forEach(row -> byInode.put(row.inode(), row));
        return byInode.values();
    }

    /** @param rows the process's sockets in the kernel's list; null if they can't be known */
    private JoinedConnections(List<ConnectionView> views, Collection<TcpTable.Row> rows) {
        Map<Ends, Deque<TcpTable.Row>> byEnds = new HashMap<>(); // several have the same ends if they differ in the local address
        if (rows != null) {
            rows.forEach(row -> byEnds.computeIfAbsent(Ends.of(row), it -> new ArrayDeque<>(1)).add(row));
        }
        List<ConnectionView> newestFirst = new ArrayList<>(views);
        // A connection that the program forgot to close may have had the same ends before.
        newestFirst.sort(Comparator.comparingLong(ConnectionView::since).reversed());
        for (ConnectionView view : newestFirst) {
            Deque<TcpTable.Row> found = byEnds.get(Ends.of(view));
            TcpTable.Row row = found == null ? null : found.poll();
            if (row == null && view.reason().equals(Reason.PROXIED.name())) { // the kernel's peer is the proxy
                row = takeOfOwnPort(byEnds, view.ownPort());
            }
            if (row != null || rows == null) {
                connections.add(new Connection(view, row));
            }
        }
        long others = byEnds.values().stream().flatMap(Deque::stream).filter(row -> row.state() == TcpTable.ESTABLISHED).count();
        this.outOfReach = rows == null ? -1 : (int) others;
    }

    private static TcpTable.Row takeOfOwnPort(Map<Ends, Deque<TcpTable.Row>> byEnds, int port) {
        for (Map.Entry<Ends, Deque<TcpTable.Row>> each : byEnds.entrySet()) {
            if (each.getKey().localPort() == port && !each.getValue().isEmpty()) {
                return each.getValue().poll();
            }
        }
        return null;
    }

    /** The newest first. */
    public List<Connection> connections() {
        return connections;
    }

    /** How many established TCP connections are not JFS's; -1 if that can't be known. */
    public int outOfReach() {
        return outOfReach;
    }
}

package jfs.management;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import jfs.monitor.ConnectionTable;
import jfs.monitor.ConnectionView;
import jfs.monitor.TableReader;
import jfs.negotiation.policy.MappedAddress;
import jfs.procfs.Descriptors;
import jfs.procfs.TcpTable;
import jfs.stat.ConnectionInfo;
import jfs.stat.DirectionInfo;
import jfs.stat.Reason;

/**
 * The connections of this process at one moment: its table, joined with the kernel's list of TCP sockets, as the command {@code status}
 * does it from outside. A connection that the kernel does not have any more is left out.
 */
final class OpenConnections {

    private final List<ConnectionInfo> connections = new ArrayList<>();
    private final int outOfReach;

    /** What the table and the kernel's list both have of a connection. {@code remote} has 16 bytes, IPv4 as IPv4-mapped. */
    private record Ends(int localPort, int remotePort, ByteBuffer remote) {
    }

    /**
     * @param views what the table has
     * @param upgradeAfter the setting jfs.upgrade.after
     * @param rows this process's sockets in the kernel's list; null if they can't be known
     */
    OpenConnections(List<ConnectionView> views, int upgradeAfter, List<TcpTable.Row> rows) {
        Map<Ends, Deque<TcpTable.Row>> byEnds = new HashMap<>(); // several have the same ends if they differ in the local address
        if (rows != null) {
            rows.forEach(row -> byEnds.computeIfAbsent(new Ends(row.localPort(), row.remotePort(), ByteBuffer.wrap(row.remote())),
                    it -> new ArrayDeque<>(1)).add(row));
        }
        for (ConnectionView view : views) {
            Deque<TcpTable.Row> found = byEnds.get(new Ends(view.ownPort(), view.port(), ByteBuffer.wrap(MappedAddress.of(view.peer()))));
            TcpTable.Row row = found == null ? null : found.poll();
            if (row == null && view.reason().equals(Reason.PROXIED.name())) { // the kernel's peer is the proxy
                row = takeOfOwnPort(byEnds, view.ownPort());
            }
            if (row != null || rows == null) {
                connections.add(new Row(view, row == null ? null : row.local(), upgradeAfter));
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

    static OpenConnections now() {
        TableReader table = ConnectionTable.reader();
        return table == null ? new OpenConnections(List.of(), 0, ownSockets())
                : new OpenConnections(table.connections(), table.upgradeAfter(), ownSockets());
    }

    private static List<TcpTable.Row> ownSockets() {
        Map<Integer, Long> descriptors = Descriptors.sockets();
        if (descriptors == null) {
            return null;
        }
        Set<Long> sockets = new HashSet<>(descriptors.values());
        List<TcpTable.Row> rows = new ArrayList<>();
        TcpTable.find(row -> {
            if (sockets.remove(row.inode())) {
                rows.add(row);
            }
            return false;
        });
        return rows;
    }

    List<ConnectionInfo> connections() {
        return connections;
    }

    /** How many established TCP connections are not JFS's; -1 if that can't be known. */
    int outOfReach() {
        return outOfReach;
    }

    private static String text(byte[] address) {
        try {
            return InetAddress.getByAddress(address).getHostAddress();
        } catch (UnknownHostException e) {
            throw new IllegalArgumentException(e); // only for another length
        }
    }

    private static String emptyIsNull(String text) {
        return text.isEmpty() ? null : text;
    }

    /** Texts are made when somebody asks for them: whoever only counts does not. @param ownAddress null if it is not known */
    private record Row(ConnectionView view, byte[] ownAddress, int upgradeAfter) implements ConnectionInfo {

        private Remedy remedy() {
            return view.isFast() ? null : Remedy.of(view, upgradeAfter);
        }

        @Override
        public String getOwnAddress() {
            return ownAddress == null ? null : text(ownAddress);
        }

        @Override
        public int getOwnPort() {
            return view.ownPort();
        }

        @Override
        public String getPeerAddress() {
            return view.peer().getHostAddress();
        }

        @Override
        public int getPeerPort() {
            return view.port();
        }

        @Override
        public String getSocketClass() {
            return view.socketClass();
        }

        @Override
        public boolean isAccepted() {
            return view.accepted();
        }

        @Override
        public long getSince() {
            return view.since();
        }

        @Override
        public String getState() {
            return view.state();
        }

        @Override
        public String getTransport() {
            return emptyIsNull(view.transport());
        }

        @Override
        public boolean isFast() {
            return view.isFast();
        }

        @Override
        public String getReason() {
            return emptyIsNull(view.reason());
        }

        @Override
        public String getWhy() {
            Remedy it = remedy();
            return it == null ? null : it.why();
        }

        @Override
        public String getRemedy() {
            Remedy it = remedy();
            return it == null ? null : it.remedy();
        }

        @Override
        public DirectionInfo getIn() {
            return new Direction(view.in());
        }

        @Override
        public DirectionInfo getOut() {
            return new Direction(view.out());
        }
    }

    private record Direction(ConnectionView.Direction view) implements DirectionInfo {

        @Override
        public String getPhase() {
            return view.phase();
        }

        @Override
        public long getBytes() {
            return view.bytes();
        }

        @Override
        public long getOverTcp() {
            return view.overTcp();
        }

        @Override
        public long getPolled() {
            return view.found();
        }

        @Override
        public long getSlept() {
            return view.sleeps();
        }

        @Override
        public long getBells() {
            return view.bells();
        }
    }
}

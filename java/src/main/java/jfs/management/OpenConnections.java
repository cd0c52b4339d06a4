package jfs.management;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import jfs.monitor.ConnectionTable;
import jfs.monitor.ConnectionView;
import jfs.monitor.TableReader;
import jfs.procfs.Descriptors;
import jfs.procfs.TcpTable;
import jfs.stat.ConnectionInfo;
import jfs.stat.DirectionInfo;

/** The {@linkplain JoinedConnections connections} of this process at one moment, as the MXBean shows them. */
final class OpenConnections {

    private final List<ConnectionInfo> connections = new ArrayList<>();
    private final int outOfReach;

    /**
     * @param views what the table has
     * @param upgradeAfter the setting jfs.upgrade.after
     * @param sockets this process's sockets in the kernel's list
     */
    OpenConnections(List<ConnectionView> views, int upgradeAfter, JoinedConnections.Sockets sockets) {
        JoinedConnections joined = JoinedConnections.of(views, sockets);
        joined.connections().forEach(it -> connections.add(new Shown(it, it.view(), upgradeAfter)));
        this.outOfReach = joined.outOfReach();
    }

    static OpenConnections now() {
        TableReader table = ConnectionTable.reader();
        return table == null ? new OpenConnections(List.of(), 0, again -> ownSockets())
                : new OpenConnections(table.connections(), table.upgradeAfter(), again -> ownSockets());
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

    private static String emptyIsNull(String text) {
        return text.isEmpty() ? null : text;
    }

    /** Texts are made when somebody asks for them: whoever only counts does not. */
    private record Shown(JoinedConnections.Connection joined, ConnectionView view, int upgradeAfter) implements ConnectionInfo {

        private Remedy remedy() {
            return view.isFast() ? null : Remedy.of(view, upgradeAfter);
        }

        @Override
        public String getOwnAddress() {
            return joined.ownAddress();
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

package jfs.management;

import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import jfs.monitor.ConnectionTable;
import jfs.monitor.ConnectionView;
import jfs.monitor.TableReader;
import jfs.procfs.Descriptors;
import jfs.procfs.TcpTable;
import jfs.stat.ConnectionInfo;
import jfs.stat.DirectionInfo;

/**
 * The connections of this process at one moment: its table, joined with the kernel's list of TCP sockets, as the command {@code status}
 * does it from outside. A connection that the kernel does not have any more is left out.
 */
final class OpenConnections {

    private final List<ConnectionInfo> connections = new ArrayList<>();
    private final int outOfReach;

    private OpenConnections(TableReader table) {
        Map<Integer, Long> descriptors = Descriptors.sockets();
        List<TcpTable.Row> rows = new ArrayList<>();
        if (descriptors != null) {
            Map<Long, Integer> sockets = new HashMap<>();
            descriptors.forEach((descriptor, inode) -> sockets.put(inode, descriptor));
            TcpTable.find(row -> {
                if (sockets.remove(row.inode()) != null) {
                    rows.add(row);
                }
                return false;
            });
        }
        for (ConnectionView view : table == null ? List.<ConnectionView>of() : table.connections()) {
            TcpTable.Row row = rows.stream().filter(it -> isOf(it, view)).findFirst().orElse(null);
            if (row != null) {
                rows.remove(row);
            }
            if (row != null || descriptors == null) {
                connections.add(new Row(view, row == null ? null : text(row.local()), table.upgradeAfter()));
            }
        }
        long others = rows.stream().filter(row -> row.state() == TcpTable.ESTABLISHED).count();
        this.outOfReach = descriptors == null ? -1 : (int) others;
    }

    static OpenConnections now() {
        return new OpenConnections(ConnectionTable.reader());
    }

    List<ConnectionInfo> connections() {
        return connections;
    }

    /** How many established TCP connections are not JFS's; -1 if that can't be known. */
    int outOfReach() {
        return outOfReach;
    }

    private static boolean isOf(TcpTable.Row row, ConnectionView view) {
        return row.localPort() == view.ownPort() && row.remotePort() == view.port() && Arrays.equals(row.remote(), mapped(view.peer()));
    }

    /** As the kernel's list has it: 16 bytes, IPv4 as IPv4-mapped. */
    private static byte[] mapped(InetAddress address) {
        byte[] bytes = address.getAddress();
        if (!(address instanceof Inet4Address)) {
            return bytes;
        }
        byte[] mapped = new byte[16];
        mapped[10] = mapped[11] = (byte) 0xff;
        System.arraycopy(bytes, 0, mapped, 12, bytes.length);
        return mapped;
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

    private record Row(ConnectionView view, String ownAddress, Remedy remedy) implements ConnectionInfo {

        Row(ConnectionView view, String ownAddress, int upgradeAfter) {
            this(view, ownAddress, view.isFast() ? null : Remedy.of(view, upgradeAfter));
        }

        @Override
        public String getOwnAddress() {
            return ownAddress;
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
            return remedy == null ? null : remedy.why();
        }

        @Override
        public String getRemedy() {
            return remedy == null ? null : remedy.remedy();
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

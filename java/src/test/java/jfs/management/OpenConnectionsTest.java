package jfs.management;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.net.InetAddress;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import jfs.monitor.ConnectionView;
import jfs.procfs.TcpTable;
import jfs.stat.ConnectionInfo;
import org.junit.jupiter.api.Test;

/** The join of the process's table and the kernel's list. */
class OpenConnectionsTest {

    private static ConnectionView view(String peer, int port, int ownPort) throws Exception {
        return view(peer, port, ownPort, 1);
    }

    private static ConnectionView view(String peer, int port, int ownPort, long since) throws Exception {
        ConnectionView.Direction tcp = new ConnectionView.Direction("TCP", 0, 0, 0, 0, 0);
        return new ConnectionView(1, InetAddress.getByName(peer), port, ownPort, false, false, since, "PLAIN", "", "", "", 0, 0, tcp, tcp);
    }

    /** Of 127.0.0.x. */
    private static TcpTable.Row row(int own, int ownPort, int remote, int remotePort, int state) {
        return row(own, ownPort, remote, remotePort, state, own * 100_000L + ownPort);
    }

    private static TcpTable.Row row(int own, int ownPort, int remote, int remotePort, int state, long inode) {
        return new TcpTable.Row(address(own), ownPort, address(remote), remotePort, state, 0, inode);
    }

    private static byte[] address(int last) {
        return new byte[] {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, (byte) 0xff, (byte) 0xff, 127, 0, 0, (byte) last};
    }

    private static List<String> shown(OpenConnections open) {
        return open.connections().stream().map(it -> it.getOwnAddress() + ":" + it.getOwnPort() + " " + it.getPeerAddress() + ":"
                + it.getPeerPort()).collect(Collectors.toList());
    }

    @Test
    void aConnectionThatTheKernelDoesNotHaveIsLeftOut() throws Exception {
        List<ConnectionView> views = List.of(view("127.0.0.1", 80, 5000), view("127.0.0.2", 80, 5000), view("127.0.0.1", 81, 5000),
                view("127.0.0.1", 80, 5001));
        List<TcpTable.Row> rows = List.of(row(1, 5000, 2, 80, TcpTable.ESTABLISHED), row(1, 5001, 1, 80, TcpTable.ESTABLISHED));
        OpenConnections open = new OpenConnections(views, 0, again -> rows);
        assertEquals(List.of("127.0.0.1:5000 127.0.0.2:80", "127.0.0.1:5001 127.0.0.1:80"), shown(open));
        assertEquals(0, open.outOfReach());
    }

    /** The table does not have the own address. */
    @Test
    void connectionsThatDifferInTheirOwnAddress() throws Exception {
        List<TcpTable.Row> rows = List.of(row(1, 5000, 1, 80, TcpTable.ESTABLISHED), row(3, 5000, 1, 80, TcpTable.ESTABLISHED),
                row(4, 5000, 1, 80, TcpTable.ESTABLISHED), row(1, 90, 1, 0, TcpTable.LISTEN));
        OpenConnections open = new OpenConnections(List.of(view("127.0.0.1", 80, 5000), view("127.0.0.1", 80, 5000)), 0, again -> rows);
        assertEquals(List.of("127.0.0.1:5000 127.0.0.1:80", "127.0.0.3:5000 127.0.0.1:80"), shown(open));
        assertEquals(1, open.outOfReach());
    }

    /** The program has forgotten to close a connection, which the peer has reset, and has a new one with the same addresses and ports. */
    @Test
    void ofTwoWithTheSameEndsTheNewerOneIsShown() throws Exception {
        List<ConnectionView> views = List.of(view("127.0.0.1", 80, 5000, 1), view("127.0.0.1", 80, 5000, 2));
        OpenConnections open = new OpenConnections(views, 0, again -> List.of(row(1, 5000, 1, 80, TcpTable.ESTABLISHED)));
        assertEquals(List.of(2L), open.connections().stream().map(ConnectionInfo::getSince).collect(Collectors.toList()));
        assertEquals(0, open.outOfReach());
    }

    /** The kernel's peer is the proxy, and the program's is not. */
    @Test
    void aConnectionThroughAProxy() throws Exception {
        ConnectionView view = view("127.0.0.9", 80, 5000);
        ConnectionView proxied = new ConnectionView(1, view.peer(), 80, 5000, false, false, 1, "REFUSED", "", "PROXIED", "", 0, 0,
                view.in(), view.out());
        OpenConnections open = new OpenConnections(List.of(proxied), 0, again -> List.of(row(1, 5000, 1, 1080, TcpTable.ESTABLISHED)));
        assertEquals(List.of("127.0.0.1:5000 127.0.0.9:80"), shown(open));
        assertEquals(0, open.outOfReach());
    }

    @Test
    void withoutTheKernelsListAllAreShown() throws Exception {
        OpenConnections open = new OpenConnections(List.of(view("127.0.0.1", 80, 5000)), 0, again -> null);
        assertEquals(List.of("null:5000 127.0.0.1:80"), shown(open));
        assertEquals(-1, open.outOfReach());
    }

    /** What a reading of the kernel's list gives, one after the other. */
    private static final class Readings implements JoinedConnections.Sockets {
        private final List<List<TcpTable.Row>> readings;
        private int read;

        @SafeVarargs
        Readings(List<TcpTable.Row>... readings) {
            this.readings = Arrays.asList(readings);
        }

        @Override
        public List<TcpTable.Row> read(boolean again) {
            assertEquals(read > 0, again);
            return readings.get(read++);
        }
    }

    /** The other one closes meanwhile, and has no row in the second reading. A connection that is not JFS's has a row in both. */
    @Test
    void aConnectionThatTheFirstReadingMisses() throws Exception {
        List<ConnectionView> views = List.of(view("127.0.0.1", 80, 5000), view("127.0.0.1", 80, 5001));
        int connecting = 2;
        Readings readings = new Readings(
                List.of(row(1, 5001, 1, 80, TcpTable.ESTABLISHED, 11), row(1, 5002, 1, 80, connecting, 12)),
                List.of(row(1, 5000, 1, 80, TcpTable.ESTABLISHED, 10), row(1, 5002, 1, 80, TcpTable.ESTABLISHED, 12)));
        OpenConnections open = new OpenConnections(views, 0, readings);
        assertEquals(List.of("127.0.0.1:5000 127.0.0.1:80", "127.0.0.1:5001 127.0.0.1:80"), shown(open));
        assertEquals(1, open.outOfReach());
    }

    @Test
    void aListThatHasAllIsReadOnce() throws Exception {
        Readings readings = new Readings(List.of(row(1, 5000, 1, 80, TcpTable.ESTABLISHED)));
        assertEquals(1, new OpenConnections(List.of(view("127.0.0.1", 80, 5000)), 0, readings).connections().size());
    }

    @Test
    void aConnectionWithoutARowIsLookedForTwice() throws Exception {
        Readings readings = new Readings(List.of(row(1, 90, 1, 80, TcpTable.ESTABLISHED)), List.of());
        OpenConnections open = new OpenConnections(List.of(view("127.0.0.1", 80, 5000)), 0, readings);
        assertEquals(List.of(), shown(open));
        assertEquals(1, open.outOfReach());
        assertEquals(2, readings.read);
    }

    @Test
    void aListThatCannotBeReadAgain() throws Exception {
        Readings readings = new Readings(List.of(row(1, 5000, 1, 80, TcpTable.ESTABLISHED)), null);
        OpenConnections open = new OpenConnections(List.of(view("127.0.0.1", 80, 5000), view("127.0.0.1", 80, 5001)), 0, readings);
        assertEquals(List.of("127.0.0.1:5000 127.0.0.1:80"), shown(open));
        assertEquals(0, open.outOfReach());
    }
}

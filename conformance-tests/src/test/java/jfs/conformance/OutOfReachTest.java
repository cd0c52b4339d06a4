package jfs.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import jfs.JFSSocketImplFactory;
import jfs.stat.Stats;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Whether JFS knows which connections of this process are not its own. */
class OutOfReachTest {

    @BeforeEach
    void onlyJfsCounts() {
        assumeTrue(Subject.current() != Subject.JDK, "nobody counts the JDK's sockets");
    }

    @Test
    void channelsAreOutOfReach() throws Exception {
        int before = Stats.outOfReach();
        InetSocketAddress anyPort = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        try (ServerSocketChannel listener = ServerSocketChannel.open().bind(anyPort)) {
            assertEquals(before, Stats.outOfReach(), "it is no connection");
            try (SocketChannel client = SocketChannel.open(listener.getLocalAddress());
                    SocketChannel server = listener.accept()) {
                assertTrue(client.isConnected() && server.isConnected());
                assertEquals(before + 2, Stats.outOfReach());
                assertTrue(Stats.summary().contains("; " + (before + 2) + " open now that JFS can't reach"),
                        Stats.summary());
            }
        }
        assertEquals(before, Stats.outOfReach());
    }

    @Test
    void socketsAreNot() throws Exception {
        int before = Stats.outOfReach();
        long connections = Stats.CONNECTIONS.sum();
        // Without natives JFS doesn't know its own.
        int meanwhile = JFSSocketImplFactory.unavailable() == null ? before : -1;
        try (Pair pair = Pair.fresh()) {
            assertEquals(meanwhile, Stats.outOfReach());
            pair.converse();
            assertEquals(meanwhile, Stats.outOfReach());
        }
        assertEquals(before, Stats.outOfReach());
        assertEquals(connections + 2, Stats.CONNECTIONS.sum());
    }
}

package jfs.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.concurrent.Callable;
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

    /** What the JDK's own sockets of other tests leave goes while we look: it must add up at some time. */
    private static void untilItAddsUp(Callable<Boolean> look) throws Exception {
        Await.until("it adds up", () -> {
            System.gc();
            return look.call();
        });
    }

    @Test
    void channelsAreOutOfReach() throws Exception {
        untilItAddsUp(() -> {
            int before = Stats.outOfReach();
            InetSocketAddress anyPort = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
            try (ServerSocketChannel listener = ServerSocketChannel.open().bind(anyPort)) {
                boolean same = before == Stats.outOfReach(); // it is no connection
                try (SocketChannel client = SocketChannel.open(listener.getLocalAddress());
                        SocketChannel server = listener.accept()) {
                    assertTrue(client.isConnected() && server.isConnected());
                    same &= before + 2 == Stats.outOfReach();
                    same &= Stats.summary().contains("; " + (before + 2) + " open now that JFS can't reach");
                }
                return same & before == Stats.outOfReach();
            }
        });
    }

    @Test
    void socketsAreNot() throws Exception {
        untilItAddsUp(() -> {
            int before = Stats.outOfReach();
            long connections = Stats.CONNECTIONS.sum();
            // Without natives JFS doesn't know its own.
            int meanwhile = JFSSocketImplFactory.unavailable() == null ? before : -1;
            boolean same;
            try (Pair pair = Pair.fresh()) {
                same = meanwhile == Stats.outOfReach();
                pair.converse();
                same &= meanwhile == Stats.outOfReach();
            }
            assertEquals(connections + 2, Stats.CONNECTIONS.sum());
            return same & before == Stats.outOfReach();
        });
    }
}

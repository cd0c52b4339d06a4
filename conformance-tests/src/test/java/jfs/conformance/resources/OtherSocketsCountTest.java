package jfs.conformance.resources;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.AsynchronousServerSocketChannel;
import java.nio.channels.AsynchronousSocketChannel;
import java.util.concurrent.Callable;
import java.util.concurrent.Future;
import jfs.JFSSocketImplFactory;
import jfs.conformance.harness.Pair;
import jfs.conformance.harness.Subject;
import jfs.stat.Stats;
import jfs.testing.Await;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** JFS knows how many connections of this process are not its own. */
class OtherSocketsCountTest {

    @BeforeEach
    void onlyJfsCounts() {
        assumeTrue(Subject.current() != Subject.JDK, "the subject jdk has no JFS that could count");
    }

    /** Repeats the check until it holds: sockets that other tests have left may be closed during a check. */
    private static void untilItAddsUp(Callable<Boolean> look) throws Exception {
        Await.until("it adds up", () -> {
            System.gc();
            return look.call();
        });
    }

    @Test
    void asynchronousChannelsAreOutOfReach() throws Exception {
        untilItAddsUp(() -> {
            int before = Stats.outOfReach();
            InetSocketAddress anyPort = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
            try (AsynchronousServerSocketChannel listener = AsynchronousServerSocketChannel.open().bind(anyPort)) {
                boolean same = before == Stats.outOfReach(); // a listener is not a connection
                Future<AsynchronousSocketChannel> accepting = listener.accept();
                try (AsynchronousSocketChannel client = AsynchronousSocketChannel.open()) {
                    client.connect(listener.getLocalAddress()).get();
                    AsynchronousSocketChannel server = accepting.get();
                    same &= before + 2 == Stats.outOfReach();
                    same &= Stats.summary().contains("; " + (before + 2) + " open now that JFS can't reach");
                    server.close();
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
            // Without the native library JFS doesn't know which connections are its own.
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

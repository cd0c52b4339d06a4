package jfs.transport.tcp;

import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;
import jfs.testing.Background;
import jfs.testing.Natives;
import jfs.testing.VirtualThreads;
import jfs.wait.Deadline;
import org.junit.jupiter.api.Test;

/** A thread that writes to a peer that is just resetting the connection waits until TCP reports the reset. */
class AwaitErrorTest {

    /** More threads than carriers. */
    private static final int MANY = 4 * Runtime.getRuntime().availableProcessors() + 16;

    @Test
    void virtualThreadsThatWaitForAResetLeaveTheirCarriersToOthers() throws Exception {
        VirtualThreads.assume();
        Natives.load();
        TcpSocket quiet = NioSocket.of(TcpSocket.Use.DIRECT_CLIENT);
        try (ServerSocket listener = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            quiet.create(true);
            quiet.connect(listener.getLocalSocketAddress(), 0); // it has no error, so the threads wait as long as they ever do
            // Another virtual thread gets a carrier while all of these wait. On a slow machine that may take several
            // rounds.
            for (boolean left = false; !left;) {
                List<Background<Void>> waiting = new ArrayList<>();
                for (int i = 0; i < MANY; i++) {
                    waiting.add(VirtualThreads.run(() -> quiet.awaitError(0, Deadline.NONE)));
                }
                left = VirtualThreads.call(() -> waiting.stream().noneMatch(Background::isDone)).result();
                for (Background<Void> one : waiting) {
                    one.result();
                }
            }
        } finally {
            quiet.closeWhenUnused();
        }
    }
}

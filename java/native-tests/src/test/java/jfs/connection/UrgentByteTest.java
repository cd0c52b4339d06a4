package jfs.connection;

import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.net.SocketOptions;
import java.nio.ByteBuffer;
import jfs.nativelib.Posix;
import jfs.testing.Await;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Urgent bytes of a connection whose bytes go by a path. */
@Timeout(60)
class UrgentByteTest {

    /** TCP's reset may come before the path's. A byte that the peer would discard is not sent by the path, so that only TCP can tell. */
    @ParameterizedTest
    @EnumSource(ConnectedPair.Path.class)
    void aByteThatIsDroppedFailsAfterTcpsReset(ConnectedPair.Path path) throws Exception {
        try (ConnectedPair pair = new ConnectedPair(path, true)) {
            pair.attach();
            NonBlockingReader reader = pair.far.newNonBlockingReader();
            Await.until("the peer is ready", () -> {
                pair.near.writer().write(1);
                reader.tryRead(ByteBuffer.allocate(100));
                return pair.near.writer().pathOfNextByte() != null;
            });
            pair.near.writer().write(1); // by the path
            pair.near.writer().writeUrgent(2);
            pair.far.tcp().setOption(SocketOptions.SO_LINGER, 0);
            pair.far.tcp().close(); // a device between the hosts may do the same, and the path knows nothing of it
            Await.until("reset", () -> pair.near.tcp().awaitError(Posix.POLLIN, 0));
            assertThrows(IOException.class, () -> pair.near.writer().writeUrgent(3));
        }
    }
}

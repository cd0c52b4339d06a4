package jfs.connection;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.SocketException;
import java.net.SocketOptions;
import jfs.testing.Await;
import jfs.testing.Background;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * END-4: a close while a thread of JFS uses TCP's descriptor, such as the negotiation's thread. That thread may have to wait for a core,
 * and the descriptor stays open until then. The peer sees the same as after any other close.
 */
@Timeout(90)
class CloseWhileUsedTest {

    /** The near end's descriptor is in use from here on. */
    private static ConnectedPair used(boolean jdk) throws IOException {
        ConnectedPair pair = new ConnectedPair(ConnectedPair.Path.SCI, jdk);
        assertTrue(pair.near.tcp().acquire() >= 0);
        return pair;
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void thePeersFirstWriteIsTakenAndTheNextOnesFail(boolean jdk) throws Exception {
        try (ConnectedPair pair = used(jdk)) {
            pair.near.writer().write(7);
            pair.near.close();
            pair.far.writer().write(1);
            assertEquals(7, pair.far.reader().read());
            assertEquals(-1, pair.far.reader().read());
            Await.until("a write fails", () -> message(pair).equals("Broken pipe"));
            pair.near.tcp().release();
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void unreadBytesAreAnEndAndThenAReset(boolean jdk) throws Exception {
        try (ConnectedPair pair = used(jdk)) {
            pair.far.writer().write(1);
            Await.until("the byte is there", () -> pair.near.available() == 1);
            pair.near.close();
            assertEquals(-1, pair.far.reader().read());
            Await.until("reset", () -> pair.far.tcp().hasError(0));
            assertEquals("Broken pipe", message(pair));
            pair.near.tcp().release();
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void lingerZeroResets(boolean jdk) throws Exception {
        try (ConnectedPair pair = used(jdk)) {
            pair.near.tcp().setOption(SocketOptions.SO_LINGER, 0);
            pair.near.close();
            Await.until("reset", () -> pair.far.tcp().hasError(0));
            assertEquals("Connection reset by peer", message(pair));
            pair.near.tcp().release();
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aReaderThatWaitsIsToldOfTheClose(boolean jdk) throws Exception {
        for (boolean reset : new boolean[] {false, true}) {
            try (ConnectedPair pair = used(jdk)) {
                Background<Integer> reader = Background.call(() -> pair.near.reader().read()).blocked();
                if (reset) {
                    pair.near.tcp().setOption(SocketOptions.SO_LINGER, 0);
                }
                pair.near.close();
                assertEquals("Socket closed", assertThrows(SocketException.class, reader::result).getMessage());
                pair.near.tcp().release();
            }
        }
    }

    /** @return why the far end's next write fails; "" if it does not */
    private static String message(ConnectedPair pair) {
        try {
            pair.far.writer().write(2);
            return "";
        } catch (IOException e) {
            return e.getMessage();
        }
    }
}

package jfs.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.OutputStream;
import java.net.ServerSocket;
import java.net.SocketTimeoutException;
import java.util.Random;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

/** SO_TIMEOUT ends a wait and nothing else. */
class TimeoutTest {

    private static final int SHORT_MILLIS = 20;

    @Start.AtEach
    void aReadTimesOutAndReadingGoesOn(Start start) throws Exception {
        try (Start.Ends ends = start.open()) {
            ends.near().setSoTimeout(SHORT_MILLIS);
            for (int i = 0; i < 3; i++) {
                SocketTimeoutException e = assertThrows(SocketTimeoutException.class, () -> ends.in().read());
                assertEquals("Read timed out", e.getMessage());
                assertEquals(0, e.bytesTransferred);
            }
            ends.farOut().write(Bytes.of(1, 0, 100));
            ends.near().setSoTimeout((int) Await.LIMIT.toMillis());
            Bytes.expect(ends.in(), 1, 0, 100);
            ends.near().setSoTimeout(0);
            Background<Integer> reader = Background.call(() -> ends.in().read()).blocked();
            ends.farOut().write('x');
            assertEquals('x', reader.result());
        }
    }

    /** Bytes come just when the reader gives up, again and again. */
    @Start.AtEach
    void noByteIsLostToATimeout(Start start) throws Exception {
        try (Start.Ends ends = start.open()) {
            int length = 400;
            ends.near().setSoTimeout(1);
            assertThrows(SocketTimeoutException.class, () -> ends.in().read());
            Background<Void> writer = Background.run(() -> {
                Random random = new Random(1);
                OutputStream out = ends.farOut();
                for (int at = 0; at < length; at++) {
                    out.write(Bytes.of(2, at, 1));
                    LockSupport.parkNanos(500_000 + random.nextInt(1_000_000));
                }
            });
            byte[] bytes = new byte[100];
            for (int at = 0; at < length;) {
                try {
                    int n = ends.in().read(bytes);
                    Bytes.check(2, at, bytes, n);
                    at += n;
                } catch (SocketTimeoutException e) {
                    assertTrue(!writer.isDone() || ends.in().available() > 0 || at == length, "lost after " + at);
                }
            }
            writer.result();
        }
    }

    @Start.AtEach
    void aTimeoutCoversTheWaitForTheTurn(Start start) throws Exception {
        assumeTrue(Runtime.version().feature() >= 21, "JDK 17 waits for its turn first");
        try (Start.Ends ends = start.open()) {
            Background<Integer> first = Background.call(() -> ends.in().read()).blocked();
            ends.near().setSoTimeout(SHORT_MILLIS);
            Background<Integer> second = Background.call(() -> ends.in().read());
            assertEquals("Read timed out", assertThrows(SocketTimeoutException.class, second::result).getMessage());
            ends.farOut().write('a');
            assertEquals('a', first.result());
        }
    }

    @Test
    void anAcceptTimesOutAndAcceptingGoesOn() throws Exception {
        try (ServerSocket listener = Pair.listener()) {
            listener.setSoTimeout(SHORT_MILLIS);
            for (int i = 0; i < 3; i++) {
                SocketTimeoutException e = assertThrows(SocketTimeoutException.class, listener::accept);
                assertEquals("Accept timed out", e.getMessage());
            }
            listener.setSoTimeout((int) Await.LIMIT.toMillis());
            try (Pair pair = Pair.via(listener)) {
                assertEquals(0, pair.server.getSoTimeout(), "not inherited");
                pair.converse();
            }
        }
    }
}

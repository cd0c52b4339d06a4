package jfs.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.net.ServerSocket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ThreadFactory;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Virtual threads wait without holding the threads that carry them. */
class VirtualThreadTest {

    /** More than there are carriers. */
    private static final int MANY = 4 * Runtime.getRuntime().availableProcessors() + 16;

    private static ThreadFactory virtual;

    @BeforeAll
    static void thisJdkHasThem() throws Exception {
        assumeTrue(Runtime.version().feature() >= 21, "virtual threads need JDK 21");
        // By reflection, since this is compiled for 17.
        Object builder = Thread.class.getMethod("ofVirtual").invoke(null);
        virtual = (ThreadFactory) Class.forName("java.lang.Thread$Builder").getMethod("factory").invoke(builder);
    }

    private static <T> Background<T> call(Callable<T> work) {
        return Background.call(work, virtual);
    }

    private static List<Pair> pairs(ServerSocket listener) throws Exception {
        List<Pair> pairs = new ArrayList<>();
        for (int i = 0; i < MANY; i++) {
            pairs.add(Pair.via(listener).converse());
        }
        return pairs;
    }

    @Test
    void readersLeaveTheCarriersToWriters() throws Exception {
        try (ServerSocket listener = Pair.listener()) {
            List<Pair> pairs = pairs(listener);
            List<Background<Integer>> readers = new ArrayList<>();
            for (Pair pair : pairs) {
                readers.add(call(() -> pair.server.getInputStream().read()));
            }
            for (Background<Integer> reader : readers) {
                reader.blocked();
            }
            for (Pair pair : pairs) {
                call(() -> {
                    pair.client.getOutputStream().write('v');
                    return null;
                }).result();
            }
            for (Background<Integer> reader : readers) {
                assertEquals('v', reader.result());
            }
            for (Pair pair : pairs) {
                pair.close();
            }
        }
    }

    @Test
    void writersLeaveTheCarriersToReaders() throws Exception {
        int length = 6 << 20;
        try (ServerSocket listener = Pair.listener()) {
            List<Pair> pairs = pairs(listener).subList(0, 8);
            List<Background<Void>> writers = new ArrayList<>();
            for (Pair pair : pairs) {
                writers.add(call(() -> {
                    pair.client.getOutputStream().write(Bytes.of(1, 0, length));
                    return null;
                }));
            }
            for (Background<Void> writer : writers) {
                writer.blocked();
            }
            for (Pair pair : pairs) {
                call(() -> {
                    Bytes.expect(pair.server.getInputStream(), 1, 0, length);
                    return null;
                }).result();
            }
            for (Background<Void> writer : writers) {
                writer.result();
            }
            for (Pair pair : pairs) {
                pair.close();
            }
        }
    }

    @Start.AtEach
    void anInterruptClosesTheSocketOfAReader(Start start) throws Exception {
        try (Start.Ends ends = start.open()) {
            Background<Integer> reader = call(() -> {
                try {
                    return ends.in().read();
                } finally {
                    assertTrue(Thread.currentThread().isInterrupted(), "the status is kept");
                }
            }).blocked();
            reader.thread().interrupt();
            SocketException e = assertThrows(SocketException.class, reader::result);
            assertEquals("Closed by interrupt", e.getMessage());
            assertTrue(ends.near().isClosed());
            assertEquals(-1, ends.farIn().read());
        }
    }

    @Start.AtEach
    void anInterruptClosesTheSocketOfAWriter(Start start) throws Exception {
        try (Start.Ends ends = start.open()) {
            Background<Void> writer = call(() -> {
                ends.out().write(new byte[16 << 20]);
                return (Void) null;
            }).blocked();
            writer.thread().interrupt();
            SocketException e = assertThrows(SocketException.class, writer::result);
            assertEquals("Closed by interrupt", e.getMessage());
            assertTrue(ends.near().isClosed());
        }
    }

    @Start.AtEach
    void aBlockedReaderIsWokenByClose(Start start) throws Exception {
        try (Start.Ends ends = start.open()) {
            Background<Integer> reader = call(() -> ends.in().read()).blocked();
            ends.near().close();
            assertEquals("Socket closed", assertThrows(SocketException.class, reader::result).getMessage());
        }
    }

    @Start.AtEach
    void aReadTimesOut(Start start) throws Exception {
        try (Start.Ends ends = start.open()) {
            ends.near().setSoTimeout(20);
            Background<Integer> reader = call(() -> ends.in().read());
            assertEquals("Read timed out",
                    assertThrows(SocketTimeoutException.class, reader::result).getMessage());
            ends.near().setSoTimeout(0);
            ends.farOut().write('x');
            assertEquals('x', call(() -> ends.in().read()).result());
        }
    }
}

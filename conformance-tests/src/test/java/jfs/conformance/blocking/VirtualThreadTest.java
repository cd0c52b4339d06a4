package jfs.conformance.blocking;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import jfs.conformance.harness.Bytes;
import jfs.conformance.harness.Pair;
import jfs.conformance.harness.PortReuse;
import jfs.conformance.harness.Start;
import jfs.conformance.harness.Subject;
import jfs.testing.Await;
import jfs.testing.Background;
import jfs.testing.Effort;
import jfs.testing.VirtualThreads;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Virtual threads that wait do not hold their carrier threads. */
class VirtualThreadTest {

    /** More threads than carriers. */
    private static final int MANY = 4 * Runtime.getRuntime().availableProcessors() + 16;

    @BeforeEach
    void thisJdkHasThem() {
        VirtualThreads.assume();
    }

    private static <T> Background<T> call(Callable<T> work) {
        return VirtualThreads.call(work);
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
    void closeIsHeardThoughTheReaderHasNoCarrier(Start start) throws Exception {
        AtomicBoolean heard = new AtomicBoolean();
        try (Start.Ends ends = start.open()) {
            Background<Integer> reader = call(() -> ends.in().read()).blocked();
            int carriers = Runtime.getRuntime().availableProcessors();
            CountDownLatch busy = new CountDownLatch(carriers);
            for (int i = 0; i < carriers; i++) {
                call(() -> {
                    busy.countDown();
                    while (!heard.get()) {
                        Thread.onSpinWait();
                    }
                    return null;
                });
            }
            busy.await();
            ends.far().setSoTimeout((int) Await.LIMIT.toMillis());
            ends.near().close();
            assertEquals(-1, ends.farIn().read());
            heard.set(true);
            assertEquals("Socket closed", assertThrows(SocketException.class, reader::result).getMessage());
        } finally {
            heard.set(true);
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

    @Test
    void acceptorsLeaveTheCarriersToClients() throws Exception {
        List<ServerSocket> listeners = new ArrayList<>();
        List<Background<Socket>> acceptors = new ArrayList<>();
        for (int i = 0; i < MANY; i++) {
            ServerSocket listener = Pair.listener();
            listeners.add(listener);
            acceptors.add(call(listener::accept));
        }
        for (Background<Socket> acceptor : acceptors) {
            acceptor.blocked();
        }
        for (int i = 0; i < MANY; i++) {
            ServerSocket listener = listeners.get(i);
            Socket client = call(() -> new Socket(listener.getInetAddress(), listener.getLocalPort())).result();
            try (Pair pair = Pair.of(client, acceptors.get(i).result())) {
                pair.pingPong();
            }
            listener.close();
        }
    }

    @Test
    void anInterruptClosesTheSocketOfAnAcceptor() throws Exception {
        try (ServerSocket listener = Pair.listener()) {
            Background<Socket> acceptor = call(listener::accept).blocked();
            acceptor.thread().interrupt();
            assertEquals("Closed by interrupt", assertThrows(SocketException.class, acceptor::result).getMessage());
            assertTrue(listener.isClosed());
        }
    }

    @Test
    void anAcceptTimesOutOrIsWokenByClose() throws Exception {
        try (ServerSocket listener = Pair.listener()) {
            listener.setSoTimeout(20);
            assertEquals("Accept timed out",
                    assertThrows(SocketTimeoutException.class, call(listener::accept)::result).getMessage());
            listener.setSoTimeout(0);
            Background<Socket> acceptor = call(listener::accept).blocked();
            listener.close();
            assertEquals("Socket closed", assertThrows(SocketException.class, acceptor::result).getMessage());
        }
    }

    @Test
    void thePortIsFreeWhenAnAcceptorIsClosed() throws Exception {
        PortReuse.assertFreeAfterClose(VirtualThreads::call);
    }

    @Start.AtEach
    void lingerZeroIsAResetAlthoughSomebodyReads(Start start) throws Exception {
        try (Start.Ends ends = start.open()) {
            Background<Integer> reader = call(() -> ends.in().read()).blocked();
            ends.near().setSoLinger(true, 0);
            ends.near().close();
            assertEquals("Connection reset",
                    assertThrows(SocketException.class, () -> ends.farIn().read()).getMessage());
            assertEquals("Socket closed", assertThrows(SocketException.class, reader::result).getMessage());
        }
    }

    @Start.AtEach
    void aBlockedReaderIsWokenByItsOwnShutdown(Start start) throws Exception {
        try (Start.Ends ends = start.open()) {
            Background<Integer> reader = call(() -> ends.in().read()).blocked();
            Background<Void> writer = call(() -> {
                ends.out().write(new byte[16 << 20]);
                return (Void) null;
            }).blocked();
            ends.near().shutdownInput();
            assertEquals(-1, reader.result());
            ends.near().shutdownOutput();
            assertEquals("Broken pipe", assertThrows(SocketException.class, writer::result).getMessage());
        }
    }

    /** Threads of both kinds wait for the same socket in turns. The socket becomes ready, is closed, or its time is over. */
    @Test
    void threadsOfBothKindsTakeTurns() throws Exception {
        try (Pair pair = Pair.fresh()) {
            Callable<Integer> read = () -> pair.server.getInputStream().read();
            for (int i = 0; i < 50; i++) {
                Background<Integer> reader = i % 2 == 0 ? call(read) : Background.call(read);
                if (i % 3 != 0) {
                    reader.blocked();
                }
                pair.client.getOutputStream().write(i);
                assertEquals(i, reader.result());
            }
            pair.server.setSoTimeout(1);
            for (int i = 0; i < 10; i++) {
                Background<Integer> reader = i % 2 == 0 ? call(read) : Background.call(read);
                assertThrows(SocketTimeoutException.class, reader::result);
            }
        }
    }

    /**
     * Many connections at a time, whose threads read and write pieces of any size, end the stream, are interrupted, or have their socket
     * closed by another thread. Each byte is checked, and each thread ends. Set {@code test.seed} to repeat a failure.
     */
    @Test
    @Timeout(300)
    void anythingAtAnyTime() throws Exception {
        long first = Long.getLong("test.seed", System.nanoTime());
        Subject.Counters before = Subject.Counters.now();
        int rounds = Effort.rounds(3, 100);
        for (int round = 0; round < rounds; round++) {
            long seed = first + round;
            List<VirtualTalk> talks = new ArrayList<>();
            try (ServerSocket listener = Pair.listener()) {
                for (int i = 0; i < MANY; i++) {
                    Background<Socket> accepted = call(listener::accept);
                    Socket near = call(() -> new Socket(listener.getInetAddress(), listener.getLocalPort())).result();
                    talks.add(new VirtualTalk(seed * MANY + i, near, accepted.result()).start());
                }
                for (VirtualTalk talk : talks) {
                    try {
                        talk.end();
                    } catch (Throwable e) {
                        throw new AssertionError(talk + ", with -Dtest.seed=" + seed, e);
                    }
                }
            } finally {
                for (VirtualTalk talk : talks) {
                    talk.close();
                }
            }
        }
        long switched = Subject.Counters.now().since(before).switchedOut();
        assertTrue(switched > 0 == Subject.current().switches(), switched + " directions have switched");
    }
}

package jfs.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.concurrent.Callable;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

/** Closing: by another thread, with bytes under way, and as the peer sees it. */
class CloseTest {

    /** More than any buffer between two ends takes. */
    private static final int TOO_MUCH = 16 << 20;

    private static void assertSocketException(String message, Executable action) {
        SocketException e = assertThrows(SocketException.class, action);
        assertEquals(SocketException.class, e.getClass());
        assertEquals(message, e.getMessage());
    }

    @Start.AtEach
    void aBlockedReaderIsWoken(Start start) throws Exception {
        try (Start.Ends ends = start.open()) {
            Background<Integer> reader = Background.call(() -> ends.in().read()).blocked();
            ends.near().close();
            assertSocketException("Socket closed", reader::result);
            assertEquals(-1, ends.farIn().read());
        }
    }

    /**
     * Bytes and reset may arrive as one event, for a reader that has just begun to watch two ways too. TCP itself loses
     * the bytes now and then, so only the path is held to them.
     */
    @Start.AtEach
    void whatCameBeforeAResetIsReadFirst(Start start) throws Exception {
        for (int i = 0; i < 10; i++) {
            try (Start.Ends ends = start.open()) {
                Background<Integer> reader = Background.call(() -> ends.in().read()).blocked();
                ends.farOut().write(i);
                ends.far().setSoLinger(true, 0);
                ends.far().close();
                try {
                    assertEquals(i, reader.result());
                } catch (SocketException e) {
                    boolean overTcp = start.name().startsWith("FRESH") || !Subject.current().switches();
                    assertTrue(overTcp, () -> "lost: " + e);
                }
                assertSocketException("Connection reset", () -> ends.in().read());
            }
        }
    }

    @Start.AtEach
    void aBlockedReaderWithATimeoutIsWoken(Start start) throws Exception {
        try (Start.Ends ends = start.open()) {
            ends.near().setSoTimeout(1_000_000);
            Background<Integer> reader = Background.call(() -> ends.in().read()).blocked();
            ends.near().close();
            assertSocketException("Socket closed", reader::result);
        }
    }

    @Start.AtEach
    void aBlockedWriterIsWokenAndWhatItWroteArrives(Start start) throws Exception {
        try (Start.Ends ends = start.open()) {
            Background<Void> writer = Background.run(() -> ends.out().write(Bytes.of(1, 0, TOO_MUCH))).blocked();
            ends.near().close();
            assertSocketException("Socket closed", writer::result);
            long received = Bytes.expectToEnd(ends.farIn(), 1);
            assertTrue(received > 0 && received < TOO_MUCH, received + " bytes");
        }
    }

    @Start.AtEach
    void aReaderAndAWriterAreWokenTogether(Start start) throws Exception {
        try (Start.Ends ends = start.open()) {
            Background<Integer> reader = Background.call(() -> ends.in().read()).blocked();
            Background<Void> writer = Background.run(() -> ends.out().write(Bytes.of(1, 0, TOO_MUCH))).blocked();
            ends.near().close();
            assertSocketException("Socket closed", writer::result);
            assertSocketException("Socket closed", reader::result);
        }
    }

    @Test
    void aBlockedAcceptIsWoken() throws Exception {
        try (ServerSocket listener = Pair.listener()) {
            Background<Socket> accepting = Background.call(listener::accept).blocked();
            listener.close();
            assertSocketException("Socket closed", accepting::result);
            assertSocketException("Socket is closed", listener::accept);
        }
    }

    @Test
    void thePortIsFreeWhenAnAcceptorIsClosed() throws Exception {
        portIsFreeAfterwards(accept -> Background.call(accept));
    }

    /** Soon: with the JDK's own sockets not before the thread has left the system call. */
    static void portIsFreeAfterwards(Function<Callable<Socket>, Background<Socket>> threads) throws Exception {
        ServerSocket first = Pair.listener();
        int port = first.getLocalPort();
        first.close();
        for (int i = 0; i < 20; i++) {
            ServerSocket[] listener = new ServerSocket[1];
            Await.until("the port is free", () -> {
                try {
                    listener[0] = new ServerSocket(port, 50, InetAddress.getByName("127.0.0.1"));
                    return true;
                } catch (BindException e) {
                    return false;
                }
            });
            Background<Socket> accepting = threads.apply(listener[0]::accept).blocked();
            listener[0].close();
            assertSocketException("Socket closed", accepting::result);
        }
    }

    /** At any moment of a read, an accept, or the way to its wait. */
    @Test
    void whoeverIsAboutToWaitIsNotForgotten() throws Exception {
        for (int i = 0; i < 200; i++) {
            try (ServerSocket listener = Pair.listener(); Pair pair = Pair.via(listener)) {
                Background<Integer> reader = Background.call(() -> pair.client.getInputStream().read());
                Background<Socket> accepting = Background.call(listener::accept);
                pair.client.close();
                listener.close();
                assertClosedOrTooLate(reader);
                assertClosedOrTooLate(accepting);
            }
        }
    }

    private static void assertClosedOrTooLate(Background<?> thread) {
        SocketException e = assertThrows(SocketException.class, thread::result);
        assertTrue(e.getMessage().equals("Socket closed") || e.getMessage().equals("Socket is closed"), e.getMessage());
    }

    @Start.AtEach
    void nothingGoesAfterClose(Start start) throws Exception {
        try (Start.Ends ends = start.open()) {
            var in = ends.in();
            var out = ends.out();
            ends.near().close();
            ends.near().close();
            assertTrue(ends.near().isClosed());
            assertSocketException("Socket closed", in::read);
            assertSocketException("Socket closed", () -> out.write(1));
            assertSocketException("Socket closed", in::available);
            assertEquals(0, in.read(new byte[0]));
            assertSocketException("Socket is closed", ends::in);
            assertSocketException("Socket is closed", ends::out);
            assertSocketException("Socket is closed", () -> ends.near().shutdownInput());
            assertSocketException("Socket is closed", () -> ends.near().shutdownOutput());
            assertSocketException("Socket is closed", () -> ends.near().setSoTimeout(1));
            assertSocketException("Socket closed", () -> ends.near().sendUrgentData(1));
        }
    }

    @Start.AtEach
    void closingAStreamClosesTheSocket(Start start) throws Exception {
        try (Start.Ends ends = start.open()) {
            ends.in().close();
            assertTrue(ends.near().isClosed());
            ends.farOut().close();
            assertTrue(ends.far().isClosed());
        }
    }

    @Start.AtEach
    void thePeerReadsToTheEnd(Start start) throws Exception {
        try (Start.Ends ends = start.open()) {
            int length = 1 << 20;
            ends.out().write(Bytes.of(2, 0, length));
            ends.near().close();
            assertEquals(length, Bytes.expectToEnd(ends.farIn(), 2));
            assertEquals(-1, ends.farIn().read());
            assertEquals(0, ends.farIn().available());
        }
    }

    @Start.AtEach
    void theEndStaysAfterClose(Start start) throws Exception {
        try (Start.Ends ends = start.open()) {
            ends.near().close();
            var in = ends.farIn();
            assertEquals(-1, in.read());
            ends.far().close();
            assertEquals(-1, in.read());
        }
    }

    /** The JDK ends its output before it closes, so a reader sees the end first and the reset never. */
    @Start.AtEach
    void unreadBytesAreAnEndToTheReaderAndAnErrorToTheWriter(Start start) throws Exception {
        try (Start.Ends ends = start.open()) {
            ends.farOut().write(Bytes.of(3, 0, 10));
            Await.until("they are there", () -> ends.in().available() == 10);
            ends.out().write(Bytes.of(4, 0, 5));
            Await.until("they are there", () -> ends.farIn().available() == 5);
            ends.near().close();
            Bytes.expect(ends.farIn(), 4, 0, 5);
            assertEquals(-1, ends.farIn().read());
            assertEquals(0, ends.farIn().available());
            assertSocketException("Broken pipe", () -> ends.farOut().write(1));
            assertEquals(-1, ends.farIn().read());
        }
    }

    @Start.AtEach
    void unreadBytesOfManyFailTheirWriter(Start start) throws Exception {
        try (Start.Ends ends = start.open()) {
            Background<Void> writer = Background.run(() -> ends.farOut().write(Bytes.of(3, 0, TOO_MUCH))).blocked();
            Bytes.expect(ends.in(), 3, 0, 1000);
            ends.near().close();
            SocketException e = assertThrows(SocketException.class, writer::result);
            assertTrue(e.getMessage().equals("Connection reset") || e.getMessage().equals("Broken pipe")
                    || e.getMessage().equals("Connection reset by peer"), e.getMessage());
        }
    }

    @Start.AtEach
    void aBlockedReaderSeesTheReset(Start start) throws Exception {
        try (Start.Ends ends = start.open()) {
            Background<Integer> reader = Background.call(() -> ends.farIn().read()).blocked();
            ends.near().setSoLinger(true, 0);
            ends.near().close();
            assertSocketException("Connection reset", reader::result);
        }
    }

    @Start.AtEach
    void lingerZeroIsAReset(Start start) throws Exception {
        try (Start.Ends ends = start.open()) {
            ends.out().write(Bytes.of(4, 0, 5));
            Await.until("they are there", () -> ends.farIn().available() == 5);
            ends.near().setSoLinger(true, 0);
            ends.near().close();
            Bytes.expect(ends.farIn(), 4, 0, 5);
            assertSocketException("Connection reset", () -> ends.farIn().read());
            assertSocketException("Connection reset", () -> ends.farIn().read());
            assertEquals(0, ends.farIn().available());
        }
    }

    @Start.AtEach
    void lingerZeroIsAResetAlthoughSomebodyReads(Start start) throws Exception {
        try (Start.Ends ends = start.open()) {
            Background<Integer> reader = Background.call(() -> ends.in().read()).blocked();
            ends.near().setSoLinger(true, 0);
            ends.near().close();
            assertSocketException("Connection reset", () -> ends.farIn().read());
            assertSocketException("Socket closed", reader::result);
        }
    }

    /** And by one who has waited before; the peer is no socket of the same kind, so nothing of it helps. */
    @Test
    void lingerZeroIsAResetAfterAWait() throws Exception {
        Subject.current();
        try (ServerSocketChannel listener = ServerSocketChannel.open()) {
            listener.bind(new InetSocketAddress("127.0.0.1", 0));
            Socket near = new Socket();
            near.connect(listener.getLocalAddress());
            try (SocketChannel far = listener.accept()) {
                Background<Integer> reader = Background.call(() -> near.getInputStream().read()).blocked();
                far.write(ByteBuffer.wrap(new byte[] {'x'}));
                assertEquals('x', reader.result());
                near.setSoLinger(true, 0);
                near.close();
                assertSocketException("Connection reset", () -> far.read(ByteBuffer.allocate(1)));
            }
        }
    }

    @Start.AtEach
    void lingerZeroFailsTheWriter(Start start) throws Exception {
        try (Start.Ends ends = start.open()) {
            ends.near().setSoLinger(true, 0);
            ends.near().close();
            assertSocketException("Connection reset by peer", () -> ends.farOut().write(1));
            assertSocketException("Broken pipe", () -> ends.farOut().write(1));
        }
    }

    @Start.AtEach
    void lingerForAWhileIsAnOrdinaryEnd(Start start) throws Exception {
        try (Start.Ends ends = start.open()) {
            ends.near().setSoLinger(true, 5);
            ends.out().write(Bytes.of(5, 0, 100));
            ends.near().close();
            assertEquals(100, Bytes.expectToEnd(ends.farIn(), 5));
        }
    }

    @Start.AtEach
    void writingToAClosedPeerFailsInTheEnd(Start start) throws Exception {
        try (Start.Ends ends = start.open()) {
            ends.near().close();
            assertSocketException("Broken pipe", () -> writeUntilItFails(ends));
            assertSocketException("Broken pipe", () -> ends.farOut().write(1));
        }
    }

    @Start.AtEach
    void aWriterThatWaitsForAPeerThatClosesFails(Start start) throws Exception {
        try (Start.Ends ends = start.open()) {
            Background<Void> writer = Background.run(() -> ends.farOut().write(new byte[TOO_MUCH])).blocked();
            ends.near().close();
            SocketException e = assertThrows(SocketException.class, writer::result);
            assertTrue(e.getMessage().equals("Connection reset by peer") || e.getMessage().equals("Broken pipe"),
                    e.getMessage());
        }
    }

    private static void writeUntilItFails(Start.Ends ends) throws IOException {
        for (long start = System.nanoTime(); System.nanoTime() - start < Await.LIMIT.toNanos();) {
            ends.farOut().write(1);
        }
    }
}

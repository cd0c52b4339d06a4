package jfs.conformance.endings;

import static jfs.conformance.endings.SocketExceptions.assertSocketException;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import jfs.conformance.harness.Bytes;
import jfs.conformance.harness.Differences;
import jfs.conformance.harness.Differences.Failure;
import jfs.conformance.harness.Family;
import jfs.conformance.harness.Pair;
import jfs.conformance.harness.PortReuse;
import jfs.conformance.harness.Side;
import jfs.conformance.harness.Start;
import jfs.testing.Await;
import jfs.testing.Background;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Closing: by another thread, with bytes under way, and what the peer sees of it. */
@Tag("ends") // it knows what differs at the ends that are channels
class CloseTest {

    /** More bytes than all buffers between the two ends take. */
    private static final int TOO_MUCH = 16 << 20;

    @Start.AtEach
    void aBlockedReaderIsWoken(Start start) throws Exception {
        try (Start.Ends ends = start.open()) {
            Background<Integer> reader = Background.call(() -> ends.in().read()).blocked();
            ends.near().close();
            Failure.CLOSED_MEANWHILE.assertThrown(ends.near(), reader::result);
            assertEquals(-1, ends.farIn().read());
        }
    }

    @Start.AtEach
    void aBlockedReaderWithATimeoutIsWoken(Start start) throws Exception {
        try (Start.Ends ends = start.open()) {
            ends.near().setSoTimeout(1_000_000);
            Background<Integer> reader = Background.call(() -> ends.in().read()).blocked();
            ends.near().close();
            Failure.CLOSED_MEANWHILE.assertThrown(ends.near(), reader::result);
        }
    }

    @Start.AtEach
    void aBlockedWriterIsWokenAndWhatItWroteArrives(Start start) throws Exception {
        try (Start.Ends ends = start.open()) {
            Background<Void> writer = Background.run(() -> ends.out().write(Bytes.of(1, 0, TOO_MUCH))).blocked();
            // A thread that gets no processor in its first system call looks like one that waits.
            Await.until("some bytes are there", () -> ends.farIn().available() > 0);
            ends.near().close();
            Failure.CLOSED_MEANWHILE.assertThrown(ends.near(), writer::result);
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
            Failure.CLOSED_MEANWHILE.assertThrown(ends.near(), writer::result);
            Failure.CLOSED_MEANWHILE.assertThrown(ends.near(), reader::result);
        }
    }

    @Start.AtEach
    void severalReadersAndWritersAreWokenByOneOfTwoWhoClose(Start start) throws Exception {
        start.sameAsJdk((ends, seen) -> {
            List<Background<?>> blocked = new ArrayList<>();
            for (int i = 0; i < 3; i++) {
                blocked.add(Background.call(() -> ends.in().read()).blocked());
                blocked.add(Background.run(() -> ends.out().write(new byte[TOO_MUCH])).blocked());
            }
            Background<Void> other = Background.run(() -> ends.near().close());
            seen.see("close", ends.near()::close);
            seen.see("close by another thread", other);
            for (Background<?> thread : blocked) {
                seen.see("woken", thread);
            }
        });
    }

    /** Whichever close comes first, no thread hangs: each reader sees an end or "Socket closed". */
    @Start.AtEach
    void bothEndsCloseAtOnce(Start start) throws Exception {
        for (int i = 0; i < 5; i++) {
            try (Start.Ends ends = start.open()) {
                Background<Integer> near = Background.call(() -> ends.in().read()).blocked();
                Background<Integer> far = Background.call(() -> ends.farIn().read()).blocked();
                CyclicBarrier together = new CyclicBarrier(2);
                Background<Void> other = Background.run(() -> {
                    together.await();
                    ends.far().close();
                });
                together.await();
                ends.near().close();
                other.result();
                assertClosedOrEnd(ends.near(), near);
                assertClosedOrEnd(ends.far(), far);
            }
        }
    }

    private static void assertClosedOrEnd(Socket end, Background<Integer> reader) throws Exception {
        try {
            assertEquals(-1, reader.result());
        } catch (IOException e) {
            Differences.assertOneOf(end, e, Failure.CLOSED_MEANWHILE);
        }
    }

    @Side.AtEach
    void severalAcceptorsAreWokenByOneOfTwoWhoClose(Side side) throws Exception {
        side.sameAsJdk(seen -> {
            ServerSocket listener = Family.IPV4.listener();
            List<Background<Socket>> accepting = new ArrayList<>();
            for (int i = 0; i < 3; i++) {
                accepting.add(Background.call(listener::accept).blocked());
            }
            Background<Void> other = Background.run(listener::close);
            seen.see("close", listener::close);
            seen.see("close by another thread", other);
            for (Background<Socket> thread : accepting) {
                seen.see("woken", thread);
            }
        });
    }

    @Test
    void aBlockedAcceptIsWoken() throws Exception {
        try (ServerSocket listener = Pair.listener()) {
            Background<Socket> accepting = Background.call(listener::accept).blocked();
            listener.close();
            Failure.CLOSED_MEANWHILE.assertThrown(listener, accepting::result);
            Failure.ACCEPT_AFTER_CLOSE.assertThrown(listener, listener::accept);
        }
    }

    @Test
    void thePortIsFreeWhenAnAcceptorIsClosed() throws Exception {
        PortReuse.assertFreeAfterClose(accept -> Background.call(accept));
    }

    /** The close may come at any moment of a read or an accept, also before the thread waits. */
    @Test
    void aThreadThatIsAboutToBlockIsWokenToo() throws Exception {
        for (int i = 0; i < 200; i++) {
            try (ServerSocket listener = Pair.listener(); Pair pair = Pair.via(listener)) {
                Background<Integer> reader = Background.call(() -> pair.client.getInputStream().read());
                Background<Socket> accepting = Background.call(listener::accept);
                pair.client.close();
                listener.close();
                Differences.assertThrowsOneOf(pair.client, reader::result,
                        Failure.CLOSED_MEANWHILE, Failure.CLOSED, Failure.IS_CLOSED, Failure.IS_BEING_CLOSED);
                Differences.assertThrowsOneOf(listener, accepting::result, Failure.CLOSED_MEANWHILE, Failure.ACCEPT_AFTER_CLOSE);
            }
        }
    }

    @Start.AtEach
    void nothingGoesAfterClose(Start start) throws Exception {
        try (Start.Ends ends = start.open()) {
            var in = ends.in();
            var out = ends.out();
            ends.near().close();
            ends.near().close();
            assertTrue(ends.near().isClosed());
            Failure.CLOSED.assertThrown(ends.near(), in::read);
            Failure.CLOSED.assertThrown(ends.near(), () -> out.write(1));
            Failure.CLOSED.assertThrown(ends.near(), in::available);
            assertEquals(0, in.read(new byte[0]));
            assertSocketException("Socket is closed", ends::in);
            assertSocketException("Socket is closed", ends::out);
            Failure.SHUT_AFTER_CLOSE.assertThrown(ends.near(), () -> ends.near().shutdownInput());
            Failure.SHUT_AFTER_CLOSE.assertThrown(ends.near(), () -> ends.near().shutdownOutput());
            assertSocketException("Socket is closed", () -> ends.near().setSoTimeout(1));
            Failure.CLOSED.assertThrown(ends.near(), () -> ends.near().sendUrgentData(1));
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
            Differences.assertEndStays(ends.far(), in);
        }
    }

    /** The JDK ends its output before it closes the socket, so the reader sees the end first and never the reset. */
    @Start.AtEach
    void unreadBytesAreAnEndToTheReaderAndAnErrorToTheWriter(Start start) throws Exception {
        try (Start.Ends ends = start.open()) {
            ends.farOut().write(Bytes.of(3, 0, 10));
            Await.until("they are there", () -> ends.in().available() == 10);
            ends.out().write(Bytes.of(4, 0, 5));
            Await.until("they are there", () -> ends.farIn().available() == 5);
            ends.near().close();
            Bytes.expect(ends.farIn(), 4, 0, 5);
            Differences.assertEndOrReset(ends.near(), ends.farIn());
            assertEquals(0, ends.farIn().available());
            Failure.BROKEN_PIPE.assertThrown(ends.far(), () -> ends.farOut().write(1));
            Differences.assertEndOrReset(ends.near(), ends.farIn());
        }
    }

    @Start.AtEach
    void unreadBytesOfManyFailTheirWriter(Start start) throws Exception {
        try (Start.Ends ends = start.open()) {
            Background<Void> writer = Background.run(() -> ends.farOut().write(Bytes.of(3, 0, TOO_MUCH))).blocked();
            Bytes.expect(ends.in(), 3, 0, 1000);
            ends.near().close();
            IOException e = assertThrows(IOException.class, writer::result);
            if (!e.toString().equals("java.net.SocketException: Connection reset")) {
                Differences.assertOneOf(ends.far(), e, Failure.BROKEN_PIPE, Failure.RESET_BY_PEER);
            }
        }
    }

    @Start.AtEach
    void aHugeWriteToAClosedPeerFails(Start start) throws Exception {
        start.sameAsJdk((ends, seen) -> {
            ends.near().close();
            seen.see("write", () -> ends.farOut().write(new byte[TOO_MUCH]));
            seen.see("again", () -> ends.farOut().write(1));
            seen.see("read", () -> ends.farIn().read());
        });
    }

    /**
     * The kernel learns only from the peer's answer to this write that the peer is closed. So a program that sends a
     * request and then reads sees an end.
     */
    @Start.AtEach
    void theFirstWriteToAPeerThatHasReadAllAndClosedIsTaken(Start start) throws Exception {
        try (Start.Ends ends = start.open()) {
            ends.farOut().write(Bytes.of(3, 0, 10));
            Bytes.expect(ends.in(), 3, 0, 10);
            ends.out().write(Bytes.of(4, 0, 5));
            ends.near().close();
            ends.farOut().write(Bytes.of(3, 10, 100));
            Bytes.expect(ends.farIn(), 4, 0, 5);
            assertEquals(-1, ends.farIn().read());
            Failure.BROKEN_PIPE.assertThrown(ends.far(), () -> ends.farOut().write(1));
            assertEquals(-1, ends.farIn().read());
        }
    }

    @Start.AtEach
    void writingToAClosedPeerFailsInTheEnd(Start start) throws Exception {
        try (Start.Ends ends = start.open()) {
            ends.near().close();
            Failure.BROKEN_PIPE.assertThrown(ends.far(), () -> writeUntilItFails(ends));
            Failure.BROKEN_PIPE.assertThrown(ends.far(), () -> ends.farOut().write(1));
        }
    }

    @Start.AtEach
    void aWriterThatWaitsForAPeerThatClosesFails(Start start) throws Exception {
        try (Start.Ends ends = start.open()) {
            Background<Void> writer = Background.run(() -> ends.farOut().write(new byte[TOO_MUCH])).blocked();
            ends.near().close();
            Differences.assertThrowsOneOf(ends.far(), writer::result, Failure.RESET_BY_PEER, Failure.BROKEN_PIPE);
        }
    }

    /**
     * Starting a thread would take longer than the rest of the close. A native thread that attaches to the JVM for a moment
     * counts too.
     */
    @Test
    void closingStartsNoThread() throws Exception {
        List<Pair> pairs = new ArrayList<>();
        try {
            while (pairs.size() < 20) {
                pairs.add(Pair.fresh().converse());
            }
            long before = ManagementFactory.getThreadMXBean().getTotalStartedThreadCount();
            for (Pair pair : pairs) {
                pair.client.close();
            }
            try (Pair later = Pair.fresh()) { // this conversation comes after all work that the closes leave to other threads
                later.converse();
            }
            for (Pair pair : pairs) {
                assertEquals(-1, pair.server.getInputStream().read());
                pair.server.close();
            }
            long started = ManagementFactory.getThreadMXBean().getTotalStartedThreadCount() - before;
            assertTrue(started < pairs.size() / 4, () -> started + " threads for " + pairs.size() + " closes");
        } finally {
            for (Pair pair : pairs) {
                pair.close();
            }
        }
    }

    private static void writeUntilItFails(Start.Ends ends) throws IOException {
        for (long start = System.nanoTime(); System.nanoTime() - start < Await.LIMIT.toNanos();) {
            ends.farOut().write(1);
        }
    }
}

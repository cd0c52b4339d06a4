package jfs.conformance.endings;

import static jfs.conformance.endings.SocketExceptions.assertSocketException;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import jfs.conformance.harness.Bytes;
import jfs.conformance.harness.Differences;
import jfs.conformance.harness.Differences.Failure;
import jfs.conformance.harness.Family;
import jfs.conformance.harness.Start;
import jfs.conformance.harness.Subject;
import jfs.testing.Await;
import jfs.testing.Background;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Closing with SO_LINGER: after zero seconds the peer sees a reset, after more seconds an ordinary end. */
@Tag("ends") // it knows what differs at the ends that are channels
class LingerTest {

    /** More bytes than all buffers between the two ends take. */
    private static final int TOO_MUCH = 16 << 20;

    /**
     * The bytes and the reset may arrive as one event. That holds also for a reader that has just begun to watch both TCP
     * and the fast path. TCP itself sometimes loses the bytes, so only bytes that went over the fast path have to arrive.
     * Between hosts a sender may learn late that it may use the path.
     */
    @Start.AtEach
    void whatCameBeforeAResetIsReadFirst(Start start) throws Exception {
        for (int i = 0; i < 10; i++) {
            try (Start.Ends ends = start.open()) {
                Background<Integer> reader = Background.call(() -> ends.in().read()).blocked();
                ends.farOut().write(i);
                boolean byPath = ends.pair().counted().switchedOut() == (start.progress() == Start.Progress.ATTACHED ? 1 : 2);
                ends.far().setSoLinger(true, 0);
                ends.far().close();
                try {
                    assertEquals(i, reader.result());
                } catch (SocketException e) {
                    assertFalse(byPath, () -> "lost: " + e);
                }
                assertSocketException("Connection reset", () -> ends.in().read());
            }
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
            Failure.CLOSED_MEANWHILE.assertThrown(ends.near(), reader::result);
        }
    }

    /**
     * The same after a read that had to wait. The peer is a channel, so the reset does not depend on code of the subject at
     * the peer.
     */
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
            Failure.RESET_BY_PEER.assertThrown(ends.far(), () -> ends.farOut().write(1));
            Failure.BROKEN_PIPE.assertThrown(ends.far(), () -> ends.farOut().write(1));
        }
    }

    /** The kernel reports the reset once, to the thread that asks first. The other thread sees an end. */
    @Start.AtEach
    void oneOfReaderAndWriterSeesTheReset(Start start) throws Exception {
        try (Start.Ends ends = start.open()) {
            Background<Integer> reader = Background.call(() -> ends.farIn().read()).blocked();
            Background<Void> writer = Background.run(() -> ends.farOut().write(new byte[TOO_MUCH])).blocked();
            ends.near().setSoLinger(true, 0);
            ends.near().close();
            Failure toWriter = Differences.assertThrowsOneOf(ends.far(), writer::result, Failure.BROKEN_PIPE, Failure.RESET_BY_PEER);
            String toReader;
            try {
                toReader = String.valueOf(reader.result());
            } catch (SocketException e) {
                toReader = e.getMessage();
            }
            assertEquals(toWriter == Failure.BROKEN_PIPE ? "Connection reset" : "-1", toReader, () -> "the writer: " + toWriter);
        }
    }

    @Test
    void lingerDoesNotWaitUntilThePeerReads() throws Exception {
        int length = 3 << 20;
        new Start(Start.Progress.SWITCHED, true, Family.IPV4).sameAsJdk((ends, seen) -> {
            ends.out().write(Bytes.of(6, 0, length));
            ends.near().setSoLinger(true, 1);
            Background<Void> closing = Background.run(ends.near()::close);
            Bytes.expect(ends.farIn(), 6, 0, 1000);
            seen.see("close", closing); // a second later if it had waited in vain
            seen.see("bytes to the end", () -> {
                Bytes.expect(ends.farIn(), 6, 1000, length - 1000);
                return ends.farIn().read();
            });
        });
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
}

package jfs.conformance.endings;

import static jfs.conformance.endings.SocketExceptions.assertSocketException;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.InputStream;
import java.io.OutputStream;
import jfs.conformance.harness.Bytes;
import jfs.conformance.harness.Differences;
import jfs.conformance.harness.Differences.Failure;
import jfs.conformance.harness.Start;
import jfs.testing.Await;
import jfs.testing.Background;
import org.junit.jupiter.api.Tag;

/** A connection of which one half has ended while the other one is in use. */
@Tag("ends") // it knows what differs at the ends that are channels
class ShutdownTest {

    @Start.AtEach
    void whatWasWrittenComesBeforeTheEnd(Start start) throws Exception {
        try (Start.Ends ends = start.open()) {
            int length = 1 << 20;
            ends.out().write(Bytes.of(1, 0, length));
            ends.near().shutdownOutput();
            assertTrue(ends.near().isOutputShutdown());
            assertEquals(length, Bytes.expectToEnd(ends.farIn(), 1));
            for (int i = 0; i < 3; i++) {
                assertEquals(-1, ends.farIn().read());
            }
            assertFalse(ends.far().isInputShutdown());
        }
    }

    @Start.AtEach
    void theOtherDirectionGoesOn(Start start) throws Exception {
        try (Start.Ends ends = start.open()) {
            ends.near().shutdownOutput();
            assertEquals(-1, ends.farIn().read());
            int length = 6 << 20;
            Background<Void> writer = Background.run(() -> ends.farOut().write(Bytes.of(2, 0, length))).blocked();
            Bytes.expect(ends.in(), 2, 0, length);
            writer.result();
            ends.far().shutdownOutput();
            assertEquals(-1, ends.in().read());
        }
    }

    @Start.AtEach
    void aBlockedReaderSeesTheEnd(Start start) throws Exception {
        try (Start.Ends ends = start.open()) {
            Background<Integer> reader = Background.call(() -> ends.farIn().read()).blocked();
            ends.near().shutdownOutput();
            assertEquals(-1, reader.result());
        }
    }

    @Start.AtEach
    void nothingCanBeWrittenAfterIt(Start start) throws Throwable {
        try (Start.Ends ends = start.open()) {
            OutputStream out = ends.out();
            ends.near().shutdownOutput();
            Failure.OUTPUT_SHUT.assertThrown(ends.near(), () -> out.write(1));
            assertSocketException("Socket output is shutdown", ends::out);
            Differences.assertShutTwice(ends.near(), "Socket output is already shutdown", () -> ends.near().shutdownOutput());
        }
    }

    @Start.AtEach
    void aBlockedWriterIsStopped(Start start) throws Exception {
        try (Start.Ends ends = start.open()) {
            int length = 16 << 20;
            Background<Void> writer = Background.run(() -> ends.out().write(Bytes.of(3, 0, length))).blocked();
            ends.near().shutdownOutput();
            Differences.assertStopped(ends.near(), writer::result);
            long received = Bytes.expectToEnd(ends.farIn(), 3);
            assertTrue(received > 0 && received < length, received + " bytes");
        }
    }

    @Start.AtEach
    void aBlockedReaderIsWokenByItsOwnShutdown(Start start) throws Exception {
        try (Start.Ends ends = start.open()) {
            Background<Integer> reader = Background.call(() -> ends.in().read()).blocked();
            InputStream in = ends.in();
            ends.near().shutdownInput();
            assertEquals(-1, reader.result());
            ends.near().close();
            Differences.assertEndStays(ends.near(), in);
        }
    }

    @Start.AtEach
    void nothingIsReadAfterItsOwnShutdown(Start start) throws Throwable {
        try (Start.Ends ends = start.open()) {
            var in = ends.in();
            ends.farOut().write(Bytes.of(4, 0, 10));
            Await.until("they are there", () -> in.available() == 10);
            ends.near().shutdownInput();
            assertTrue(ends.near().isInputShutdown());
            assertEquals(-1, in.read());
            assertEquals(-1, in.read());
            assertEquals(0, in.available());
            assertSocketException("Socket input is shutdown", ends::in);
            Differences.assertShutTwice(ends.near(), "Socket input is already shutdown", () -> ends.near().shutdownInput());
            ends.farOut().write(1); // no error
            ends.out().write('x');
            assertEquals('x', ends.farIn().read(), "the other direction goes on");
        }
    }

    @Start.AtEach
    void bothHalvesOneAfterTheOther(Start start) throws Exception {
        try (Start.Ends ends = start.open()) {
            ends.near().shutdownOutput();
            ends.far().shutdownOutput();
            assertEquals(-1, ends.farIn().read());
            assertEquals(-1, ends.in().read());
            ends.near().shutdownInput();
            ends.far().shutdownInput();
            assertFalse(ends.near().isClosed());
        }
    }
}

package jfs.conformance.blocking;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import jfs.conformance.harness.Bytes;
import jfs.conformance.harness.Differences;
import jfs.conformance.harness.Differences.Failure;
import jfs.conformance.harness.Family;
import jfs.conformance.harness.Pair;
import jfs.conformance.harness.Side;
import jfs.conformance.harness.Start;
import jfs.testing.Await;
import jfs.testing.Background;
import jfs.testing.Effort;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** SO_TIMEOUT ends a wait and has no other effect. */
@Tag("ends") // it knows what differs at the ends that are channels
class TimeoutTest {

    private static final int SHORT_MILLIS = 5;

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

    /** Bytes come again and again just when the reader's time is over. */
    @Start.AtEach
    void noByteIsLostToATimeout(Start start) throws Exception {
        try (Start.Ends ends = start.open()) {
            int length = Effort.of(150, 1_000);
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

    /**
     * The socket is closed again and again at different times just before the deadline. If close has returned before the
     * deadline, the reader must report the close.
     */
    @Start.AtEach
    void aCloseJustBeforeTheDeadlineIsReportedAsAClose(Start start) throws Exception {
        Random random = new Random(1);
        for (int i = Effort.rounds(10, 200); i > 0; i--) {
            try (Start.Ends ends = start.open()) {
                ends.near().setSoTimeout(SHORT_MILLIS);
                InputStream in = ends.in(); // a socket that is closed has none
                AtomicLong begun = new AtomicLong();
                Background<Integer> reader = Background.call(() -> {
                    begun.set(System.nanoTime());
                    return in.read();
                });
                long before = TimeUnit.MICROSECONDS.toNanos(50 + random.nextInt(500));
                while (begun.get() == 0 || deadline(begun) - before - System.nanoTime() > 0) {
                    Thread.onSpinWait();
                }
                ends.near().close();
                boolean inTime = deadline(begun) - System.nanoTime() > 0;
                IOException e = assertThrows(IOException.class, reader::result);
                if (inTime || !(e instanceof SocketTimeoutException)) {
                    Differences.assertOneOf(ends.near(), e, Failure.CLOSED_MEANWHILE, Failure.CLOSED);
                }
            }
        }
    }

    /** A lower bound of the read's deadline. */
    private static long deadline(AtomicLong begun) {
        return begun.get() + TimeUnit.MILLISECONDS.toNanos(SHORT_MILLIS);
    }

    @Start.AtEach
    void valuesOfATimeout(Start start) throws Exception {
        start.sameAsJdk((ends, seen) -> {
            for (int millis : new int[] {0, 1, Integer.MAX_VALUE, -1, Integer.MIN_VALUE}) {
                seen.see("set " + millis, () -> ends.near().setSoTimeout(millis));
                seen.see("get", ends.near()::getSoTimeout);
                if (millis == 1) {
                    seen.see("read in vain", () -> ends.in().read());
                } else {
                    ends.farOut().write(millis);
                    seen.see("read", () -> ends.in().read());
                }
            }
            ends.near().close();
            for (int millis : new int[] {1, -1}) {
                seen.see("set " + millis + " after close", () -> ends.near().setSoTimeout(millis));
            }
            seen.see("get after close", ends.near()::getSoTimeout);
        });
    }

    @Start.AtEach
    void aReaderThatWaitsAlreadyHasTheTimeoutItCameWith(Start start) throws Exception {
        try (Start.Ends ends = start.open()) {
            Background<Integer> reader = Background.call(() -> ends.in().read()).blocked();
            ends.near().setSoTimeout(1);
            reader.blocked();
            ends.farOut().write('x');
            assertEquals('x', reader.result());
            assertThrows(SocketTimeoutException.class, () -> ends.in().read());
            ends.near().setSoTimeout(0);
            ends.farOut().write('y');
            assertEquals('y', ends.in().read());
        }
    }

    /** The time-out is that of one wait, however often a byte comes meanwhile. Reads that had to wait lose no byte. */
    @Start.AtEach
    void wholeArraysAreReadAcrossTimeouts(Start start) throws Exception {
        start.sameAsJdk((ends, seen) -> {
            byte[] part = Bytes.of(5, 0, 5);
            byte[] into = new byte[10];
            ends.farOut().write(part);
            Await.until("they are there", () -> ends.in().available() == 5);
            ends.near().setSoTimeout(SHORT_MILLIS);
            seen.see("read 10 of 5", () -> ends.in().readNBytes(into, 0, 10));
            seen.see("into", () -> into);
            seen.see("available", ends.in()::available);
            ends.near().setSoTimeout(0);
            ends.farOut().write(part);
            ends.far().shutdownOutput();
            seen.see("read to the end", () -> ends.in().readAllBytes());
        });
    }

    @Start.AtEach
    void aTimeoutCoversTheWaitForAnotherReader(Start start) throws Exception {
        assumeTrue(Runtime.version().feature() >= 25,
                "needs JDK 25: on 17 and 21 a reader's timeout begins only when no other thread is reading");
        try (Start.Ends ends = start.open()) {
            Background<Integer> first = Background.call(() -> ends.in().read()).blocked();
            ends.near().setSoTimeout(SHORT_MILLIS);
            Background<Integer> second = Background.call(() -> ends.in().read());
            if (!Differences.timeoutCoversOtherReaders(ends.near())) {
                second.blocked();
                ends.farOut().write('a');
                assertEquals('a', first.result());
                assertThrows(SocketTimeoutException.class, second::result);
                return;
            }
            assertEquals("Read timed out", assertThrows(SocketTimeoutException.class, second::result).getMessage());
            ends.farOut().write('a');
            assertEquals('a', first.result());
        }
    }

    @Side.AtEach
    void valuesOfAListenersTimeout(Side side) throws Exception {
        side.sameAsJdk(seen -> {
            try (ServerSocket listener = Family.IPV4.listener()) {
                for (int millis : new int[] {0, 1, Integer.MAX_VALUE, -1}) {
                    seen.see("set " + millis, () -> listener.setSoTimeout(millis));
                    seen.see("get", listener::getSoTimeout);
                    if (millis == 1) {
                        seen.see("accept in vain", listener::accept);
                    } else {
                        try (Socket client = new Socket(listener.getInetAddress(), listener.getLocalPort());
                                Socket accepted = listener.accept()) {
                            seen.see("of the accepted one", accepted::getSoTimeout);
                        }
                    }
                }
                listener.close();
                seen.see("set after close", () -> listener.setSoTimeout(1));
                seen.see("get after close", listener::getSoTimeout);
            }
        });
    }

    @Side.AtEach
    void anAcceptThatWaitsAlreadyHasTheTimeoutItCameWith(Side side) throws Exception {
        side.sameAsJdk(seen -> {
            try (ServerSocket listener = Family.IPV4.listener()) {
                Background<Boolean> accepting = Background.call(() -> {
                    listener.accept().close();
                    return true;
                }).blocked();
                listener.setSoTimeout(1);
                accepting.blocked();
                try (Socket client = new Socket(listener.getInetAddress(), listener.getLocalPort())) {
                    seen.see("accepted", accepting);
                }
                seen.see("the next one", listener::accept);
            }
        });
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

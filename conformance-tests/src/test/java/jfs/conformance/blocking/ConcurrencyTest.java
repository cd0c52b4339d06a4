package jfs.conformance.blocking;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.locks.LockSupport;
import jfs.conformance.harness.Bytes;
import jfs.conformance.harness.Differences;
import jfs.conformance.harness.Pair;
import jfs.conformance.harness.Start;
import jfs.testing.Background;
import jfs.wait.Sleepers;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Several threads on one end, and threads that are interrupted. */
@Tag("ends") // it knows what differs at the ends that are channels
class ConcurrencyTest {

    private static final int THREADS = 4;

    @Start.AtEach
    void everyByteGoesToOneOfSeveralReaders(Start start) throws Exception {
        try (Start.Ends ends = start.open()) {
            List<Background<byte[]>> readers = new ArrayList<>();
            for (int i = 0; i < THREADS; i++) {
                readers.add(Background.call(() -> {
                    ByteArrayOutputStream all = new ByteArrayOutputStream();
                    byte[] some = new byte[100];
                    for (int n = ends.in().read(some); n >= 0; n = ends.in().read(some)) {
                        all.write(some, 0, n);
                    }
                    return all.toByteArray();
                }).blocked());
            }
            int each = 2_000;
            long[] sent = new long[256];
            Random random = new Random(1);
            for (int i = 0; i < each; i++) {
                byte[] bytes = new byte[1 + random.nextInt(50)];
                random.nextBytes(bytes);
                count(bytes, sent);
                ends.farOut().write(bytes);
            }
            ends.far().shutdownOutput();
            long[] received = new long[256];
            for (Background<byte[]> reader : readers) {
                count(reader.result(), received);
            }
            assertArrayEquals(sent, received);
        }
    }

    private static void count(byte[] bytes, long[] counts) {
        for (byte b : bytes) {
            counts[b & 0xff]++;
        }
    }

    /** The bytes of one write call stay together. */
    @Start.AtEach
    void severalWritersDoNotMix(Start start) throws Exception {
        try (Start.Ends ends = start.open()) {
            int each = 300;
            List<Background<Void>> writers = new ArrayList<>();
            for (int i = 0; i < THREADS; i++) {
                int who = i;
                writers.add(Background.run(() -> {
                    Random random = new Random(who);
                    for (int at = 0; at < each; at++) {
                        int length = random.nextInt(1 << random.nextInt(15));
                        ByteBuffer record = ByteBuffer.allocate(12 + length);
                        record.putInt(who).putInt(at).putInt(length).put(Bytes.of(who, at, length));
                        ends.out().write(record.array());
                    }
                }));
            }
            DataInputStream in = new DataInputStream(ends.farIn());
            int[] next = new int[THREADS];
            for (int i = 0; i < THREADS * each; i++) {
                int who = in.readInt();
                assertTrue(who >= 0 && who < THREADS, "a record starts here");
                assertEquals(next[who]++, in.readInt());
                Bytes.expect(in, who, next[who] - 1, in.readInt());
            }
            for (Background<Void> writer : writers) {
                writer.result();
            }
        }
    }

    @Start.AtEach
    void anInterruptDoesNothingToAReader(Start start) throws Exception {
        try (Start.Ends ends = start.open()) {
            Background<Boolean> reader = Background.call(() -> {
                Bytes.expect(ends.in(), 1, 0, 10);
                return Thread.interrupted();
            }).blocked();
            reader.thread().interrupt();
            if (Differences.isClosedByInterrupt(ends.near())) {
                Differences.assertClosedByInterrupt(ends.near(), reader);
                return;
            }
            reader.blocked();
            ends.farOut().write(Bytes.of(1, 0, 10));
            assertTrue(reader.result(), "the status is kept");
            assertFalse(ends.near().isClosed());
        }
    }

    @Start.AtEach
    void aReadIsNotAbortedByAnEarlierInterrupt(Start start) throws Exception {
        try (Start.Ends ends = start.open()) {
            ends.near().setSoTimeout(5);
            Background<Boolean> reader = Background.call(() -> {
                Thread.currentThread().interrupt();
                if (Differences.isClosedByInterrupt(ends.near())) {
                    Differences.assertClosedByInterrupt(ends.near(), () -> ends.in().read());
                    return Thread.interrupted();
                }
                assertEquals("Read timed out",
                        assertThrows(SocketTimeoutException.class, () -> ends.in().read()).getMessage());
                return Thread.interrupted();
            });
            assertTrue(reader.result(), "the status is kept");
        }
    }

    @Start.AtEach
    void anInterruptDoesNothingToAWriter(Start start) throws Exception {
        try (Start.Ends ends = start.open()) {
            int length = 16 << 20;
            Background<Boolean> writer = Background.call(() -> {
                ends.out().write(Bytes.of(2, 0, length));
                return Thread.interrupted();
            }).blocked();
            writer.thread().interrupt();
            if (Differences.isClosedByInterrupt(ends.near())) {
                Differences.assertClosedByInterrupt(ends.near(), writer);
                return;
            }
            writer.blocked();
            Bytes.expect(ends.farIn(), 2, 0, length);
            assertTrue(writer.result(), "the status is kept");
        }
    }

    /** One of the two threads sleeps in the system call for both. Neither loses a wake-up when the other is interrupted. */
    @Start.AtEach
    void anInterruptDoesNothingToAReaderBesideAWriter(Start start) throws Exception {
        try (Start.Ends ends = start.open()) {
            int length = 16 << 20;
            Background<Void> writer = Background.run(() -> ends.out().write(Bytes.of(2, 0, length))).blocked();
            Background<Void> reader = Background.run(() -> Bytes.expect(ends.in(), 3, 0, 100)).blocked();
            writer.thread().interrupt();
            reader.thread().interrupt();
            if (Differences.isClosedByInterrupt(ends.near())) {
                Differences.assertClosedByInterrupts(ends.near(), writer, reader);
                return;
            }
            for (int at = 0; at < 100; at++) {
                ends.farOut().write(Bytes.of(3, at, 1));
            }
            reader.result();
            Bytes.expect(ends.farIn(), 2, 0, length);
            writer.result();
        }
    }

    /** An interrupted thread can't park. It must not busy-wait instead. */
    @Start.AtEach
    void interruptedThreadsSleepOn(Start start) throws Exception {
        try (Start.Ends ends = start.open()) {
            int length = 16 << 20;
            byte[] more = Bytes.of(2, 0, length); // more bytes than all buffers take
            Background<Boolean> writer = Background.call(() -> {
                ends.out().write(more);
                return Thread.interrupted();
            }).blocked();
            Background<Boolean> reader = Background.call(() -> {
                Bytes.expect(ends.in(), 3, 0, 1);
                return Thread.interrupted();
            }).blocked();
            writer.thread().interrupt();
            reader.thread().interrupt();
            if (Differences.isClosedByInterrupt(ends.near())) {
                Differences.assertClosedByInterrupts(ends.near(), writer, reader);
                return;
            }
            writer.blocked();
            reader.blocked();
            LockSupport.unpark(writer.thread()); // a spurious wake-up
            LockSupport.unpark(reader.thread());
            long before = Sleepers.SLEEPS.sum();
            for (int look = 0; look < 4; look++) { // some 20 ms, in which a thread that busy-waits would check hundreds of times
                writer.blocked();
                reader.blocked();
            }
            long sleeps = Sleepers.SLEEPS.sum() - before;
            assertTrue(sleeps < 10, () -> "fell asleep " + sleeps + " times with nothing to wake for");
            ends.farOut().write(Bytes.of(3, 0, 1));
            Bytes.expect(ends.farIn(), 2, 0, length);
            assertTrue(reader.result() && writer.result(), "the status is kept");
        }
    }

    @Test
    void anInterruptDoesNothingToAccept() throws Exception {
        try (ServerSocket listener = Pair.listener()) {
            Background<Boolean> accepting = Background.call(() -> {
                listener.accept().close();
                return Thread.interrupted();
            }).blocked();
            accepting.thread().interrupt();
            if (Differences.isClosedByInterrupt(listener)) {
                Differences.assertClosedByInterrupt(listener, accepting);
                return;
            }
            accepting.blocked();
            try (Socket client = new Socket(listener.getInetAddress(), listener.getLocalPort())) {
                assertTrue(accepting.result(), "the status is kept");
            }
        }
    }

    /** A waiting reader gets its byte, whether data, an interrupt or both wake it. A channel that the interrupt closes may give no byte. */
    @Test
    void interruptsThatRaceWithData() throws Exception {
        for (int i = 0; i < 200;) {
            try (Pair pair = Pair.fresh()) {
                while (i < 200 && !pair.server.isClosed()) {
                    int expected = i++;
                    Background<Integer> reader = Background.call(() -> pair.server.getInputStream().read());
                    reader.thread().interrupt();
                    pair.client.getOutputStream().write(expected);
                    if (Differences.isClosedByInterrupt(pair.server)) {
                        Differences.assertResultOrClosedByInterrupt(expected, pair.server, reader);
                    } else {
                        assertEquals(expected, reader.result());
                        assertFalse(pair.server.isClosed());
                    }
                }
            }
        }
    }
}

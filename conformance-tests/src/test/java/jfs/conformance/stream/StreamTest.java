package jfs.conformance.stream;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.util.Arrays;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.LongStream;
import jfs.conformance.harness.Bytes;
import jfs.conformance.harness.Pair;
import jfs.conformance.harness.Start;
import jfs.conformance.harness.Subject.Counters;
import jfs.testing.Await;
import jfs.testing.Background;
import jfs.testing.Effort;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Bytes arrive once and in order. */
@Tag("ends") // it knows what differs at the ends that are channels
class StreamTest {

    private static final int MEGABYTE = 1 << 20;
    /** Both directions must have carried this many bytes in random traffic. */
    private static final int TRAFFIC_MIN = 2 * MEGABYTE;
    private static final int PAUSE_NANOS_MAX = 100_000;
    /** The size at which the kernel's receive buffer begins. */
    private static final int BUFFER = 128 << 10;

    /** {@code -Dseed=...} repeats one run. */
    static LongStream seeds() {
        String given = System.getProperty("seed");
        return given != null ? LongStream.of(Long.parseLong(given)) : new Random().longs(Effort.rounds(8, 1_000));
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void randomSizesAndTimings(long seed) throws Exception {
        try (Pair pair = Pair.fresh()) {
            // The writers go on until both directions have switched, so the switch always comes in the middle.
            AtomicBoolean enough = new AtomicBoolean();
            Background<Long> toServer = Background.call(() -> write(pair.client, seed, enough));
            Background<Long> toClient = Background.call(() -> write(pair.server, seed + 1, enough));
            Background<Long> atServer = Background.call(() -> read(pair.server, seed));
            Background<Long> atClient = Background.call(() -> read(pair.client, seed + 1));
            try {
                Await.until(() -> "switched, but " + pair.counted(),
                        () -> pair.hasSwitched() || atServer.isDone() || atClient.isDone());
            } finally {
                enough.set(true);
            }
            assertEquals(toServer.result(), atServer.result());
            assertEquals(toClient.result(), atClient.result());
            pair.assertSwitched();
        }
    }

    private static long write(Socket to, long seed, AtomicBoolean enough) throws IOException {
        Random random = new Random(seed);
        OutputStream out = to.getOutputStream();
        long sent = 0;
        while (!enough.get() || sent < TRAFFIC_MIN) {
            byte[] bytes = Bytes.of(seed, sent, size(random));
            out.write(bytes);
            sent += bytes.length;
            pause(random);
        }
        to.shutdownOutput();
        return sent;
    }

    private static long read(Socket from, long seed) throws IOException {
        Random random = new Random(~seed);
        InputStream in = from.getInputStream();
        long received = 0;
        for (;;) {
            byte[] bytes = new byte[size(random)];
            int n = in.read(bytes);
            if (n < 0) {
                return received;
            }
            assertTrue(n > 0, "a read takes a byte at least");
            Bytes.check(seed, received, bytes, n);
            received += n;
            pause(random);
        }
    }

    /**
     * A size up to 256 KB. Each power of two is as probable as another, so sizes below a cache line are as frequent as
     * sizes near the ring's.
     */
    private static int size(Random random) {
        return 1 + random.nextInt(1 << random.nextInt(19));
    }

    private static void pause(Random random) {
        if (random.nextInt(16) == 0) {
            LockSupport.parkNanos(random.nextInt(PAUSE_NANOS_MAX));
        }
    }

    @Start.AtEach
    void everyByteValue(Start start) throws Exception {
        try (Start.Ends ends = start.open()) {
            for (int b = 0; b < 256; b++) {
                ends.out().write(b | 0x100); // only the low eight bits are sent
            }
            for (int b = 0; b < 256; b++) {
                assertEquals(b, ends.farIn().read());
            }
        }
    }

    @Start.AtEach
    void partsOfArrays(Start start) throws Exception {
        try (Start.Ends ends = start.open()) {
            byte[] bytes = Bytes.of(1, 0, 1000);
            ends.out().write(bytes, 100, 800);
            byte[] into = new byte[1000];
            assertEquals(800, ends.farIn().readNBytes(into, 150, 800));
            assertArrayEquals(Arrays.copyOfRange(bytes, 100, 900), Arrays.copyOfRange(into, 150, 950));
            assertArrayEquals(new byte[150], Arrays.copyOf(into, 150));
            assertArrayEquals(new byte[50], Arrays.copyOfRange(into, 950, 1000));
        }
    }

    @Start.AtEach
    void nothingAtAll(Start start) throws Exception {
        try (Start.Ends ends = start.open()) {
            ends.out().write(new byte[0]);
            ends.out().write(new byte[5], 5, 0);
            assertEquals(0, ends.farIn().read(new byte[0]));
            assertEquals(0, ends.farIn().read(new byte[5], 5, 0));
            ends.out().write('x');
            assertEquals('x', ends.farIn().read());
        }
    }

    @Start.AtEach
    void wrongArguments(Start start) throws Exception {
        try (Start.Ends ends = start.open()) {
            byte[] ten = new byte[10];
            int[][] wrong = {{-1, 1}, {0, -1}, {0, 11}, {10, 1}, {11, 0}, {1, Integer.MAX_VALUE}};
            for (int[] range : wrong) {
                assertThrows(IndexOutOfBoundsException.class, () -> ends.in().read(ten, range[0], range[1]));
                assertThrows(IndexOutOfBoundsException.class, () -> ends.out().write(ten, range[0], range[1]));
            }
            assertThrows(NullPointerException.class, () -> ends.in().read(null));
            assertThrows(NullPointerException.class, () -> ends.in().read(null, 0, 1));
            assertThrows(NullPointerException.class, () -> ends.out().write(null));
            assertThrows(NullPointerException.class, () -> ends.out().write(null, 0, 1));
            ends.out().write('x');
            assertEquals('x', ends.farIn().read(), "nothing was sent");
        }
    }

    @Start.AtEach
    void bothWriteThreeMegabytesBeforeTheyRead(Start start) throws Exception {
        try (Start.Ends ends = start.open()) {
            int length = 3 * MEGABYTE;
            Background<Void> far = Background.run(() -> {
                ends.farOut().write(Bytes.of(2, 0, length));
                Bytes.expect(ends.farIn(), 1, 0, length);
            });
            Background<Void> near = Background.run(() -> {
                ends.out().write(Bytes.of(1, 0, length));
                Bytes.expect(ends.in(), 2, 0, length);
            });
            near.result();
            far.result();
        }
    }

    /**
     * Lets TCP take at most about 4 MB that are not read, whatever was read before. The kernel lets a receive buffer grow with what is read
     * from it, to 6 MB by default and to 32 MB on some systems, until a program sets its size.
     */
    private static void keepBufferSmall(Socket receiver) throws IOException {
        receiver.setReceiveBufferSize(BUFFER);
    }

    @Start.AtEach
    void oneHugeWriteToASlowReader(Start start) throws Exception {
        try (Start.Ends ends = start.open()) {
            keepBufferSmall(ends.far());
            int length = 16 * MEGABYTE;
            Background<Void> writer = Background.run(() -> ends.out().write(Bytes.of(3, 0, length))).blocked();
            // Reads small pieces. The next one is read only when the writer waits again.
            int slowly = 5 * MEGABYTE;
            for (int at = 0; at < slowly;) {
                int n = Math.min(777_777, slowly - at);
                Bytes.expect(ends.farIn(), 3, at, n);
                at += n;
                writer.blocked();
            }
            Bytes.expect(ends.farIn(), 3, slowly, length - slowly);
            writer.result();
            ends.out().write('x');
            assertEquals('x', ends.farIn().read());
        }
    }

    /** The ring is filled until the writer waits, and drained to the last byte, again and again. */
    @Start.AtEach
    void backlogsGrowAndShrinkAgain(Start start) throws Exception {
        try (Start.Ends ends = start.open()) {
            keepBufferSmall(ends.far());
            long at = 0;
            for (int length : new int[] {100, 300_000, 8 * MEGABYTE, 1, 6 * MEGABYTE, 200_000}) {
                long from = at;
                Background<Void> writer = Background.run(() -> ends.out().write(Bytes.of(4, from, length)));
                if (length > 5 * MEGABYTE) {
                    writer.blocked();
                }
                Bytes.expect(ends.farIn(), 4, at, length);
                writer.result();
                at += length;
            }
            assertEquals(0, ends.farIn().available());
        }
    }

    @Start.AtEach
    void availableCountsWhatIsThere(Start start) throws Exception {
        try (Start.Ends ends = start.open()) {
            assertEquals(0, ends.in().available());
            ends.farOut().write(Bytes.of(5, 0, 30_000));
            Await.until("all of it is there", () -> ends.in().available() == 30_000);
            Bytes.expect(ends.in(), 5, 0, 12_345);
            assertEquals(30_000 - 12_345, ends.in().available());
            ends.farOut().write(Bytes.of(5, 30_000, 10));
            Await.until("so is more", () -> ends.in().available() == 30_010 - 12_345);
            Bytes.expect(ends.in(), 5, 12_345, 30_010 - 12_345);
            assertEquals(0, ends.in().available());
        }
    }

    /** A part of the bytes is still in TCP when the rest comes by the fast path. */
    @Test
    void availableAcrossTheSwitch() throws Exception {
        try (Pair pair = Pair.fresh().attach()) {
            pair.server.getOutputStream().write(Bytes.of(6, 0, 10)); // no reader is ready yet, so these go by TCP
            InputStream in = pair.client.getInputStream();
            Bytes.expect(in, 6, 0, 1); // from here on the reader watches both
            pair.server.getOutputStream().write(Bytes.of(6, 10, 1000));
            if (pair.switches()) {
                assertEquals(new Counters(2, 1, 0, Map.of()), pair.counted(), "the second part went by the fast path");
            }
            Await.until(() -> "1009 available", () -> in.available() == 1009);
            Bytes.expect(in, 6, 1, 500);
            assertEquals(509, in.available());
            Bytes.expect(in, 6, 501, 509);
            assertEquals(0, in.available());
        }
    }

    /** More bytes than the ring's window takes, so that some wait in the overflow ring. */
    @Start.AtEach
    void availableGoesDownAsBytesAreRead(Start start) throws Exception {
        try (Start.Ends ends = start.open()) {
            int length = MEGABYTE;
            ends.farOut().write(Bytes.of(7, 0, length));
            for (int at = 0; at < length;) {
                Await.until("something is there", () -> ends.in().available() > 0);
                int available = ends.in().available();
                assertTrue(available <= length - at, available + " available of " + (length - at));
                int n = Math.min(available, 10_001);
                Bytes.expect(ends.in(), 7, at, n);
                at += n;
            }
            assertEquals(0, ends.in().available());
        }
    }

    @Start.AtEach
    void wholeStreamMethods(Start start) throws Exception {
        try (Start.Ends ends = start.open()) {
            ends.farOut().write(Bytes.of(8, 0, 5_000));
            ends.far().shutdownOutput();
            assertEquals(1_000, ends.in().skip(1_000));
            byte[] rest = ends.in().readAllBytes();
            assertEquals(4_000, rest.length);
            Bytes.check(8, 1_000, rest, rest.length);
        }
    }
}

package jfs.conformance.typed;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.sun.management.ThreadMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import jfs.JFS;
import jfs.conformance.harness.Family;
import jfs.conformance.harness.Start;
import jfs.streams.ReadClaim;
import jfs.streams.TypedInput;
import jfs.streams.TypedOutput;
import jfs.streams.TypedStreams;
import jfs.streams.WriteClaim;
import jfs.testing.Background;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The calls of a typed stream make no garbage, over TCP and over the ring. The JVM counts what a thread allocates exactly. */
class TypedGarbageTest {

    private static final int WARM = 1_000;
    private static final int BATCHES = 20;
    private static final int ROUNDS = 100;
    /**
     * Bytes for each message of the MX library, of at most 32 KB, and for what comes and goes with it: they are put in order by objects,
     * whatever the program does. 8 to 1,300 bytes were counted. A typed stream's own objects are thus not seen over MX, but over the ring,
     * where the same calls are made.
     */
    private static final long LIMIT_OF_MX = 4_096;
    private static final int MX_MESSAGE = 32 << 10;
    /** The same without a native library, for each part of a message: a wait registers the channel with a selector, which makes a key. */
    private static final long LIMIT_OF_CHANNELS = 1_024;

    private final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    /** One thread sends a message and receives the answer; the other receives and answers. */
    private interface Message {
        void send(TypedOutput out) throws IOException;

        void receive(TypedInput in) throws IOException;
    }

    private void play(int rounds, boolean first, TypedStreams streams, Message message) throws IOException {
        for (int i = 0; i < rounds; i++) {
            if (first) {
                message.send(streams.output());
                message.receive(streams.input());
            } else {
                message.receive(streams.input());
                message.send(streams.output());
            }
        }
    }

    /** The least that this thread allocates in a batch of messages there and back, in bytes. */
    private long leastGarbage(boolean first, TypedStreams streams, Message message) throws IOException {
        play(WARM, first, streams, message);
        long thread = Thread.currentThread().getId();
        long least = Long.MAX_VALUE;
        for (int batch = 0; batch < BATCHES; batch++) {
            long before = threads.getThreadAllocatedBytes(thread);
            play(ROUNDS, first, streams, message);
            least = Math.min(least, threads.getThreadAllocatedBytes(thread) - before);
        }
        return least;
    }

    /**
     * A call that makes an object does so in each batch. What is made only now and then, for example in a long wait beside other programs,
     * does not count: some batch is without it.
     */
    private void assertNoGarbage(int bytes, Message near, Message far) throws Exception {
        assumeTrue(threads.isThreadAllocatedMemorySupported(), "this JVM does not count what a thread allocates");
        threads.setThreadAllocatedMemoryEnabled(true);
        try (Start.Ends ends = new Start(Start.Progress.SWITCHED, true, Family.IPV4).open()) {
            ends.near().setTcpNoDelay(true);
            ends.far().setTcpNoDelay(true);
            TypedStreams nearStreams = JFS.streams(ends.near());
            TypedStreams farStreams = JFS.streams(ends.far());
            Background<Long> echo = Background.call(() -> leastGarbage(false, farStreams, far));
            long atNear = leastGarbage(true, nearStreams, near);
            long atFar = echo.result();
            int parts = 1 + bytes / MX_MESSAGE;
            long limit = switch (System.getProperty("subject")) {
                case "mx" -> ROUNDS * parts * LIMIT_OF_MX;
                case "nio" -> ROUNDS * parts * LIMIT_OF_CHANNELS;
                default -> 0;
            };
            assertTrue(atNear <= limit && atFar <= limit,
                    "for " + ROUNDS + " messages there and back: " + atNear + " bytes at one end, " + atFar + " at the other");
        }
    }

    private record Doubles(double[] sent, double[] seen) implements Message {

        @Override
        public void send(TypedOutput out) throws IOException {
            out.write(sent);
        }

        @Override
        public void receive(TypedInput in) throws IOException {
            in.readFully(seen);
        }
    }

    private record Claims(double[] sent, double[] seen) implements Message {

        @Override
        public void send(TypedOutput out) throws IOException {
            try (WriteClaim claim = out.claim(Double.BYTES * sent.length)) {
                claim.put(0, sent, 0, sent.length);
                claim.commit();
            }
        }

        @Override
        public void receive(TypedInput in) throws IOException {
            try (ReadClaim claim = in.claim(Double.BYTES * seen.length)) {
                claim.get(0, seen, 0, seen.length);
                claim.release(Double.BYTES * seen.length);
            }
        }
    }

    private static double[] doubles(int count) {
        return (double[]) Slices.DOUBLE.random(count, count);
    }

    /** Copied into the staging memory, put in place, in several pieces, and longer than the ring. */
    @ParameterizedTest
    @ValueSource(ints = {1, 33, 1_000, 5_001, 20_000})
    void anArrayMakesNone(int count) throws Exception {
        Doubles near = new Doubles(doubles(count), new double[count]);
        Doubles far = new Doubles(doubles(count), new double[count]);
        assertNoGarbage(Double.BYTES * count, near, far);
        assertArrayEquals(far.sent, near.seen);
        assertArrayEquals(near.sent, far.seen);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 33, 1_000, 4_000})
    void aClaimMakesNone(int count) throws Exception {
        Claims near = new Claims(doubles(count), new double[count]);
        Claims far = new Claims(doubles(count), new double[count]);
        assertNoGarbage(Double.BYTES * count, near, far);
        assertArrayEquals(far.sent, near.seen);
        assertArrayEquals(near.sent, far.seen);
    }
}

package jfs.conformance.typed;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Random;
import jfs.JFS;
import jfs.conformance.harness.Bytes;
import jfs.conformance.harness.Start;
import jfs.streams.ReadClaim;
import jfs.streams.TypedInput;
import jfs.streams.TypedOutput;
import jfs.streams.WriteClaim;
import jfs.testing.Background;
import org.junit.jupiter.api.Tag;

/**
 * The peer is a machine of the other byte order: its stream begins with the mark in that order, and has all elements in it. The test
 * writes the mark itself, and the elements by a stream with an order of its own, which writes no mark.
 */
@Tag("ends")
class OtherOrderTest {

    private static final ByteOrder OTHER =
            ByteOrder.nativeOrder() == ByteOrder.BIG_ENDIAN ? ByteOrder.LITTLE_ENDIAN : ByteOrder.BIG_ENDIAN;
    private static final byte[] MARK = ByteBuffer.allocate(8).order(OTHER).putLong(0x89006a66732d7479L).array();
    private static final int ROUNDS = 300;

    /** Below and above what is copied into the staging memory, longer than it, and longer than the ring. */
    private static int length(Random lots) {
        return switch (lots.nextInt(60)) {
            case 0 -> 100_000 + lots.nextInt(3);
            case 1, 2, 3 -> 5_000 + lots.nextInt(9);
            default -> 1 + lots.nextInt(70);
        };
    }

    @Start.AtEach
    void allIsConverted(Start start) throws Exception {
        check(start, false);
    }

    @Start.AtEach
    void allThatIsReadAheadIsConverted(Start start) throws Exception {
        check(start, true);
    }

    /** Types, lengths, bytes in between and claims at both ends are drawn by lot. Bytes make elements begin at each remainder. */
    private static void check(Start start, boolean ahead) throws Exception {
        try (Start.Ends ends = start.open()) {
            TypedOutput out = JFS.streams(ends.near(), OTHER).output();
            TypedInput in = JFS.streams(ends.far()).input();
            in.readAhead(ahead);
            Background<Void> writer = Background.run(() -> {
                ends.out().write(MARK);
                out.write(new long[] {-5}); // the first element of more than one byte: the reader takes the mark with it
                Random lots = new Random(3);
                for (int i = 0; i < ROUNDS; i++) {
                    write(out, i, lots);
                }
                ends.near().shutdownOutput();
            });
            long[] first = new long[1];
            in.readFully(first);
            assertEquals(-5, first[0]);
            Random lots = new Random(3);
            for (int i = 0; i < ROUNDS; i++) {
                read(in, i, lots);
            }
            assertEquals(-1, in.read(new double[1]));
            writer.result();
        }
    }

    private static void write(TypedOutput out, int round, Random lots) throws Exception {
        Slices type = Slices.values()[lots.nextInt(8)];
        Object array = type.random(length(lots), round);
        int bytes = lots.nextInt(8);
        boolean byClaim = lots.nextBoolean();
        lots.nextBoolean(); // whether the reader uses a claim
        if (byClaim) {
            try (WriteClaim claim = out.claim(type.bytes(array) + bytes)) {
                type.put(claim, bytes, array);
                claim.put(0, Bytes.of(round, 0, bytes), 0, bytes);
                claim.commit();
            }
        } else {
            out.write(Bytes.of(round, 0, bytes));
            type.write(out, array, 0, type.bytes(array) / type.bytes());
        }
    }

    private static void read(TypedInput in, int round, Random lots) throws Exception {
        Slices type = Slices.values()[lots.nextInt(8)];
        Object expected = type.random(length(lots), round);
        Object seen = type.zeros(type.bytes(expected) / type.bytes());
        int bytes = lots.nextInt(8);
        lots.nextBoolean(); // whether the writer uses a claim
        byte[] between = new byte[bytes];
        if (lots.nextBoolean()) {
            try (ReadClaim claim = in.claim(type.bytes(expected) + bytes)) {
                claim.get(0, between, 0, bytes);
                type.get(claim, bytes, seen);
                claim.release(type.bytes(expected) + bytes);
            }
        } else {
            in.readFully(between);
            type.readAll(in, seen, new Random(round));
        }
        assertArrayEquals(Bytes.of(round, 0, bytes), between);
        assertArrayEquals(new Object[] {expected}, new Object[] {seen}, () -> type + ", round " + round);
    }
}

package jfs.conformance.typed;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.net.SocketTimeoutException;
import java.nio.ByteOrder;
import java.util.Random;
import jfs.JFS;
import jfs.buffers.BasicType;
import jfs.buffers.Layout;
import jfs.conformance.harness.Bytes;
import jfs.conformance.harness.Start;
import jfs.conformance.harness.Subject;
import jfs.streams.ReadClaim;
import jfs.streams.TypedInput;
import jfs.streams.TypedOutput;
import jfs.streams.WriteClaim;
import jfs.testing.Background;
import org.junit.jupiter.api.Tag;

/** Claims that wait for the least bytes that a program needs, and have as many as lie in one piece, up to a most. */
@Tag("ends")
class LeastAndMostTest {

    /** Whether the far end reads from memory of a fast path. */
    private static boolean readsInPlace(Start start, Start.Ends ends) {
        return (Subject.current() == Subject.SCI || Subject.current() == Subject.MX) && start.progress() == Start.Progress.SWITCHED
                && ends.near().getChannel() == null && ends.far().getChannel() == null;
    }

    /** Bytes are written by plain writes and by claims. They are read by claims of random bounds, released in part, and by plain reads. */
    @Start.AtEach
    void allBytesComeInOrder(Start start) throws Exception {
        for (boolean ahead : new boolean[] {false, true}) {
            try (Start.Ends ends = start.open()) {
                TypedOutput out = JFS.streams(ends.near()).output();
                TypedInput in = JFS.streams(ends.far()).input();
                in.readAhead(ahead);
                long total = 2L << 20;
                Background<Void> writer = Background.run(() -> {
                    Random lots = new Random(1);
                    for (long done = 0; done < total;) {
                        int n = (int) Math.min(total - done, length(lots));
                        if (lots.nextBoolean()) {
                            out.write(Bytes.of(2, done, n));
                        } else {
                            try (WriteClaim claim = out.claimBytes(n)) {
                                claim.put(0, Bytes.of(2, done, n), 0, n);
                                claim.commit();
                            }
                        }
                        done += n;
                    }
                });
                Random lots = new Random(3);
                for (long done = 0; done < total;) {
                    int left = (int) Math.min(total - done, TypedOutput.CLAIM_MAX);
                    if (lots.nextInt(6) == 0) {
                        byte[] seen = new byte[Math.min(left, length(lots))];
                        in.readFully(seen);
                        assertArrayEquals(Bytes.of(2, done, seen.length), seen);
                        done += seen.length;
                        continue;
                    }
                    int least = Math.min(left, lots.nextBoolean() ? 1 + lots.nextInt(16) : length(lots));
                    int most = least + lots.nextInt(left - least + 1);
                    ReadClaim claim = in.claimBytes(least, most);
                    assertTrue(claim.length() >= least && claim.length() <= most, least + " to " + most + ": " + claim.length());
                    byte[] seen = new byte[claim.length()];
                    claim.get(0, seen, 0, seen.length);
                    assertArrayEquals(Bytes.of(2, done, seen.length), seen);
                    int part = lots.nextInt(4) == 0 ? lots.nextInt(seen.length + 1) : seen.length;
                    claim.release(part);
                    done += part;
                }
                writer.result();
            }
        }
    }

    private static int length(Random lots) {
        return switch (lots.nextInt(20)) {
            case 0 -> 100_000 + lots.nextInt(100);
            case 1, 2, 3 -> 8_000 + lots.nextInt(400);
            default -> 1 + lots.nextInt(500);
        };
    }

    /** What the JDK writes is the oracle. Bytes before the elements make these begin at each remainder. */
    @Start.AtEach
    void elementsAreNotTornInEitherOrder(Start start) throws Exception {
        for (ByteOrder order : new ByteOrder[] {ByteOrder.BIG_ENDIAN, ByteOrder.LITTLE_ENDIAN}) {
            try (Start.Ends ends = start.open()) {
                TypedInput in = JFS.streams(ends.far(), order).input();
                int elements = 4_000;
                Background<Void> writer = Background.run(() -> {
                    for (int before = 0; before < 9; before++) {
                        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
                        DataOutputStream elementsOf = new DataOutputStream(bytes);
                        elementsOf.write(new byte[before]);
                        for (int i = 0; i < elements; i++) {
                            elementsOf.writeLong(order == ByteOrder.BIG_ENDIAN ? value(i) : Long.reverseBytes(value(i)));
                        }
                        ends.out().write(bytes.toByteArray(), 0, 1_003);
                        ends.out().write(bytes.toByteArray(), 1_003, bytes.size() - 1_003);
                    }
                });
                for (int before = 0; before < 9; before++) {
                    in.readFully(new byte[before]);
                    for (int done = 0; done < elements;) {
                        try (ReadClaim claim = in.claim(8, 8 * (elements - done))) {
                            assertEquals(order, claim.order());
                            int n = claim.length() / 8;
                            for (int i = 0; i < n; i++) {
                                assertEquals(value(done + i), claim.getLong(8 * i));
                            }
                            claim.release(8 * n);
                            done += n;
                        }
                    }
                }
                writer.result();
                assertEquals(0, in.available());
            }
        }
    }

    private static long value(int index) {
        return index * 0x0102030405060708L;
    }

    /** A claim of the whole array would have to be copied, since a plain write lies in several records or messages. */
    @Start.AtEach
    void whatAPlainWriteSentIsTakenInPlace(Start start) throws Exception {
        try (Start.Ends ends = start.open()) {
            TypedOutput out = JFS.streams(ends.near()).output();
            TypedInput in = JFS.streams(ends.far()).input();
            double[] sent = (double[]) Slices.DOUBLE.random(100_000, 5);
            out.write(new double[1]);
            in.readFully(new double[1]); // and the mark
            Background<Void> writer = Background.run(() -> out.write(sent));
            int copied = 0;
            for (int done = 0; done < sent.length;) {
                try (ReadClaim claim = in.claim(Double.BYTES, Double.BYTES * (sent.length - done))) {
                    int n = claim.length() / Double.BYTES;
                    copied += claim.isInPlace() ? 0 : n;
                    for (int i = 0; i < n; i++) {
                        assertEquals(sent[done + i], claim.getDouble(Double.BYTES * i));
                    }
                    claim.release(Double.BYTES * n);
                    done += n;
                }
            }
            writer.result();
            if (readsInPlace(start, ends)) { // a message of MX may end inside of an element
                assertTrue(copied <= (Subject.current() == Subject.SCI ? 0 : 100), copied + " elements were copied");
            }
        }
    }

    /** A sender copies the elements of a layout more slowly than those of an array, so it announces more of them at once. */
    @Start.AtEach
    void theElementsOfALongLayoutLieInLongerPieces(Start start) throws Exception {
        try (Start.Ends ends = start.open()) {
            TypedOutput out = JFS.streams(ends.near()).output();
            TypedInput in = JFS.streams(ends.far()).input();
            out.write(new double[1]);
            in.readFully(new double[1]); // and the mark
            double[] sent = (double[]) Slices.DOUBLE.random(32_000, 6);
            Background<Void> writer = Background.run(() -> Layout.of(BasicType.DOUBLE).vector(16_000, 1, 2).write(sent, 0, 1, out));
            int longest = 0;
            for (int done = 0; done < sent.length / 2;) {
                try (ReadClaim claim = in.claim(Double.BYTES, Double.BYTES * (sent.length / 2 - done))) {
                    int n = claim.length() / Double.BYTES;
                    longest = claim.isInPlace() ? Math.max(longest, n) : longest;
                    for (int i = 0; i < n; i++) {
                        assertEquals(sent[2 * (done + i)], claim.getDouble(Double.BYTES * i));
                    }
                    claim.release(Double.BYTES * n);
                    done += n;
                }
            }
            writer.result();
            assertTrue(!readsInPlace(start, ends) || longest == 4_096, longest + " elements in one piece");
        }
    }

    /** The bytes of the element that lies in two records are copied, and those behind it are not. */
    @Start.AtEach
    void onlyATornElementIsCopied(Start start) throws Exception {
        try (Start.Ends ends = start.open()) {
            TypedInput in = JFS.streams(ends.far(), ByteOrder.BIG_ENDIAN).input();
            boolean ofRecords = readsInPlace(start, ends) && Subject.current() == Subject.SCI;
            ends.out().write(Bytes.of(7, 0, 3));
            ends.out().write(Bytes.of(7, 3, 4_000));
            try (ReadClaim claim = in.claimBytes(8, 8_000)) { // 3 bytes lie in the first record
                if (ofRecords) {
                    assertFalse(claim.isInPlace());
                    assertEquals(8, claim.length());
                }
                claim.release(8);
            }
            try (ReadClaim claim = in.claimBytes(8, 1_000)) {
                if (ofRecords) {
                    assertTrue(claim.isInPlace());
                    assertEquals(1_000, claim.length());
                }
                byte[] seen = new byte[8];
                claim.get(0, seen, 0, 8);
                assertArrayEquals(Bytes.of(7, 8, 8), seen);
                claim.release(8);
            }
            Bytes.expect(in, 7, 16, 4_003 - 16);
        }
    }

    /** A claim with no more bytes than the most leaves the others to the socket's own stream, over TCP too. */
    @Start.AtEach
    void nothingBehindTheMostIsTaken(Start start) throws Exception {
        try (Start.Ends ends = start.open()) {
            ends.out().write(Bytes.of(1, 0, 100));
            TypedInput in = JFS.streams(ends.far(), ByteOrder.BIG_ENDIAN).input();
            int done = 0;
            for (int i = 0; i < 4; i++) {
                try (ReadClaim claim = in.claim(1, 16)) {
                    assertTrue(claim.length() <= 16, claim.length() + " bytes");
                    int length = claim.length();
                    assertThrows(IndexOutOfBoundsException.class, () -> claim.getByte(length));
                    assertThrows(IllegalArgumentException.class, () -> claim.release(length + 1));
                    done += length;
                    claim.release();
                }
            }
            Bytes.expect(ends.farIn(), 1, done, 100 - done);
        }
    }

    @Start.AtEach
    void theMostIsNotWaitedFor(Start start) throws Exception {
        try (Start.Ends ends = start.open()) {
            TypedOutput out = JFS.streams(ends.near()).output();
            TypedInput in = JFS.streams(ends.far()).input();
            for (int i = 1; i < 20; i++) {
                out.write(new int[] {i});
                try (ReadClaim claim = in.claim(4, TypedOutput.CLAIM_MAX)) {
                    assertEquals(4, claim.length());
                    assertEquals(i, claim.getInt(0));
                    claim.release();
                }
            }
        }
    }

    @Start.AtEach
    void theBoundsAreChecked(Start start) throws Exception {
        try (Start.Ends ends = start.open()) {
            TypedInput in = JFS.streams(ends.far(), ByteOrder.BIG_ENDIAN).input();
            ends.out().write(new byte[16]);
            int max = TypedOutput.CLAIM_MAX;
            for (int[] wrong : new int[][] {{0, 1}, {-1, 8}, {8, 7}, {1, 0}, {1, -1}, {1, max + 1}, {max + 1, max + 1},
                    {Integer.MIN_VALUE, Integer.MAX_VALUE}}) {
                assertThrows(IllegalArgumentException.class, () -> in.claim(wrong[0], wrong[1]));
                assertThrows(IllegalArgumentException.class, () -> in.claimBytes(wrong[0], wrong[1]));
            }
            String text = assertThrows(IllegalArgumentException.class, () -> in.claim(8, 7)).getMessage();
            assertTrue(text.contains("8 to 7 bytes") && text.contains("8 to " + max), text);
            ReadClaim claim = in.claim(8, 8);
            assertEquals(8, claim.length());
            assertThrows(IllegalStateException.class, () -> in.claim(1, 2));
            claim.release();
            assertThrows(IllegalStateException.class, () -> claim.getByte(0));
            try (ReadClaim rest = in.claim(8, max)) {
                assertEquals(8, rest.length());
            }
        }
    }

    @Start.AtEach
    void anEndBeforeTheLeastIsAnError(Start start) throws Exception {
        try (Start.Ends ends = start.open()) {
            ends.out().write(new byte[] {1, 2, 3, 4, 5});
            ends.near().shutdownOutput();
            TypedInput in = JFS.streams(ends.far(), ByteOrder.BIG_ENDIAN).input();
            try (ReadClaim claim = in.claim(2, 2)) {
                assertEquals(1, claim.getByte(0));
                claim.release();
            }
            String text = assertThrows(EOFException.class, () -> in.claim(4, 100)).getMessage();
            assertTrue(text.contains("3 of 4"), text);
            try (ReadClaim claim = in.claim(3, 100)) { // an end before the most is none
                assertEquals(3, claim.length());
                assertEquals(5, claim.getByte(2));
                claim.release();
            }
            assertNull(in.claim(1, 100));
            assertNull(in.claimBytes(1, 1));
        }
    }

    @Start.AtEach
    void aTimeOutBeforeTheLeastLosesNothing(Start start) throws Exception {
        try (Start.Ends ends = start.open()) {
            TypedInput in = JFS.streams(ends.far(), ByteOrder.BIG_ENDIAN).input();
            ends.far().setSoTimeout(50);
            assertThrows(SocketTimeoutException.class, () -> in.claim(1, 100));
            ends.out().write(new byte[] {0, 0, 0, 0, 0});
            for (int i = 0; i < 2; i++) {
                assertThrows(SocketTimeoutException.class, () -> in.claim(8, 100));
            }
            ends.far().setSoTimeout(0);
            ends.out().write(new byte[] {0, 1, 7, 3});
            try (ReadClaim claim = in.claim(8, 8)) {
                assertEquals(263, claim.getLong(0));
                claim.release();
            }
            assertEquals(3, ends.farIn().read());
        }
    }
}

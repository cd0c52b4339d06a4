package jfs.conformance.typed;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import jfs.JFS;
import jfs.conformance.harness.Bytes;
import jfs.conformance.harness.Start;
import jfs.conformance.harness.Subject;
import jfs.streams.ReadClaim;
import jfs.streams.TypedInput;
import jfs.streams.TypedOutput;
import jfs.streams.WriteClaim;
import jfs.testing.Background;
import org.junit.jupiter.api.Tag;

/** Bytes that a program puts in place and takes from where they are. */
@Tag("ends")
class ClaimTest {

    private static TypedOutput output(Socket socket) throws IOException {
        return JFS.streams(socket, ByteOrder.BIG_ENDIAN).output();
    }

    private static TypedInput input(Socket socket) throws IOException {
        return JFS.streams(socket, ByteOrder.BIG_ENDIAN).input();
    }

    /** Whether the start's connections have memory that both ends have mapped, and the near end sends by it. */
    private static boolean isInPlace(Start start, Start.Ends ends) {
        return Subject.current() == Subject.SCI && ends.near().getChannel() == null && ends.far().getChannel() == null
                && (start.progress() == Start.Progress.SWITCHED || start.progress() == Start.Progress.HALF_SWITCHED);
    }

    /** Claims of random lengths, of which random parts are committed or none, read by claims of random lengths and by plain reads. */
    @Start.AtEach
    void whatIsCommittedComes(Start start) throws Exception {
        try (Start.Ends ends = start.open()) {
            TypedOutput out = JFS.streams(ends.near()).output();
            TypedInput in = JFS.streams(ends.far()).input();
            long total = 4L << 20;
            Background<Integer> writer = Background.call(() -> {
                Random lots = new Random(1);
                int inPlace = 0;
                for (long done = 0; done < total;) {
                    int length = claimLength(lots);
                    try (WriteClaim claim = out.claim(length)) {
                        assertEquals(length, claim.length());
                        inPlace += claim.isInPlace() ? 1 : 0;
                        byte[] bytes = Bytes.of(2, done, length);
                        int first = lots.nextInt(length + 1);
                        claim.put(first, bytes, first, length - first); // the end before the beginning
                        claim.put(0, bytes, 0, first);
                        int part = lots.nextInt(4) == 0 ? lots.nextInt(length + 1) : length;
                        if (part > 0) {
                            claim.commit(part);
                            done += part;
                        }
                    }
                    if (lots.nextInt(8) == 0) {
                        ends.out().write(Bytes.of(2, done, 100));
                        done += 100;
                    }
                }
                ends.near().shutdownOutput();
                return inPlace;
            });
            Random lots = new Random(3);
            int inPlace = 0;
            long done = 0;
            for (;;) {
                int least = lots.nextInt(3) == 0 ? 1 : claimLength(lots);
                ReadClaim claim;
                try {
                    claim = in.claim(least);
                } catch (EOFException e) {
                    claim = in.claim(1);
                }
                if (claim == null) {
                    break;
                }
                inPlace += claim.isInPlace() ? 1 : 0;
                assertTrue(claim.length() >= least || done + claim.length() >= total);
                int part = lots.nextInt(claim.length() + 1);
                byte[] seen = new byte[part];
                claim.get(0, seen, 0, part);
                assertArrayEquals(Bytes.of(2, done, part), seen);
                claim.release(part);
                done += part;
                if (lots.nextInt(4) == 0) {
                    int n = in.read(seen);
                    assertArrayEquals(Bytes.of(2, done, Math.max(n, 0)), Arrays.copyOf(seen, Math.max(n, 0)));
                    done += Math.max(n, 0);
                }
            }
            assertTrue(done >= total, done + " bytes");
            int claimsInPlace = writer.result();
            boolean ofMessages = Subject.current() == Subject.MX && start.progress() == Start.Progress.SWITCHED
                    && ends.near().getChannel() == null && ends.far().getChannel() == null;
            if (isInPlace(start, ends) || ofMessages) {
                assertTrue(claimsInPlace > 0 && inPlace > 0, claimsInPlace + " claims of the writer, " + inPlace + " of the reader");
            }
        }
    }

    /** A claim of bytes is what the socket's own streams write and read, at the beginning of a typed stream too, which has a mark later. */
    @Start.AtEach
    void aClaimOfBytesHasNoMark(Start start) throws Exception {
        try (Start.Ends ends = start.open()) {
            TypedOutput out = JFS.streams(ends.near()).output();
            TypedInput in = JFS.streams(ends.far()).input();
            byte[] bytes = Bytes.of(4, 0, 1_000);
            try (WriteClaim claim = out.claimBytes(bytes.length)) {
                claim.put(0, bytes, 0, bytes.length);
                assertTrue(claim.isInPlace() || !isInPlace(start, ends));
                claim.commit();
            }
            byte[] half = new byte[500];
            new DataInputStream(ends.far().getInputStream()).readFully(half);
            assertArrayEquals(Arrays.copyOf(bytes, 500), half);
            try (ReadClaim claim = in.claimBytes(500)) {
                claim.get(0, half, 0, 500);
                claim.release(500);
            }
            assertArrayEquals(Arrays.copyOfRange(bytes, 500, 1_000), half);

            ends.near().getOutputStream().write(bytes, 0, 8);
            try (ReadClaim claim = in.claimBytes(8)) { // would be the mark, in a claim of elements
                assertEquals(bytes[7], claim.getByte(7));
                claim.release(8);
            }
            try (WriteClaim claim = out.claim(4)) {
                claim.putInt(0, 77);
                claim.commit();
            }
            int[] one = new int[1];
            in.readFully(one);
            assertEquals(77, one[0]);
            try (WriteClaim claim = out.claimBytes(1)) { // behind the mark as before it
                claim.putByte(0, (byte) 9);
                claim.commit();
            }
            assertEquals(9, in.read());
        }
    }

    private static int claimLength(Random lots) {
        return switch (lots.nextInt(20)) {
            case 0 -> TypedOutput.CLAIM_MAX - lots.nextInt(3);
            case 1, 2 -> 100_000 + lots.nextInt(100);
            default -> 1 + lots.nextInt(2_000);
        };
    }

    @Start.AtEach
    void aClaimHasElementsOfEachType(Start start) throws Exception {
        try (Start.Ends ends = start.open()) {
            ByteBuffer expected = ByteBuffer.allocate(64); // big-endian
            try (WriteClaim claim = output(ends.near()).claim(64)) {
                assertEquals(ByteOrder.BIG_ENDIAN, claim.order());
                claim.putBoolean(0, true);
                claim.putByte(1, (byte) -2);
                claim.putChar(2, 'x');
                claim.putShort(4, (short) -3);
                claim.putInt(7, 1 << 30); // at no multiple of its size
                claim.putLong(11, Long.MIN_VALUE + 5);
                claim.putFloat(19, 1.5f);
                claim.putDouble(23, Math.E);
                claim.put(31, new double[] {1, 2, 3}, 1, 2);
                claim.put(47, ByteBuffer.wrap(new byte[] {1, 2, 3}));
                for (int i = 50; i < 64; i++) {
                    claim.putByte(i, (byte) i);
                }
                claim.putByte(6, (byte) 0);
                claim.commit();
            }
            expected.put(0, (byte) 1).put(1, (byte) -2).putChar(2, 'x').putShort(4, (short) -3).putInt(7, 1 << 30)
                    .putLong(11, Long.MIN_VALUE + 5).putFloat(19, 1.5f).putDouble(23, Math.E).putDouble(31, 2).putDouble(39, 3)
                    .put(47, new byte[] {1, 2, 3});
            for (int i = 50; i < 64; i++) {
                expected.put(i, (byte) i);
            }
            TypedInput in = input(ends.far());
            try (ReadClaim claim = in.claim(64)) {
                assertTrue(claim.getBoolean(0));
                assertEquals(-2, claim.getByte(1));
                assertEquals('x', claim.getChar(2));
                assertEquals(-3, claim.getShort(4));
                assertEquals(1 << 30, claim.getInt(7));
                assertEquals(Long.MIN_VALUE + 5, claim.getLong(11));
                assertEquals(1.5f, claim.getFloat(19));
                assertEquals(Math.E, claim.getDouble(23));
                double[] two = new double[2];
                claim.get(31, two, 0, 2);
                assertArrayEquals(new double[] {2, 3}, two);
            } // nothing was released, so all comes again
            assertArrayEquals(expected.array(), in.readNBytes(64));
        }
    }

    @Start.AtEach
    void eachMisuseIsAnException(Start start) throws Exception {
        try (Start.Ends ends = start.open()) {
            TypedOutput out = output(ends.near());
            TypedInput in = input(ends.far());
            for (int wrong : new int[] {0, -1, TypedOutput.CLAIM_MAX + 1}) {
                assertThrows(IllegalArgumentException.class, () -> out.claim(wrong));
                assertThrows(IllegalArgumentException.class, () -> in.claim(wrong));
            }
            WriteClaim claim = out.claim(16);
            assertThrows(IllegalStateException.class, () -> out.claim(16));
            assertThrows(IllegalStateException.class, () -> out.write(new int[1]));
            assertThrows(IllegalStateException.class, () -> out.write(1));
            for (int index : new int[] {-1, 9, 16, Integer.MAX_VALUE, Integer.MIN_VALUE}) {
                assertThrows(IndexOutOfBoundsException.class, () -> claim.putLong(index, 1));
                assertThrows(IndexOutOfBoundsException.class, () -> claim.put(index, new long[1], 0, 1));
            }
            assertThrows(IndexOutOfBoundsException.class, () -> claim.put(0, new long[2], 1, 2));
            assertThrows(IllegalArgumentException.class, () -> claim.commit(17));
            assertThrows(IllegalArgumentException.class, () -> claim.commit(0));
            Background.run(() -> {
                assertThrows(IllegalStateException.class, () -> claim.putLong(0, 2));
                assertThrows(IllegalStateException.class, claim::commit);
                claim.close(); // it is not this thread's
            }).result();
            claim.putLong(0, 1);
            claim.commit(8);
            assertThrows(IllegalStateException.class, claim::commit);
            assertThrows(IllegalStateException.class, () -> claim.putLong(0, 3));
            claim.close();

            ReadClaim read = in.claim(8);
            assertThrows(IllegalStateException.class, () -> in.claim(1));
            assertThrows(IllegalStateException.class, () -> in.read(new int[1]));
            assertThrows(IllegalStateException.class, in::read);
            assertThrows(IndexOutOfBoundsException.class, () -> read.getLong(1));
            assertThrows(IllegalArgumentException.class, () -> read.release(9));
            Background.run(() -> assertThrows(IllegalStateException.class, () -> read.getLong(0))).result();
            assertEquals(1, read.getLong(0));
            read.release();
            assertThrows(IllegalStateException.class, read::release);
            assertThrows(IllegalStateException.class, () -> read.getLong(0));
            read.close();
            assertEquals(0, ends.farIn().available());
        }
    }

    /** A claim that is given up leaves no trace, whatever was put there. */
    @Start.AtEach
    void nothingOfAClaimThatIsGivenUpComes(Start start) throws Exception {
        try (Start.Ends ends = start.open()) {
            TypedOutput out = output(ends.near());
            for (int i = 0; i < 100; i++) {
                try (WriteClaim claim = out.claim(1_000)) {
                    claim.put(0, Bytes.of(9, 0, 1_000), 0, 1_000);
                    if (i % 3 == 0) {
                        claim.putLong(0, -1);
                    }
                }
                out.write(new int[] {i});
            }
            int[] seen = new int[100];
            input(ends.far()).readFully(seen);
            for (int i = 0; i < 100; i++) {
                assertEquals(i, seen[i]);
            }
        }
    }

    @Start.AtEach
    void othersWaitUntilTheClaimHasEnded(Start start) throws Exception {
        try (Start.Ends ends = start.open()) {
            TypedOutput out = output(ends.near());
            Background<Void> other;
            try (WriteClaim claim = out.claim(8)) {
                claim.putLong(0, 1);
                other = Background.run(() -> out.write(new long[] {2})).blocked();
                claim.commit();
            }
            other.result();
            long[] seen = new long[2];
            input(ends.far()).readFully(seen);
            assertArrayEquals(new long[] {1, 2}, seen);
        }
    }

    /** The memory may not be mapped after a close, and the thread that closes is the one that has the claim. */
    @Start.AtEach
    void aCloseEndsTheClaimsOfItsThread(Start start) throws Exception {
        try (Start.Ends ends = start.open()) {
            output(ends.far()).write(new long[] {1});
            WriteClaim out = output(ends.near()).claim(100_000);
            ReadClaim in = input(ends.near()).claim(8);
            ends.near().close();
            if (out.isInPlace()) {
                assertThrows(IllegalStateException.class, () -> out.putLong(0, 1));
                assertThrows(IllegalStateException.class, () -> out.put(0, new byte[100_000], 0, 100_000));
            }
            assertThrows(IOException.class, out::commit);
            if (in.isInPlace()) {
                assertThrows(IllegalStateException.class, () -> in.getLong(0));
            }
            in.close();
            assertTrue(!isInPlace(start, ends) || out.isInPlace());
            assertThrows(IOException.class, () -> output(ends.near()));
        }
    }

    /** The second claim has the memory. The first one is void, and no close can leave it with memory that is not mapped. */
    @Start.AtEach
    void twoPairsOfStreamsShareNoMemory(Start start) throws Exception {
        try (Start.Ends ends = start.open()) {
            ends.farOut().write(new byte[8]);
            WriteClaim first = output(ends.near()).claim(64);
            WriteClaim second = output(ends.near()).claim(64);
            ReadClaim firstRead = input(ends.near()).claim(8);
            if (first.isInPlace()) {
                assertThrows(IllegalStateException.class, () -> first.putLong(0, 1));
                assertThrows(IllegalStateException.class, first::commit);
            }
            second.put(0, Bytes.of(6, 0, 64), 0, 64);
            second.commit();
            Bytes.expect(ends.farIn(), 6, 0, 64);
            if (firstRead.isInPlace()) {
                ReadClaim secondRead = input(ends.near()).claim(8);
                assertThrows(IllegalStateException.class, () -> firstRead.getLong(0));
                assertThrows(IllegalStateException.class, firstRead::release);
                assertEquals(0, secondRead.getLong(0));
                secondRead.release();
            }
            ends.near().close();
            first.close();
            firstRead.close();
        }
    }

    @Start.AtEach
    void aCloseByAnotherThreadTakesNoMemory(Start start) throws Exception {
        try (Start.Ends ends = start.open()) {
            output(ends.far()).write(new long[] {1});
            CountDownLatch claimed = new CountDownLatch(1);
            CountDownLatch closed = new CountDownLatch(1);
            Background<Void> user = Background.run(() -> {
                WriteClaim out = output(ends.near()).claim(100_000);
                ReadClaim in = input(ends.near()).claim(8);
                out.putLong(0, 1);
                claimed.countDown();
                closed.await();
                out.putLong(0, 1); // the memory stays until this thread gives it back
                assertEquals(1, in.getLong(0));
                assertThrows(IOException.class, out::commit);
                in.close();
            });
            claimed.await();
            ends.near().close();
            closed.countDown();
            user.result();
            assertEquals(-1, ends.farIn().read());
        }
    }

    @Start.AtEach
    void theOutputsEndComesInsteadOfTheClaim(Start start) throws Exception {
        try (Start.Ends ends = start.open()) {
            WriteClaim claim = output(ends.near()).claim(100);
            claim.put(0, new byte[100], 0, 100);
            ends.near().shutdownOutput();
            assertThrows(IOException.class, claim::commit);
            assertEquals(-1, ends.farIn().read());
        }
    }

    @Start.AtEach
    void aClaimAtTheEndIsNull(Start start) throws Exception {
        try (Start.Ends ends = start.open()) {
            ends.out().write(new byte[] {1, 2, 3});
            ends.near().shutdownOutput();
            TypedInput in = input(ends.far());
            String text = assertThrows(EOFException.class, () -> in.claim(4)).getMessage();
            assertTrue(text.contains("3 of 4"), text);
            try (ReadClaim claim = in.claim(3)) {
                assertEquals(2, claim.getByte(1));
                claim.release();
            }
            assertNull(in.claim(1));
        }
    }

    /** The claiming thread reads by the socket's own stream. What the claim has shown may be written over by the peer from then on. */
    @Start.AtEach
    void bytesThatAreReadWithinAClaimEndIt(Start start) throws Exception {
        try (Start.Ends ends = start.open()) {
            ends.out().write(Bytes.of(5, 0, 100));
            TypedInput in = input(ends.far());
            ReadClaim claim = in.claim(1);
            boolean inPlace = claim.isInPlace();
            if (inPlace) {
                Bytes.expect(ends.farIn(), 5, 0, 10);
                assertThrows(IllegalStateException.class, () -> claim.getByte(0));
                assertThrows(IllegalStateException.class, claim::release);
            }
            claim.close();
            byte[] rest = in.readNBytes(inPlace ? 90 : 100);
            assertArrayEquals(Bytes.of(5, inPlace ? 10 : 0, rest.length), rest);
        }
    }

    /** The claiming thread writes by the socket's own stream. Those bytes go, and the stream is not torn. */
    @Start.AtEach
    void bytesThatAreWrittenWithinAClaimDoNotTearTheStream(Start start) throws Exception {
        try (Start.Ends ends = start.open()) {
            TypedOutput out = output(ends.near());
            WriteClaim claim = out.claim(100);
            claim.put(0, Bytes.of(5, 0, 100), 0, 100);
            ends.out().write(new byte[] {7, 8});
            boolean refused = claim.isInPlace();
            if (refused) {
                assertThrows(IllegalStateException.class, () -> claim.put(0, Bytes.of(6, 0, 100), 0, 100));
                assertThrows(IllegalStateException.class, claim::commit);
            } else {
                claim.commit();
            }
            out.write(new int[] {9});
            assertArrayEquals(new byte[] {7, 8}, ends.farIn().readNBytes(2));
            if (!refused) {
                Bytes.expect(ends.farIn(), 5, 0, 100);
                assertFalse(isInPlace(start, ends));
            }
            assertEquals(9, ByteBuffer.wrap(ends.farIn().readNBytes(4)).getInt());
        }
    }
}

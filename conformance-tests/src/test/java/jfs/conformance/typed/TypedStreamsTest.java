package jfs.conformance.typed;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.StreamCorruptedException;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.DoubleBuffer;
import java.nio.IntBuffer;
import java.nio.ReadOnlyBufferException;
import java.util.Random;
import jfs.JFS;
import jfs.conformance.harness.Bytes;
import jfs.conformance.harness.Start;
import jfs.streams.TypedInput;
import jfs.streams.TypedOutput;
import jfs.testing.Background;
import org.junit.jupiter.api.Tag;

/** Arrays and buffers of primitive types. */
@Tag("ends")
class TypedStreamsTest {

    private static final ByteOrder[] ORDERS = {null, ByteOrder.BIG_ENDIAN, ByteOrder.LITTLE_ENDIAN};
    private static final ByteOrder OTHER_ORDER =
            ByteOrder.nativeOrder() == ByteOrder.BIG_ENDIAN ? ByteOrder.LITTLE_ENDIAN : ByteOrder.BIG_ENDIAN;

    private static TypedOutput output(Start.Ends ends, ByteOrder order) throws Exception {
        return (order == null ? JFS.streams(ends.near()) : JFS.streams(ends.near(), order)).output();
    }

    private static TypedInput input(Start.Ends ends, ByteOrder order) throws Exception {
        return (order == null ? JFS.streams(ends.far()) : JFS.streams(ends.far(), order)).input();
    }

    private static void assertSameArray(Object expected, Object seen) {
        assertArrayEquals(new Object[] {expected}, new Object[] {seen});
    }

    /** Types, lengths and bytes in between are drawn by lot. Bytes make the elements begin at each remainder of their size. */
    @Start.AtEach
    void everyTypeComesAsItWasWritten(Start start) throws Exception {
        for (ByteOrder order : ORDERS) {
            try (Start.Ends ends = start.open()) {
                TypedOutput out = output(ends, order);
                TypedInput in = input(ends, order);
                int rounds = 150;
                Background<Void> writer = Background.run(() -> {
                    Random lots = new Random(1);
                    for (int i = 0; i < rounds; i++) {
                        Slices type = Slices.values()[lots.nextInt(8)];
                        int count = length(lots);
                        int before = lots.nextInt(3);
                        type.write(out, type.random(before + count + 2, i), before, count);
                        ends.out().write(Bytes.of(i, 0, lots.nextInt(8)));
                    }
                    ends.near().shutdownOutput();
                });
                Random lots = new Random(1);
                for (int i = 0; i < rounds; i++) {
                    Slices type = Slices.values()[lots.nextInt(8)];
                    int count = length(lots);
                    int before = lots.nextInt(3);
                    Object expected = type.zeros(count);
                    System.arraycopy(type.random(before + count + 2, i), before, expected, 0, count);
                    Object seen = type.zeros(count);
                    type.readAll(in, seen, new Random(i));
                    assertSameArray(expected, seen);
                    Bytes.expect(ends.farIn(), i, 0, lots.nextInt(8));
                }
                assertEquals(-1, in.read(new double[1]));
                assertEquals(-1, in.read());
                writer.result();
            }
        }
    }

    /** Mostly short; some are longer than the staging memory and a record, and a few are longer than the ring. */
    private static int length(Random lots) {
        return switch (lots.nextInt(60)) {
            case 0 -> 200_000 + lots.nextInt(3);
            case 1, 2, 3 -> 5_000 + lots.nextInt(9);
            default -> lots.nextInt(40);
        };
    }

    @Start.AtEach
    void dataInputReadsThem(Start start) throws Exception {
        try (Start.Ends ends = start.open()) {
            TypedOutput out = output(ends, ByteOrder.BIG_ENDIAN);
            int count = 5_001;
            Background<Void> writer = Background.run(() -> {
                for (Slices type : Slices.values()) {
                    type.write(out, type.random(count, 3), 0, count);
                }
            });
            DataInputStream in = new DataInputStream(new BufferedInputStream(ends.farIn()));
            for (Slices type : Slices.values()) {
                Object seen = type.zeros(count);
                for (int i = 0; i < count; i++) {
                    type.readOne(in, seen, i);
                }
                assertSameArray(type.random(count, 3), seen);
            }
            writer.result();
        }
    }

    @Start.AtEach
    void whatDataOutputWritesIsRead(Start start) throws Exception {
        try (Start.Ends ends = start.open()) {
            int count = 5_001;
            Background<Void> writer = Background.run(() -> {
                DataOutputStream out = new DataOutputStream(new BufferedOutputStream(ends.out(), 1_001));
                for (Slices type : Slices.values()) {
                    Object array = type.random(count, 4);
                    for (int i = 0; i < count; i++) {
                        type.writeOne(out, array, i);
                    }
                }
                out.flush();
            });
            TypedInput in = input(ends, ByteOrder.BIG_ENDIAN);
            for (Slices type : Slices.values()) {
                Object seen = type.zeros(count);
                type.readAll(in, seen, new Random(5));
                assertSameArray(type.random(count, 4), seen);
            }
            writer.result();
        }
    }

    /** The mark as the other kind of machine writes it, and then its elements. */
    @Start.AtEach
    void elementsOfTheOtherKindOfMachineAreConverted(Start start) throws Exception {
        try (Start.Ends ends = start.open()) {
            double[] expected = (double[]) Slices.DOUBLE.random(1_000, 6);
            ByteBuffer bytes = ByteBuffer.allocate(8 + 8 * expected.length).order(OTHER_ORDER).putLong(0x89006a66732d7479L);
            bytes.asDoubleBuffer().put(expected);
            ends.out().write(bytes.array());
            TypedInput in = input(ends, null);
            double[] seen = new double[expected.length];
            in.readFully(seen);
            assertArrayEquals(expected, seen);
        }
    }

    @Start.AtEach
    void aStreamWithoutTheMarkIsRefused(Start start) throws Exception {
        try (Start.Ends ends = start.open()) {
            ends.out().write(Bytes.of(1, 0, 16));
            TypedInput in = input(ends, null);
            String text = assertThrows(StreamCorruptedException.class, () -> in.read(new int[1])).getMessage();
            assertTrue(text.contains("mark"), text);
        }
    }

    /** The rest of the stream is longer than what TCP and the ring take, so the writer waits for the reader. */
    @Start.AtEach
    void aWriterWaitsForASlowReader(Start start) throws Exception {
        try (Start.Ends ends = start.open()) {
            TypedOutput out = output(ends, null);
            long[] expected = (long[]) Slices.LONG.random(2_000_000, 7);
            Background<Void> writer = Background.run(() -> out.write(expected)).blocked();
            TypedInput in = input(ends, null);
            long[] seen = new long[expected.length];
            in.readFully(seen);
            assertArrayEquals(expected, seen);
            writer.result();
        }
    }

    @Start.AtEach
    void aReadReturnsWhatIsThere(Start start) throws Exception {
        try (Start.Ends ends = start.open()) {
            TypedInput in = input(ends, null);
            int[] seen = new int[10];
            Background<Integer> reader = Background.call(() -> in.read(seen, 2, 8)).blocked();
            output(ends, null).write(new int[] {5, 6, 7}, 1, 2);
            int n = reader.result();
            assertTrue(n == 1 || n == 2, n + " elements");
            if (n == 1) {
                assertEquals(1, in.read(seen, 3, 7));
            }
            assertArrayEquals(new int[] {0, 0, 6, 7, 0, 0, 0, 0, 0, 0}, seen);
        }
    }

    @Start.AtEach
    void anEndInsideAnElementIsAnError(Start start) throws Exception {
        try (Start.Ends ends = start.open()) {
            output(ends, ByteOrder.BIG_ENDIAN).write(new long[] {1, 2});
            ends.out().write(new byte[5]);
            ends.near().shutdownOutput();
            TypedInput in = input(ends, ByteOrder.BIG_ENDIAN);
            long[] seen = new long[3];
            String text = assertThrows(EOFException.class, () -> in.readFully(seen)).getMessage();
            assertTrue(text.contains("5 of the 8 bytes") && text.contains("long") && text.contains("after 2 elements of this call"), text);
            assertArrayEquals(new long[] {1, 2, 0}, seen);
            assertArrayEquals(new byte[5], in.readAllBytes()); // they are not lost
        }
    }

    @Start.AtEach
    void anEndBeforeAllElementsIsAnErrorOfReadFully(Start start) throws Exception {
        try (Start.Ends ends = start.open()) {
            output(ends, null).write(new float[] {1, 2});
            ends.near().shutdownOutput();
            TypedInput in = input(ends, null);
            String text = assertThrows(EOFException.class, () -> in.readFully(new float[3])).getMessage();
            assertTrue(text.contains("2 of 3"), text);
            assertEquals(-1, in.read(new float[1]));
        }
    }

    /** Its position tells how many elements are in the buffer; so the rest can be read later. */
    @Start.AtEach
    void aBufferThatIsNotFilledHasItsPositionAfterTheLastElement(Start start) throws Exception {
        try (Start.Ends ends = start.open()) {
            output(ends, ByteOrder.BIG_ENDIAN).write(new int[] {1, 2});
            ends.out().write(0);
            TypedInput in = input(ends, ByteOrder.BIG_ENDIAN);
            IntBuffer seen = IntBuffer.allocate(5).position(1);
            ends.far().setSoTimeout(50);
            assertThrows(SocketTimeoutException.class, () -> in.readFully(seen));
            assertEquals(3, seen.position());
            ends.out().write(new byte[] {0, 0, 3});
            ends.near().shutdownOutput();
            ends.far().setSoTimeout(0);
            assertThrows(EOFException.class, () -> in.readFully(seen));
            assertEquals(4, seen.position());
            assertArrayEquals(new int[] {0, 1, 2, 3, 0}, seen.array());
        }
    }

    /** The first bytes of an element are kept for the next call. */
    @Start.AtEach
    void aReadThatTimesOutInsideAnElementLosesNothing(Start start) throws Exception {
        try (Start.Ends ends = start.open()) {
            byte[] bytes = ByteBuffer.allocate(8).putDouble(Math.PI).array();
            OutputStream out = ends.out();
            out.write(bytes, 0, 3);
            ends.far().setSoTimeout(50);
            TypedInput in = input(ends, ByteOrder.BIG_ENDIAN);
            double[] seen = new double[1];
            assertThrows(SocketTimeoutException.class, () -> in.read(seen));
            out.write(bytes, 3, 5);
            ends.far().setSoTimeout(0);
            assertEquals(1, in.read(seen));
            assertEquals(Math.PI, seen[0]);
        }
    }

    @Start.AtEach
    void theSocketsOwnStreamAndThisOneCanBeUsedInTurns(Start start) throws Exception {
        try (Start.Ends ends = start.open()) {
            TypedOutput out = output(ends, ByteOrder.BIG_ENDIAN);
            TypedInput in = input(ends, ByteOrder.BIG_ENDIAN);
            InputStream bytes = ends.farIn();
            for (int i = 0; i < 100; i++) {
                out.write(new int[] {i});
                ends.out().write(i);
                out.write(new char[] {'a', (char) i});
                int[] number = new int[1];
                in.readFully(number);
                assertEquals(i, number[0]);
                assertEquals(i, bytes.read());
                char[] text = new char[2];
                in.readFully(text);
                assertArrayEquals(new char[] {'a', (char) i}, text);
            }
        }
    }

    @Start.AtEach
    void aCloseOfAStreamClosesTheSocket(Start start) throws Exception {
        try (Start.Ends ends = start.open()) {
            output(ends, null).close();
            assertTrue(ends.near().isClosed());
            TypedInput in = input(ends, null);
            assertEquals(-1, in.read(new long[1]));
            in.close();
            assertTrue(ends.far().isClosed());
            assertTrue(!in.isOpen());
        }
    }

    @Start.AtEach
    void aWrongSliceSendsNothing(Start start) throws Exception {
        try (Start.Ends ends = start.open()) {
            TypedOutput out = output(ends, ByteOrder.BIG_ENDIAN);
            TypedInput in = input(ends, ByteOrder.BIG_ENDIAN);
            double[] three = new double[3];
            for (int[] range : new int[][] {{-1, 1}, {0, -1}, {0, 4}, {3, 1}, {4, 0}, {1, Integer.MAX_VALUE}}) {
                assertThrows(IndexOutOfBoundsException.class, () -> out.write(three, range[0], range[1]));
                assertThrows(IndexOutOfBoundsException.class, () -> in.read(three, range[0], range[1]));
                assertThrows(IndexOutOfBoundsException.class, () -> in.readFully(three, range[0], range[1]));
            }
            assertThrows(NullPointerException.class, () -> out.write((double[]) null));
            assertThrows(ReadOnlyBufferException.class, () -> in.read(DoubleBuffer.allocate(1).asReadOnlyBuffer()));
            out.write(three, 3, 0);
            assertEquals(0, in.read(three, 3, 0));
            out.write(DoubleBuffer.wrap(three, 1, 0));
            out.write(new byte[] {1});
            assertEquals(1, in.read());
        }
    }

    /** An array of one record, of several, and of more than the ring has room for: a write may wake the reader once for all of them. */
    @Start.AtEach
    void aReaderThatSleepsIsWoken(Start start) throws Exception {
        try (Start.Ends ends = start.open()) {
            TypedOutput out = output(ends, null);
            TypedInput in = input(ends, null);
            for (int count : new int[] {1, 100, 3_000, 200_000}) {
                double[] expected = (double[]) Slices.DOUBLE.random(count, count);
                double[] seen = new double[count];
                Background<Void> reader = Background.run(() -> in.readFully(seen)).blocked();
                out.write(expected);
                reader.result();
                assertArrayEquals(expected, seen);
            }
        }
    }

    @Start.AtEach
    void aBufferOfEachKindIsWrittenToItsLimit(Start start) throws Exception {
        try (Start.Ends ends = start.open()) {
            TypedOutput out = output(ends, null);
            TypedInput in = input(ends, null);
            double[] expected = (double[]) Slices.DOUBLE.random(100, 8);
            for (ByteOrder order : new ByteOrder[] {ByteOrder.BIG_ENDIAN, ByteOrder.LITTLE_ENDIAN}) {
                for (boolean direct : new boolean[] {true, false}) {
                    ByteBuffer memory = direct ? ByteBuffer.allocateDirect(803) : ByteBuffer.allocate(803);
                    DoubleBuffer from = memory.position(3).slice().order(order).asDoubleBuffer(); // at an odd address
                    from.put(expected).position(10).limit(90);
                    out.write(from);
                    assertEquals(90, from.position());
                    DoubleBuffer into = memory.clear().position(1).slice().order(order).asDoubleBuffer().position(5);
                    into.limit(85);
                    in.readFully(into);
                    assertEquals(85, into.position());
                    for (int i = 0; i < 80; i++) {
                        assertEquals(expected[10 + i], into.get(5 + i));
                    }
                }
            }
        }
    }
}

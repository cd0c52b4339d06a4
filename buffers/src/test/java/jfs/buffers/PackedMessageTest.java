package jfs.buffers;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.reflect.Array;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.HexFormat;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** Messages of primitive types: their bytes, their states, the borders of each call. */
class PackedMessageTest {

    private static byte[] bytes(PackedMessage message) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        message.writeTo(out);
        return out.toByteArray();
    }

    private static void refused(Class<? extends RuntimeException> type, String text, Runnable call) {
        assertEquals(text, assertThrows(type, call::run).getMessage());
    }

    @Test
    void theBytesOfAMessageAreAsDrawn() throws IOException {
        TestPool pool = new TestPool();
        try (PackedMessage message = PackedMessage.allocate(16, 200, pool)) {
            message.order(ByteOrder.BIG_ENDIAN).writer().write(new short[] {1, 2, 3}, 0, 3);
            message.order(ByteOrder.LITTLE_ENDIAN).writer().write(new double[] {1}, 0, 1);
            message.writer().write(new boolean[] {true, false}, 0, 2);
            message.commit();
            assertEquals(String.join("", "4A4D0100", "00000030", "00000000", "00000003", // the prefix
                    "02000000", "00000003", "0001000200030000", // padding although the memory had other bytes
                    "07010000", "01000000", "000000000000F03F",
                    "08010000", "02000000", "0100000000000000"), HexFormat.of().withUpperCase().formatHex(bytes(message)));
            assertEquals(64, message.bytes());
            assertEquals("message of 64 bytes in 3 sections, read", message.toString());
        }
        assertEquals(0, pool.pieces);
    }

    @Test
    void aWholeArrayIsASliceOfAllElements() throws IOException {
        Object[] arrays = {new byte[] {1, 2, 3}, new short[] {4, 5}, new char[] {'a', 'b'}, new int[] {6}, new long[] {7, 8},
                new float[] {9}, new double[0], new boolean[] {true, false, true}, new Object[] {"x", null}};
        try (PackedMessage whole = PackedMessage.allocate(512); PackedMessage slices = PackedMessage.allocate(512)) {
            for (Object array : arrays) {
                write(whole.writer(), array);
                writeSlice(slices.writer(), array);
            }
            whole.commit();
            slices.commit();
            assertArrayEquals(bytes(slices), bytes(whole));
            for (Object array : arrays) {
                Object into = Array.newInstance(array.getClass().getComponentType(), Array.getLength(array));
                read(whole.reader(), into);
                assertTrue(Objects.deepEquals(array, into), array.getClass().getSimpleName());
            }
            assertNull(whole.reader().nextType());
        }
    }

    private static void write(SectionWriter writer, Object array) throws IOException {
        if (array instanceof byte[] a) {
            writer.write(a);
        } else if (array instanceof short[] a) {
            writer.write(a);
        } else if (array instanceof char[] a) {
            writer.write(a);
        } else if (array instanceof int[] a) {
            writer.write(a);
        } else if (array instanceof long[] a) {
            writer.write(a);
        } else if (array instanceof float[] a) {
            writer.write(a);
        } else if (array instanceof double[] a) {
            writer.write(a);
        } else if (array instanceof boolean[] a) {
            writer.write(a);
        } else if (array instanceof Object[] a) {
            writer.write(a);
        }
    }

    private static void writeSlice(SectionWriter writer, Object array) throws IOException {
        if (array instanceof byte[] a) {
            writer.write(a, 0, a.length);
        } else if (array instanceof short[] a) {
            writer.write(a, 0, a.length);
        } else if (array instanceof char[] a) {
            writer.write(a, 0, a.length);
        } else if (array instanceof int[] a) {
            writer.write(a, 0, a.length);
        } else if (array instanceof long[] a) {
            writer.write(a, 0, a.length);
        } else if (array instanceof float[] a) {
            writer.write(a, 0, a.length);
        } else if (array instanceof double[] a) {
            writer.write(a, 0, a.length);
        } else if (array instanceof boolean[] a) {
            writer.write(a, 0, a.length);
        } else if (array instanceof Object[] a) {
            writer.write(a, 0, a.length);
        }
    }

    private static void read(SectionReader reader, Object array) throws IOException {
        if (array instanceof byte[] a) {
            reader.read(a);
        } else if (array instanceof short[] a) {
            reader.read(a);
        } else if (array instanceof char[] a) {
            reader.read(a);
        } else if (array instanceof int[] a) {
            reader.read(a);
        } else if (array instanceof long[] a) {
            reader.read(a);
        } else if (array instanceof float[] a) {
            reader.read(a);
        } else if (array instanceof double[] a) {
            reader.read(a);
        } else if (array instanceof boolean[] a) {
            reader.read(a);
        } else if (array instanceof Object[] a) {
            reader.read(a);
        }
    }

    @Test
    void aMessageIsAsLongAsTheSumOfItsSections() {
        long sum = PackedMessage.PREFIX_BYTES;
        try (PackedMessage message = PackedMessage.allocate(1024)) {
            for (BasicType<?> type : Sample.TYPES) {
                for (int count : new int[] {0, 1, 3, 8}) {
                    sum += PackedMessage.sectionBytes(type, count);
                    write(message, type, count);
                    assertEquals(sum, message.bytes());
                }
            }
        }
    }

    private static <A> void write(PackedMessage message, BasicType<A> type, int count) {
        message.writer().gather(type, Sample.array(type, count + 1), new int[count], 0, count);
    }

    @Test
    void sectionsAreReadInPartsAndByAnyMethod() {
        try (PackedMessage message = PackedMessage.allocate(256)) {
            message.writer().write(new int[] {1, 2, 3, 4, 5, 6, 7, 8, 9, 10}, 0, 10);
            message.writer().write(new int[0], 0, 0);
            message.writer().write(new byte[] {42}, 0, 1);
            message.commit();
            SectionReader reader = message.reader();
            int[] into = new int[10];
            reader.read(into, 0, 0);
            assertEquals(10, reader.nextCount());
            reader.read(into, 9, 1);
            reader.scatter(BasicType.INT, into, new int[] {0, 8, 1}, 0, 2);
            reader.scatterStrided(BasicType.INT, into, 1, new int[] {2, 2}, new int[] {2, 1});
            reader.unpack(Layout.of(BasicType.INT).vector(2, 1, 2), into, 5, 1);
            assertArrayEquals(new int[] {2, 4, 5, 6, 7, 8, 0, 9, 3, 1}, into);
            assertEquals(1, reader.nextCount());
            reader.skip();
            assertEquals(BasicType.INT, reader.nextType());
            assertEquals(0, reader.nextCount());
            reader.read(into, 0, 0);
            assertEquals(BasicType.BYTE, reader.nextType());
            reader.read(new byte[1], 0, 1);
            assertNull(reader.nextType());
            refused(SectionMismatchException.class, "wanted is a section to leave out; the message has no section left", reader::skip);
            refused(SectionMismatchException.class, "wanted are 0 elements of the type int; the message has no section left",
                    () -> reader.read(into, 0, 0));
        }
    }

    @Test
    void anotherTypeOrTooManyElementsAreRefusedAndNothingIsTaken() {
        try (PackedMessage message = PackedMessage.allocate(256)) {
            message.writer().write(new int[] {1, 2, 3}, 0, 3);
            message.commit();
            SectionReader reader = message.reader();
            String has = "; the message has 3 elements of the type int left in its section";
            refused(SectionMismatchException.class, "wanted are 1 elements of the type float" + has, () -> reader.read(new float[1], 0, 1));
            int[] into = new int[4];
            for (Runnable call : new Runnable[] {() -> reader.read(into, 0, 4),
                () -> reader.scatter(BasicType.INT, into, new int[4], 0, 4),
                () -> reader.scatterStrided(BasicType.INT, into, 0, new int[] {4}, new int[] {1}),
                () -> reader.unpack(Layout.of(BasicType.INT), into, 0, 4)}) {
                refused(SectionMismatchException.class, "wanted are 4 elements of the type int" + has, call);
            }
            StructLayout pair = Layout.struct(new int[] {1, 1}, new int[] {0, 4}, Layout.of(BasicType.INT), Layout.of(BasicType.BYTE));
            refused(SectionMismatchException.class,
                    "wanted is a section with 2 elements of the type int; the message has one with 3 of the type int",
                    () -> reader.unpack(pair, ByteBuffer.allocate(10), 0, 2));
            refused(SectionMismatchException.class, "wanted are 3 elements of the type byte; the message has no section left",
                    () -> reader.unpack(pair, ByteBuffer.allocate(15), 0, 3));
            assertArrayEquals(new int[4], into);
            reader.read(into, 1, 1);
            refused(SectionMismatchException.class, "wanted are 3 elements of the type int; the message has 2 elements of the type int left"
                    + " in its section", () -> reader.read(into, 0, 3));
            StructLayout one = Layout.struct(new int[] {1}, new int[] {0}, Layout.of(BasicType.INT));
            refused(SectionMismatchException.class,
                    "wanted is a section with 3 elements of the type int; the message has one with 2 of the type int",
                    () -> reader.unpack(one, ByteBuffer.allocate(12), 0, 3));
            reader.read(into, 2, 2);
            assertArrayEquals(new int[] {0, 1, 2, 3}, into);
        }
    }

    @Test
    void argumentsAreCheckedFirst() {
        try (PackedMessage message = PackedMessage.allocate(256)) {
            SectionWriter writer = message.writer();
            refused(IndexOutOfBoundsException.class, "offset is 4; allowed is 0 to 3, the length of the array from",
                    () -> writer.write(new int[3], 4, 0));
            refused(IndexOutOfBoundsException.class, "offset is -1; allowed is 0 to 3, the length of the array from",
                    () -> writer.write(new long[3], -1, 0));
            refused(IndexOutOfBoundsException.class, "count is 3; allowed is 0 to 2, since the array from has 3 elements and offset is 1",
                    () -> writer.write(new byte[3], 1, 3));
            refused(IndexOutOfBoundsException.class,
                    "count is 2147483647; allowed is 0 to 2, since the array from has 3 elements and offset is 1",
                    () -> writer.write(new byte[3], 1, Integer.MAX_VALUE));
            refused(IndexOutOfBoundsException.class,
                    "count is -2147483648; allowed is 0 to 3, since the array from has 3 elements and offset is 0",
                    () -> writer.write(new byte[3], 0, Integer.MIN_VALUE));
            refused(IndexOutOfBoundsException.class, "indexes[2] is 3; allowed is 0 to 2, since the array from has 3 elements",
                    () -> writer.gather(BasicType.CHAR, new char[3], new int[] {-1, 0, 3}, 1, 2));
            refused(IndexOutOfBoundsException.class, "indexes[0] is -1; allowed is 0 to 2, since the array from has 3 elements",
                    () -> writer.gather(BasicType.CHAR, new char[3], new int[] {-1, 0, 3}, 0, 2));
            refused(IndexOutOfBoundsException.class, "count is 3; allowed is 0 to 2, since the array indexes has 3 elements and first is 1",
                    () -> writer.gather(BasicType.CHAR, new char[3], new int[3], 1, 3));
            refused(IndexOutOfBoundsException.class, "the elements lie from the index -1 to 2 of from; allowed is 0 to 5",
                    () -> writer.gatherStrided(BasicType.INT, new int[6], 2, new int[] {1, 4}, new int[] {7, -1}));
            refused(IllegalArgumentException.class, "shape has 1 dimensions and strides has 2; allowed is the same number",
                    () -> writer.gatherStrided(BasicType.INT, new int[6], 2, new int[1], new int[2]));
            refused(IllegalArgumentException.class, "shape[1] is -4; allowed is 0 and more",
                    () -> writer.gatherStrided(BasicType.INT, new int[6], 2, new int[] {0, -4}, new int[2]));
            refused(IllegalArgumentException.class, "shape has more than 2147483647 elements, which is the most allowed",
                    () -> writer.gatherStrided(BasicType.INT, new int[6], 2, new int[] {1 << 16, 1 << 16}, new int[2]));
            refused(IllegalArgumentException.class, "the element type is object; allowed are the primitive types",
                    () -> writer.gatherStrided(BasicType.OBJECT, new Object[6], 2, new int[0], new int[0]));
            assertThrows(NullPointerException.class, () -> writer.write((int[]) null, 0, 0));
            assertEquals(0, message.sections());
        }
        refused(IllegalArgumentException.class, "capacity is 8; allowed is 16 to 2147483640", () -> PackedMessage.allocate(8));
        refused(IllegalArgumentException.class, "capacity is 2147483647; allowed is 16 to 2147483640",
                () -> PackedMessage.allocate(Integer.MAX_VALUE));
        refused(IllegalArgumentException.class, "maximum is 96; allowed is 104 to 2147483640",
                () -> PackedMessage.allocate(100, 96, new TestPool()));
        refused(IllegalArgumentException.class, "count is -1; allowed is 0 and more",
                () -> PackedMessage.sectionBytes(BasicType.INT, -1));
    }

    @Test
    void aCallOutOfItsStateIsRefused() {
        PackedMessage message = PackedMessage.allocate(64);
        String written = "the message is being written; it can be read and sent after commit()";
        refused(IllegalStateException.class, written, () -> message.reader().read(new int[1], 0, 0));
        refused(IllegalStateException.class, written, () -> message.reader().nextType());
        assertEquals(written, assertThrows(IllegalStateException.class, () -> message.writeTo(new ByteArrayOutputStream())).getMessage());
        message.writer().write(new int[1], 0, 1);
        assertEquals("the message has 1 sections; it can be received into after clear()", assertThrows(IllegalStateException.class,
                () -> message.readFrom(new ByteArrayInputStream(new byte[0]))).getMessage());
        message.commit();
        String read = "the message is committed, or was received; it can be written and received into after clear()";
        refused(IllegalStateException.class, read, () -> message.writer().write(new int[1], 0, 0));
        refused(IllegalStateException.class, read, message::commit);
        assertEquals(read, assertThrows(IllegalStateException.class,
                () -> message.readFrom(new ByteArrayInputStream(new byte[0]))).getMessage());
        message.clear();
        assertEquals(16, message.bytes());
        refused(IllegalStateException.class, written, () -> message.reader().nextCount());
        message.close();
        message.close();
        for (Runnable call : new Runnable[] {() -> message.writer().write(new int[1], 0, 1), () -> message.reader().skip(), message::commit,
            message::clear, message::bytes, message::sections, () -> message.order(ByteOrder.BIG_ENDIAN),
            () -> message.objectFilter(null)}) {
            refused(IllegalStateException.class, "the message is closed", call);
        }
        assertEquals("message, closed", message.toString());
    }

    @Test
    void aFullMessageTakesNoMore() {
        try (PackedMessage message = PackedMessage.allocate(16 + 8 + 40)) {
            refused(PackOverflowException.class, "the message would have 72 bytes; allowed is 64",
                    () -> message.writer().write(new int[11], 0, 11));
            message.writer().write(new int[10], 0, 10);
            refused(PackOverflowException.class, "the message would have 72 bytes; allowed is 64",
                    () -> message.writer().write(new int[0], 0, 0));
            refused(PackOverflowException.class, "the message would have 88 bytes; allowed is 64",
                    () -> message.writer().pack(Layout.of(BasicType.BYTE).vector(3, 3, 0), new byte[3], 0, 1));
            message.commit();
            assertEquals(10, message.reader().nextCount());
        }
    }

    @Test
    void aMessageOfAPoolGrowsUpToItsMaximum() {
        TestPool pool = new TestPool();
        try (PackedMessage message = PackedMessage.allocate(16, 100_000, pool)) {
            int[] numbers = new int[1000];
            for (int i = 0; i < 24; i++) {
                numbers[i] = i;
                message.writer().write(numbers, 0, 1000);
                assertEquals(1, pool.pieces);
            }
            assertThrows(PackOverflowException.class, () -> message.writer().write(numbers, 0, 1000));
            assertEquals(24, message.sections());
            assertTrue(pool.bytesAtMost <= 100_000);
            message.commit();
            for (int i = 0; i < 24; i++) {
                message.reader().read(numbers, 0, 1000);
                assertEquals(i, numbers[i]);
            }
            assertNull(message.reader().nextType());
        }
        assertEquals(0, pool.pieces);
    }

    @Test
    void aMessageThatIsUsedAgainMakesNoGarbage() {
        var threads = (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
        double[] numbers = new double[100];
        int[] indexes = {3, 1, 4, 1, 5};
        int[] shape = {3, 4};
        int[] strides = {10, 2};
        ArrayLayout<double[]> layout = Layout.of(BasicType.DOUBLE).vector(5, 2, 7);
        ArrayLayout<boolean[]> flags = Layout.of(BasicType.BOOLEAN).indexed(new int[] {2, 3}, new int[] {5, 0});
        boolean[] some = new boolean[10];
        StructLayout struct = Layout.struct(new int[] {1, 1}, new int[] {0, 8}, Layout.of(BasicType.DOUBLE), Layout.of(BasicType.BYTE));
        ByteBuffer records = ByteBuffer.allocate(100);
        try (PackedMessage message = PackedMessage.allocate(4096)) {
            Runnable both = () -> {
                SectionWriter writer = message.writer();
                writer.write(numbers, 10, 50);
                writer.gather(BasicType.DOUBLE, numbers, indexes, 0, 5);
                writer.gatherStrided(BasicType.DOUBLE, numbers, 0, shape, strides);
                writer.pack(layout, numbers, 0, 2);
                writer.pack(flags, some, 0, 1);
                writer.pack(struct, records, 0, 3);
                message.commit();
                SectionReader reader = message.reader();
                reader.read(numbers, 10, 50);
                reader.scatter(BasicType.DOUBLE, numbers, indexes, 0, 5);
                reader.scatterStrided(BasicType.DOUBLE, numbers, 0, shape, strides);
                reader.unpack(layout, numbers, 0, 2);
                reader.unpack(flags, some, 0, 1);
                reader.unpack(struct, records, 0, 3);
                message.clear();
            };
            both.run();
            both.run();
            long before = threads.getThreadAllocatedBytes(Thread.currentThread().getId());
            for (int i = 0; i < 1000; i++) {
                both.run();
            }
            long bytes = threads.getThreadAllocatedBytes(Thread.currentThread().getId()) - before;
            assertTrue(bytes < 16_000, () -> bytes + " bytes for 1000 rounds of 12 calls"); // one object for each call is 192,000
        }
    }
}

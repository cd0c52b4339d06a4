package jfs.streams;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.Closeable;
import java.io.IOException;
import java.lang.reflect.Array;
import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.CharBuffer;
import java.nio.DoubleBuffer;
import java.nio.FloatBuffer;
import java.nio.IntBuffer;
import java.nio.LongBuffer;
import java.nio.ShortBuffer;
import java.util.Objects;
import jfs.memory.ElementSequence;
import jfs.memory.ElementType;
import jfs.memory.Shared;
import jfs.ring.InboxLayout;
import jfs.ring.RingReceiver;
import jfs.ring.RingSender;
import jfs.spi.Claim;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Arrays that go through the end of the ring, from each line near its end on, and at each alignment of the elements. A record begins at a
 * line, so elements are not aligned only where bytes stand before them in the same record, as where a program has sent both by one write.
 * One thread plays both ends in memory of this process.
 */
class RingWrapTest {

    private static final int WINDOW = InboxLayout.WINDOW_MIN;
    private static final int LINES = WINDOW / InboxLayout.LINE;
    /** The lines of the longest array, with the bytes before it, and their headers. */
    private static final int LONGEST = 48;
    private static final int OVERFLOW = 4096;
    /** From how many bytes on a write goes in several records. */
    private static final int LONG_MIN = 1024;
    private static final int ALIGNMENTS = Long.BYTES;
    /** The lengths of arrays, in elements: copied with others, in place, and in several records. */
    private static final int[] LENGTHS = {5, 70, 300};
    private static final Closeable NOTHING = () -> { };

    private final RingSender sender;
    private final RingReceiver receiver;

    RingWrapTest() {
        int bytes = InboxLayout.inboxBytes(WINDOW, OVERFLOW);
        ByteBuffer memory = ByteBuffer.allocateDirect(2 * bytes).order(ByteOrder.nativeOrder());
        Shared receivers = new Shared(memory, 0, bytes);
        Shared senders = new Shared(memory, bytes, bytes);
        sender = new RingSender(receivers, senders, WINDOW, OVERFLOW, LONG_MIN); // the stream goes through the whole ring
        receiver = new RingReceiver(receivers, senders, WINDOW, OVERFLOW);
    }

    @ParameterizedTest
    @EnumSource(ElementType.class)
    void asElements(ElementType type) throws IOException {
        goThroughTheRing(type, ByteOrder.nativeOrder(), (out, before, array) -> {
            out.write(before);
            write(out, array);
        });
    }

    @ParameterizedTest
    @EnumSource(ElementType.class)
    void asElementsOfTheOtherOrder(ElementType type) throws IOException {
        goThroughTheRing(type, otherOrder(), (out, before, array) -> {
            out.write(before);
            write(out, array);
        });
    }

    /** Near the end of the ring there is no room for the long pieces that a sequence asks for. */
    @ParameterizedTest
    @EnumSource(ElementType.class)
    void asASequence(ElementType type) throws IOException {
        goThroughTheRing(type, ByteOrder.nativeOrder(), (out, before, array) -> {
            out.write(before);
            out.write(type, new OfArray(array), 0, Array.getLength(array));
        });
    }

    @ParameterizedTest
    @EnumSource(ElementType.class)
    void withBytesInOneWrite(ElementType type) throws IOException {
        goThroughTheRing(type, ByteOrder.nativeOrder(),
                (out, before, array) -> out.write(bytes(type, before, array, ByteOrder.nativeOrder())));
    }

    @ParameterizedTest
    @EnumSource(ElementType.class)
    void withBytesInOneWriteOfTheOtherOrder(ElementType type) throws IOException {
        goThroughTheRing(type, otherOrder(), (out, before, array) -> out.write(bytes(type, before, array, otherOrder())));
    }

    private static ByteOrder otherOrder() {
        return ByteOrder.nativeOrder() == ByteOrder.BIG_ENDIAN ? ByteOrder.LITTLE_ENDIAN : ByteOrder.BIG_ENDIAN;
    }

    /** A way to send bytes and an array. */
    private interface Way {
        void send(TypedOutput out, byte[] before, Object array) throws IOException;
    }

    private void goThroughTheRing(ElementType type, ByteOrder order, Way way) throws IOException {
        TypedOutput out = new TypedOutput(new RingSink(), order);
        TypedInput in = new TypedInput(new RingSource(), order);
        int firstLine = receiver.nextHeader();
        int seed = 0;
        for (int line = LINES - LONGEST; line < LINES; line++) {
            for (int alignment = 0; alignment < ALIGNMENTS; alignment++) {
                for (int length : LENGTHS) {
                    while (receiver.nextHeader() != firstLine + line * InboxLayout.LINE) { // a byte takes a line
                        out.write(1);
                        assertEquals(1, in.read());
                    }
                    Object array = array(type, length, ++seed);
                    Object into = Array.newInstance(array.getClass().getComponentType(), length);
                    way.send(out, new byte[alignment], array);
                    in.readFully(new byte[alignment]);
                    readFully(in, into);
                    assertTrue(Objects.deepEquals(array, into), type + "[" + length + "] behind " + alignment + " bytes at line " + line);
                }
            }
        }
        assertEquals(0, in.available());
    }

    private static Object array(ElementType type, int length, int seed) {
        Object array = switch (type) {
            case BOOLEAN -> new boolean[length];
            case BYTE -> new byte[length];
            case CHAR -> new char[length];
            case SHORT -> new short[length];
            case INT -> new int[length];
            case LONG -> new long[length];
            case FLOAT -> new float[length];
            case DOUBLE -> new double[length];
        };
        for (int i = 0; i < length; i++) {
            long value = (seed * 1_000L + i) * 0x9E3779B97F4A7C15L;
            switch (type) {
                case BOOLEAN -> Array.setBoolean(array, i, value < 0);
                case BYTE -> Array.setByte(array, i, (byte) (value >>> 56));
                case CHAR -> Array.setChar(array, i, (char) (value >>> 48));
                case SHORT -> Array.setShort(array, i, (short) (value >>> 48));
                case INT -> Array.setInt(array, i, (int) (value >>> 32));
                case LONG -> Array.setLong(array, i, value);
                case FLOAT -> Array.setFloat(array, i, (int) (value >>> 32));
                case DOUBLE -> Array.setDouble(array, i, value);
            }
        }
        return array;
    }

    private static byte[] bytes(ElementType type, byte[] before, Object array, ByteOrder order) {
        int length = Array.getLength(array);
        ByteBuffer bytes = ByteBuffer.allocate(before.length + length * type.bytes()).order(order).put(before);
        for (int i = 0; i < length; i++) {
            switch (type) {
                case BOOLEAN -> bytes.put((byte) (Array.getBoolean(array, i) ? 1 : 0));
                case BYTE -> bytes.put(Array.getByte(array, i));
                case CHAR -> bytes.putChar(Array.getChar(array, i));
                case SHORT -> bytes.putShort(Array.getShort(array, i));
                case INT -> bytes.putInt(Array.getInt(array, i));
                case LONG -> bytes.putLong(Array.getLong(array, i));
                case FLOAT -> bytes.putFloat(Array.getFloat(array, i));
                case DOUBLE -> bytes.putDouble(Array.getDouble(array, i));
            }
        }
        return bytes.array();
    }

    private static void write(TypedOutput out, Object array) throws IOException {
        if (array instanceof boolean[] a) {
            out.write(a);
        } else if (array instanceof byte[] a) {
            out.write(a);
        } else if (array instanceof char[] a) {
            out.write(a);
        } else if (array instanceof short[] a) {
            out.write(a);
        } else if (array instanceof int[] a) {
            out.write(a);
        } else if (array instanceof long[] a) {
            out.write(a);
        } else if (array instanceof float[] a) {
            out.write(a);
        } else {
            out.write((double[]) array);
        }
    }

    private static void readFully(TypedInput in, Object array) throws IOException {
        if (array instanceof boolean[] a) {
            in.readFully(a);
        } else if (array instanceof byte[] a) {
            in.readFully(a);
        } else if (array instanceof char[] a) {
            in.readFully(a);
        } else if (array instanceof short[] a) {
            in.readFully(a);
        } else if (array instanceof int[] a) {
            in.readFully(a);
        } else if (array instanceof long[] a) {
            in.readFully(a);
        } else if (array instanceof float[] a) {
            in.readFully(a);
        } else {
            in.readFully((double[]) array);
        }
    }

    /** The elements of an array, from the first on. */
    private static final class OfArray extends ElementSequence {

        private final Object array;
        private int next;

        OfArray(Object array) {
            this.array = array;
        }

        @Override
        public void put(Buffer view, int at, int count) {
            for (int i = at; i < at + count; i++, next++) {
                if (array instanceof boolean[] a) {
                    ((ByteBuffer) view).put(i, (byte) (a[next] ? 1 : 0));
                } else if (array instanceof byte[] a) {
                    ((ByteBuffer) view).put(i, a[next]);
                } else if (array instanceof char[] a) {
                    ((CharBuffer) view).put(i, a[next]);
                } else if (array instanceof short[] a) {
                    ((ShortBuffer) view).put(i, a[next]);
                } else if (array instanceof int[] a) {
                    ((IntBuffer) view).put(i, a[next]);
                } else if (array instanceof long[] a) {
                    ((LongBuffer) view).put(i, a[next]);
                } else if (array instanceof float[] a) {
                    ((FloatBuffer) view).put(i, a[next]);
                } else {
                    ((DoubleBuffer) view).put(i, ((double[]) array)[next]);
                }
            }
        }

        @Override
        public void get(Buffer view, int at, int count) {
            throw new UnsupportedOperationException();
        }
    }

    /** Sends into the ring, which always has room for all: no call waits. */
    private final class RingSink extends Sink {

        RingSink() {
            super(NOTHING);
        }

        @Override
        boolean claim(Claim into, int least, int most) throws IOException {
            return sender.claim(into, least, most);
        }

        @Override
        void commit(int bytes, boolean more) {
            sender.commit(bytes);
        }

        @Override
        void write(ByteBuffer staging, int bytes) throws IOException {
            write(staging.array(), 0, bytes);
        }

        @Override
        void write(byte[] from, int offset, int length) throws IOException {
            if (length > 0) {
                assertEquals(length, sender.send(from, offset, length));
            }
        }

        @Override
        void flush() {
        }

        @Override
        boolean isClosed() {
            return false;
        }
    }

    /** Receives what is in the ring. A call for more is a failure. */
    private final class RingSource extends Source {

        RingSource() {
            super(NOTHING);
        }

        @Override
        int peek(Claim into, ByteBuffer staging, int offset, int length) throws IOException {
            return some(receiver.peek(into));
        }

        @Override
        int take(ByteBuffer staging, int offset, int length) throws IOException {
            return read(staging.array(), offset, length);
        }

        @Override
        void release(int bytes) {
            receiver.release(bytes);
        }

        @Override
        int read(byte[] into, int offset, int length) throws IOException {
            return some(receiver.receive(into, offset, length));
        }

        private int some(int bytes) {
            assertTrue(bytes > 0, "more bytes are expected than were sent");
            return bytes;
        }

        @Override
        int available() throws IOException {
            return receiver.available();
        }

        @Override
        boolean isClosed() {
            return false;
        }
    }
}

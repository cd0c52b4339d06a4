package jfs.streams;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Objects;
import jfs.memory.ElementType;

/**
 * Memory for the next bytes of a {@link TypedOutput}, from {@link TypedOutput#claim claim} to {@link #commit}. The program fills it, in any
 * order, and commits it. An index is a number of bytes from the claim's beginning, and may be any. What the memory holds at first is not
 * defined. Elements are in the stream's order.
 *
 * <p>Only the thread that made the claim uses it. Each misuse is an {@link IllegalStateException}: a use after the commit, a second commit,
 * a use by another thread, a use of the path's memory after the same thread has closed the socket. An access outside the claim is an
 * {@link IndexOutOfBoundsException}. {@link
 * #close} without a commit gives the claim up, and nothing of it is sent; so a claim fits into a try-with-resources statement.
 */
public final class WriteClaim extends StreamClaim {

    private final TypedOutput stream;

    WriteClaim(TypedOutput stream) {
        this.stream = stream;
    }

    /** Sends the whole claim. */
    public void commit() throws IOException {
        commit(length());
    }

    /**
     * Sends the first bytes of the claim, and ends it. May wait for room, as a write.
     *
     * @param bytes 1 to {@link #length}
     * @throws IOException as a write. Then the claim has ended too
     */
    public void commit(int bytes) throws IOException {
        checkCount(bytes, 1);
        shut();
        stream.end(bytes);
    }

    /** Gives the claim up, if the calling thread has it open. */
    @Override
    public void close() {
        if (isOpen()) {
            shut();
            try {
                stream.end(0);
            } catch (IOException e) { // only a commit throws one
                throw new IllegalStateException(e);
            }
        }
    }

    /** Puts one byte: 1 for true, 0 for false. */
    public void putBoolean(int index, boolean value) {
        put1(index, (byte) (value ? 1 : 0));
    }

    /** Puts one element of 1 byte. */
    public void putByte(int index, byte value) {
        put1(index, value);
    }

    /** Puts one element of 2 bytes. */
    public void putChar(int index, char value) {
        put2(index, (short) value);
    }

    /** Puts one element of 2 bytes. */
    public void putShort(int index, short value) {
        put2(index, value);
    }

    /** Puts one element of 4 bytes. */
    public void putInt(int index, int value) {
        put4(index, value);
    }

    /** Puts one element of 8 bytes. */
    public void putLong(int index, long value) {
        put8(index, value);
    }

    /** Puts one element of 4 bytes. */
    public void putFloat(int index, float value) {
        put4(index, Float.floatToRawIntBits(value));
    }

    /** Puts one element of 8 bytes. */
    public void putDouble(int index, double value) {
        put8(index, Double.doubleToRawLongBits(value));
    }

    /** Puts {@code count} elements of the array, from {@code offset} on. */
    public void put(int index, byte[] from, int offset, int count) {
        Objects.checkFromIndexSize(offset, count, from.length);
        putElements(ElementType.BYTE, index, from, offset, count);
    }

    /** Puts {@code count} elements of the array, from {@code offset} on. */
    public void put(int index, boolean[] from, int offset, int count) {
        Objects.checkFromIndexSize(offset, count, from.length);
        putElements(ElementType.BOOLEAN, index, from, offset, count);
    }

    /** Puts {@code count} elements of the array, from {@code offset} on. */
    public void put(int index, char[] from, int offset, int count) {
        Objects.checkFromIndexSize(offset, count, from.length);
        putElements(ElementType.CHAR, index, from, offset, count);
    }

    /** Puts {@code count} elements of the array, from {@code offset} on. */
    public void put(int index, short[] from, int offset, int count) {
        Objects.checkFromIndexSize(offset, count, from.length);
        putElements(ElementType.SHORT, index, from, offset, count);
    }

    /** Puts {@code count} elements of the array, from {@code offset} on. */
    public void put(int index, int[] from, int offset, int count) {
        Objects.checkFromIndexSize(offset, count, from.length);
        putElements(ElementType.INT, index, from, offset, count);
    }

    /** Puts {@code count} elements of the array, from {@code offset} on. */
    public void put(int index, long[] from, int offset, int count) {
        Objects.checkFromIndexSize(offset, count, from.length);
        putElements(ElementType.LONG, index, from, offset, count);
    }

    /** Puts {@code count} elements of the array, from {@code offset} on. */
    public void put(int index, float[] from, int offset, int count) {
        Objects.checkFromIndexSize(offset, count, from.length);
        putElements(ElementType.FLOAT, index, from, offset, count);
    }

    /** Puts {@code count} elements of the array, from {@code offset} on. */
    public void put(int index, double[] from, int offset, int count) {
        Objects.checkFromIndexSize(offset, count, from.length);
        putElements(ElementType.DOUBLE, index, from, offset, count);
    }

    /** Puts the buffer's remaining bytes as they are, and moves its position to its limit. */
    public void put(int index, ByteBuffer from) {
        putElements(ElementType.BYTE, index, from, from.position(), from.remaining());
        from.position(from.limit());
    }
}

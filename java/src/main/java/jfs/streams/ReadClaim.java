package jfs.streams;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Objects;
import jfs.memory.ElementType;

/**
 * The next bytes of a {@link TypedInput}, from {@link TypedInput#claim(int) claim} to {@link #release}. An index is a number of bytes from
 * the claim's beginning, and may be any. Elements are in the stream's order. A peer process can still change the bytes: whoever does not
 * trust it copies a value once, and checks the copy.
 *
 * <p>Only the thread that made the claim uses it. Each misuse is an {@link IllegalStateException}: a use after the release, a second
 * release, a use by another thread, a use of the path's memory after the same thread has closed the socket. An access outside the claim is
 * an {@link IndexOutOfBoundsException}.
 * {@link #close} without a release ends the claim, and its bytes come again.
 */
public final class ReadClaim extends StreamClaim {

    private final ElementReader stream;

    ReadClaim(ElementReader stream) {
        this.stream = stream;
    }

    /** Takes the whole claim. */
    public void release() throws IOException {
        release(length());
    }

    /**
     * Takes the first bytes of the claim, and ends it. The others come again.
     *
     * @param bytes 0 to {@link #length}
     */
    public void release(int bytes) throws IOException {
        checkCount(bytes, 0);
        shut();
        stream.end(bytes);
    }

    /** Ends the claim, if the calling thread has it open. */
    @Override
    public void close() {
        if (isOpen()) {
            shut();
            try {
                stream.end(0);
            } catch (IOException e) { // only a release throws one
                throw new IllegalStateException(e);
            }
        }
    }

    /** Reads one byte: each value but 0 is true. */
    public boolean getBoolean(int index) {
        return get1(index) != 0;
    }

    /** Reads one element of 1 byte. */
    public byte getByte(int index) {
        return get1(index);
    }

    /** Reads one element of 2 bytes. */
    public char getChar(int index) {
        return (char) get2(index);
    }

    /** Reads one element of 2 bytes. */
    public short getShort(int index) {
        return get2(index);
    }

    /** Reads one element of 4 bytes. */
    public int getInt(int index) {
        return get4(index);
    }

    /** Reads one element of 8 bytes. */
    public long getLong(int index) {
        return get8(index);
    }

    /** Reads one element of 4 bytes. */
    public float getFloat(int index) {
        return Float.intBitsToFloat(get4(index));
    }

    /** Reads one element of 8 bytes. */
    public double getDouble(int index) {
        return Double.longBitsToDouble(get8(index));
    }

    /** Copies {@code count} elements into the array, from {@code offset} on. */
    public void get(int index, byte[] into, int offset, int count) {
        Objects.checkFromIndexSize(offset, count, into.length);
        getElements(ElementType.BYTE, index, into, offset, count);
    }

    /** Copies {@code count} elements into the array, from {@code offset} on. */
    public void get(int index, boolean[] into, int offset, int count) {
        Objects.checkFromIndexSize(offset, count, into.length);
        getElements(ElementType.BOOLEAN, index, into, offset, count);
    }

    /** Copies {@code count} elements into the array, from {@code offset} on. */
    public void get(int index, char[] into, int offset, int count) {
        Objects.checkFromIndexSize(offset, count, into.length);
        getElements(ElementType.CHAR, index, into, offset, count);
    }

    /** Copies {@code count} elements into the array, from {@code offset} on. */
    public void get(int index, short[] into, int offset, int count) {
        Objects.checkFromIndexSize(offset, count, into.length);
        getElements(ElementType.SHORT, index, into, offset, count);
    }

    /** Copies {@code count} elements into the array, from {@code offset} on. */
    public void get(int index, int[] into, int offset, int count) {
        Objects.checkFromIndexSize(offset, count, into.length);
        getElements(ElementType.INT, index, into, offset, count);
    }

    /** Copies {@code count} elements into the array, from {@code offset} on. */
    public void get(int index, long[] into, int offset, int count) {
        Objects.checkFromIndexSize(offset, count, into.length);
        getElements(ElementType.LONG, index, into, offset, count);
    }

    /** Copies {@code count} elements into the array, from {@code offset} on. */
    public void get(int index, float[] into, int offset, int count) {
        Objects.checkFromIndexSize(offset, count, into.length);
        getElements(ElementType.FLOAT, index, into, offset, count);
    }

    /** Copies {@code count} elements into the array, from {@code offset} on. */
    public void get(int index, double[] into, int offset, int count) {
        Objects.checkFromIndexSize(offset, count, into.length);
        getElements(ElementType.DOUBLE, index, into, offset, count);
    }

    /** Fills the buffer's remaining space with bytes as they are, and moves its position to its limit. */
    public void get(int index, ByteBuffer into) {
        getElements(ElementType.BYTE, index, into, into.position(), into.remaining());
        into.position(into.limit());
    }
}

package jfs.streams;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.CharBuffer;
import java.nio.DoubleBuffer;
import java.nio.FloatBuffer;
import java.nio.IntBuffer;
import java.nio.LongBuffer;
import java.nio.ReadOnlyBufferException;
import java.nio.ShortBuffer;
import java.nio.channels.ReadableByteChannel;
import java.util.Objects;
import jfs.memory.ElementSequence;
import jfs.memory.ElementType;

/**
 * Reads slices of arrays of primitive types, and of buffers, from a socket: what a {@link TypedOutput} or, with the order {@link
 * ByteOrder#BIG_ENDIAN}, a {@link java.io.DataOutput} has written. Where the socket has a fast path with memory that can be shown, the
 * elements are copied once, from that memory into the program's array.
 *
 * <p>The methods {@code read} wait for at least one element and may return fewer than were asked for, as {@link
 * InputStream#read(byte[], int, int)} does; -1 at the end of the stream. The methods {@code readFully} wait for all. An end of the stream
 * inside an element, or before all that {@code readFully} was asked for, is an {@link EOFException}.
 *
 * <p>Unless it may {@linkplain #readAhead read ahead}, this stream takes no byte before it is asked for, with two exceptions: the first
 * bytes of an element whose rest did not come in time, and bytes of a {@linkplain #claim(int) claim} that were not released. Such bytes
 * come first in the next call on this stream, of whatever kind, but the socket's own stream does not see them. Else the two streams can be
 * used in turns.
 *
 * <p><b>Threads and blocking.</b> As of {@link TypedOutput}. SO_TIMEOUT of a socket holds for each wait ({@link
 * java.net.SocketTimeoutException}); the call can be made again.
 *
 * <p><b>Errors.</b> Those of the socket's own stream, and of a channel those of the channel. If {@code readFully} throws after it has
 * stored elements, these stay in the array or buffer and do not come again. A buffer's position is behind them, so the same call reads the
 * rest. Of an array an {@link EOFException} says in its message how many they are, and another exception does not tell: a program that
 * goes on after a {@code SocketTimeoutException} uses {@code read}, or a buffer around the array. A slice that does not fit its array is
 * an {@link IndexOutOfBoundsException}, and nothing is read.
 */
public final class TypedInput extends InputStream implements ReadableByteChannel {

    private final ElementReader reader;

    /** @param order null for a stream that begins with the mark */
    TypedInput(Source source, ByteOrder order) {
        this.reader = new ElementReader(source, order);
    }

    /**
     * Lets this stream take bytes that were not asked for, or not. It then takes as many as have come and its own memory has room for, 32
     * KB, as a {@link java.io.BufferedInputStream} does. Without that, each small read and each {@linkplain #claim(int) claim} over TCP
     * makes a system call. The bytes come first in the next calls on this stream, also after a call with {@code false}, but the socket's
     * own stream does not see them. So this is for a program that reads by this stream alone. A claim is in place only if no such bytes are
     * left.
     *
     * @param on false at first
     */
    public void readAhead(boolean on) throws IOException {
        reader.readAhead(on);
    }

    // Bytes.

    /** Reads one byte. @return 0 to 255, -1 at the end */
    @Override
    public int read() throws IOException {
        return reader.readByte();
    }

    /** Reads 1 to {@code length} bytes as they are. @return their number, 0 if none were asked for, -1 at the end */
    @Override
    public int read(byte[] into, int offset, int length) throws IOException {
        Objects.checkFromIndexSize(offset, length, into.length);
        if (length == 0) {
            return 0;
        }
        return reader.readBytes(into, offset, length);
    }

    /** Reads bytes as they are into the buffer's remaining space. @return the number of bytes, 0 if there is no space, -1 at the end */
    @Override
    public int read(ByteBuffer into) throws IOException {
        return read(ElementType.BYTE, into);
    }

    /** Fills the array with bytes as they are. */
    public void readFully(byte[] into) throws IOException {
        reader.readFully(ElementType.BYTE, into, 0, into.length);
    }

    /** Reads {@code length} bytes as they are, to the index {@code offset} on. */
    public void readFully(byte[] into, int offset, int length) throws IOException {
        Objects.checkFromIndexSize(offset, length, into.length);
        reader.readFully(ElementType.BYTE, into, offset, length);
    }

    /** Fills the buffer's remaining space with bytes. */
    public void readFully(ByteBuffer into) throws IOException {
        readFully(ElementType.BYTE, into);
    }

    // Elements.

    /** @return the number of elements, 0 if the array is empty, -1 at the end */
    public int read(boolean[] into) throws IOException {
        return reader.read(ElementType.BOOLEAN, into, 0, into.length);
    }

    /** @return the number of elements, 0 if none were asked for, -1 at the end */
    public int read(boolean[] into, int offset, int count) throws IOException {
        Objects.checkFromIndexSize(offset, count, into.length);
        return reader.read(ElementType.BOOLEAN, into, offset, count);
    }

    /** Fills the array. */
    public void readFully(boolean[] into) throws IOException {
        reader.readFully(ElementType.BOOLEAN, into, 0, into.length);
    }

    /** Reads {@code count} elements, to the index {@code offset} on. */
    public void readFully(boolean[] into, int offset, int count) throws IOException {
        Objects.checkFromIndexSize(offset, count, into.length);
        reader.readFully(ElementType.BOOLEAN, into, offset, count);
    }

    /** @return the number of elements, 0 if the array is empty, -1 at the end */
    public int read(char[] into) throws IOException {
        return reader.read(ElementType.CHAR, into, 0, into.length);
    }

    /** @return the number of elements, 0 if none were asked for, -1 at the end */
    public int read(char[] into, int offset, int count) throws IOException {
        Objects.checkFromIndexSize(offset, count, into.length);
        return reader.read(ElementType.CHAR, into, offset, count);
    }

    /** Fills the array. */
    public void readFully(char[] into) throws IOException {
        reader.readFully(ElementType.CHAR, into, 0, into.length);
    }

    /** Reads {@code count} elements, to the index {@code offset} on. */
    public void readFully(char[] into, int offset, int count) throws IOException {
        Objects.checkFromIndexSize(offset, count, into.length);
        reader.readFully(ElementType.CHAR, into, offset, count);
    }

    /** @return the number of elements, 0 if the array is empty, -1 at the end */
    public int read(short[] into) throws IOException {
        return reader.read(ElementType.SHORT, into, 0, into.length);
    }

    /** @return the number of elements, 0 if none were asked for, -1 at the end */
    public int read(short[] into, int offset, int count) throws IOException {
        Objects.checkFromIndexSize(offset, count, into.length);
        return reader.read(ElementType.SHORT, into, offset, count);
    }

    /** Fills the array. */
    public void readFully(short[] into) throws IOException {
        reader.readFully(ElementType.SHORT, into, 0, into.length);
    }

    /** Reads {@code count} elements, to the index {@code offset} on. */
    public void readFully(short[] into, int offset, int count) throws IOException {
        Objects.checkFromIndexSize(offset, count, into.length);
        reader.readFully(ElementType.SHORT, into, offset, count);
    }

    /** @return the number of elements, 0 if the array is empty, -1 at the end */
    public int read(int[] into) throws IOException {
        return reader.read(ElementType.INT, into, 0, into.length);
    }

    /** @return the number of elements, 0 if none were asked for, -1 at the end */
    public int read(int[] into, int offset, int count) throws IOException {
        Objects.checkFromIndexSize(offset, count, into.length);
        return reader.read(ElementType.INT, into, offset, count);
    }

    /** Fills the array. */
    public void readFully(int[] into) throws IOException {
        reader.readFully(ElementType.INT, into, 0, into.length);
    }

    /** Reads {@code count} elements, to the index {@code offset} on. */
    public void readFully(int[] into, int offset, int count) throws IOException {
        Objects.checkFromIndexSize(offset, count, into.length);
        reader.readFully(ElementType.INT, into, offset, count);
    }

    /** @return the number of elements, 0 if the array is empty, -1 at the end */
    public int read(long[] into) throws IOException {
        return reader.read(ElementType.LONG, into, 0, into.length);
    }

    /** @return the number of elements, 0 if none were asked for, -1 at the end */
    public int read(long[] into, int offset, int count) throws IOException {
        Objects.checkFromIndexSize(offset, count, into.length);
        return reader.read(ElementType.LONG, into, offset, count);
    }

    /** Fills the array. */
    public void readFully(long[] into) throws IOException {
        reader.readFully(ElementType.LONG, into, 0, into.length);
    }

    /** Reads {@code count} elements, to the index {@code offset} on. */
    public void readFully(long[] into, int offset, int count) throws IOException {
        Objects.checkFromIndexSize(offset, count, into.length);
        reader.readFully(ElementType.LONG, into, offset, count);
    }

    /** @return the number of elements, 0 if the array is empty, -1 at the end */
    public int read(float[] into) throws IOException {
        return reader.read(ElementType.FLOAT, into, 0, into.length);
    }

    /** @return the number of elements, 0 if none were asked for, -1 at the end */
    public int read(float[] into, int offset, int count) throws IOException {
        Objects.checkFromIndexSize(offset, count, into.length);
        return reader.read(ElementType.FLOAT, into, offset, count);
    }

    /** Fills the array. */
    public void readFully(float[] into) throws IOException {
        reader.readFully(ElementType.FLOAT, into, 0, into.length);
    }

    /** Reads {@code count} elements, to the index {@code offset} on. */
    public void readFully(float[] into, int offset, int count) throws IOException {
        Objects.checkFromIndexSize(offset, count, into.length);
        reader.readFully(ElementType.FLOAT, into, offset, count);
    }

    /** @return the number of elements, 0 if the array is empty, -1 at the end */
    public int read(double[] into) throws IOException {
        return reader.read(ElementType.DOUBLE, into, 0, into.length);
    }

    /** @return the number of elements, 0 if none were asked for, -1 at the end */
    public int read(double[] into, int offset, int count) throws IOException {
        Objects.checkFromIndexSize(offset, count, into.length);
        return reader.read(ElementType.DOUBLE, into, offset, count);
    }

    /** Fills the array. */
    public void readFully(double[] into) throws IOException {
        reader.readFully(ElementType.DOUBLE, into, 0, into.length);
    }

    /** Reads {@code count} elements, to the index {@code offset} on. */
    public void readFully(double[] into, int offset, int count) throws IOException {
        Objects.checkFromIndexSize(offset, count, into.length);
        reader.readFully(ElementType.DOUBLE, into, offset, count);
    }

    /** Reads into the buffer's remaining space, and moves its position. @return elements, 0 if there is no space, -1 at the end */
    public int read(CharBuffer into) throws IOException {
        return read(ElementType.CHAR, into);
    }

    /** Fills the buffer's remaining space. */
    public void readFully(CharBuffer into) throws IOException {
        readFully(ElementType.CHAR, into);
    }

    /** Reads into the buffer's remaining space, and moves its position. @return elements, 0 if there is no space, -1 at the end */
    public int read(ShortBuffer into) throws IOException {
        return read(ElementType.SHORT, into);
    }

    /** Fills the buffer's remaining space. */
    public void readFully(ShortBuffer into) throws IOException {
        readFully(ElementType.SHORT, into);
    }

    /** Reads into the buffer's remaining space, and moves its position. @return elements, 0 if there is no space, -1 at the end */
    public int read(IntBuffer into) throws IOException {
        return read(ElementType.INT, into);
    }

    /** Fills the buffer's remaining space. */
    public void readFully(IntBuffer into) throws IOException {
        readFully(ElementType.INT, into);
    }

    /** Reads into the buffer's remaining space, and moves its position. @return elements, 0 if there is no space, -1 at the end */
    public int read(LongBuffer into) throws IOException {
        return read(ElementType.LONG, into);
    }

    /** Fills the buffer's remaining space. */
    public void readFully(LongBuffer into) throws IOException {
        readFully(ElementType.LONG, into);
    }

    /** Reads into the buffer's remaining space, and moves its position. @return elements, 0 if there is no space, -1 at the end */
    public int read(FloatBuffer into) throws IOException {
        return read(ElementType.FLOAT, into);
    }

    /** Fills the buffer's remaining space. */
    public void readFully(FloatBuffer into) throws IOException {
        readFully(ElementType.FLOAT, into);
    }

    /** Reads into the buffer's remaining space, and moves its position. @return elements, 0 if there is no space, -1 at the end */
    public int read(DoubleBuffer into) throws IOException {
        return read(ElementType.DOUBLE, into);
    }

    /** Fills the buffer's remaining space. */
    public void readFully(DoubleBuffer into) throws IOException {
        readFully(ElementType.DOUBLE, into);
    }

    private int read(ElementType type, Buffer into) throws IOException {
        checkWritable(into);
        int n = reader.read(type, into, into.position(), into.remaining());
        into.position(into.position() + Math.max(n, 0));
        return n;
    }

    /** For layouts, by {@link jfs.memory.StreamAccess}. */
    void readFully(ElementType type, ElementSequence into, int count) throws IOException {
        reader.readFully(type, into, 0, count);
    }

    private void readFully(ElementType type, Buffer into) throws IOException {
        checkWritable(into);
        reader.readFully(type, into, into.position(), into.remaining()); // which moves the position
    }

    private static void checkWritable(Buffer into) {
        if (into.isReadOnly()) {
            throw new ReadOnlyBufferException();
        }
    }

    // Bytes that the program takes from where they are.

    /**
     * Waits for the next bytes, and gives them to the caller where they lie: in the fast path's own memory if enough of them lie there in
     * one piece, else in memory of this stream. The caller reads them and {@linkplain ReadClaim#release releases} them. Until then this
     * stream's lock is the caller's. Bytes that it does not release come again. Over TCP the claim has {@code least} bytes, or what has
     * come if this stream may {@linkplain #readAhead read ahead}.
     *
     * <p>This is for what the other end has written as elements of more than one byte or by {@link TypedOutput#claim}: if the byte order's
     * mark has not come yet, this call waits for it. For what was written as bytes or {@code boolean[]} there is {@link #claimBytes(int)}.
     *
     * @param least 1 to {@link TypedOutput#CLAIM_MAX} bytes
     * @return the claim, of at least that length; null at the end of the stream. There is one for each stream, used again and again
     * @throws EOFException if the stream ends before that. The bytes that have come can be read
     * @throws IllegalStateException if a claim on this stream is open already
     */
    public ReadClaim claim(int least) throws IOException {
        StreamClaim.checkSize(least);
        return reader.claim(least, least, Integer.MAX_VALUE, true);
    }

    /**
     * As {@link #claim(int)}, for a program that can go on with few bytes and has a use for many: it waits until {@code least} bytes are
     * there, for example those of one element, and the claim then has as many of them as lie in one piece, up to {@code most}. Its memory
     * is this stream's own, and the bytes are copied, only where not even {@code least} lie in one piece, or bytes came before that were
     * not released. Such a claim over shared memory or MX has no more than {@code least} bytes, unless more were not released, so that the
     * next one can be in place. Over TCP it has what has come, up to 32 KB, and one system call takes that.
     *
     * <p>Each wait may last as long as SO_TIMEOUT allows ({@link java.net.SocketTimeoutException}). The bytes that have come by then can be
     * read, or claimed again.
     *
     * @param least 1 to {@link TypedOutput#CLAIM_MAX} bytes
     * @param most {@code least} to {@link TypedOutput#CLAIM_MAX} bytes
     * @return the claim, of {@code least} to {@code most} bytes; null at the end of the stream
     * @throws EOFException if the stream ends before {@code least} bytes. The bytes that have come can be read
     * @throws IllegalStateException if a claim on this stream is open already
     */
    public ReadClaim claim(int least, int most) throws IOException {
        StreamClaim.checkSizes(least, most);
        return reader.claim(least, most, most, true);
    }

    /**
     * The same for bytes, which were written as bytes, by the socket's own stream too, or by {@link TypedOutput#claimBytes}: no mark is
     * expected before them. Numbers of more than one byte are taken in this stream's order; if no mark has come yet, in the machine's own.
     *
     * @param least 1 to {@link TypedOutput#CLAIM_MAX} bytes
     * @return the claim, of at least that length; null at the end of the stream
     * @throws EOFException if the stream ends before that. The bytes that have come can be read
     * @throws IllegalStateException if a claim on this stream is open already
     */
    public ReadClaim claimBytes(int least) throws IOException {
        StreamClaim.checkSize(least);
        return reader.claim(least, least, Integer.MAX_VALUE, false);
    }

    /**
     * As {@link #claim(int, int)}, for bytes that were written as bytes: no mark is expected before them, as of {@link #claimBytes(int)}.
     *
     * @param least 1 to {@link TypedOutput#CLAIM_MAX} bytes
     * @param most {@code least} to {@link TypedOutput#CLAIM_MAX} bytes
     * @return the claim, of {@code least} to {@code most} bytes; null at the end of the stream
     * @throws EOFException if the stream ends before {@code least} bytes. The bytes that have come can be read
     * @throws IllegalStateException if a claim on this stream is open already
     */
    public ReadClaim claimBytes(int least, int most) throws IOException {
        StreamClaim.checkSizes(least, most);
        return reader.claim(least, most, most, false);
    }

    // Of the stream.

    /** The bytes that can be read without waiting, as of the socket's own stream. Of a channel only those that this stream has taken. */
    @Override
    public int available() throws IOException {
        return reader.available();
    }

    /** Closes the socket, as its own stream does. */
    @Override
    public void close() throws IOException {
        reader.source().close();
    }

    /** Whether the socket or channel is open. Any thread may ask, and does not wait. */
    @Override
    public boolean isOpen() {
        return !reader.source().isClosed();
    }
}

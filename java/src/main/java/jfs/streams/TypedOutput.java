package jfs.streams;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.CharBuffer;
import java.nio.DoubleBuffer;
import java.nio.FloatBuffer;
import java.nio.IntBuffer;
import java.nio.LongBuffer;
import java.nio.ShortBuffer;
import java.nio.channels.WritableByteChannel;
import java.util.Objects;
import jfs.memory.ElementSequence;
import jfs.memory.ElementType;
import jfs.memory.ElementViews;
import jfs.spi.Claim;

/**
 * Writes slices of arrays of primitive types, and of buffers, to a socket. Where the socket has a fast path with memory that can be shown,
 * the elements are copied once, from the program's array into that memory. Elsewhere, and in calls of at most 256 bytes, they are copied
 * into a buffer of this stream first.
 *
 * <p>An element takes as many bytes as {@link java.io.DataOutput} writes for it, and there is nothing between two elements: {@code
 * DataInput} can read them in the order {@link ByteOrder#BIG_ENDIAN}. A stream without an order of its own writes elements as they lie in
 * memory, and tells the reader that order: before its first element of more than one byte, and before its first {@link #claim}, it writes
 * the {@linkplain OrderMark mark}. Only a {@link TypedInput} without an order of its own reads such a stream.
 *
 * <p>{@link #write(int)} is that of {@link OutputStream}: it writes one byte. A single number goes as an array of one element, or by a
 * {@linkplain #claim claim}.
 *
 * <p>Bytes that are written here, by the socket's own stream and as elements go in the order of the calls. So the reader reads them in this
 * order too, and what was written as elements it reads as elements.
 *
 * <p><b>Threads and blocking.</b> One thread at a time writes; others wait. A write returns when all elements are taken, as of the socket's
 * own stream. On a socket of JFS that stream and this one have the same lock, so no other thread's bytes come between the elements of one
 * call. On another socket, or a channel, they may. A channel has to be in blocking mode ({@link
 * java.nio.channels.IllegalBlockingModeException}). Calls make no garbage, but those for a {@code byte[]} over a channel do.
 *
 * <p><b>Errors.</b> Those of the socket's own stream, and of a channel those of the channel: after a close a {@link
 * java.net.SocketException} or a {@link java.nio.channels.ClosedChannelException}, also from {@link #claim}. It is not known after an error
 * how many elements were sent. A slice that does not fit its array is an {@link IndexOutOfBoundsException}, and nothing is sent.
 *
 * <p>Source: section 4 of the paper of Java Fast Sockets (arrays of primitive types without serialization).
 */
public final class TypedOutput extends OutputStream implements WritableByteChannel {

    /** The most bytes of a claim. */
    public static final int CLAIM_MAX = 1 << 20;

    /** The bytes of the memory from which elements are sent that can't be put in place. */
    static final int STAGING = 32 << 10;

    /** The most bytes of a call that are copied there, also where they could be put in place: for so few the copy takes less time. */
    static final int SMALL = 256;

    private final Sink sink;
    private final ByteOrder order;
    /** What the claims and the calls of this stream put in place. Guarded by the sink's lock, as all that follows. */
    private final Claim piece = new Claim();
    private final WriteClaim claim = new WriteClaim(this);
    private final byte[] one = new byte[1];
    /** The mark is still to be written: in front of the first elements and with them, since TCP might keep a write of 8 bytes back. */
    private boolean marks;
    /** Whether the mark stands before the open claim. */
    private boolean claimHasMark;
    private final PathViews inPlace = new PathViews();
    private ElementViews staged;

    /** @param order null for a stream that writes the mark */
    TypedOutput(Sink sink, ByteOrder order) {
        this.sink = sink;
        this.order = order == null ? ByteOrder.nativeOrder() : order;
        this.marks = order == null;
    }

    /** The order in which this stream writes elements. */
    public ByteOrder order() {
        return order;
    }

    // Bytes.

    /** Writes one byte, the lowest eight bits, as each {@link OutputStream}. An int goes by {@link #write(int[])}. */
    @Override
    public void write(int b) throws IOException {
        lock();
        try {
            one[0] = (byte) b;
            sink.write(one, 0, 1);
        } finally {
            sink.unlock();
        }
    }

    /** Writes {@code length} bytes as they are, from the index {@code offset} on. */
    @Override
    public void write(byte[] from, int offset, int length) throws IOException {
        Objects.checkFromIndexSize(offset, length, from.length);
        lock();
        try {
            sink.write(from, offset, length);
        } finally {
            sink.unlock();
        }
    }

    /**
     * Writes the buffer's remaining bytes as they are, all of them, and moves its position to its limit.
     *
     * @param from on the heap or direct
     * @return the number of bytes
     */
    @Override
    public int write(ByteBuffer from) throws IOException {
        return write(ElementType.BYTE, from);
    }

    // Elements.

    /** Writes all elements of the array. */
    public void write(boolean[] from) throws IOException {
        write(ElementType.BOOLEAN, from, 0, from.length);
    }

    /** Writes {@code count} elements from the index {@code offset} on. */
    public void write(boolean[] from, int offset, int count) throws IOException {
        Objects.checkFromIndexSize(offset, count, from.length);
        write(ElementType.BOOLEAN, from, offset, count);
    }

    /** Writes all elements of the array. */
    public void write(char[] from) throws IOException {
        write(ElementType.CHAR, from, 0, from.length);
    }

    /** Writes {@code count} elements from the index {@code offset} on. */
    public void write(char[] from, int offset, int count) throws IOException {
        Objects.checkFromIndexSize(offset, count, from.length);
        write(ElementType.CHAR, from, offset, count);
    }

    /** Writes all elements of the array. */
    public void write(short[] from) throws IOException {
        write(ElementType.SHORT, from, 0, from.length);
    }

    /** Writes {@code count} elements from the index {@code offset} on. */
    public void write(short[] from, int offset, int count) throws IOException {
        Objects.checkFromIndexSize(offset, count, from.length);
        write(ElementType.SHORT, from, offset, count);
    }

    /** Writes all elements of the array. */
    public void write(int[] from) throws IOException {
        write(ElementType.INT, from, 0, from.length);
    }

    /** Writes {@code count} elements from the index {@code offset} on. */
    public void write(int[] from, int offset, int count) throws IOException {
        Objects.checkFromIndexSize(offset, count, from.length);
        write(ElementType.INT, from, offset, count);
    }

    /** Writes all elements of the array. */
    public void write(long[] from) throws IOException {
        write(ElementType.LONG, from, 0, from.length);
    }

    /** Writes {@code count} elements from the index {@code offset} on. */
    public void write(long[] from, int offset, int count) throws IOException {
        Objects.checkFromIndexSize(offset, count, from.length);
        write(ElementType.LONG, from, offset, count);
    }

    /** Writes all elements of the array. */
    public void write(float[] from) throws IOException {
        write(ElementType.FLOAT, from, 0, from.length);
    }

    /** Writes {@code count} elements from the index {@code offset} on. */
    public void write(float[] from, int offset, int count) throws IOException {
        Objects.checkFromIndexSize(offset, count, from.length);
        write(ElementType.FLOAT, from, offset, count);
    }

    /** Writes all elements of the array. */
    public void write(double[] from) throws IOException {
        write(ElementType.DOUBLE, from, 0, from.length);
    }

    /** Writes {@code count} elements from the index {@code offset} on. */
    public void write(double[] from, int offset, int count) throws IOException {
        Objects.checkFromIndexSize(offset, count, from.length);
        write(ElementType.DOUBLE, from, offset, count);
    }

    /** Writes the buffer's remaining elements, and moves its position to its limit. The buffer's own order does not count. */
    public void write(CharBuffer from) throws IOException {
        write(ElementType.CHAR, from);
    }

    /** Writes the buffer's remaining elements, and moves its position to its limit. The buffer's own order does not count. */
    public void write(ShortBuffer from) throws IOException {
        write(ElementType.SHORT, from);
    }

    /** Writes the buffer's remaining elements, and moves its position to its limit. The buffer's own order does not count. */
    public void write(IntBuffer from) throws IOException {
        write(ElementType.INT, from);
    }

    /** Writes the buffer's remaining elements, and moves its position to its limit. The buffer's own order does not count. */
    public void write(LongBuffer from) throws IOException {
        write(ElementType.LONG, from);
    }

    /** Writes the buffer's remaining elements, and moves its position to its limit. The buffer's own order does not count. */
    public void write(FloatBuffer from) throws IOException {
        write(ElementType.FLOAT, from);
    }

    /** Writes the buffer's remaining elements, and moves its position to its limit. The buffer's own order does not count. */
    public void write(DoubleBuffer from) throws IOException {
        write(ElementType.DOUBLE, from);
    }

    private int write(ElementType type, Buffer from) throws IOException {
        int count = from.remaining();
        write(type, from, from.position(), count);
        from.position(from.limit());
        return count;
    }

    /** @param from an array, a buffer, or an {@link ElementSequence}, of which {@code offset} does not count */
    void write(ElementType type, Object from, int offset, int count) throws IOException {
        if (count == 0) {
            return;
        }
        lock();
        try {
            int size = type.bytes();
            boolean longPieces = from instanceof ElementSequence;
            for (int done = marks && size > 1 ? writeMarked(type, from, offset, count) : 0; done < count;) {
                int n;
                int bytes = (int) Math.min((long) (count - done) * size, Integer.MAX_VALUE - 7);
                longPieces = longPieces && bytes > SMALL && claimLongPiece(size, bytes); // a reader that is behind is not waited for again
                if (longPieces || bytes > SMALL && sink.claim(piece, size, bytes)) {
                    n = piece.length() / size;
                    inPlace.of(piece.memory()).put(type, order, piece.offset(), from, offset + done, n);
                    sink.commit(n * size, done + n < count);
                } else {
                    n = Math.min(count - done, STAGING / size);
                    ElementViews views = staged(STAGING);
                    views.put(type, order, 0, from, offset + done, n);
                    sink.write(views.memory(), n * size);
                }
                done += n;
            }
        } finally {
            piece.clear();
            sink.unlock();
        }
    }

    /**
     * Claims at least half of the bytes that are left as one piece, or 32 KB, for a sequence. Its elements are copied more slowly than a
     * reader copies them out that has an array. With short pieces that reader is close behind, and presumably takes cache lines that this
     * thread is about to write.
     *
     * @return false if there is no room for so long a piece. The call may have waited for it for a moment
     */
    private boolean claimLongPiece(int size, int bytes) throws IOException {
        return sink.claim(piece, Math.min(bytes / 2, STAGING) / size * size, bytes);
    }

    /** Waits until no other thread writes. The caller unlocks the sink. */
    private void lock() throws IOException {
        sink.lock();
        if (claim.isOpen()) {
            sink.unlock();
            throw new IllegalStateException("a claim on this stream is open: commit or close it first");
        }
    }

    /** Writes the mark and the first elements. @return the number of elements */
    private int writeMarked(ElementType type, Object from, int offset, int count) throws IOException {
        int n = Math.min(count, (STAGING - OrderMark.BYTES) / type.bytes());
        ElementViews views = staged(STAGING);
        views.memory().putLong(0, OrderMark.VALUE);
        views.put(type, order, OrderMark.BYTES, from, offset, n);
        sink.write(views.memory(), OrderMark.BYTES + n * type.bytes());
        marks = false;
        return n;
    }

    private ElementViews staged(int bytes) {
        if (staged == null || staged.memory().capacity() < bytes) {
            staged = new ElementViews(Half.newStaging(Math.max(bytes, STAGING)));
        }
        return staged;
    }

    // Bytes that the program puts in place.

    /**
     * Gives the caller memory for the next bytes of this stream: a piece of the fast path's own memory where that is possible now, else
     * memory of this stream. The caller fills it and {@linkplain WriteClaim#commit commits} it. Until then this stream's lock is the
     * caller's, and other threads that write wait. May wait for room for a moment.
     *
     * <p>The bytes of a claim count as elements of more than one byte: if this stream has not written the byte order's mark yet, the mark
     * goes before them, and the other end has to read them by a claim or as such elements. For what the other end reads as {@code byte[]}
     * or {@code boolean[]} there is {@link #claimBytes}.
     *
     * <p>Between the two calls the caller writes nothing else to this socket. This stream refuses that. If the caller writes by the
     * socket's own stream meanwhile, commit throws {@link IllegalStateException} and sends nothing of the claim, or, where the memory was
     * this stream's, sends the claim after those bytes.
     *
     * @param bytes 1 to {@link #CLAIM_MAX}
     * @return the claim, of that length. There is one for each stream, used again and again
     * @throws IllegalStateException if a claim on this stream is open already
     */
    public WriteClaim claim(int bytes) throws IOException {
        return claim(bytes, true);
    }

    /**
     * The same for bytes: what is committed is as if {@link #write(byte[], int, int)} had written it. No mark stands before it, so the
     * other end reads it as bytes, by the socket's own stream too, or by {@link TypedInput#claimBytes(int)}. Numbers of more than one byte
     * in it have the order of this stream, of which nothing tells the other end.
     *
     * @param bytes 1 to {@link #CLAIM_MAX}
     * @throws IllegalStateException if a claim on this stream is open already
     */
    public WriteClaim claimBytes(int bytes) throws IOException {
        return claim(bytes, false);
    }

    private WriteClaim claim(int bytes, boolean ofElements) throws IOException {
        StreamClaim.checkSize(bytes);
        lock();
        boolean opened = false;
        try {
            sink.checkOpen(); // or the caller would hear of it only after it has filled the memory
            claimHasMark = marks && ofElements;
            if (claimHasMark) {
                ElementViews views = staged(OrderMark.BYTES + bytes);
                views.memory().putLong(0, OrderMark.VALUE);
                claim.open(null, views, OrderMark.BYTES, bytes, order);
            } else if (sink.claim(piece, bytes, bytes)) {
                claim.open(piece, inPlace.of(piece.memory()), piece.offset(), bytes, order);
            } else {
                claim.open(null, staged(bytes), 0, bytes, order);
            }
            opened = true;
        } finally {
            if (!opened) {
                sink.unlock();
            }
        }
        return claim;
    }

    /** Ends the claim. @param bytes to be sent; 0 for none */
    void end(int bytes) throws IOException {
        try {
            if (bytes > 0 && claim.isTakenBack() && !sink.isClosed()) {
                throw new IllegalStateException("other bytes that were sent, or another claim, have taken the claim's place");
            } else if (bytes > 0 && claim.isInPlace()) {
                sink.commit(bytes, false);
            } else if (bytes > 0) {
                sink.write(staged.memory(), claimHasMark ? OrderMark.BYTES + bytes : bytes);
                marks &= !claimHasMark;
            }
        } finally {
            piece.clear();
            if (staged != null && staged.memory().capacity() > STAGING) {
                staged = null;
            }
            sink.unlock();
        }
    }

    // Of the stream.

    /** Flushes the socket's own stream. On a socket of JFS and on a channel it does nothing: each write is sent at once. */
    @Override
    public void flush() throws IOException {
        sink.flush();
    }

    /** Closes the socket, as its own stream does. */
    @Override
    public void close() throws IOException {
        sink.close();
    }

    /** Whether the socket or channel is open. Any thread may ask, and does not wait. */
    @Override
    public boolean isOpen() {
        return !sink.isClosed();
    }
}

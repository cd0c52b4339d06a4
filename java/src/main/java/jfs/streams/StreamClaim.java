package jfs.streams;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.ref.Reference;
import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import jfs.memory.ElementSequence;
import jfs.memory.ElementType;
import jfs.memory.ElementViews;
import jfs.memory.StreamAccess;
import jfs.spi.Claim;

/**
 * What the claims of both directions have in common: a piece of memory that is the program's for a while (CLAIM-1). The memory may be a
 * fast path's, and not mapped any more after the connection was closed. So each access checks that the claim is open, that the caller is
 * the thread that made it, and that this thread has not closed the socket meanwhile. While a thread has the claim, it has the lock of the
 * direction, so no other thread can have the memory unmapped in between.
 *
 * <p>This is not a {@link ByteBuffer}: a buffer can't be taken back. A program that writes into it after the commit would change bytes that
 * are on their way, and after the close would crash the JVM.
 */
public abstract sealed class StreamClaim implements AutoCloseable permits ReadClaim, WriteClaim {

    static {
        StreamAccess.set(new StreamAccess() {
            @Override
            public void write(OutputStream out, ElementType type, ElementSequence from, int count) throws IOException {
                ((TypedOutput) out).write(type, from, 0, count);
            }

            @Override
            public void readFully(InputStream in, ElementType type, ElementSequence into, int count) throws IOException {
                ((TypedInput) in).readFully(type, into, count);
            }

            @Override
            public int check(AutoCloseable claim, int index, long bytes) {
                return ((StreamClaim) claim).check(index, bytes);
            }

            @Override
            public Buffer view(AutoCloseable claim, ElementType type, int place) {
                StreamClaim its = (StreamClaim) claim;
                return its.views.view(type, its.order, place);
            }
        });
    }

    /** Null while the claim is not open. Only this thread's own reads of it are relied on. */
    private Thread owner;
    /** By what the path shows the memory; null if it is the stream's own. The path clears it before the memory is unmapped. */
    private Claim piece;
    private ElementViews views;
    /** Bytes from the beginning of the memory to the piece. */
    private int offset;
    private int length;
    private ByteOrder order;

    StreamClaim() {
    }

    static void checkSize(int bytes) {
        if (bytes < 1 || bytes > TypedOutput.CLAIM_MAX) {
            throw new IllegalArgumentException("a claim of " + bytes + " bytes: 1 to " + TypedOutput.CLAIM_MAX + " are allowed");
        }
    }

    static void checkSizes(int least, int most) {
        checkSize(least);
        if (most < least || most > TypedOutput.CLAIM_MAX) {
            throw new IllegalArgumentException("a claim of " + least + " to " + most + " bytes: the most may be " + least + " to "
                    + TypedOutput.CLAIM_MAX);
        }
    }

    /** @param shown by what the path shows the memory; null if it is the stream's own */
    final void open(Claim shown, ElementViews memory, int at, int bytes, ByteOrder byteOrder) {
        piece = shown;
        views = memory;
        offset = at;
        length = bytes;
        order = byteOrder;
        owner = Thread.currentThread();
    }

    /** From here on the memory is not the program's. */
    final void shut() {
        owner = null;
        views = null;
    }

    /** Whether the calling thread has this claim open. */
    final boolean isOpen() {
        return owner == Thread.currentThread();
    }

    /** @throws IllegalStateException if the caller has not this claim open */
    final void checkOpen() {
        Thread now = owner;
        if (now != Thread.currentThread()) {
            throw new IllegalStateException(now == null ? "the claim is not open: it has ended, by a commit, a release or a close"
                    : "the claim is another thread's: " + now.getName());
        }
    }

    /** @return where in the memory that index is */
    private int check(int index, long bytes) {
        checkOpen();
        if (isTakenBack()) {
            throw new IllegalStateException("the claim's memory is taken back: the socket was closed, or other bytes went");
        }
        if (index < 0 || index > length - bytes) {
            throw new IndexOutOfBoundsException("index " + index + ": " + bytes + " bytes there are not within the " + length
                    + " bytes of the claim");
        }
        return offset + index;
    }

    final int checkCount(int bytes, int least) {
        checkOpen();
        if (bytes < least || bytes > length) {
            throw new IllegalArgumentException(bytes + " bytes of a claim: " + least + " to " + length + " are allowed");
        }
        return bytes;
    }

    /** The bytes of the claim. */
    public final int length() {
        checkOpen();
        return length;
    }

    /** The order of the elements. */
    public final ByteOrder order() {
        checkOpen();
        return order;
    }

    /** Whether the path has taken its memory back. */
    final boolean isTakenBack() {
        return piece != null && piece.memory() == null;
    }

    /** Whether the memory is the fast path's own, so that its bytes are not copied. For measurements and tests. */
    public final boolean isInPlace() {
        return piece != null;
    }

    private boolean swaps() {
        return order != ByteOrder.nativeOrder();
    }

    /**
     * Each access to the memory ends with this call (LEASE-3). The memory is unmapped by a close, which {@link #check} has noticed if it
     * was this thread's, and which waits for the lock if it is another thread's. It is also unmapped by the collector's cleaner, which
     * takes no lock, when nothing refers to the path any more. A program may drop the socket and the claim after its last call, without a
     * commit. From the moment that such a call has read {@code views} it does not need this object. So the collector may take it for
     * garbage, and all it refers to: the stream, the socket, the connection and its path. A buffer over the memory does not prevent that,
     * because the JVM does not know that the path has mapped it.
     */
    private void staysReachable() {
        Reference.reachabilityFence(this);
    }

    final void putElements(ElementType type, int index, Object from, int at, int count) {
        int where = check(index, (long) count * type.bytes());
        views.put(type, order, where, from, at, count);
        staysReachable();
    }

    final void getElements(ElementType type, int index, Object into, int at, int count) {
        int where = check(index, (long) count * type.bytes());
        views.get(type, order, where, into, at, count);
        staysReachable();
    }

    final void put1(int index, byte value) {
        int where = check(index, 1);
        views.memory().put(where, value);
        staysReachable();
    }

    final void put2(int index, short value) {
        int where = check(index, Short.BYTES);
        views.memory().putShort(where, swaps() ? Short.reverseBytes(value) : value);
        staysReachable();
    }

    final void put4(int index, int value) {
        int where = check(index, Integer.BYTES);
        views.memory().putInt(where, swaps() ? Integer.reverseBytes(value) : value);
        staysReachable();
    }

    final void put8(int index, long value) {
        int where = check(index, Long.BYTES);
        views.memory().putLong(where, swaps() ? Long.reverseBytes(value) : value);
        staysReachable();
    }

    final byte get1(int index) {
        int where = check(index, 1);
        byte value = views.memory().get(where);
        staysReachable();
        return value;
    }

    final short get2(int index) {
        int where = check(index, Short.BYTES);
        short value = views.memory().getShort(where);
        staysReachable();
        return swaps() ? Short.reverseBytes(value) : value;
    }

    final int get4(int index) {
        int where = check(index, Integer.BYTES);
        int value = views.memory().getInt(where);
        staysReachable();
        return swaps() ? Integer.reverseBytes(value) : value;
    }

    final long get8(int index) {
        int where = check(index, Long.BYTES);
        long value = views.memory().getLong(where);
        staysReachable();
        return swaps() ? Long.reverseBytes(value) : value;
    }

    @Override
    public abstract void close();
}

package jfs.streams;

import java.io.EOFException;
import java.io.IOException;
import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Locale;
import jfs.memory.ElementType;
import jfs.memory.ElementViews;
import jfs.spi.Claim;

/**
 * What a {@link TypedInput} does for all types: it copies elements from where the source shows their bytes. An element whose bytes do not
 * lie in one piece is put together in the staging memory first. Bytes there that the program has not got yet are <em>pending</em>.
 */
final class ElementReader {

    private final Source source;
    // Guarded by the source's lock.
    private final Claim piece = new Claim();
    private final ReadClaim claim = new ReadClaim(this);
    private final byte[] one = new byte[1];
    /** Null until the mark has come. */
    private ByteOrder order;
    private final PathViews inPlace = new PathViews();
    private ElementViews staged;
    /** Whether bytes may be taken that were not asked for. */
    private boolean readsAhead;
    /** The pending bytes in the staging memory. */
    private int pendingFrom;
    private int pendingTo;

    /** @param order null for a stream that begins with the mark */
    ElementReader(Source source, ByteOrder order) {
        this.source = source;
        this.order = order;
    }

    Source source() {
        return source;
    }

    /** @see TypedInput#readAhead */
    void readAhead(boolean on) throws IOException {
        lock();
        readsAhead = on;
        source.unlock();
    }

    int readByte() throws IOException {
        lock();
        try {
            int n = readBytesLocked(one, 0, 1);
            return n < 0 ? -1 : one[0] & 0xff;
        } finally {
            source.unlock();
        }
    }

    /** @param length above 0 */
    int readBytes(byte[] into, int offset, int length) throws IOException {
        lock();
        try {
            return readBytesLocked(into, offset, length);
        } finally {
            source.unlock();
        }
    }

    private int readBytesLocked(byte[] into, int offset, int length) throws IOException {
        if (pendingTo == pendingFrom) {
            if (!readsAhead || length > TypedOutput.SMALL) {
                return source.read(into, offset, length);
            }
            if (fill(staged(TypedOutput.STAGING), length, false) < 0) {
                return -1;
            }
        }
        return take(ElementType.BYTE, into, offset, length);
    }

    /** A number that may be out of date soon if another thread reads. */
    int available() throws IOException {
        return source.available() + Math.max(0, pendingTo - pendingFrom);
    }

    int read(ElementType type, Object into, int index, int count) throws IOException {
        if (count == 0) {
            return 0;
        }
        lock();
        try {
            return readLocked(type, into, index, count, 0);
        } finally {
            piece.clear();
            source.unlock();
        }
    }

    /** The position of a buffer moves by the number of elements that were stored, also if this throws. */
    void readFully(ElementType type, Object into, int index, int count) throws IOException {
        if (count == 0) {
            return;
        }
        lock();
        int done = 0;
        try {
            while (done < count) {
                int n = readLocked(type, into, index + done, count - done, done);
                if (n < 0) {
                    throw new EOFException("the stream ended after " + done + " of " + count + " elements of type " + name(type));
                }
                done += n;
            }
        } finally {
            if (into instanceof Buffer buffer) {
                buffer.position(index + done);
            }
            piece.clear();
            source.unlock();
        }
    }

    private static String name(ElementType type) {
        return type.name().toLowerCase(Locale.ROOT);
    }

    /** Waits until no other thread reads. The caller unlocks the source. */
    private void lock() throws IOException {
        source.lock();
        if (claim.isOpen()) {
            source.unlock();
            throw new IllegalStateException("a claim on this stream is open: release or close it first");
        }
    }

    /**
     * @param before the elements that the program's call has stored already
     * @return the number of elements, above 0, or -1 at the end
     */
    private int readLocked(ElementType type, Object into, int index, int count, int before) throws IOException {
        int size = type.bytes();
        if (size > 1 && !readMark()) {
            return -1;
        }
        if (pendingTo == pendingFrom) {
            int wanted = (int) Math.min((long) count * size, TypedOutput.STAGING / size * size);
            int n = fill(staged(TypedOutput.STAGING), wanted, wanted > TypedOutput.SMALL);
            if (n < 0) {
                return -1;
            }
            if (piece.memory() != null && n >= size) {
                int whole = Math.min(count, n / size);
                inPlace.of(piece.memory()).get(type, order, piece.offset(), into, index, whole);
                source.release(whole * size);
                return whole;
            }
        }
        if (!gather(size)) {
            throw new EOFException("the stream ended after " + (pendingTo - pendingFrom) + " of the " + size
                    + " bytes of an element of type " + name(type) + ", after " + before + " elements of this call");
        }
        return take(type, into, index, count);
    }

    /**
     * Waits for bytes while none are pending. They become pending, or {@link #piece} shows them where they lie.
     *
     * @param mayShow whether they may stay where they lie
     * @return the number of bytes, -1 at the end
     */
    private int fill(ElementViews views, int wanted, boolean mayShow) throws IOException {
        piece.clear();
        int most = readsAhead ? views.memory().capacity() : wanted;
        int n = mayShow ? source.peek(piece, views.memory(), 0, most) : source.take(views.memory(), 0, most);
        boolean isPending = n > 0 && piece.memory() == null;
        pendingFrom = 0;
        pendingTo = isPending ? n : 0;
        return n;
    }

    /** Takes pending elements, at least one of which is there. */
    private int take(ElementType type, Object into, int index, int count) {
        int n = Math.min(count, (pendingTo - pendingFrom) / type.bytes());
        staged.get(type, order, pendingFrom, into, index, n);
        pendingFrom += n * type.bytes();
        return n;
    }

    /** Waits until so many bytes are pending. @return false if the stream ends before; those that have come stay pending */
    private boolean gather(int bytes) throws IOException {
        ElementViews views = roomFor(bytes, bytes);
        while (pendingTo - pendingFrom < bytes) {
            int wanted = readsAhead ? views.memory().capacity() - pendingTo : bytes - (pendingTo - pendingFrom);
            if (!added(source.take(views.memory(), pendingTo, wanted))) {
                return false;
            }
        }
        return true;
    }

    /**
     * The same for a claim. Of bytes that the path shows it takes no more than needed, so that the others can be claimed in place next. Of
     * a source that shows none it takes as many as have come.
     *
     * @param most of the bytes that are pending then, unless the stream may read ahead
     */
    private boolean gather(int least, int most) throws IOException {
        ElementViews views = roomFor(least, most);
        while (pendingTo - pendingFrom < least) {
            int room = views.memory().capacity() - pendingTo;
            int missing = least - (pendingTo - pendingFrom);
            int n = source.peek(piece, views.memory(), pendingTo, readsAhead ? room : Math.min(room, most - (pendingTo - pendingFrom)));
            if (piece.memory() != null) {
                piece.clear();
                n = source.take(views.memory(), pendingTo, missing);
            }
            if (!added(n)) {
                return false;
            }
        }
        return true;
    }

    private boolean added(int bytes) {
        pendingTo += Math.max(bytes, 0);
        return bytes >= 0;
    }

    /**
     * Memory with room for that many bytes from the first pending one on, and for {@code most} as far as it is that long anyway. Pending
     * bytes that are enough are not moved.
     */
    private ElementViews roomFor(int bytes, int most) {
        ElementViews views = staged(bytes);
        int pending = pendingTo - pendingFrom;
        if (pending == 0) {
            pendingFrom = 0;
            pendingTo = 0;
        } else if (pending < bytes && pendingFrom > views.memory().capacity() - most) {
            views.memory().put(0, views.memory().duplicate(), pendingFrom, pendingTo - pendingFrom);
            pendingTo -= pendingFrom;
            pendingFrom = 0;
        }
        return views;
    }

    /** @return false if the stream ends before the mark */
    private boolean readMark() throws IOException {
        if (order != null) {
            return true;
        }
        if (!gather(OrderMark.BYTES)) {
            if (pendingTo == pendingFrom) {
                return false;
            }
            throw new EOFException("the stream ended inside the mark that tells its byte order");
        }
        order = OrderMark.order(staged.memory().getLong(pendingFrom));
        pendingFrom += OrderMark.BYTES;
        return true;
    }

    /** Memory of at least that size. Pending bytes stay where they are. */
    private ElementViews staged(int bytes) {
        if (staged == null || staged.memory().capacity() < bytes) {
            ByteBuffer next = Half.newStaging(Math.max(bytes, TypedOutput.STAGING));
            if (staged != null) {
                next.put(pendingFrom, staged.memory(), pendingFrom, pendingTo - pendingFrom);
            }
            staged = new ElementViews(next);
        }
        return staged;
    }

    // Bytes that the program takes from where they are.

    /**
     * @param wanted the bytes to take from a source that shows none, if they have come; from {@code least} on
     * @param most the longest claim
     * @param ofElements whether the byte order has to be known, so that the mark must have come
     * @see TypedInput#claim(int, int)
     */
    ReadClaim claim(int least, int wanted, int most, boolean ofElements) throws IOException {
        lock();
        boolean opened = false;
        try {
            opened = (!ofElements || readMark()) && open(least, wanted, most, order == null ? ByteOrder.nativeOrder() : order);
        } finally {
            if (!opened) {
                source.unlock();
            }
        }
        return opened ? claim : null;
    }

    private boolean open(int least, int wanted, int most, ByteOrder seen) throws IOException {
        if (pendingTo == pendingFrom) {
            ElementViews views = staged(least);
            int n = fill(views, Math.min(wanted, views.memory().capacity()), true);
            if (n < 0) {
                return false;
            }
            if (piece.memory() != null && n >= least) {
                claim.open(piece, inPlace.of(piece.memory()), piece.offset(), Math.min(n, most), seen);
                return true;
            }
        }
        if (!gather(least, wanted)) {
            throw new EOFException("the stream ended after " + (pendingTo - pendingFrom) + " of " + least + " claimed bytes");
        }
        claim.open(null, staged, pendingFrom, Math.min(pendingTo - pendingFrom, most), seen);
        return true;
    }

    /** Ends the claim. @param bytes that the program has read */
    void end(int bytes) throws IOException {
        try {
            if (bytes > 0 && claim.isTakenBack() && !source.isClosed()) {
                throw new IllegalStateException("other bytes that were read, or another claim, have ended the claim");
            } else if (!claim.isInPlace()) {
                pendingFrom += bytes;
            } else if (bytes > 0) {
                source.release(bytes);
            }
        } finally {
            piece.clear();
            if (pendingFrom == pendingTo && staged != null && staged.memory().capacity() > TypedOutput.STAGING) {
                staged = null;
                pendingFrom = 0;
                pendingTo = 0;
            }
            source.unlock();
        }
    }
}

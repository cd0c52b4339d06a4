package jfs.buffers;

import static jfs.buffers.elements.Elements.Memory.ANY;
import static jfs.buffers.elements.Elements.Memory.STABLE;

import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.util.Arrays;
import jfs.buffers.elements.Elements;
import jfs.buffers.pool.BuddyPool;
import jfs.buffers.pool.BufferPool;
import jfs.buffers.pool.PooledBuffer;

/** The direct memory of a message, with its views of each type in each byte order. A view is made when it is needed first, and kept. */
final class MessageMemory {

    private static final int TYPES = 9;

    /** Null: memory that the garbage collector frees. */
    private final BufferPool pool;
    /** No pool, and JFS's pools, give memory that stays. A program's own pool may give any (BLOCKS-1). */
    private final Elements.Memory kind;
    private PooledBuffer piece;
    /** In each byte order. */
    private final ByteBuffer[] bytes = new ByteBuffer[2];
    /** By byte order and type. */
    private final Buffer[] views = new Buffer[2 * TYPES];
    /** The memory once more, whose position and limit change. */
    private ByteBuffer forTransfer;
    private int capacity;

    /** @param capacity a multiple of 8 */
    MessageMemory(int capacity, BufferPool pool) {
        this.pool = pool;
        this.kind = pool == null || pool instanceof BuddyPool ? STABLE : ANY;
        use(allocate(capacity), capacity);
    }

    private PooledBuffer allocate(int capacity) {
        return pool == null ? new Unpooled(ByteBuffer.allocateDirect(capacity)) : pool.allocate(capacity);
    }

    private void use(PooledBuffer next, int capacity) {
        piece = next;
        this.capacity = capacity;
        for (int order = 0; order < bytes.length; order++) {
            bytes[order] = next.memory().duplicate().clear().limit(capacity).order(MessageFormat.order(order));
        }
        forTransfer = bytes[MessageFormat.BIG].duplicate();
        Arrays.fill(views, null);
    }

    /** Memory that is no pool's. */
    private record Unpooled(ByteBuffer memory) implements PooledBuffer {

        @Override
        public void close() {
            // the garbage collector frees it
        }
    }

    int capacity() {
        return capacity;
    }

    /**
     * Takes more memory, with the bytes so far in it, and gives the old one back.
     *
     * @param capacity the new capacity, a multiple of 8
     * @param used the bytes that are kept
     */
    void grow(int capacity, int used) {
        PooledBuffer old = piece;
        ByteBuffer oldBytes = bytes[MessageFormat.BIG];
        PooledBuffer next = allocate(capacity);
        use(next, capacity);
        bytes[MessageFormat.BIG].put(0, oldBytes, 0, used);
        old.close();
    }

    /** The bytes, from 0 to the capacity. @param order {@link MessageFormat#BIG} or {@link MessageFormat#LITTLE} */
    ByteBuffer bytes(int order) {
        return bytes[order];
    }

    /** The bytes in each byte order, big-endian first. */
    ByteBuffer[] inBothOrders() {
        return bytes;
    }

    /** What copies elements between arrays and this memory. */
    <A> Elements<A> elements(BasicType<A> type) {
        return type.elements(kind);
    }

    /** All bytes as elements of a type. */
    Buffer view(BasicType<?> type, int order) {
        int i = order * TYPES + type.code() - 1;
        Buffer view = views[i];
        if (view == null) {
            view = type.elements().view(bytes[order]);
            views[i] = view;
        }
        return view;
    }

    /** A part of the bytes, for one read or write of a channel. The same object for each call. */
    ByteBuffer part(int from, int to) {
        return forTransfer.clear().limit(to).position(from);
    }

    /** Gives the memory back. */
    void free() {
        Arrays.fill(bytes, null);
        Arrays.fill(views, null);
        forTransfer = null;
        piece.close();
    }
}

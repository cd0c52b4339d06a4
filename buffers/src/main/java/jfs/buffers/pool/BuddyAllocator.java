package jfs.buffers.pool;

import java.nio.ByteBuffer;

/**
 * Knuth's buddy algorithm over slabs of direct memory. A slab has {@code 1 << slabOrder} bytes. It is one free block at first. A block of
 * order k can be split into two blocks of order k - 1, which are buddies. When both are free they become one block again:
 *
 * <pre>
 *   order 4   |               A               |
 *   order 3   |       A       |       b       |      A is split, b is free
 *   order 2   |   A   |   b   |       b       |      A is split once more, and given to a caller
 * </pre>
 *
 * <p>Not thread safe: {@link BuddyPool} calls it under its lock.
 *
 * <p>A slab that is not needed any more is left to the garbage collector. It is not freed at once, because a program may still hold a
 * {@link ByteBuffer} of it, and an access to freed memory would end the JVM. The program's buffer keeps the whole slab alive.
 */
abstract class BuddyAllocator {

    /** A slab begins at a multiple of so many bytes. */
    private static final int ALIGNMENT = 64;

    final int smallestOrder;
    final int slabOrder;
    /** Whether free memory has {@link Pattern}. */
    final boolean patterned;
    private int slabs;

    BuddyAllocator(int smallestOrder, int slabOrder, boolean patterned) {
        this.smallestOrder = smallestOrder;
        this.slabOrder = slabOrder;
        this.patterned = patterned;
    }

    /** Bytes of a block that its owner can't use. */
    abstract int overhead();

    /** @return a block of that order, at most {@link #slabOrder}; null if no slab has one */
    abstract Block allocate(int order);

    /** Takes a block back. Gives its slab up if it is free as a whole and there is another such slab. */
    abstract void free(Block block);

    /** Adds a slab. */
    abstract void addSlab();

    /** Gives up all slabs that are free as a whole. */
    abstract void dropFreeSlabs();

    /** Bytes that are in free blocks. For tests: it visits all free blocks. */
    abstract long freeBytes();

    /** Free blocks of that order. For tests: it visits them all. */
    abstract int freeBlocks(int order);

    /** The least order of a block with room for so many bytes; more than {@link #slabOrder} if no slab has room. */
    final int order(int bytes) {
        long least = (long) bytes + overhead();
        return Math.max(smallestOrder, Long.SIZE - Long.numberOfLeadingZeros(least - 1));
    }

    final int slabs() {
        return slabs;
    }

    /** @return memory for a new slab */
    final ByteBuffer newSlab() {
        ByteBuffer slab = ByteBuffer.allocateDirect((1 << slabOrder) + ALIGNMENT).alignedSlice(ALIGNMENT).slice(0, 1 << slabOrder);
        if (patterned) {
            Pattern.fill(slab, 0, slab.capacity());
        }
        slabs++;
        return slab;
    }

    final void slabDropped() {
        slabs--;
    }
}

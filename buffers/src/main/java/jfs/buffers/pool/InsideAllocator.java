package jfs.buffers.pool;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * The buddy allocator whose bookkeeping is inside the slabs: each block begins with a header. This is the scheme that Baker, Carpenter and
 * Shafi ("A Buffering Layer to Support Derived Types and Proprietary Networks for Java HPC", section 2.3.2) call Buddy1: a request for s
 * bytes takes a block for s bytes and the header, one set of lists holds the free blocks of all slabs, and no object stays for a block. So
 * it keeps almost nothing on the heap, but makes a {@link ByteBuffer} for each allocation, and a request for a power of two takes a block
 * of twice that size.
 *
 * <pre>
 *   byte 0   int   0x4A464200, and in the low byte the order; and bit 7 of it if the block is free
 *        4   int   the next free block of this order: its number, or -1        \  0 if the
 *        8   int   the previous one                                            /  block is not free
 *       12   int   the exclusive or of the three before and of a constant
 *       16         what the owner gets
 * </pre>
 *
 * A block's number is that of its slab times the smallest blocks of a slab, and that of the smallest block at which it begins.
 *
 * <p>An owner can't reach the header: what it gets is a slice, and Java checks each access to it. Native code that is given the address
 * could. An owner that writes <em>after its close</em> can destroy headers that have come to lie in its former block since. A header that
 * is not intact is an {@link IllegalStateException}; the pool can't be used any more then.
 */
final class InsideAllocator extends BuddyAllocator {

    static final int HEADER = 16;
    private static final int TAG = 0x4A46_4200;
    private static final int FREE = 0x80;
    private static final int NEXT = 4;
    private static final int PREVIOUS = 8;
    private static final int CHECK = 12;
    private static final int CHECKED = 0x5BD1_E995;
    private static final int NONE = -1;

    /** A block that an owner has. */
    private static final class Owned extends Block {
        final int number;

        Owned(int number, int order, ByteBuffer memory) {
            super(order, memory);
            this.number = number;
        }
    }

    /** How many smallest blocks a slab has is a power of two, this one. */
    private final int unitsOrder;
    /** By number; null where a slab was given up. */
    private ByteBuffer[] slabs = new ByteBuffer[4];
    /** The first free block of each order. */
    private final int[] heads;
    /** Bit k is set if there is a free block of order k. */
    private int freeOrders;

    InsideAllocator(int smallestOrder, int slabOrder, boolean patterned) {
        super(smallestOrder, slabOrder, patterned);
        unitsOrder = slabOrder - smallestOrder;
        heads = new int[slabOrder + 1];
        Arrays.fill(heads, NONE);
    }

    @Override
    int overhead() {
        return HEADER;
    }

    @Override
    Block allocate(int order) {
        int orders = freeOrders >>> order;
        if (orders == 0) {
            return null;
        }
        int size = order + Integer.numberOfTrailingZeros(orders);
        int number = heads[size];
        remove(number, size);
        while (size > order) {
            size--;
            push(number + (1 << size - smallestOrder), size);
        }
        put(number, TAG | order, 0, 0);
        return new Owned(number, order, slab(number).slice(offset(number) + HEADER, (1 << order) - HEADER));
    }

    @Override
    void free(Block block) {
        int number = ((Owned) block).number;
        int order = block.order;
        expect(number, TAG | order);
        for (; order < slabOrder; order++) {
            int buddy = number ^ 1 << order - smallestOrder;
            if (tag(buddy) != (TAG | FREE | order)) {
                break;
            }
            remove(buddy, order);
            int right = Math.max(number, buddy);
            if (patterned) {
                Pattern.fill(slab(right), offset(right), HEADER);
            }
            number = Math.min(number, buddy);
        }
        if (order == slabOrder && heads[slabOrder] != NONE) {
            drop(number);
        } else {
            push(number, order);
        }
    }

    @Override
    void addSlab() {
        int at = 0;
        while (at < slabs.length && slabs[at] != null) {
            at++;
        }
        if (at >= 1L << Integer.SIZE - 1 - unitsOrder) {
            throw new IllegalStateException("jfs: a pool has " + at + " slabs; it can't have more");
        }
        ByteBuffer slab = newSlab().order(ByteOrder.nativeOrder());
        if (at == slabs.length) {
            slabs = Arrays.copyOf(slabs, 2 * at);
        }
        slabs[at] = slab;
        push(at << unitsOrder, slabOrder);
    }

    @Override
    void dropFreeSlabs() {
        while (heads[slabOrder] != NONE) {
            int number = heads[slabOrder];
            remove(number, slabOrder);
            drop(number);
        }
    }

    private void drop(int number) {
        slabs[number >> unitsOrder] = null;
        slabDropped();
    }

    private void push(int number, int order) {
        int head = heads[order];
        put(number, TAG | FREE | order, head, NONE);
        if (head != NONE) {
            expect(head, TAG | FREE | order);
            put(head, TAG | FREE | order, link(head, NEXT), number);
        }
        heads[order] = number;
        freeOrders |= 1 << order;
    }

    private void remove(int number, int order) {
        int tag = TAG | FREE | order;
        expect(number, tag);
        int next = link(number, NEXT);
        int previous = link(number, PREVIOUS);
        if (previous != NONE) {
            expect(previous, tag);
            put(previous, tag, next, link(previous, PREVIOUS));
        } else {
            heads[order] = next;
            if (next == NONE) {
                freeOrders &= ~(1 << order);
            }
        }
        if (next != NONE) {
            expect(next, tag);
            put(next, tag, link(next, NEXT), previous);
        }
    }

    private ByteBuffer slab(int number) {
        return slabs[number >> unitsOrder];
    }

    private int offset(int number) {
        return (number & (1 << unitsOrder) - 1) << smallestOrder;
    }

    private int tag(int number) {
        return slab(number).getInt(offset(number));
    }

    private int link(int number, int which) {
        return slab(number).getInt(offset(number) + which);
    }

    private void put(int number, int tag, int next, int previous) {
        ByteBuffer slab = slab(number);
        int offset = offset(number);
        slab.putInt(offset, tag);
        slab.putInt(offset + NEXT, next);
        slab.putInt(offset + PREVIOUS, previous);
        slab.putInt(offset + CHECK, tag ^ next ^ previous ^ CHECKED);
    }

    /** Throws an exception if the block does not have this tag or its header is not intact. */
    private void expect(int number, int tag) {
        ByteBuffer slab = slab(number);
        int offset = offset(number);
        if (slab.getInt(offset) != tag
                || slab.getInt(offset + CHECK) != (tag ^ slab.getInt(offset + NEXT) ^ slab.getInt(offset + PREVIOUS) ^ CHECKED)) {
            throw new IllegalStateException(String.format("jfs: the header at byte %d of slab %d is not that of a block with the tag %08x;"
                    + " the program has written into memory after it closed it, or a block was freed twice", offset, number >> unitsOrder,
                    tag));
        }
    }

    @Override
    long freeBytes() {
        long bytes = 0;
        for (int order = smallestOrder; order <= slabOrder; order++) {
            bytes += (long) freeBlocks(order) << order;
        }
        return bytes;
    }

    @Override
    int freeBlocks(int order) {
        int blocks = 0;
        for (int number = heads[order]; number != NONE; number = link(number, NEXT)) {
            blocks++;
        }
        return blocks;
    }
}

package jfs.buffers.pool;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Closed blocks that are kept as they are for the next allocations of the same order. There are several magazines for each order, and a
 * thread begins with the one that its number chooses, so threads seldom meet at one. They belong to no thread: blocks are not lost with a
 * thread that ends, and a million virtual threads need no more of them.
 *
 * <p>A magazine is locked for a few instructions, while no other lock is taken, and who finds it locked goes to the next one.
 */
final class Magazines {

    /** Greater blocks are not kept: the splitting and merging that it would save is little beside what is done with so many bytes. */
    static final int LARGEST_ORDER = 16;
    /** The most blocks of a magazine, and the logarithm of the most bytes. */
    private static final int BLOCKS = 16;
    private static final int BYTES_ORDER = 18;
    private static final int MOST_OF_AN_ORDER = 16;
    /** In how many magazines a thread looks. */
    private static final int TRIED = 4;

    /** Some blocks of one order. Its value is 1 while a thread uses it. */
    private static final class Magazine extends AtomicInteger {
        private static final long serialVersionUID = 1;

        private final transient Block[] blocks;
        private int count;
        /** They keep the magazines in separate cache lines. */
        long gap1, gap2, gap3, gap4, gap5, gap6, gap7, gap8;

        Magazine(int order) {
            blocks = new Block[Math.min(BLOCKS, 1 << BYTES_ORDER - order)];
        }

        private boolean tryLock() {
            return get() == 0 && compareAndSet(0, 1);
        }

        private void lock() {
            while (!tryLock()) {
                Thread.onSpinWait();
            }
        }

        private void unlock() {
            setRelease(0);
        }

        /** @return null if there is none, or if another thread uses the magazine */
        Block take() {
            if (count == 0 || !tryLock()) {
                return null;
            }
            Block block = null;
            int last = count - 1;
            if (last >= 0) {
                block = blocks[last];
                blocks[last] = null;
                count = last;
            }
            unlock();
            return block;
        }

        /** @return false if there is no room, or if another thread uses the magazine */
        boolean put(Block block) {
            if (count == blocks.length || !tryLock()) {
                return false;
            }
            int at = count;
            boolean room = at < blocks.length;
            if (room) {
                blocks[at] = block;
                count = at + 1;
            }
            unlock();
            return room;
        }

        void takeAll(List<Block> into) {
            lock();
            while (count > 0) {
                into.add(blocks[--count]);
                blocks[count] = null;
            }
            unlock();
        }

        int count() {
            lock();
            int now = count;
            unlock();
            return now;
        }
    }

    private final int smallestOrder;
    /** How many there are for each order is a power of two, this one. */
    private final int ofAnOrder;
    /** Those of the smallest order, then those of the next one, and so on. */
    private final Magazine[] magazines;

    /** @param slabOrder the order of the greatest blocks that there are */
    Magazines(int smallestOrder, int slabOrder) {
        this.smallestOrder = smallestOrder;
        int most = Math.min(MOST_OF_AN_ORDER, 2 * Integer.highestOneBit(Runtime.getRuntime().availableProcessors()));
        ofAnOrder = Integer.numberOfTrailingZeros(most);
        int orders = Math.max(0, Math.min(LARGEST_ORDER, slabOrder) - smallestOrder + 1);
        magazines = new Magazine[orders << ofAnOrder];
        for (int i = 0; i < magazines.length; i++) {
            magazines[i] = new Magazine(orderOf(i));
        }
    }

    private int orderOf(int magazine) {
        return smallestOrder + (magazine >> ofAnOrder);
    }

    /** The magazine that this thread tries after so many others. */
    private Magazine magazine(int order, int tried) {
        int its = (int) Thread.currentThread().getId() + tried & (1 << ofAnOrder) - 1;
        return magazines[(order - smallestOrder << ofAnOrder) + its];
    }

    /** @return a block of that order, at most {@link #LARGEST_ORDER}; null if none was found */
    Block take(int order) {
        for (int tried = 0; tried < TRIED; tried++) {
            Block block = magazine(order, tried).take();
            if (block != null) {
                return block;
            }
        }
        return null;
    }

    /** Keeps a block of an order of at most {@link #LARGEST_ORDER}. @return false if there is no room */
    boolean put(Block block) {
        for (int tried = 0; tried < TRIED; tried++) {
            if (magazine(block.order, tried).put(block)) {
                return true;
            }
        }
        return false;
    }

    /** @return all blocks, which are not kept any more */
    List<Block> takeAll() {
        List<Block> all = new ArrayList<>();
        for (Magazine magazine : magazines) {
            magazine.takeAll(all);
        }
        return all;
    }

    /** Bytes of the blocks that are kept. */
    long bytes() {
        long bytes = 0;
        for (int i = 0; i < magazines.length; i++) {
            bytes += (long) magazines[i].count() << orderOf(i);
        }
        return bytes;
    }
}

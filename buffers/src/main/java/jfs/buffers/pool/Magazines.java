package jfs.buffers.pool;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Closed blocks that are kept as they are for the next allocations of the same order. There are several magazines, and a thread begins
 * with the one that its number chooses, so threads seldom meet at one. They belong to no thread: blocks are not lost with a thread that
 * ends, and a million virtual threads need no more of them.
 *
 * <p>A magazine is locked for a few instructions, while no other lock is taken, and who finds it locked goes to the next one.
 */
final class Magazines {

    /** Greater blocks are not kept: the splitting and merging that it would save is little beside what is done with so many bytes. */
    static final int LARGEST_ORDER = 16;
    private static final int BLOCKS = 16;
    private static final int BYTES_ORDER = 18;
    private static final int MOST = 16;
    private static final int TRIED = 4;

    /** One magazine; its value is 1 while a thread uses it. */
    private static final class Magazine extends AtomicInteger {
        private static final long serialVersionUID = 1;

        private final transient Block[][] blocks;
        private final int[] counts;
        private final int smallestOrder;
        /** They keep the magazines in separate cache lines. */
        long gap1, gap2, gap3, gap4, gap5, gap6, gap7, gap8;

        Magazine(int smallestOrder, int largestOrder) {
            this.smallestOrder = smallestOrder;
            int orders = Math.max(0, largestOrder - smallestOrder + 1);
            blocks = new Block[orders][];
            counts = new int[orders];
            for (int i = 0; i < orders; i++) {
                blocks[i] = new Block[Math.min(BLOCKS, 1 << BYTES_ORDER - smallestOrder - i)];
            }
        }

        boolean tryLock() {
            return get() == 0 && compareAndSet(0, 1);
        }

        void unlock() {
            setRelease(0);
        }

        Block take(int order) {
            int of = order - smallestOrder;
            if (counts[of] == 0 || !tryLock()) {
                return null;
            }
            Block block = null;
            int count = counts[of];
            if (count > 0) {
                block = blocks[of][--count];
                blocks[of][count] = null;
                counts[of] = count;
            }
            unlock();
            return block;
        }

        boolean put(Block block) {
            int of = block.order - smallestOrder;
            if (counts[of] == blocks[of].length || !tryLock()) {
                return false;
            }
            int count = counts[of];
            boolean room = count < blocks[of].length;
            if (room) {
                blocks[of][count] = block;
                counts[of] = count + 1;
            }
            unlock();
            return room;
        }

        void takeAll(List<Block> into) {
            while (!tryLock()) {
                Thread.onSpinWait();
            }
            for (int i = 0; i < counts.length; i++) {
                for (int k = 0; k < counts[i]; k++) {
                    into.add(blocks[i][k]);
                    blocks[i][k] = null;
                }
                counts[i] = 0;
            }
            unlock();
        }

        long bytes() {
            while (!tryLock()) {
                Thread.onSpinWait();
            }
            long bytes = 0;
            for (int i = 0; i < counts.length; i++) {
                bytes += (long) counts[i] << smallestOrder + i;
            }
            unlock();
            return bytes;
        }
    }

    private final Magazine[] magazines;
    private final int mask;

    /** @param slabOrder the order of the greatest blocks that there are */
    Magazines(int smallestOrder, int slabOrder) {
        int count = Math.min(MOST, 2 * Integer.highestOneBit(Runtime.getRuntime().availableProcessors()));
        magazines = new Magazine[count];
        for (int i = 0; i < count; i++) {
            magazines[i] = new Magazine(smallestOrder, Math.min(LARGEST_ORDER, slabOrder));
        }
        mask = count - 1;
    }

    /** @return a block of that order, at most {@link #LARGEST_ORDER}; null if none was found */
    Block take(int order) {
        int first = first();
        for (int i = 0; i < TRIED; i++) {
            Block block = magazines[first + i & mask].take(order);
            if (block != null) {
                return block;
            }
        }
        return null;
    }

    /** Keeps a block of an order of at most {@link #LARGEST_ORDER}. @return false if there is no room */
    boolean put(Block block) {
        int first = first();
        for (int i = 0; i < TRIED; i++) {
            if (magazines[first + i & mask].put(block)) {
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
        for (Magazine magazine : magazines) {
            bytes += magazine.bytes();
        }
        return bytes;
    }

    private static int first() {
        return (int) Thread.currentThread().getId();
    }
}

package jfs.buffers.pool;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A pool over slabs of direct memory, which it divides into blocks by the buddy algorithm. A request gets the least block that has room for
 * it; sizes of blocks are powers of two. The pool takes another slab when it has no such block. A request that no slab can serve gets
 * memory of its own, which is given up at its close.
 *
 * <p>Any thread may call any method. Closed blocks of up to 64 KB wait in magazines for the next request of their size, without a common
 * lock. All else is done under one lock. A call that needs a new slab makes it under this lock, which takes milliseconds for a slab of
 * some megabytes, since the JVM sets it to zero.
 *
 * <p>A slab that is free as a whole is given up if there is another such slab. The JVM frees its memory at one of the next garbage
 * collections, because only then it is sure that no program still has a {@link ByteBuffer} of it.
 */
public final class BuddyPool implements BufferPool {

    static final int DEBUG_MOST = 2;
    private static final int LEAKS = 1;
    private static final int LATE_WRITES = 2;

    /** Where a pool keeps what it knows of its blocks. */
    public enum Bookkeeping {
        /** In objects beside the slabs. A request for a power of two wastes nothing. */
        OUTSIDE,
        /**
         * In a header of 16 bytes in each block. A pool needs less of the heap, but a request for a power of two takes a block of twice
         * that size, and an owner that writes to its memory after its close can destroy the headers of others.
         */
        INSIDE
    }

    /** How a pool is to be. Not thread safe. Each method returns this builder. */
    public static final class Builder {
        private static final int LEAST_ORDER = 6;
        private static final int MOST_ORDER = 30;

        private String name = "unnamed";
        private Bookkeeping bookkeeping = Bookkeeping.OUTSIDE;
        private int slabOrder = 23;
        private int smallestOrder = 8;
        /** 0: the default. */
        private long limit;
        private boolean magazines = true;
        private int debug;

        private Builder() {
        }

        /** What messages call the pool. */
        public Builder name(String name) {
            this.name = name;
            return this;
        }

        /** Where the pool keeps what it knows of its blocks; the default is {@link Bookkeeping#OUTSIDE}. */
        public Builder bookkeeping(Bookkeeping bookkeeping) {
            this.bookkeeping = bookkeeping;
            return this;
        }

        /** Bytes of a slab: a power of two from 64 to 1 GB; the default is 8 MB. */
        public Builder slab(int bytes) {
            slabOrder = order("slab", bytes);
            return this;
        }

        /** Bytes of the smallest block: a power of two from 64 on; the default is 256. */
        public Builder smallest(int bytes) {
            smallestOrder = order("smallest", bytes);
            return this;
        }

        /**
         * The most bytes that the pool has at a time, in slabs and in memory of its own for great requests. The default is half of the
         * heap's greatest size ({@link Runtime#maxMemory}), which by default is half of what the JVM gives as direct memory. What the pool
         * has given up does not count, though the JVM may not have freed it yet.
         *
         * @throws IllegalArgumentException if it is less than 1
         */
        public Builder limit(long bytes) {
            if (bytes < 1) {
                throw new IllegalArgumentException("jfs: limit(" + bytes + "): allowed is the size of a slab or more");
            }
            limit = bytes;
            return this;
        }

        /** Whether closed blocks wait for the next request of their size before they are merged; the default is yes. */
        public Builder magazines(boolean on) {
            magazines = on;
            return this;
        }

        /**
         * What the pool looks for. 0, the default: no more than a second close. 1: buffers that were never closed. Once the garbage
         * collector finds such a buffer, the pool writes on stderr who has allocated it, once for each place. Its memory stays lost,
         * because the program may still have its {@link ByteBuffer}. A second close tells where the first one was. 2: also writes after the
         * close. The pool fills closed memory with a pattern, and looks at it before the next owner gets it. All of this makes each
         * allocation slower by microseconds, and with 2 by the time to write and to read the memory.
         *
         * @throws IllegalArgumentException if it is not from 0 to 2
         */
        public Builder debug(int level) {
            if (level < 0 || level > DEBUG_MOST) {
                throw new IllegalArgumentException("jfs: debug(" + level + "): allowed is 0 to " + DEBUG_MOST);
            }
            debug = level;
            return this;
        }

        /**
         * Makes the pool. It has no memory before its first allocation.
         *
         * @throws IllegalArgumentException if the smallest block is greater than a slab, or the limit is less
         */
        public BuddyPool build() {
            if (smallestOrder > slabOrder) {
                throw new IllegalArgumentException("jfs: smallest(" + (1 << smallestOrder) + "): allowed is up to the size of a slab, "
                        + (1 << slabOrder));
            }
            if (limit == 0) {
                limit = Math.max(1L << slabOrder, Runtime.getRuntime().maxMemory() / 2);
            }
            if (limit < 1L << slabOrder) {
                throw new IllegalArgumentException("jfs: limit(" + limit + "): allowed is the size of a slab or more, "
                        + (1 << slabOrder));
            }
            return new BuddyPool(this);
        }

        private static int order(String what, int bytes) {
            if (Integer.bitCount(bytes) != 1 || bytes < 1 << LEAST_ORDER || bytes > 1 << MOST_ORDER) {
                throw new IllegalArgumentException("jfs: " + what + "(" + bytes + "): allowed is a power of two from " + (1 << LEAST_ORDER)
                        + " to " + (1 << MOST_ORDER));
            }
            return Integer.numberOfTrailingZeros(bytes);
        }
    }

    private final String name;
    private final long limit;
    private final int slabOrder;
    private final int mostKept;
    private final BuddyAllocator allocator;
    private final Magazines magazines;
    /** null: this is no debugging pool. */
    private final Watch watch;
    private final ReentrantLock lock = new ReentrantLock();
    /** Bytes of the memory that is in no slab. Guarded by the lock, as all below. */
    private long single;
    /** Bytes of the blocks that the allocator has given. */
    private long taken;

    private BuddyPool(Builder how) {
        name = how.name;
        limit = how.limit;
        slabOrder = how.slabOrder;
        boolean patterned = how.debug >= LATE_WRITES;
        allocator = how.bookkeeping == Bookkeeping.OUTSIDE ? new OutsideAllocator(how.smallestOrder, slabOrder, patterned)
                : new InsideAllocator(how.smallestOrder, slabOrder, patterned);
        magazines = new Magazines(how.smallestOrder, slabOrder);
        mostKept = how.magazines ? Math.min(Magazines.LARGEST_ORDER, slabOrder) : Block.NO_ORDER;
        watch = how.debug >= LEAKS ? new Watch(name, patterned) : null;
    }

    /** A builder with the defaults. */
    public static Builder builder() {
        return new Builder();
    }

    /** What messages call the pool. */
    public String name() {
        return name;
    }

    @Override
    public PooledBuffer allocate(int bytes) {
        if (bytes < 1) {
            throw new IllegalArgumentException("jfs: allocate(" + bytes + "): allowed is 1 or more");
        }
        int order = allocator.order(bytes);
        Block block = order <= mostKept ? magazines.take(order) : null;
        if (block == null) {
            block = takeUnderLock(bytes, order);
        }
        PooledBuffer given = watch == null ? new Piece(this, block) : watch.give(this, block, bytes);
        block.memory.clear().limit(bytes).order(ByteOrder.BIG_ENDIAN);
        return given;
    }

    /** Takes a block back, which nobody else has. */
    void release(Block block) {
        if (block.order > mostKept || block.order == Block.NO_ORDER || !magazines.put(block)) {
            lock.lock();
            try {
                free(block);
            } finally {
                lock.unlock();
            }
        }
    }

    private Block takeUnderLock(int bytes, int order) {
        lock.lock();
        try {
            if (order > slabOrder) {
                return takeSingle(bytes);
            }
            Block block = allocator.allocate(order);
            if (block == null && !hasRoomFor(1L << slabOrder)) {
                emptyMagazines();
                block = allocator.allocate(order);
                if (block == null) {
                    throw exhausted(bytes);
                }
            }
            if (block == null) {
                block = takeOfNewSlab(order);
            }
            taken += 1L << order;
            return block;
        } finally {
            lock.unlock();
        }
    }

    private Block takeOfNewSlab(int order) {
        try {
            allocator.addSlab();
        } catch (OutOfMemoryError e) { // of the JVM's direct memory, of which others have a part
            emptyMagazines();
            Block block = allocator.allocate(order);
            if (block == null) { // so no slab is free as a whole, and nothing can be given up
                throw e;
            }
            return block;
        }
        return allocator.allocate(order);
    }

    private Block takeSingle(int bytes) {
        if (!hasRoomFor(bytes)) {
            emptyMagazines();
            allocator.dropFreeSlabs();
            if (!hasRoomFor(bytes)) {
                throw exhausted(bytes);
            }
        }
        Block block = new Block(Block.NO_ORDER, directMemory(bytes));
        single += bytes;
        return block;
    }

    private ByteBuffer directMemory(int bytes) {
        try {
            return ByteBuffer.allocateDirect(bytes);
        } catch (OutOfMemoryError e) {
            emptyMagazines();
            allocator.dropFreeSlabs();
            return ByteBuffer.allocateDirect(bytes); // it waits for the garbage collector to free the slabs
        }
    }

    private void free(Block block) {
        if (block.order == Block.NO_ORDER) {
            single -= block.memory.capacity();
        } else {
            allocator.free(block);
            taken -= 1L << block.order;
        }
    }

    private void emptyMagazines() {
        magazines.takeAll().forEach(this::free);
    }

    private boolean hasRoomFor(long bytes) {
        return slabBytes() + single + bytes <= limit;
    }

    private long slabBytes() {
        return (long) allocator.slabs() << slabOrder;
    }

    private PoolExhaustedException exhausted(int bytes) {
        return new PoolExhaustedException("jfs: allocate(" + bytes + ") on the pool " + name + ", which has " + allocator.slabs()
                + " slabs of " + (1 << slabOrder) + " bytes and " + single + " bytes in memory of its own, of which " + (taken + single)
                + " bytes are in use, in blocks; its limit is " + limit + " bytes");
    }

    /** Gives up all that the pool has and nobody uses: the blocks in the magazines are merged, and free slabs are left to the JVM. */
    public void trim() {
        lock.lock();
        try {
            emptyMagazines();
            allocator.dropFreeSlabs();
        } finally {
            lock.unlock();
        }
    }

    /** The bytes that the pool has: its slabs, and memory of its own for great requests. */
    public long reserved() {
        lock.lock();
        try {
            return slabBytes() + single;
        } finally {
            lock.unlock();
        }
    }

    /** The bytes of the blocks that have an owner. While other threads use the pool it is an estimate. */
    public long used() {
        lock.lock();
        try {
            return taken + single - magazines.bytes();
        } finally {
            lock.unlock();
        }
    }

    /** How many buffers were found that were never closed. 0 if the pool does not look for them. */
    public long leaks() {
        return watch == null ? 0 : watch.leaks();
    }

    /** How many blocks were found that were written after their close. 0 if the pool does not look for them. */
    public long lateWrites() {
        return watch == null ? 0 : watch.lateWrites();
    }

    /** For tests. */
    BuddyAllocator allocator() {
        return allocator;
    }
}

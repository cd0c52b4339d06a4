package workloads.buffers;

import jfs.buffers.pool.BuddyPool;
import jfs.buffers.pool.BuddyPool.Bookkeeping;
import jfs.buffers.pool.BufferPool;
import jfs.buffers.pool.BufferPools;
import jfs.buffers.pool.PooledBuffer;

/** The pools of JFS. */
final class JfsPool implements Allocator {
    /** So that also the greatest buffer and its header fit into a slab. */
    private static final int SLAB = 1 << 24;

    private final BufferPool pool;

    private JfsPool(BufferPool pool) {
        this.pool = pool;
    }

    /** @param name "shared": the pool of a program, as it is; "outside" or "inside": that buddy allocator, without magazines */
    static JfsPool of(String name) {
        return new JfsPool(switch (name) {
            case "shared" -> BufferPools.shared();
            case "outside" -> bare(Bookkeeping.OUTSIDE);
            case "inside" -> bare(Bookkeeping.INSIDE);
            default -> throw new IllegalArgumentException("no allocator " + name);
        });
    }

    private static BufferPool bare(Bookkeeping bookkeeping) {
        return BuddyPool.builder().bookkeeping(bookkeeping).slab(SLAB).magazines(false).build();
    }

    @Override
    public void once(int bytes, Place place) {
        try (PooledBuffer buffer = pool.allocate(bytes)) {
            buffer.memory().put(0, (byte) 1);
            place.held = buffer;
        }
    }
}

package jfs.buffers.pool;

import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicReference;

/** What an owner has of a {@link BuddyPool}. Its value is the block, null once it is closed. */
class Piece extends AtomicReference<Block> implements PooledBuffer {
    private static final long serialVersionUID = 1;

    final transient BuddyPool pool;

    Piece(BuddyPool pool, Block block) {
        super(block);
        this.pool = pool;
    }

    @Override
    public final ByteBuffer memory() {
        Block block = get();
        if (block == null) {
            throw closed("memory()");
        }
        return memory(block);
    }

    /** What the owner gets of that block, the same at each call. */
    ByteBuffer memory(Block block) {
        return block.memory;
    }

    @Override
    public void close() {
        Block block = getAndSet(null);
        if (block == null) {
            throw closed("close()");
        }
        pool.release(block);
    }

    /** @param call what the caller wanted to do */
    IllegalStateException closed(String call) {
        return new IllegalStateException("jfs: " + call + " of a buffer of the pool " + pool.name() + " that was closed before");
    }

    /** Not the block, as the superclass would print it. */
    @Override
    public final String toString() {
        return "buffer of the pool " + pool.name() + (get() == null ? ", closed" : "");
    }
}

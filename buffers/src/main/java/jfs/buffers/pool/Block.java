package jfs.buffers.pool;

import java.nio.ByteBuffer;

/** A block of a slab, or memory of its own for a request that no slab can serve. One thread has it at a time, or a list of the pool. */
class Block {

    /** The order of memory that is in no slab. */
    static final int NO_ORDER = -1;

    /** The block has {@code 1 << order} bytes. */
    final int order;
    /** What an owner gets. */
    final ByteBuffer memory;
    /** Of a debugging pool: where the last owner had allocated the block; null if it was split off or merged since. Else null. */
    Throwable lastOwner;

    Block(int order, ByteBuffer memory) {
        this.order = order;
        this.memory = memory;
    }
}

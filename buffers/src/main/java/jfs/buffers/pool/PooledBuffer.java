package jfs.buffers.pool;

import java.nio.ByteBuffer;

/** A piece of direct memory of a pool. */
public interface PooledBuffer extends AutoCloseable {

    /** The memory, from the position 0 to a limit of as many bytes as were asked for. The same object for each call. */
    ByteBuffer memory();

    /**
     * Gives the memory back. The caller does not use it afterwards.
     *
     * @throws IllegalStateException if it was given back already
     */
    @Override
    void close();
}

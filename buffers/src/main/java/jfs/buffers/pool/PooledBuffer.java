package jfs.buffers.pool;

import java.nio.ByteBuffer;

/**
 * A piece of direct memory of a pool. One owner uses it at a time; any thread may be the owner, and any thread may close it.
 *
 * <p><b>What is detected.</b> A second {@link #close}, and {@link #memory} after it, are always an {@link IllegalStateException}: each
 * call of {@link BufferPool#allocate} makes a new object of this type (24 bytes in HotSpot), which is never used again after its close. The
 * {@link ByteBuffer} is used again: the JVM has no means to take a buffer away from who still has it. Whoever keeps it after the close
 * reads and writes the memory of the next owner. {@linkplain BuddyPool.Builder#debug A debugging pool} finds such writes.
 */
public interface PooledBuffer extends AutoCloseable {

    /**
     * The memory. The same object for each call. After {@link BufferPool#allocate} its position is 0, its limit is as many bytes as were
     * asked for, its byte order is big-endian as that of a new {@link ByteBuffer}. Its capacity may be greater; the bytes behind the limit
     * belong to the owner too.
     *
     * @throws IllegalStateException if the memory was given back
     */
    ByteBuffer memory();

    /**
     * Gives the memory back. The caller uses neither this object nor its memory afterwards. Does not block, but for the lock of the pool.
     *
     * @throws IllegalStateException if it was given back already. Nothing is changed then
     */
    @Override
    void close();
}

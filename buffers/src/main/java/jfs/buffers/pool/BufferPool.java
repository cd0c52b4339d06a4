package jfs.buffers.pool;

/**
 * Hands out pieces of direct memory, and takes them back. Any thread may call it. {@link BufferPools#shared} is one that all of a
 * program may use.
 */
public interface BufferPool {

    /**
     * Takes a piece of memory. Its bytes are arbitrary: they may be those of an earlier owner. Its address is a multiple of 16.
     *
     * @param bytes the size of the piece, at least 1
     * @return memory of that size. The caller owns it until it {@linkplain PooledBuffer#close closes} it
     * @throws IllegalArgumentException if the size is less than 1
     * @throws PoolExhaustedException if the pool has a limit and can't give the piece without more memory than that
     * @throws OutOfMemoryError if the JVM gives the pool no more direct memory ({@code -XX:MaxDirectMemorySize})
     */
    PooledBuffer allocate(int bytes);
}

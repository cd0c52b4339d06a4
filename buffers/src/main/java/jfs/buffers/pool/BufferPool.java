package jfs.buffers.pool;

/** Hands out pieces of direct memory, and takes them back. */
public interface BufferPool {

    /**
     * @param bytes the least size of the piece, at least 1
     * @return memory of at least that size. The caller owns it until it {@linkplain PooledBuffer#close closes} it
     */
    PooledBuffer allocate(int bytes);
}

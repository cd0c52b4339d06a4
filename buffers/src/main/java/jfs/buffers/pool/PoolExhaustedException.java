package jfs.buffers.pool;

/** A pool can't give a piece of memory without exceeding its limit. The message has the size, what the pool has, and its limit. */
public final class PoolExhaustedException extends RuntimeException {
    private static final long serialVersionUID = 1;

    PoolExhaustedException(String message) {
        super(message);
    }
}

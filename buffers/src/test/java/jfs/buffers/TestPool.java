package jfs.buffers;

import java.nio.ByteBuffer;
import jfs.buffers.pool.BufferPool;
import jfs.buffers.pool.PooledBuffer;

/** A pool whose memory has arbitrary bytes, and which counts the pieces that were not given back. */
final class TestPool implements BufferPool {

    static final byte OLD = 0x5A;

    int pieces;
    int bytesAtMost;

    @Override
    public PooledBuffer allocate(int bytes) {
        pieces++;
        bytesAtMost = Math.max(bytesAtMost, bytes);
        ByteBuffer memory = ByteBuffer.allocateDirect(bytes + 16);
        for (int i = 0; i < memory.capacity(); i++) {
            memory.put(i, OLD);
        }
        memory.limit(bytes);
        return new PooledBuffer() {
            private boolean closed;

            @Override
            public ByteBuffer memory() {
                return memory;
            }

            @Override
            public void close() {
                if (closed) {
                    throw new IllegalStateException("closed already");
                }
                closed = true;
                pieces--;
            }
        };
    }
}

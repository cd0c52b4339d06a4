package jfs.buffers.pool;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.fail;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** A buffer that a test has written full. If another buffer lay in the same memory, one of the two would have lost its bytes. */
record Pieces(PooledBuffer buffer, int bytes, int seed) {

    /** Allocates a buffer, checks how it is handed over, and writes all that its owner can reach. */
    static Pieces take(BufferPool pool, int bytes, int seed) {
        PooledBuffer buffer = pool.allocate(bytes);
        ByteBuffer memory = buffer.memory();
        assertSame(memory, buffer.memory());
        assertEquals(0, memory.position());
        assertEquals(bytes, memory.limit());
        assertEquals(ByteOrder.BIG_ENDIAN, memory.order());
        assertEquals(0, memory.alignmentOffset(0, 16));
        memory.clear();
        for (int i = 0; i < memory.capacity(); i++) {
            memory.put(i, at(seed, i));
        }
        return new Pieces(buffer, bytes, seed);
    }

    /** Checks that all bytes are still there. */
    void check() {
        ByteBuffer memory = buffer.memory();
        for (int i = 0; i < memory.capacity(); i++) {
            if (memory.get(i) != at(seed, i)) {
                fail("byte " + i + " of " + memory.capacity() + " was overwritten: " + memory.get(i) + " instead of " + at(seed, i));
            }
        }
    }

    void close() {
        check();
        buffer.close();
    }

    private static byte at(int seed, int i) {
        return (byte) (seed * 0x9E37_79B1 + i * 0x85EB_CA6B >>> 24);
    }
}

package jfs.spi;

import java.nio.ByteBuffer;

/**
 * The words of shared memory at which one thread sleeps at the same time, in place of a bell for each: a futex at each word. The thread
 * that will sleep uses it.
 */
public interface FutexWords {

    /** How many words there are. */
    int count();

    /** Whether there is room for another word. */
    boolean hasRoom();

    /**
     * Adds a word. The thread sleeps as long as each word holds its value. The memory may be unmapped while the thread sleeps, and before.
     *
     * @param memory a direct buffer
     * @param offset of an aligned word of 32 bits, bytes
     */
    void add(ByteBuffer memory, int offset, int value);
}

package jfs.memory;

import java.nio.ByteBuffer;
import jfs.nativelib.Posix;
import jfs.spi.FutexWords;

/** The words at which one thread of this process sleeps at the same time, besides its {@link WakeWord}. One thread at a time uses it. */
public final class SleepWords implements FutexWords {

    /** The kernel compares all words each time the thread goes to sleep, and takes {@value Posix#FUTEX_WORDS_MAX} at most. */
    private static final int MAX = 64;

    private final ByteBuffer[] memories = new ByteBuffer[MAX];
    private final int[] offsets = new int[MAX];
    private final int[] values = new int[MAX];
    private int count;

    @Override
    public boolean hasRoom() {
        return count < MAX;
    }

    @Override
    public void add(ByteBuffer memory, int offset, int value) {
        memories[count] = memory;
        offsets[count] = offset;
        values[count] = value;
        count++;
    }

    @Override
    public int count() {
        return count;
    }

    /** Forgets all words. */
    public void clear() {
        while (count > 0) {
            memories[--count] = null;
        }
    }

    /**
     * Puts the calling thread to sleep while each word holds its value and {@code own} is announced. The wake-up may be spurious.
     *
     * @param nanos longest sleep in nanoseconds; negative: no limit
     * @return false if the kernel refuses, as in {@link Shared#sleepWhile}
     */
    public boolean sleep(WakeWord own, long nanos) {
        int status = Posix.futexWaitMany(memories, offsets, values, count, own.bytes, WakeWord.ASLEEP, nanos);
        return status == 0 || status == -Posix.EAGAIN || status == -Posix.ETIMEDOUT || status == -Posix.EFAULT; // it was unmapped meanwhile
    }
}

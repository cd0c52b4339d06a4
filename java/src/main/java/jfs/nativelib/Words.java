package jfs.nativelib;

import java.nio.ByteBuffer;

/** Waits for words of memory to change, without a loop in Java, which the JIT would have to compile first. For any thread. */
public final class Words {

    /** A bit of {@link #awaitChange}'s result: a word holds another value. */
    public static final int CHANGED = 1;
    /** The result's bits from this one on: for how many nanoseconds the core was away; see {@link #awaitChange}. */
    public static final int AWAY_SHIFT = 1;

    private Words() {
    }

    /**
     * Looks at two words until one of them holds another value or the time is over. The call blocks the thread, not the JVM: a safepoint
     * goes on meanwhile. The loads acquire.
     *
     * @param memory a direct buffer, which the caller keeps mapped
     * @param wide offset in bytes of a word of 64 bits, a multiple of 8
     * @param wideValue the value of that word as far as the caller knows
     * @param narrow offset in bytes of a word of 32 bits, a multiple of 4
     * @param narrowValue the value of that word as far as the caller knows
     * @param nanos the least time to look in nanoseconds; the words are looked at once in any case
     * @param alone after so many nanoseconds the thread begins to yield the core to other threads between looks: sched_yield(2)
     * @param lost the call ends after the core was away for longer than this, nanoseconds, whether the thread yielded it or the kernel took
     *         it
     * @return {@link #CHANGED} if a word has changed; from the bit {@link #AWAY_SHIFT} on for how many nanoseconds the core was away when
     *         it was lost, or else when the thread yielded it last, 0 if neither; {@code -EINVAL} if a word is not in the memory, or not
     *         aligned
     */
    public static native long awaitChange(ByteBuffer memory, int wide, long wideValue, int narrow, int narrowValue, long nanos, long alone,
            long lost);

    /** Yields the core to other threads, of any process, once: sched_yield(2). In a virtual thread it yields the carrier's core. */
    public static native void yieldCore();

    /**
     * The processor time in nanoseconds that all threads of this process but the calling one have used, ended threads included. Only the
     * difference of two values of one thread has a meaning. The call takes longer the more threads there are, about 20 ns for each.
     */
    public static native long othersNanos();
}

package jfs.nativelib;

import java.nio.ByteBuffer;

/** Waits for words of memory to change, with no loop in Java, which a compiler would have to compile first. Any thread. */
public final class Words {

    /** In {@link #awaitChange}'s result: a word holds another value. */
    public static final int CHANGED = 1;
    /** Above this bit: for how long the core was away, nanoseconds; see {@link #awaitChange}. */
    public static final int AWAY_SHIFT = 1;

    private Words() {
    }

    /**
     * Looks at two words until one of them holds another value, or for a time. It blocks the thread, not the JVM: a safepoint goes on
     * meanwhile. The loads acquire.
     *
     * @param memory a direct buffer, which the caller keeps mapped
     * @param wide where a word of 64 bits is, bytes, a multiple of 8
     * @param wideValue what it holds as far as the caller knows
     * @param narrow where a word of 32 bits is, bytes, a multiple of 4
     * @param narrowValue what that holds as far as the caller knows
     * @param nanos for how long, nanoseconds, at least; at least one look
     * @param alone after how long, nanoseconds, it begins to offer the core to other threads between looks: sched_yield(2)
     * @param lost it ends after the core was away for longer than this, nanoseconds, offered or taken
     * @return {@link #CHANGED}, and above {@link #AWAY_SHIFT} for how long the core was away when it was lost or else when it was offered
     *         last, nanoseconds, 0 if neither; {@code -EINVAL} if a word is not in the memory, or not aligned
     */
    public static native long awaitChange(ByteBuffer memory, int wide, long wideValue, int narrow, int narrowValue, long nanos, long alone,
            long lost);

    /** Offers the core to other threads, of any process, once: sched_yield(2). Of a virtual thread it offers the carrier's core. */
    public static native void offerCore();

    /**
     * The processor time that all threads of this process but the calling one have used, nanoseconds; those that have ended count. Only the
     * difference of two values of one thread tells something. Takes longer the more threads there are, about 20 ns for each.
     */
    public static native long othersNanos();
}

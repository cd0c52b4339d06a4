package jfs.nativelib;

import java.nio.ByteBuffer;

/** Waits for words of memory to change, with no loop in Java, which a compiler would have to compile first. Any thread. */
public final class Words {

    private Words() {
    }

    /**
     * Looks at two words until one of them holds another value, or for a time. It blocks the thread, not the JVM: a safepoint goes on
     * meanwhile. The loads acquire.
     *
     * @param memory a direct buffer, which the caller keeps mapped
     * @param wide where a word of 64 bits is, bytes, a multiple of 8
     * @param narrow where a word of 32 bits is, bytes, a multiple of 4
     * @param nanos for how long, nanoseconds, at least; at least one look
     * @param alone after how long it begins to offer the core to other threads between looks: sched_yield(2)
     * @param lost it ends after an offered core was away for longer than this, nanoseconds
     * @return whether a word holds another value, in bit 0; above it, for how long the core was away when it was offered last,
     *         nanoseconds, 0 if it was not; {@code -EINVAL} if a word is not in the memory, or not aligned
     */
    public static native long watch(ByteBuffer memory, int wide, long wideValue, int narrow, int narrowValue, long nanos, long alone,
            long lost);
}

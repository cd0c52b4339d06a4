package jfs.memory;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import jfs.nativelib.Posix;

/**
 * The word by which threads of this process wake another thread of this process that sleeps in a futex at a word of a {@link Shared}
 * memory. The peer shares that other word, and also the kernel's queue of the threads that sleep there. A hostile peer may move a thread
 * from that queue to another one (FUTEX_REQUEUE), where no thread wakes it. So the thread sleeps at both words. The threads of its own
 * process wake it by this one alone, which no other process can reach. This word lives until the garbage collector frees it, whatever
 * memory has been unmapped.
 *
 * <p>One thread at a time sleeps at this word. Any thread may wake it.
 */
public final class WakeWord {

    static final int ASLEEP = 1;
    private static final int AWAKE = 0;

    final ByteBuffer bytes = ByteBuffer.allocateDirect(Integer.BYTES).order(ByteOrder.nativeOrder());
    private final Shared word = new Shared(bytes, 0, Integer.BYTES);

    /** Called by the sleeper, before its last look at the changes for which other threads wake it (ORDER-1). */
    public void announce() {
        word.setIntRelease(0, ASLEEP);
        Shared.fullFence();
    }

    /** Called by the sleeper when it is awake. */
    public void retract() {
        word.setIntRelease(0, AWAKE);
    }

    /** Wakes the thread that sleeps or is about to sleep. Called after the change that this thread is to see. Never blocks. */
    public void wake() {
        if (take()) {
            Posix.futexWake(bytes, 0, true);
        }
    }

    /** Takes the announcement (ORDER-1). @return whether there was one; then the caller has to wake the thread */
    boolean take() {
        Shared.fullFence();
        return word.getIntAcquire(0) == ASLEEP && word.getAndSetInt(0, AWAKE) == ASLEEP;
    }
}

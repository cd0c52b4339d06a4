package jfs.memory;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import jfs.nativelib.Posix;

/**
 * The word by which threads of this process wake one of their own that sleeps in a futex at a word of a {@link Shared} memory. That
 * word is the peer's too, and so is the kernel's queue of those who sleep there: a hostile peer may move a thread from it to another
 * (FUTEX_REQUEUE), where nobody wakes it. So such a thread sleeps at both words, and the threads of its own process need only this
 * one, which no other process can reach. It lives until the garbage collector takes it, whatever has been unmapped.
 *
 * <p>One thread sleeps by it at a time; any thread may wake it.
 */
public final class WakeWord {

    static final int ASLEEP = 1;
    private static final int AWAKE = 0;

    final ByteBuffer bytes = ByteBuffer.allocateDirect(Integer.BYTES).order(ByteOrder.nativeOrder());
    private final Shared word = new Shared(bytes, 0, Integer.BYTES);

    /** By the sleeper, before it looks for the last time at what others wake it for (ORDER-1). */
    public void announce() {
        word.setIntRelease(0, ASLEEP);
        Shared.fullFence();
    }

    /** By the sleeper: it is awake. */
    public void retract() {
        word.setIntRelease(0, AWAKE);
    }

    /** Wakes the thread that sleeps, or that is about to: after the change that it is to see. Never blocks. */
    public void wake() {
        Shared.fullFence();
        if (word.getIntAcquire(0) == ASLEEP && word.getAndSetInt(0, AWAKE) == ASLEEP) {
            Posix.futexWake(bytes, 0, true);
        }
    }
}

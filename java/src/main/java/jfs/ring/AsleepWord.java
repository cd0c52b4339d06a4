package jfs.ring;

import jfs.memory.Shared;
import jfs.memory.WakeWord;

/**
 * The word by which a thread of one end says that it sleeps, and by which the other end learns whom it has to wake: {@link
 * InboxLayout#READER_ASLEEP} or {@link InboxLayout#WRITER_ASLEEP} of the inbox that the sleeper writes and its peer reads.
 *
 * <p>The word says what wakes the sleeper: {@link #BELL}, the doorbell; {@link #FUTEX}, a futex, and that futex is this very word,
 * as long as it says so. Another word, say a count of messages, would not do. A peer that is late to ring for one message takes
 * back what the sleeper has announced for the next message. A sleeper at another word, which has not changed, would sleep on.
 *
 * <p>A hostile peer can end a sleep too early by this word, or not wake the sleeper. It could do both with a bell: by always
 * ringing it, or never. What the sleeper's own process has to tell the sleeper does not come by this word ({@link WakeWord}).
 */
public final class AsleepWord {

    /** Nobody sleeps. */
    public static final int AWAKE = 0;
    /** The peer's doorbell is to be rung. */
    public static final int BELL = 1;
    /** A thread sleeps in a futex at this word; peers of version {@link InboxLayout#sleepsInFutex 3} know of it. */
    public static final int FUTEX = 2;

    private final Shared memory;
    private final int offset;

    AsleepWord(Shared memory, int offset) {
        this.memory = memory;
        this.offset = offset;
    }

    // By the sleeper's end.

    /** "I am asleep", visible to the peer before the caller looks for news once more (ORDER-1). */
    public void announce(int how) {
        memory.setIntRelease(offset, how);
        Shared.fullFence();
    }

    /** "I am awake." */
    public void retract() {
        memory.setIntRelease(offset, AWAKE);
    }

    /**
     * Sleeps until the peer wakes the thread ({@link #wake}), its own process does ({@code own}), or the time is over. May return early
     * without a cause. After {@link #announce} of {@link #FUTEX}, and after {@code own} was announced. If a word has changed since, it does not
     * sleep.
     *
     * @param nanos longest sleep, nanoseconds; negative for ever
     * @return false if the kernel refuses ({@link Shared#sleepWhile})
     */
    public boolean sleep(WakeWord own, long nanos) {
        return memory.sleepWhile(offset, FUTEX, own, nanos);
    }

    /** Whether no thread of this end has announced itself, or the peer has taken the announcement. By any thread of the sleeper's process. */
    public boolean isTaken() {
        return memory.getIntAcquire(offset) == AWAKE;
    }

    // By the peer.

    /**
     * Whether, and by what, the thread is to be woken. After publishing what it waits for: that is visible to the sleeper before this
     * method looks at its word (ORDER-1). Of two callers that see the same announcement one gets it, the other gets {@link #AWAKE}.
     */
    public int take() {
        Shared.fullFence();
        return memory.getIntAcquire(offset) == AWAKE ? AWAKE : memory.getAndSetInt(offset, AWAKE);
    }

    /** Wakes the thread that has announced {@link #FUTEX}, after {@link #take}. */
    public void wake() {
        memory.wakeSleepers(offset);
    }
}

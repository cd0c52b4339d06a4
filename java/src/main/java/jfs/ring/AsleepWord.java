package jfs.ring;

import java.io.IOException;
import jfs.memory.Shared;

/**
 * The word by which a thread of one end says that it sleeps, and by which the other end learns whom it has to wake: {@link
 * InboxLayout#READER_ASLEEP} or {@link InboxLayout#WRITER_ASLEEP} of the inbox that the sleeper writes and its peer reads.
 *
 * <p>The word says what wakes the sleeper. One that sleeps in a futex does so at this very word, and only as long as it says so.
 * A word of its own, say a count of messages, would not do: who is late to ring for one message would take back what the
 * sleeper has announced for the next, and the sleeper, whose own word has not changed, would never hear of that.
 *
 * <p>What the peer does to the word can only end a sleep too early, or not at all, as a bell that is rung always or never
 * would. So an end that wakes its own thread relies on nothing that the word holds.
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

    /** "I am asleep", visible to the peer before the caller looks for news once more (R10). */
    public void announce(int how) {
        memory.setIntRelease(offset, how);
        Shared.fullFence();
    }

    /** "I am awake." */
    public void retract() {
        memory.setIntRelease(offset, AWAKE);
    }

    /**
     * Sleeps until {@link #wake} or {@link #wakeOwn}, for so long at most, or for no reason. After {@link #announce} of {@link
     * #FUTEX}: if the word has changed since, not at all.
     *
     * @param nanos longest sleep, nanoseconds; negative for ever
     */
    public void sleep(long nanos) throws IOException {
        memory.sleepWhile(offset, FUTEX, nanos);
    }

    /** Wakes the thread of the caller's own end that sleeps here, or is about to. The memory must be known to be mapped. */
    public void wakeOwn() {
        memory.setIntRelease(offset, AWAKE);
        memory.wakeSleepers(offset);
    }

    // By the peer.

    /**
     * Whether, and by what, the thread is to be woken: after publishing what it waits for, which is visible to it before its word
     * is looked at (R10). Not {@link #AWAKE} for one caller only.
     */
    public int take() {
        Shared.fullFence();
        return memory.getIntAcquire(offset) == AWAKE ? AWAKE : memory.getAndSetInt(offset, AWAKE);
    }

    /** Wakes who has announced {@link #FUTEX}, after {@link #take}. */
    public void wake() {
        memory.wakeSleepers(offset);
    }
}

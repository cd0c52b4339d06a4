package jfs.ring;

import jfs.memory.Shared;
import jfs.memory.WakeWord;
import jfs.spi.FutexWords;

/**
 * The word in which a thread of one end announces that it sleeps: {@link InboxLayout#READER_ASLEEP} or {@link
 * InboxLayout#WRITER_ASLEEP}. The other end learns from it which thread it has to wake. The word is in the inbox that the sleeper
 * writes and its peer reads.
 *
 * <p>The value says what wakes the sleeper. {@link #BELL} is the doorbell. {@link #FUTEX} is a futex, and that futex is this word itself
 * while it holds {@link #FUTEX}. A futex at another word, for example a count of messages, would lose wake-ups. A peer that is late to
 * ring for one message takes back the announcement that the sleeper has made for the next message. The other word has not changed then,
 * so the sleeper would sleep on.
 *
 * <p>A hostile peer can use this word to end a sleep too early, or to never end it. It could do the same with a bell, by ringing it always
 * or never. Wake-ups by the sleeper's own process do not use this word ({@link WakeWord}).
 */
public final class AsleepWord {

    /** No announcement: no thread is to be woken. */
    public static final int AWAKE = 0;
    /** The doorbell of the sleeper's end is to be rung. */
    public static final int BELL = 1;
    /** A thread sleeps in a futex at this word. Peers from version {@link InboxLayout#sleepsInFutex 3} on know this value. */
    public static final int FUTEX = 2;

    private final Shared memory;
    private final int offset;

    AsleepWord(Shared memory, int offset) {
        this.memory = memory;
        this.offset = offset;
    }

    // Called by the end whose thread sleeps.

    /** Announces that the thread sleeps. The peer can see this before the caller looks for news once more (ORDER-1). */
    public void announce(int how) {
        memory.setIntRelease(offset, how);
        Shared.fullFence();
    }

    /** Takes the announcement back: the thread is awake. */
    public void retract() {
        memory.setIntRelease(offset, AWAKE);
    }

    /**
     * Sleeps until the peer wakes the thread ({@link #wake}), its own process wakes it by {@code own}, or the time is over. The wake-up may
     * be spurious. The caller has called {@link #announce} with {@link #FUTEX}, and has announced {@code own}. If a word has changed since
     * then, the thread does not sleep.
     *
     * @param nanos longest sleep in nanoseconds; negative: no limit
     * @return false if the kernel refuses ({@link Shared#sleepWhile})
     */
    public boolean sleep(WakeWord own, long nanos) {
        return memory.sleepWhile(offset, FUTEX, own, nanos);
    }

    /** Adds this word to those at which a thread will sleep. The caller has called {@link #announce} with {@link #FUTEX}. */
    public void addTo(FutexWords words) {
        memory.addTo(words, offset, FUTEX);
    }

    /**
     * Whether no thread of this end has announced itself, or the peer has taken the announcement. Called by any thread of the sleeper's
     * process.
     */
    public boolean isTaken() {
        return memory.getIntAcquire(offset) == AWAKE;
    }

    // Called by the peer.

    /**
     * Takes the announcement. The caller has published what the thread waits for. The sleeper can see that before this method looks at the
     * word (ORDER-1). If two callers see the same announcement, one of them gets it and the other one gets {@link #AWAKE}.
     *
     * @return what the caller has to wake the thread by; {@link #AWAKE} if it does not have to wake it
     */
    public int take() {
        Shared.fullFence();
        return memory.getIntAcquire(offset) == AWAKE ? AWAKE : memory.getAndSetInt(offset, AWAKE);
    }

    /** Wakes the thread that has announced {@link #FUTEX}. Called after {@link #take}. */
    public void wake() {
        memory.wakeSleepers(offset);
    }
}

package jfs.ring;

import jfs.memory.Shared;

/**
 * The word that saves superfluous signals of a doorbell that all connections of a region share (BELL-4): {@link InboxLayout#BELL_RUNG}. A
 * thread that is to be woken by the bell has announced that in its {@link AsleepWord}. So a signal only means "look at these words". While
 * one signal is on its way, another one would add nothing. The process whose threads the bell wakes is called the hearer here.
 *
 * <pre>
 *   QUIET -------- the peer rings ---------> RUNG
 *     ^                                       |
 *     +-- the hearer has heard, and looks ----+
 * </pre>
 *
 * <p>BELL-1. A thread that wakes another thread first takes its asleep word, executes a full fence, and then looks at this word. If it
 * finds QUIET, it stores RUNG and rings. If it finds RUNG, it does not ring.
 * <br>BELL-2. The hearer first acknowledges the bell, then stores QUIET, executes a full fence, and then looks at the asleep words.
 * <br>BELL-3. A thread that has stored RUNG and then cannot ring stores QUIET again, and tries once more. It does so also for the threads
 * that have not rung meanwhile because they found RUNG.
 *
 * <p>So no thread sleeps on, unless the bell fails twice. A thread that finds RUNG finds a value that the hearer has not overwritten yet.
 * So the hearer's QUIET comes later, and the look at the asleep words that follows it sees the word that was taken before. This look is
 * sure to come. The thread that stored RUNG rings, and a signal that comes after the acknowledgement is heard as a new one. In the other
 * order, QUIET before the acknowledgement, the hearer could acknowledge a signal that was made after its QUIET. Then the word would hold
 * RUNG for ever while no signal is on its way. {@code model/words.pml} has Spin look for a thread that sleeps on. A thread that loses its
 * core between RUNG and its signal delays the signals of all threads.
 *
 * <p>Zero means "ring always". The word is zero until the hearer has heard its first signal. It stays zero if the hearer is of an older
 * build, which does not know the word. A hostile peer can keep this process from ringing that peer's own bell, and from nothing else.
 */
public final class BellWord {

    private static final int QUIET = 1;
    private static final int RUNG = 2;

    private final Shared inbox;

    BellWord(Shared inbox) {
        this.inbox = inbox;
    }

    // Called by the hearer.

    /** Stores QUIET. Called after the bell was acknowledged, and before the asleep words are looked at (BELL-2). */
    public void hush() {
        inbox.setIntRelease(InboxLayout.BELL_RUNG, QUIET);
        Shared.fullFence();
    }

    // Called by the peer.

    /** Whether the caller has to ring the bell. Called after the caller has taken the sleeper's asleep word (BELL-1). */
    public boolean takeRing() {
        Shared.fullFence();
        return inbox.getIntAcquire(InboxLayout.BELL_RUNG) != RUNG
                && (inbox.compareAndSetInt(InboxLayout.BELL_RUNG, QUIET, RUNG) || inbox.getIntAcquire(InboxLayout.BELL_RUNG) != RUNG);
    }

    /** Stores QUIET again because the bell could not be rung (BELL-3). Called after {@link #takeRing}. */
    public void giveRingBack() {
        inbox.compareAndSetInt(InboxLayout.BELL_RUNG, RUNG, QUIET);
    }
}

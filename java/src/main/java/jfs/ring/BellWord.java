package jfs.ring;

import jfs.memory.Shared;

/**
 * The word by which the rings of one doorbell become one, for a doorbell that all connections of a region share (BELL-4): {@link
 * InboxLayout#BELL_RUNG}. A thread that is to be woken by the bell has said so in its {@link AsleepWord}, so a ring only says "look at
 * these words". While one ring is on its way another would add nothing.
 *
 * <pre>
 *   QUIET -------- the peer rings --------> RUNG
 *     ^                                      |
 *     +-- the owner has heard, and looks ----+
 * </pre>
 *
 * <p>BELL-1. Who wakes a thread takes its asleep word first, executes a full fence, and then looks at this word. If it finds QUIET it
 * stores RUNG and rings; if it finds RUNG it does not ring.
 * <br>BELL-2. The owner acknowledges the bell first, then stores QUIET, executes a full fence, and then looks at the asleep words.
 * <br>BELL-3. Who has stored RUNG and can't ring after all stores QUIET again, and tries once more, for those too who have left out their
 * rings meanwhile.
 *
 * <p>So no thread sleeps on, unless a ring fails twice. Who finds RUNG finds what the owner has not overwritten yet; so the owner's QUIET
 * comes later, and its look at the asleep words sees the one that was taken before. That look comes for sure: who stored RUNG rings, and
 * a ring that comes after the owner has acknowledged is heard anew. In the other order, QUIET before the bell is acknowledged, the owner
 * could take away a ring of after its QUIET: then the word says RUNG for ever, and no ring is on its way. {@code model/words.pml} has
 * spin look for a thread that sleeps on. A thread that loses its core between RUNG and its ring holds up the rings of all.
 *
 * <p>Zero is "ring always". The word is zero until the owner has heard its first ring, and for good if the owner is of an older build,
 * which does not know the word. A hostile peer can keep this process from ringing that peer's own bell, and from nothing else.
 */
public final class BellWord {

    private static final int QUIET = 1;
    private static final int RUNG = 2;

    private final Shared inbox;

    BellWord(Shared inbox) {
        this.inbox = inbox;
    }

    // By the process whose bell it is.

    /** After the bell was acknowledged, and before the asleep words are looked at (BELL-2). */
    public void hush() {
        inbox.setIntRelease(InboxLayout.BELL_RUNG, QUIET);
        Shared.fullFence();
    }

    // By the peer.

    /** Whether the bell is to be rung, by the caller. After the sleeper's word was taken (BELL-1). */
    public boolean takeRing() {
        Shared.fullFence();
        return inbox.getIntAcquire(InboxLayout.BELL_RUNG) != RUNG
                && (inbox.compareAndSetInt(InboxLayout.BELL_RUNG, QUIET, RUNG) || inbox.getIntAcquire(InboxLayout.BELL_RUNG) != RUNG);
    }

    /** After {@link #takeRing}: the bell could not be rung (BELL-3). */
    public void giveRingBack() {
        inbox.compareAndSetInt(InboxLayout.BELL_RUNG, RUNG, QUIET);
    }
}

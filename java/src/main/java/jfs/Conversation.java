package jfs;

/**
 * What goes to and fro over TCP, as far as it tells whether a connection is worth an offer (R4), and whether a read waits
 * for an answer. Hints: written by reader and writer without order, so a turnaround may be counted a little early or late.
 */
final class Conversation {

    /** A connection that moves this much is worth an offer without being a conversation. */
    private static final long BYTES_BEFORE_OFFER = 64 << 10;

    private final int turnaroundsBeforeOffer;

    private boolean asking;
    private boolean lastWasRead;
    private boolean spoken;
    private boolean answered;
    private boolean answerDue;
    private boolean heard;
    private int turnarounds;
    private long bytes;

    /** @param upgradeAfter turnarounds before the offer */
    Conversation(int upgradeAfter) {
        this.turnaroundsBeforeOffer = upgradeAfter;
    }

    /** From now on it is asked when to offer. */
    void beginAsking() {
        asking = true;
    }

    void endAsking() {
        asking = false;
    }

    /** @return whether it is time to offer */
    boolean received(int count) {
        answered |= spoken;
        heard = true;
        if (!asking) {
            return false;
        }
        lastWasRead = true;
        return isWorthAnOffer(count);
    }

    /**
     * A write that follows a read is a turnaround.
     *
     * @return whether it is time to offer
     */
    boolean sent(int count) {
        answerDue = answered;
        spoken = true;
        if (!asking) {
            return false;
        }
        if (lastWasRead) {
            lastWasRead = false;
            turnarounds++;
        }
        return isWorthAnOffer(count);
    }

    private boolean isWorthAnOffer(int count) {
        bytes += count;
        return turnarounds >= turnaroundsBeforeOffer || bytes >= BYTES_BEFORE_OFFER;
    }

    /** Whether the peer's program has sent something, so that it has accepted the connection. */
    boolean heard() {
        return heard;
    }

    /**
     * Whether this end was the last to write, and had been answered before: then its next read is for an answer, as far as
     * anybody can tell. The first exchange of a connection may be its only one, and is left to the JDK.
     */
    boolean takeAnswerDue() {
        boolean was = answerDue;
        answerDue = false;
        return was;
    }
}

package jfs;

/**
 * What goes to and fro over TCP, as far as it tells whether a connection is worth an offer (NEG-4), and whether a read waits
 * for an answer. To set up a fast path and to free it costs both ends as much CPU as thirty turnarounds over TCP. Nobody
 * knows beforehand whether that pays. So it is spent on a connection that has cost ten times as much already: if the
 * connection ends right then, the loss is less than a tenth of what it has cost.
 * Hints: written by reader and writer without order, so a turnaround may be counted a little early or late.
 */
final class Conversation {

    /** What a turnaround costs both ends over TCP, as bytes of a long stream that cost as much: about 25 microseconds of CPU. */
    private static final int BYTES_PER_TURNAROUND = 32 << 10;
    /** The same of a read or a write; less than it is, because a long write may be read piece by piece. */
    private static final int BYTES_PER_CALL = 1 << 10;
    private static final int LEAST_BYTES = 64 << 10;

    /** Until it is worth an offer: turnarounds; or bytes, without being a conversation. */
    private int turnaroundsLeft;
    private long bytesLeft;
    private boolean asking;
    private boolean lastWasRead;
    private boolean answerDue;
    private boolean heard;

    /**
     * From now on it is asked when to offer; or when an offer may come, at the end that was accepted.
     *
     * @param turnarounds so many before that
     * @param turnaroundsOfStream or a stream that has cost TCP as much as so many
     */
    void beginAsking(int turnarounds, int turnaroundsOfStream) {
        turnaroundsLeft = turnarounds;
        bytesLeft = Math.max(LEAST_BYTES, (long) turnaroundsOfStream * BYTES_PER_TURNAROUND);
        asking = true;
    }

    void endAsking() {
        asking = false;
    }

    boolean isAsking() {
        return asking;
    }

    /** @return whether it is time to offer */
    boolean received(int count) {
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
        answerDue = true;
        if (!asking) {
            return false;
        }
        if (lastWasRead) {
            lastWasRead = false;
            turnaroundsLeft--;
        }
        return isWorthAnOffer(count);
    }

    private boolean isWorthAnOffer(int count) {
        bytesLeft -= count + BYTES_PER_CALL;
        return turnaroundsLeft <= 0 || bytesLeft <= 0;
    }

    /** Whether the peer's program has sent something, so that it has accepted the connection. */
    boolean heard() {
        return heard;
    }

    /**
     * Whether this end was the last to write: then its next read is for an answer, as far as this end can know. Asking
     * takes the mark away: a second read after the same write waits for no answer.
     */
    boolean takeAnswerDue() {
        boolean was = answerDue;
        answerDue = false;
        return was;
    }
}

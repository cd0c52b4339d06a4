package jfs.connection;

import jfs.monitor.ConnectionTable;

/**
 * Counts the reads and writes of a connection over TCP. The counts tell whether the connection is worth an offer (NEG-4), and whether a
 * read waits for an answer. To set up a fast path and to free it costs both ends as much CPU time as thirty turnarounds over TCP. JFS does
 * not know beforehand whether that pays. JFS therefore spends it only on a connection that has already cost ten times as much. If the
 * connection ends right then, the loss is less than a tenth of what it has cost.
 *
 * <p>The counts are hints. The reader thread and the writer thread write them without any memory order. A turnaround may be counted a
 * little early or late.
 */
final class Conversation {

    /** The bytes of a long stream that cost both ends over TCP as much as one turnaround: about 25 microseconds of CPU time. */
    private static final int BYTES_PER_TURNAROUND = 32 << 10;
    /** The same for one read or write. The number is less than the real cost, because a long write may be read in many pieces. */
    private static final int BYTES_PER_CALL = 1 << 10;
    private static final int LEAST_BYTES = 64 << 10;

    /** How many turnarounds are left until the connection is worth an offer; or how many bytes, for a stream. */
    private int turnaroundsLeft;
    private long bytesLeft;
    /** The connection's row in the table of this process, where all its bytes are counted. */
    private int row;
    private boolean counting;
    private boolean lastWasRead;
    private boolean answerDue;
    private boolean hasReceived;

    /** @param row see {@link ConnectionTable#enter} */
    void countIn(int row) {
        this.row = row;
    }

    int row() {
        return row;
    }

    /**
     * From now on {@link #received} and {@link #sent} tell when it is time to offer the connection; or, at the accepted end, when an offer
     * may come.
     *
     * @param turnarounds after how many turnarounds it is time
     * @param turnaroundsOfStream it is also time when a stream has cost over TCP as much as this many turnarounds
     */
    void beginCounting(int turnarounds, int turnaroundsOfStream) {
        turnaroundsLeft = turnarounds;
        bytesLeft = Math.max(LEAST_BYTES, (long) turnaroundsOfStream * BYTES_PER_TURNAROUND);
        counting = true;
    }

    void endCounting() {
        counting = false;
    }

    boolean isCounting() {
        return counting;
    }

    /** @return whether it is time to offer */
    boolean received(int count) {
        hasReceived = true;
        ConnectionTable.receivedOverTcp(row, count);
        if (!counting) {
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
        ConnectionTable.sentOverTcp(row, count);
        if (!counting) {
            return false;
        }
        if (lastWasRead) {
            lastWasRead = false;
            turnaroundsLeft--;
            ConnectionTable.turnaround(row);
        }
        return isWorthAnOffer(count);
    }

    private boolean isWorthAnOffer(int count) {
        bytesLeft -= count + BYTES_PER_CALL;
        return turnaroundsLeft <= 0 || bytesLeft <= 0;
    }

    /** Whether the peer's program has sent something, so that it has accepted the connection. */
    boolean hasReceived() {
        return hasReceived;
    }

    /**
     * Whether this end has written since the last call. Then its next read is for an answer, as far as this end can know. The call clears
     * the mark, because a second read after the same write waits for no answer.
     */
    boolean takeAnswerDue() {
        boolean was = answerDue;
        answerDue = false;
        return was;
    }
}

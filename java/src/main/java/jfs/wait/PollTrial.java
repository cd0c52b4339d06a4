package jfs.wait;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Decides whether the reads of all TCP connections of one kind poll first, or sleep at once. The measure is how many of their waits end
 * in a given time. The duration of the waits alone would not tell which way is better. A thread that sleeps leaves its core to the peer,
 * and to other threads of its own program. If a poll keeps the core, these threads do their work later, and the delay shows between two
 * waits. Beside programs that compute, a thread also pays for its polls later, because it has used up its share of the core by then.
 *
 * <p>For this reason polling and sleeping are tried in turns, each for several time slices. All connections of the kind take part together,
 * because most are too short to try both. Polling takes a core, and a trial of two equally good ways ends by chance. Polling therefore has
 * to be clearly better {@value #WINS} times in a row. The trial is repeated when polling gets slower than sleeping was, and in any case
 * after some time, because a program changes. As long as polling does not win, that time gets longer.
 *
 * <p>A program whose requests have pauses of milliseconds between them gets hardly more done when it polls. Its threads sleep, as with the
 * JDK's sockets, though a poll would shorten each wait.
 *
 * <p>A trial that <em>favours</em> polling has it the other way round: sleeping has to be clearly better {@value #WINS} times in a row.
 *
 * <p>Any thread may call these methods.
 */
final class PollTrial {

    /** Each way is tried for one period: at least this many waits and at least this many nanoseconds. */
    static final int TRIED = 32;
    static final long TRIED_NANOS = TimeUnit.MILLISECONDS.toNanos(20);
    /** How often in a row polling has to be better. */
    static final int WINS = 3;
    /** The winner is kept for this many periods. Sleeping is kept for twice as many each time it wins again, up to the longest. */
    static final int KEPT = 50;
    static final int KEPT_LONGEST = 200;
    /** Polling is given up early if it is slower than sleeping was, for this many periods in a row. */
    static final int SLOWER = 2;
    /** Nanoseconds. The time from the end of one wait to the end of the next counts as this at most: a longer time is a pause, not work. */
    static final int LONGEST_NANOS = 4_000_000;

    private enum Phase { TRY_SLEEPING, TRY_POLLING, KEEP_SLEEPING, KEEP_POLLING }

    private final boolean favoursPolling;
    private final ReentrantLock lock = new ReentrantLock();
    private volatile boolean polls;

    // Guarded by lock.
    private Phase phase = Phase.TRY_SLEEPING;
    private int waits;
    private long nanos;
    /** When the last wait ended. Without meaning before the first one. */
    private long last;
    private boolean begun;
    /** How often the way that is not favoured has won in this trial, and for how many periods in a row it has been slower since. */
    private int wins;
    private int slower;
    /** For how many periods the winner has been kept so far, and for how many periods sleeping is to be kept. */
    private int kept;
    private int keep = KEPT;
    /** The average time from the end of one wait to the end of the next when sleeping was tried last, nanoseconds. */
    private double whenSleeping;

    PollTrial() {
        this(false);
    }

    PollTrial(boolean favoursPolling) {
        this.favoursPolling = favoursPolling;
    }

    /** @return whether the next wait is to poll before it sleeps */
    boolean polls() {
        return polls;
    }

    /**
     * Records that a wait of one of these connections has ended, with news or with the end of the stream. Never blocks: a wait that ends
     * while another thread is in here is not counted, whichever way is being tried.
     *
     * @param now when it ended, a {@link System#nanoTime}
     */
    void ended(long now) {
        if (!lock.tryLock()) {
            return;
        }
        try {
            count(now);
        } finally {
            lock.unlock();
        }
    }

    private void count(long now) {
        if (!begun) {
            begun = true;
            last = now;
            return;
        }
        waits++;
        long since = now - last;
        if (since > 0) { // a thread may come here later than one whose wait ended after its own
            nanos += Math.min(since, LONGEST_NANOS);
            last = now;
        }
        if (waits >= TRIED && nanos >= TRIED_NANOS) {
            next((double) nanos / waits);
            waits = 0;
            nanos = 0;
        }
    }

    private void next(double average) {
        switch (phase) {
            case TRY_SLEEPING -> {
                whenSleeping = average;
                begin(Phase.TRY_POLLING);
            }
            case TRY_POLLING -> {
                boolean polling = average <= whenPollingIsAsGood();
                if (polling != favoursPolling && ++wins < WINS) {
                    begin(Phase.TRY_SLEEPING);
                } else if (polling) {
                    keep = KEPT;
                    slower = 0;
                    begin(Phase.KEEP_POLLING);
                } else {
                    begin(Phase.KEEP_SLEEPING);
                }
            }
            case KEEP_SLEEPING -> {
                if (++kept == keep) {
                    keep = Math.min(2 * keep, KEPT_LONGEST);
                    begin(Phase.TRY_SLEEPING);
                }
            }
            case KEEP_POLLING -> {
                slower = average > Math.max(whenSleeping, whenPollingIsAsGood()) ? slower + 1 : 0;
                if (++kept == KEPT || slower == SLOWER) {
                    begin(Phase.TRY_SLEEPING);
                }
            }
        }
    }

    /** The greatest average with which polling wins a comparison. */
    private double whenPollingIsAsGood() {
        return favoursPolling ? whenSleeping + whenSleeping / 16 : whenSleeping - whenSleeping / 16;
    }

    private void begin(Phase next) {
        boolean tries = next == Phase.TRY_SLEEPING || next == Phase.TRY_POLLING;
        if (!tries || phase == Phase.KEEP_SLEEPING || phase == Phase.KEEP_POLLING) {
            wins = 0;
            kept = 0;
        }
        phase = next;
        polls = next == Phase.TRY_POLLING || next == Phase.KEEP_POLLING;
    }
}

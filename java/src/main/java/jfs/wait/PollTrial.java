package jfs.wait;

import java.util.concurrent.TimeUnit;

/**
 * Whether to poll or to sleep at once, by what takes connections less time. A poll that ends with the answer has not always helped: a
 * thread that sleeps leaves its core to the peer, and a peer that is woken there answers sooner than one on a core that was idle. So
 * both are tried, and the one that takes less time is kept until the next trial. Polling costs a core meanwhile, so it has to take
 * clearly less. A trial comes early if what is kept gets slower, as sleeping does when the scheduler gives the two ends a core each.
 *
 * <p>Beside programs that compute a thread pays for its polls later: it has used up its share of the core by then, and has to wait for a
 * time slice of theirs. So each way is tried for several slices, and by all connections whose waits are of the same kind: most are too
 * short to try both.
 *
 * <p>Any thread.
 */
final class PollTrial {

    /** Each way is tried for so many waits, and for so long. */
    static final int TRIED = 32;
    static final long TRIED_NANOS = TimeUnit.MILLISECONDS.toNanos(20);
    /** The way that has taken less time is kept for so many times as long. */
    static final int KEPT = 50;
    /** It is given up early if for so many times as long, one after the other, it has taken clearly more than the other one did. */
    static final int SLOWER = 2;
    /** A wait counts as no longer than this, nanoseconds, about a time slice: what takes longer is the peer's work. */
    static final int LONGEST_NANOS = 4_000_000;

    private enum Phase { TRY_POLLING, TRY_SLEEPING, KEEP }

    private Phase phase = Phase.TRY_POLLING;
    private volatile boolean polls = true;
    private int waits;
    private long nanos;
    /** When the first of these waits began; meaningless while there is none. */
    private long since;
    /** How often so many waits have gone the kept way, for so long; and how often in a row they took clearly more time than the other way. */
    private int kept;
    private int slower;
    /** Nanoseconds of an average wait, in the last trial. */
    private double whenPolling;
    private double whenSleeping;

    /** @return whether the next wait is to poll before it sleeps */
    boolean polls() {
        return polls;
    }

    /**
     * A wait that could have polled has ended with news.
     *
     * @param polled what {@link #polls} said when it began; if it says something else now, the wait does not count
     * @param began when it began, as {@link System#nanoTime} tells
     * @param ended when its poll, or its sleep, ended
     */
    synchronized void ended(boolean polled, long began, long ended) {
        if (polled != polls) {
            return;
        }
        long took = Math.min(ended - began, LONGEST_NANOS);
        if (waits++ == 0) {
            since = ended - took; // it may have begun long before this phase
        }
        nanos += took;
        if (waits < TRIED || ended - since < TRIED_NANOS) {
            return;
        }
        double average = (double) nanos / waits;
        switch (phase) {
            case TRY_POLLING -> {
                whenPolling = average;
                polls = false;
                phase = Phase.TRY_SLEEPING;
            }
            case TRY_SLEEPING -> {
                whenSleeping = average;
                polls = isClearlyLess(whenPolling, whenSleeping);
                kept = 0;
                slower = 0;
                phase = Phase.KEEP;
            }
            case KEEP -> {
                slower = isClearlyLess(polls ? whenSleeping : whenPolling, average) ? slower + 1 : 0;
                if (++kept == KEPT || slower == SLOWER) {
                    polls = true;
                    phase = Phase.TRY_POLLING;
                }
            }
        }
        waits = 0;
        nanos = 0;
    }

    private static boolean isClearlyLess(double nanos, double than) {
        return nanos < than - than / 8;
    }
}

package jfs.wait;

/**
 * Whether to poll or to sleep at once, by what takes a connection less time. A poll that ends with the answer has not always helped: a
 * thread that sleeps leaves its core to the peer, and a peer that is woken there answers sooner than one on a core that was idle. So
 * both are tried, and the one that takes less time is kept until the next trial. Polling costs a core meanwhile, so it has to take
 * clearly less.
 *
 * <p>Of one connection's reader; one thread at a time.
 */
final class PollTrial {

    /** Waits of each kind in a trial; and after it, of the kind that has taken less time. */
    static final int TRIED = 32;
    static final int KEPT = 1_024;
    /** A wait counts as no longer than this, nanoseconds: what takes so long is the peer's work. */
    static final int LONGEST_NANOS = 1_000_000;

    private enum Phase { TRY_POLLING, TRY_SLEEPING, KEEP }

    private Phase phase = Phase.TRY_POLLING;
    private boolean polls = true;
    private int waits;
    private long nanos;
    private long nanosOfPolling;

    /** @return whether the next wait is to poll before it sleeps */
    boolean polls() {
        return polls;
    }

    /**
     * A wait that could have polled has ended with news.
     *
     * @param took how long it has taken, nanoseconds, its poll and its sleep
     */
    void ended(long took) {
        nanos += Math.min(took, LONGEST_NANOS);
        if (++waits < (phase == Phase.KEEP ? KEPT : TRIED)) {
            return;
        }
        switch (phase) {
            case TRY_POLLING -> {
                nanosOfPolling = nanos;
                polls = false;
                phase = Phase.TRY_SLEEPING;
            }
            case TRY_SLEEPING -> {
                polls = nanosOfPolling < nanos - nanos / 8;
                phase = Phase.KEEP;
            }
            case KEEP -> {
                polls = true;
                phase = Phase.TRY_POLLING;
            }
        }
        waits = 0;
        nanos = 0;
    }
}

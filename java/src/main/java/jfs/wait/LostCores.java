package jfs.wait;

/**
 * Tells whether programs that compute want the cores. If they do, a thread that polls, or that yields its core, gets its core back late,
 * and a thread that sleeps does better. After a loss of a core no thread polls and no thread yields a core for a multiple of the time that
 * was lost. This pause is called the rest.
 *
 * <p>One loss says little, because the garbage collector and the compiler threads of a JVM take a core now and then. So the multiple is
 * low after a loss that comes alone, and doubles with each loss that comes soon after the end of the last rest.
 *
 * <p>Any thread may call these methods.
 */
final class LostCores {

    /** The multiple after a loss that comes alone, and the greatest one. With that the cores are tried for a small part of all time. */
    private static final int FIRST_MULTIPLE = 2;
    private static final int MOST = 32;
    /**
     * A loss comes soon if less than this many times its length has passed since the end of the last rest. A program that computes takes
     * a core for half of all time.
     */
    private static final int SOON = 16;
    /** Nanoseconds, longer than any time slice. After such a pause this process or the machine was stopped, which says nothing. */
    private static final int PAUSE_NANOS = 20_000_000;

    private int multiple;
    /** When the rest ends, a {@link Cores#nanoTime}. Without meaning before the first loss. */
    private volatile long until;
    private volatile boolean inForce;

    /**
     * Records that a thread lost its core.
     *
     * @param since when the thread last had the core, a {@link Cores#nanoTime}
     * @param nanos for how long the core was away
     */
    synchronized void lost(long since, long nanos) {
        long had = since - until;
        if (nanos >= PAUSE_NANOS || multiple > 0 && had < 0) { // had < 0: another thread lost its core at the same time
            return;
        }
        multiple = multiple > 0 && had < SOON * nanos ? Math.min(2 * multiple, MOST) : FIRST_MULTIPLE;
        until = since + nanos + multiple * nanos;
        inForce = true;
    }

    /** @return whether there is a rest now, so that no thread is to poll or to yield a core */
    boolean inForce(Cores cores) {
        if (inForce && cores.nanoTime() - until >= 0) {
            endRest(cores.nanoTime());
        }
        return inForce;
    }

    /** Looks once more under the monitor: another thread may have begun a new rest. */
    private synchronized void endRest(long now) {
        inForce = now - until < 0;
    }
}

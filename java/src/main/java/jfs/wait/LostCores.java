package jfs.wait;

/**
 * Whether programs that compute want the cores. A thread that polls, or that offers its core, gets it back late then, and a thread that
 * sleeps does better. So nobody polls and nobody offers a core for a multiple of the time that was lost.
 *
 * <p>One loss says little: the garbage collector and the compiler threads of a JVM take a core now and then. So the multiple is low after
 * a loss that comes alone, and doubles with each one that comes soon after the last rest is over.
 *
 * <p>Any thread.
 */
final class LostCores {

    /** The multiple after a loss that comes alone; and at most: the cores are tried for a small part of all time. */
    private static final int FIRST_MULTIPLE = 2;
    private static final int MOST = 32;
    /**
     * A loss comes soon if the core was there for less than so many times the loss. A program that computes takes a core for half of all
     * time.
     */
    private static final int SOON = 16;
    /** Longer than any scheduler's slice, nanoseconds: this process or the whole machine stood still, which says nothing. */
    private static final int PAUSE_NANOS = 20_000_000;

    private int multiple;
    /** When the rest ends, a {@link Cores#nanoTime}; means nothing before the first loss. */
    private volatile long until;
    private volatile boolean inForce;

    /**
     * A core was lost.
     *
     * @param since when the thread had it last, a {@link Cores#nanoTime}
     * @param nanos for how long it was away
     */
    synchronized void lost(long since, long nanos) {
        long had = since - until;
        if (nanos >= PAUSE_NANOS || multiple > 0 && had < 0) { // or another thread lost its core at the same time
            return;
        }
        multiple = multiple > 0 && had < SOON * nanos ? Math.min(2 * multiple, MOST) : FIRST_MULTIPLE;
        until = since + nanos + multiple * nanos;
        inForce = true;
    }

    /** @return whether nobody is to poll now, or to offer a core */
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

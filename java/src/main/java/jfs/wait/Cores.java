package jfs.wait;

import java.util.concurrent.atomic.AtomicInteger;

/** The cores as those who poll see them: how many there are to spare, the time, and who else wants them. */
class Cores {

    /** Those that this process runs on. */
    static final Cores HERE = new Cores(Runtime.getRuntime().availableProcessors());

    /** Getting a core back later than this, nanoseconds, means that another program had work for it. */
    private static final int LOST_NANOS = 200_000;
    /** So that what is lost is a small part of all time. */
    private static final int LOST_FACTOR = 32;
    /** Longer than any scheduler's slice: this process or the whole machine stood still, which says nothing. */
    private static final int PAUSE_NANOS = 20_000_000;

    private final int spare;
    private final AtomicInteger pollers = new AtomicInteger();

    /** The cores are others' until then, a {@link #nanoTime}. Races only make that a little wrong. */
    private volatile long crowdedUntil;
    private volatile boolean crowded;
    /** The last offer of a core was lost too. A collection of garbage or the like makes one, a competitor many. */
    private volatile boolean lostBefore;

    Cores(int all) {
        spare = all - 1;
    }

    long nanoTime() {
        return System.nanoTime();
    }

    /** Offers the core, of a virtual thread its carrier, to whoever waits for it. */
    void yieldCore() {
        Thread.yield();
    }

    boolean isVirtualThread() {
        return VirtualThreads.isCurrent();
    }

    /** Whether anybody may ever poll here. */
    boolean none() {
        return spare == 0;
    }

    /** @return false if all that are to spare have been taken; else the caller gives it back */
    boolean take() {
        if (pollers.incrementAndGet() > spare) {
            pollers.decrementAndGet();
            return false;
        }
        return true;
    }

    void giveBack() {
        pollers.decrementAndGet();
    }

    /** Whether others want the cores. */
    boolean crowded() {
        if (crowded && nanoTime() - crowdedUntil >= 0) {
            crowded = false;
        }
        return crowded;
    }

    /**
     * Learns how long a core was away that a platform thread had offered.
     *
     * @return whether polling has to stop
     */
    boolean isLost(long now, long away) {
        if (away <= LOST_NANOS) {
            lostBefore = false;
            return false;
        }
        if (lostBefore && away < PAUSE_NANOS) {
            crowdedUntil = now + LOST_FACTOR * away;
            crowded = true;
        }
        lostBefore = away < PAUSE_NANOS;
        return true;
    }
}

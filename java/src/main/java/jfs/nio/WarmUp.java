package jfs.nio;

import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * The first seconds in which a process talks over channels. Their connections get no path meanwhile (NIO-5).
 *
 * <p>A young JVM interprets JFS's code, then compiles it. That takes {@code 0.3} to {@code 0.5} s of processor time, once in a process. A
 * program that ends soon would never get it back. And a program that has just begun to work waits for its compilers anyway, which then
 * have more to do. A process that has talked for some seconds is likely to go on. So it pays then, as a connection does (NEG-4).
 *
 * <p>Thread-safe. Costs a look at the clock for a connection that is worth an offer, and a load once the time is over.
 */
final class WarmUp {

    static final long NANOS = TimeUnit.SECONDS.toNanos(4);
    /**
     * The time is so much longer for the end that offers, in which the accepted end of a busy connection is used. Otherwise the two ends of
     * one process would begin together, and an offer that comes first fails and is made again.
     */
    static final long LATER_NANOS = NANOS / 32;

    private final LongSupplier nanoTime;
    private volatile boolean isOver;
    /** When the first connection was worth an offer. Guarded by this. */
    private long begun;
    private boolean hasBegun;

    WarmUp() {
        this(new LongSupplier() {
            @Override
            public long getAsLong() {
                return System.nanoTime();
            }
        });
    }

    /** @param nanoTime the time, as of {@link System#nanoTime} */
    WarmUp(LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
    }

    /**
     * Asked for each connection that is worth an offer. The first question begins the time.
     *
     * @param accepted whether the end that asks has been accepted, so that offers are to find it. Otherwise it makes the offer
     */
    boolean isOver(boolean accepted) {
        return isOver || look(accepted);
    }

    private synchronized boolean look(boolean accepted) {
        long now = nanoTime.getAsLong();
        if (!hasBegun) {
            hasBegun = true;
            begun = now;
        }
        isOver = now - begun >= NANOS + LATER_NANOS;
        return isOver || accepted && now - begun >= NANOS;
    }
}

package jfs.connection;

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.DoubleSupplier;
import java.util.function.LongSupplier;

/**
 * Decides when a failed offer is made again. An offer that found no peer is repeated after {@value #SOON_MILLIS} ms, because the peer may
 * be there soon. An offer that failed for another reason is repeated after {@value #OTHERWISE_MILLIS} ms. After each further failure the
 * time is at least twice as long as before, up to {@value #MOST_SECONDS} seconds. A random part of up to half of that time is added, so
 * that connections whose offers failed together are not offered again together. There is no timer: a connection asks at each use whether
 * the offer is due.
 *
 * <p>Any thread may call {@link #isDue}. One thread at a time calls the other methods.
 */
final class BackOff {

    static final int SOON_MILLIS = 50;
    static final int OTHERWISE_MILLIS = 1_000;
    static final int MOST_SECONDS = 300;

    private final LongSupplier nanoTime;
    private final DoubleSupplier random;
    private long wait = TimeUnit.MILLISECONDS.toNanos(SOON_MILLIS);
    private long due;
    private volatile boolean waiting;

    BackOff() {
        this(System::nanoTime, () -> ThreadLocalRandom.current().nextDouble());
    }

    /**
     * @param nanoTime the time, as of {@link System#nanoTime}
     * @param random from 0 inclusive to 1 exclusive
     */
    BackOff(LongSupplier nanoTime, DoubleSupplier random) {
        this.nanoTime = nanoTime;
        this.random = random;
    }

    /**
     * The offer has failed.
     *
     * @param foundNobody whether the offer failed because it found no peer
     */
    void failed(boolean foundNobody) {
        wait = foundNobody ? wait : Math.max(wait, TimeUnit.MILLISECONDS.toNanos(OTHERWISE_MILLIS));
        due = nanoTime.getAsLong() + wait + (long) (random.getAsDouble() * wait / 2);
        wait = Math.min(2 * wait, TimeUnit.SECONDS.toNanos(MOST_SECONDS));
        waiting = true;
    }

    /** Called when the offer is made again. */
    void begun() {
        waiting = false;
    }

    /** Whether the offer is to be made again now. */
    boolean isDue() {
        return waiting && nanoTime.getAsLong() - due >= 0;
    }
}

package jfs.testing;

import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

/** Waits for a condition, for a limited time. */
public final class Await {

    /** The longest wait for something that should happen at once. Passing tests never come near it. */
    public static final Duration LIMIT = Duration.ofSeconds(40);

    /**
     * The shortest and the longest pause between two checks. A thread that has waited long checks seldom, because each
     * check takes processor time from the threads that it waits for.
     */
    private static final long PAUSE_NANOS_MIN = 200_000;
    private static final long PAUSE_NANOS_MAX = 2_000_000;
    /** The pause is the time waited so far, divided by this. */
    private static final int LATER = 50;

    private Await() {
    }

    /** Returns as soon as the condition holds. Fails if it does not hold within {@link #LIMIT}. */
    public static void until(String condition, Callable<Boolean> holds) throws Exception {
        until(() -> condition, holds);
    }

    /** The same. The message is made only when the wait has failed. */
    public static void until(Supplier<String> condition, Callable<Boolean> holds) throws Exception {
        long start = System.nanoTime();
        while (!holds.call()) {
            long waited = System.nanoTime() - start;
            if (waited > LIMIT.toNanos()) {
                throw new AssertionError("never: " + condition.get());
            }
            LockSupport.parkNanos(Math.min(Math.max(waited / LATER, PAUSE_NANOS_MIN), PAUSE_NANOS_MAX));
        }
    }
}

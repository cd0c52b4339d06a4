package jfs.conformance;

import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

/** Waiting for a condition, with an end. */
public final class Await {

    /** How long anything may take that should be there at once. Passing tests never come near it. */
    public static final Duration LIMIT = Duration.ofSeconds(40);

    /** Between two looks: at first, and whoever waits long looks seldom, for it has the processor that others wait for. */
    private static final long PAUSE_NANOS_MIN = 200_000;
    private static final long PAUSE_NANOS_MAX = 2_000_000;
    /** A look may come later by this part of the time waited. */
    private static final int LATER = 50;

    private Await() {
    }

    /** Returns as soon as the condition holds, fails if it never does. */
    public static void until(String condition, Callable<Boolean> holds) throws Exception {
        until(() -> condition, holds);
    }

    /** The same; the message is made when it has failed. */
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

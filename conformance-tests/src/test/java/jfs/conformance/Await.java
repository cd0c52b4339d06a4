package jfs.conformance;

import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

/** Waiting for a condition, with an end. */
public final class Await {

    /** How long anything may take that should be there at once. Passing tests never come near it. */
    public static final Duration LIMIT = Duration.ofSeconds(40);

    private static final long BETWEEN_LOOKS_NANOS = 200_000;

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
            if (System.nanoTime() - start > LIMIT.toNanos()) {
                throw new AssertionError("never: " + condition.get());
            }
            LockSupport.parkNanos(BETWEEN_LOOKS_NANOS);
        }
    }
}

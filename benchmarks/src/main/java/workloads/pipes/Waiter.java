package workloads.pipes;

import java.lang.invoke.VarHandle;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Waits, one thread at a time: polls for a while, offering its core after a moment, and then parks. */
final class Waiter {
    private static final int POLL_NANOS = 80_000;
    private static final int ALONE_NANOS = 1_000;
    private static final int ROUNDS = 32;

    private final BooleanSupplier news;
    private volatile Thread parked;

    Waiter(BooleanSupplier news) {
        this.news = news;
    }

    /** @return false if there is no news after so many milliseconds, of which 0 are any number */
    boolean await(int timeout) {
        if (news.getAsBoolean()) {
            return true;
        }
        long start = System.nanoTime();
        for (long elapsed = 0; elapsed < POLL_NANOS; elapsed = System.nanoTime() - start) {
            for (int i = 0; i < ROUNDS; i++) {
                if (news.getAsBoolean()) {
                    return true;
                }
                Thread.onSpinWait();
            }
            if (elapsed > ALONE_NANOS) {
                Thread.yield();
            }
        }
        return park(timeout == 0 ? Long.MAX_VALUE : start + timeout * 1_000_000L);
    }

    private boolean park(long deadline) {
        // Who waits says so before it looks again, who has news looks afterwards whether somebody waits: one sees the other.
        parked = Thread.currentThread();
        try {
            while (!news.getAsBoolean()) {
                long left = deadline - System.nanoTime();
                if (left <= 0) {
                    return false;
                }
                LockSupport.parkNanos(this, left);
            }
            return true;
        } finally {
            parked = null;
        }
    }

    /** After the change that it waits for. */
    void wake() {
        VarHandle.fullFence();
        Thread thread = parked;
        if (thread != null) {
            LockSupport.unpark(thread);
        }
    }
}

package workloads.pipes;

import java.lang.invoke.VarHandle;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Waits, one thread at a time: polls for a while, offering its core after a moment, and then parks; as JFS does. */
final class Waiter {
    private static final int POLL_NANOS = 80_000;
    private static final int ALONE_NANOS = 1_000;
    private static final int ROUNDS = 32;
    /** A core that was offered and comes back later than this has gone to another program. */
    private static final int LOST_NANOS = 200_000;
    private static final int LOST_FACTOR = 32;

    /** Nobody polls before this {@link System#nanoTime}: polling is for idle cores. */
    private static volatile long pollFrom = System.nanoTime();

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
        return poll(start) || park(timeout == 0 ? Long.MAX_VALUE : start + timeout * 1_000_000L);
    }

    private boolean poll(long start) {
        long now = start;
        while (now - start < POLL_NANOS && now - pollFrom >= 0) {
            for (int i = 0; i < ROUNDS; i++) {
                if (news.getAsBoolean()) {
                    return true;
                }
                Thread.onSpinWait();
            }
            long offered = System.nanoTime();
            if (offered - start > ALONE_NANOS) {
                Thread.yield();
            }
            now = System.nanoTime();
            if (now - offered > LOST_NANOS) {
                pollFrom = now + LOST_FACTOR * (now - offered);
            }
        }
        return false;
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

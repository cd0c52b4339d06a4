package workloads.pipes;

import java.lang.invoke.VarHandle;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/**
 * Lets one thread at a time wait, as JFS does. The thread polls for a while. After a moment it also yields its core between its looks.
 * Then it parks.
 */
final class Waiter {
    private static final int POLL_NANOS = 80_000;
    private static final int ALONE_NANOS = 1_000;
    private static final int ROUNDS = 32;
    /** If a yielded core comes back later than this, another program has had it. */
    private static final int LOST_NANOS = 200_000;
    private static final int LOST_FACTOR = 32;

    /** No thread polls before this {@link System#nanoTime}: polling is for idle cores. */
    private static volatile long pollFrom = System.nanoTime();

    private final BooleanSupplier news;
    private volatile Thread parked;

    Waiter(BooleanSupplier news) {
        this.news = news;
    }

    /** @param timeout in milliseconds; 0: no timeout @return false if there is no news within the timeout */
    boolean await(int timeout) {
        if (news.getAsBoolean()) {
            return true;
        }
        long start = System.nanoTime();
        return poll(start) || park(start, timeout == 0 ? Long.MAX_VALUE : timeout * 1_000_000L);
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
            long yielded = System.nanoTime();
            if (yielded - start > ALONE_NANOS) {
                Thread.yield();
            }
            now = System.nanoTime();
            if (now - yielded > LOST_NANOS) {
                pollFrom = now + LOST_FACTOR * (now - yielded);
            }
        }
        return false;
    }

    private boolean park(long start, long nanos) {
        // The waiting thread stores itself in 'parked' before it looks for news again. The thread that has news looks at 'parked' after
        // it has published the news. So at least one of the two sees the other's store.
        parked = Thread.currentThread();
        try {
            while (!news.getAsBoolean()) {
                long left = nanos - (System.nanoTime() - start); // nanoTime may be negative, and may overflow
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

    /** Wakes the waiting thread. The caller has made the change that this thread waits for. */
    void wake() {
        VarHandle.fullFence();
        Thread thread = parked;
        if (thread != null) {
            LockSupport.unpark(thread);
        }
    }
}

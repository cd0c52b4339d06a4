package jfs.wait;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

/** Until when something is waited for: a value of {@link System#nanoTime}, or {@link #NONE}. */
public final class Deadline {

    public static final long NONE = 0;

    private Deadline() {
    }

    /** @param millis from now; 0: none */
    public static long in(int millis) {
        return millis == 0 ? NONE : System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis) | 1; // is never NONE
    }

    public static boolean hasPassed(long deadline) {
        return deadline != NONE && deadline - System.nanoTime() <= 0;
    }

    /** The one of the two that comes first; the other one is not {@link #NONE}. */
    public static long earlier(long deadline, long other) {
        return deadline == NONE || other - deadline < 0 ? other | 1 : deadline;
    }

    /** Until then as poll(2) takes it, rounded up: to wake before would only mean to sleep again. -1: for ever. */
    public static int millisUntil(long deadline) {
        return deadline == NONE ? -1
                : (int) Math.min(Integer.MAX_VALUE, TimeUnit.NANOSECONDS.toMillis(nanosUntil(deadline) + 999_999));
    }

    /** Nanoseconds until then, not below 0. Only of a deadline that is one. */
    public static long nanosUntil(long deadline) {
        return Math.max(0, deadline - System.nanoTime());
    }

    /** Takes the lock unless the deadline comes first. An interrupt does nothing, and its status is kept. */
    public static boolean lock(ReentrantLock lock, long deadline) {
        if (deadline == NONE) {
            lock.lock();
            return true;
        }
        if (lock.tryLock()) {
            return true;
        }
        boolean interrupted = false;
        try {
            for (;;) {
                try {
                    return lock.tryLock(nanosUntil(deadline), TimeUnit.NANOSECONDS);
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}

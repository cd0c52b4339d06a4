package jfs.wait;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

/** The time at which a wait ends: a value of {@link System#nanoTime}, or {@link #NONE}. */
public final class Deadline {

    public static final long NONE = 0;

    private Deadline() {
    }

    /** @param millis milliseconds from now; 0 for no deadline */
    public static long in(int millis) {
        return millis == 0 ? NONE : System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis) | 1; // the | 1 keeps it from being NONE
    }

    /** A deadline that has passed already: for a caller that looks once and does not wait. */
    public static long passed() {
        return System.nanoTime() - 1 | 1;
    }

    public static boolean hasPassed(long deadline) {
        return deadline != NONE && deadline - System.nanoTime() <= 0;
    }

    /** The earlier one of the two deadlines. The second one must not be {@link #NONE}. */
    public static long earlier(long deadline, long other) {
        return deadline == NONE || other - deadline < 0 ? other | 1 : deadline;
    }

    /**
     * The milliseconds until the deadline, as poll(2) takes them: -1 for no deadline. The result is rounded up, because a thread that woke
     * before the deadline would only have to sleep again.
     */
    public static int millisUntil(long deadline) {
        return deadline == NONE ? -1
                : (int) Math.min(Integer.MAX_VALUE, TimeUnit.NANOSECONDS.toMillis(nanosUntil(deadline) + 999_999));
    }

    /** The nanoseconds until the deadline, at least 0. The deadline must not be {@link #NONE}. */
    public static long nanosUntil(long deadline) {
        return Math.max(0, deadline - System.nanoTime());
    }

    /** Takes the lock. An interrupt does not end the wait, and its status is kept. @return false if the deadline came first */
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

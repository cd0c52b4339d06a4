package jfs.wait;

import java.io.IOException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;

/**
 * Polls for a bounded time before a thread goes to sleep (the paper's hybrid, section 4.3). Polling saves the tens of
 * microseconds that a wake-up takes, and costs a core meanwhile, so it must pay:
 *
 * <ul>
 * <li>no longer than {@code jfs.poll.micros} at a time;
 * <li>only where the last waits of this kind on this connection ended within that time (R19): success earns credit,
 * failure costs it, and without credit the thread sleeps at once; a wait that a sleeper finds short earns it back;
 * <li>not while others want the cores: a thread that offers its core and gets it back late has lost more than polling
 * ever gains, so nobody polls for a multiple of what was lost;
 * <li>no more pollers at once in this process than cores to spare, one core being left to whoever is to answer; none
 * on a machine with one core.
 * </ul>
 *
 * <p>One instance for each waiting role of a connection, used by one thread at a time.
 */
public final class Polling {

    private static final int CREDIT_MAX = 8;
    private static final int CREDIT_START = 2;
    /** What a failed poll costs, in successes: a quarter of failures is the most that is worth it. */
    private static final int FAILURE = 3;
    /** How often one look asks, about a microsecond: shared memory; the kernel. */
    private static final int MEMORY_ROUNDS = 32;
    private static final int SYSTEM_CALL_ROUNDS = 2;
    /** Polling without offering the core, nanoseconds: where offering it has helped; otherwise. */
    private static final int ALONE_SHORT_NANOS = 1_000;
    private static final int ALONE_NANOS = 20_000;

    /** An offer that took longer than this, nanoseconds, was taken by somebody. */
    private static final int TAKEN_NANOS = 1_500;
    /** Getting the core back later than this, nanoseconds, means that another program had work for it. */
    private static final int LOST_NANOS = 200_000;
    /** So that what is lost is a small part of all time. */
    private static final int LOST_FACTOR = 32;
    /** Longer than any scheduler's slice: this process or the whole machine stood still, which says nothing. */
    private static final int PAUSE_NANOS = 20_000_000;

    private static final int CORES = Runtime.getRuntime().availableProcessors();
    private static final int POLLERS_MAX = CORES == 1 ? 0 : CORES - 1;
    private static final AtomicInteger POLLERS = new AtomicInteger();

    /** Polls that ended with news, and all polls. */
    public static final LongAdder SUCCESSES = new LongAdder();
    public static final LongAdder POLLS = new LongAdder();

    /** The cores are others' until then, a {@link System#nanoTime}. Races only make that a little wrong. */
    private static volatile long crowdedUntil;
    private static volatile boolean crowded;
    /** The last offer of a core was lost too. A collection of garbage or the like makes one, a competitor many. */
    private static volatile boolean lostBefore;

    private final long nanos;
    private final int rounds;
    private final boolean sleepsOnSharedCore;
    private int aloneNanos = ALONE_NANOS;
    private int credit = CREDIT_START;

    private Polling(int micros, int rounds, boolean sleepsOnSharedCore) {
        this.nanos = micros * 1000L;
        this.rounds = rounds;
        this.sleepsOnSharedCore = sleepsOnSharedCore;
    }

    /**
     * For news that come by shared memory. Where the peer shares the core, offering it is cheaper than to sleep and be rung.
     *
     * @param micros longest poll, microseconds; 0 never polls
     */
    public static Polling ofMemory(int micros) {
        return new Polling(micros, MEMORY_ROUNDS, false);
    }

    /**
     * For news that it takes a system call to see. Where the peer shares the core, sleeping hands it over as well as
     * anything, so there it is left to that.
     *
     * @param micros longest poll, microseconds; 0 never polls
     */
    public static Polling bySystemCall(int micros) {
        return new Polling(micros, SYSTEM_CALL_ROUNDS, true);
    }

    /**
     * Polls if that is likely to pay.
     *
     * @return whether the news arrived
     */
    public boolean poll(News news) throws IOException {
        if (credit <= 0 || nanos == 0 || POLLERS_MAX == 0) {
            return false;
        }
        // Most answers are there within this first look, which is too short to count against anybody.
        if (look(news)) {
            credit = Math.min(credit + 1, CREDIT_MAX);
            return true;
        }
        if (crowded()) {
            return false;
        }
        if (POLLERS.incrementAndGet() > POLLERS_MAX) {
            POLLERS.decrementAndGet();
            return false;
        }
        POLLS.increment();
        try {
            if (!pollYielding(news)) {
                credit -= FAILURE;
                return false;
            }
            credit = sleepsOnSharedCore && aloneNanos == ALONE_SHORT_NANOS ? -CREDIT_MAX
                    : Math.min(credit + 1, CREDIT_MAX);
            SUCCESSES.increment();
            return true;
        } finally {
            POLLERS.decrementAndGet();
        }
    }

    /**
     * Polls without asking whether that pays here, unless other programs want the cores. After a moment it offers the core
     * to others again and again: a peer that was just woken is often put onto the core of the one who woke it, and would
     * wait there for the end of the very poll that waits for it. Where that was so the last time the moment is short. It
     * is not elsewhere, because to a program that just computes (a compiler thread of this JVM is one), the scheduler gives
     * the core for milliseconds then, and counts it against the one who offered it.
     *
     * @return whether the news arrived
     */
    public boolean pollYielding(News news) throws IOException {
        if (crowded()) {
            return false;
        }
        long start = System.nanoTime();
        boolean taken = false;
        for (long now = start; now - start < nanos; ) {
            if (look(news)) {
                aloneNanos = taken ? ALONE_SHORT_NANOS : ALONE_NANOS;
                return true;
            }
            now = System.nanoTime();
            if (now - start > aloneNanos) {
                Thread.yield();
                long offered = now;
                now = System.nanoTime();
                taken = now - offered > TAKEN_NANOS;
                if (isLost(now, now - offered)) {
                    return false;
                }
            }
        }
        return false;
    }

    /** @return whether polling has to stop */
    private static boolean isLost(long now, long away) {
        if (away <= LOST_NANOS) {
            lostBefore = false;
            return false;
        }
        if (lostBefore && away < PAUSE_NANOS) {
            crowdedUntil = now + LOST_FACTOR * away;
            crowded = true;
        }
        lostBefore = away < PAUSE_NANOS;
        return true;
    }

    private static boolean crowded() {
        if (crowded && System.nanoTime() - crowdedUntil >= 0) {
            crowded = false;
        }
        return crowded;
    }

    private boolean look(News news) throws IOException {
        for (int i = 0; i < rounds; i++) {
            if (news.arrived()) {
                return true;
            }
            Thread.onSpinWait();
        }
        return false;
    }

    /** Learns from a sleep that ended with news after so long, the sleeper's own wake-up included. */
    public void slept(long elapsedNanos) {
        // Two sleeping peers see each other's wake-ups as part of the wait, so "short" allows for one.
        if (elapsedNanos < nanos + 50_000) {
            credit = Math.min(credit + 1, CREDIT_MAX);
        } else {
            credit = Math.max(credit - 1, -CREDIT_MAX);
        }
    }
}

package jfs.wait;

import java.util.concurrent.atomic.AtomicInteger;
import jfs.nativelib.Words;
import jfs.threads.VirtualThreads;

/** The processor cores as a polling thread sees them: how many are to spare, the time, and which other threads want them. */
class Cores {

    /** The cores that this process may run on. */
    static final Cores HERE = new Cores(Runtime.getRuntime().availableProcessors());

    /** Nanoseconds. A thread that is without its core for longer than this has lost more time than polling gains. */
    static final int LOST_NANOS = 200_000;
    /** Nanoseconds. If a yield of the core took longer than this, another thread has had the core meanwhile. */
    static final int TAKEN_NANOS = 1_500;
    /** For how many nanoseconds the cores count as shared after the last sign of it. */
    private static final int SHARED_NANOS = 1_000_000;
    /**
     * Nanoseconds. A thread that waits for news gives its core up after a few microseconds, a program that computes after its time slice.
     * If a core was away for longer than this, such a program had it, unless threads of this process came to wait all the time.
     */
    private static final int LONG_NANOS = 500_000;
    /** Nanoseconds. Threads came to wait all the time if, on average, one thread came to wait in each interval of this length. */
    private static final int TURN_NANOS = 50_000;
    /**
     * For each question the kernel adds up the times of all threads of the process, which takes long where there are thousands. All
     * questions together may take at most this part of the time: one in so many.
     */
    private static final int ASKING_SHARE = 50;

    private final int spare;
    private final AtomicInteger pollers = new AtomicInteger();
    private final LostCores lostCores = new LostCores();

    /** Until this time the cores count as shared: more threads want cores than there are. A race makes the time only slightly wrong. */
    private volatile long sharedUntil;
    private volatile boolean shared;
    /** From this time on the kernel may be asked again what other threads of this process use. A race causes one question too many. */
    private volatile long nextAsk;
    /** How often threads of this process came to wait, and yielded their core or slept because other threads compute. Wraps. */
    private final AtomicInteger turns = new AtomicInteger();

    Cores(int all) {
        spare = all - 1;
        nextAsk = nanoTime();
    }

    long nanoTime() {
        return System.nanoTime();
    }

    /** Called by a virtual thread: yields its carrier to other virtual threads. */
    void yieldCarrier() {
        Thread.yield();
    }

    /** Yields the core to all threads that wait for it. A virtual thread keeps its carrier meanwhile. */
    void yieldCore() {
        if (isVirtualThread()) {
            Words.yieldCore();
        } else {
            Thread.yield();
        }
    }

    /** The processor time that the other threads of this process have used, nanoseconds. Called only if {@link #mayAsk} allows it. */
    long othersNanos() {
        return Words.othersNanos();
    }

    /** Whether the kernel may be asked now. A thread that asks then calls {@link #asked}. */
    boolean mayAsk(long now) {
        return now - nextAsk >= 0;
    }

    /** Records when a question to the kernel began and ended. */
    void asked(long began, long ended) {
        nextAsk = ended + ASKING_SHARE * (ended - began);
    }

    boolean isVirtualThread() {
        return VirtualThreads.isCurrent();
    }

    /** Whether there is only one core, so that no thread may ever poll. */
    boolean isSingleCore() {
        return spare == 0;
    }

    /** The number of cores beside the caller's core and its peer's. */
    int besideAConversation() {
        return Math.max(0, spare - 1);
    }

    /** Takes a core to poll on. @return false if all spare cores are taken; else the caller has to {@link #giveBack} the core */
    boolean take() {
        if (pollers.incrementAndGet() > spare) {
            pollers.decrementAndGet();
            return false;
        }
        return true;
    }

    void giveBack() {
        pollers.decrementAndGet();
    }

    int turns() {
        return turns.get();
    }

    /** Counts a thread that comes to wait and does not call {@link #yieldUnlessCrowded}. @return the {@link #turns}, this one included */
    int countWait() {
        return turns.incrementAndGet();
    }

    /** Whether other programs want the cores. */
    boolean crowded() {
        return lostCores.inForce(this);
    }

    /**
     * Whether the threads of this process, and the threads that they wait for, want more cores than there are. Then a thread that polls
     * keeps another thread waiting, maybe the one that is to answer.
     */
    boolean shared() {
        if (shared && nanoTime() - sharedUntil >= 0) {
            shared = false;
        }
        return shared || isSingleCore();
    }

    /** Records a sign that the cores are shared. */
    void share() {
        sharedUntil = nanoTime() + SHARED_NANOS;
        shared = true;
    }

    /**
     * Lets other threads run on this core once. Does not yield the core for a while after another program has taken a core for long.
     *
     * <p>The cores go on to count as shared if another thread took the core, and another thread of this process came to wait meanwhile.
     * One conversation alone is no such sign. Its two ends may be on one core by chance while another core is idle, and the kernel
     * separates them only if they poll.
     */
    void yieldUnlessCrowded() {
        int before = turns.getAndIncrement();
        if (crowded()) {
            return;
        }
        long yielded = nanoTime();
        yieldCore();
        long away = nanoTime() - yielded;
        if (away <= TAKEN_NANOS) {
            return;
        }
        if (turns.get() - before > 1) {
            share();
        }
        learn(yielded + away, away, before);
    }

    /**
     * Learns for how long a polling platform thread was without its core. The thread had yielded the core, or the kernel took it away.
     *
     * @param now when the thread had the core again
     * @param turnsBefore {@link #turns} when the thread began to poll
     * @return whether polling has to stop
     */
    boolean isLost(long now, long away, int turnsBefore) {
        if (away <= LOST_NANOS) {
            return false;
        }
        learn(now, away, turnsBefore);
        return true;
    }

    private void learn(long now, long away, int turnsBefore) {
        int waits = Math.max(1, turns.get() - turnsBefore);
        if (away > LONG_NANOS && away / waits > TURN_NANOS) {
            lostCores.lost(now - away, away);
        }
    }
}

package jfs.wait;

import java.util.concurrent.atomic.AtomicInteger;
import jfs.nativelib.Words;

/** The cores as those who poll see them: how many there are to spare, the time, and who else wants them. */
class Cores {

    /** Those that this process runs on. */
    static final Cores HERE = new Cores(Runtime.getRuntime().availableProcessors());

    /** A thread that gets its core back later than this, nanoseconds, has lost more than polling gains. */
    static final int LOST_NANOS = 200_000;
    /** An offer that took longer than this, nanoseconds, was taken by another thread. */
    static final int TAKEN_NANOS = 1_500;
    /** How long the cores are held to be shared after the last sign of it, nanoseconds. */
    private static final int SHARED_NANOS = 1_000_000;
    /**
     * A thread that waits gives its core up after a few microseconds, a program that computes after its time slice. So a core that is
     * away for longer than this, nanoseconds, was taken by such a program, unless threads of this process have waited all the while.
     */
    private static final int LONG_NANOS = 500_000;
    /** Threads have waited all the while if one has come to wait in each time of this length, nanoseconds, on average. */
    private static final int TURN_NANOS = 50_000;
    /**
     * The kernel adds up the times of all threads of the process for each question, which takes long where there are thousands. So all
     * questions together take one part in so many of the time.
     */
    private static final int ASKING_SHARE = 50;
    private final int spare;
    private final AtomicInteger pollers = new AtomicInteger();
    private final LostCores lostCores = new LostCores();

    /** More threads want cores than there are, until then. Races only make that a little wrong. */
    private volatile long sharedUntil;
    private volatile boolean shared;
    /** When the kernel may be asked again what other threads of this process use. Races only make one ask too many. */
    private volatile long nextAsk;
    /** How often threads of this process have come to wait, and have offered their core or slept because others compute; wraps. */
    private final AtomicInteger turns = new AtomicInteger();

    Cores(int all) {
        spare = all - 1;
        nextAsk = nanoTime();
    }

    long nanoTime() {
        return System.nanoTime();
    }

    /** By a virtual thread: offers its carrier to other virtual threads. */
    void yieldCarrier() {
        Thread.yield();
    }

    /** Offers the core to all threads that wait for it. A virtual thread keeps its carrier meanwhile. */
    void yieldCore() {
        if (isVirtualThread()) {
            Words.offerCore();
        } else {
            Thread.yield();
        }
    }

    /** The processor time that the other threads of this process have used, nanoseconds. Only if the caller {@link #mayAsk may ask}. */
    long othersNanos() {
        return Words.othersNanos();
    }

    /** Whether the kernel may be asked now. Whoever asks says how long it took. */
    boolean mayAsk(long now) {
        return now - nextAsk >= 0;
    }

    /** The kernel was asked. */
    void asked(long began, long ended) {
        nextAsk = ended + ASKING_SHARE * (ended - began);
    }

    boolean isVirtualThread() {
        return VirtualThreads.isCurrent();
    }

    /** Whether there is one core, so that nobody may ever poll here. */
    boolean none() {
        return spare == 0;
    }

    /** How many there are beside the caller's and its peer's. */
    int besideAConversation() {
        return Math.max(0, spare - 1);
    }

    /** @return false if all that are to spare have been taken; else the caller gives it back */
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

    /** A thread comes to wait that does not offer its core. @return the {@link #turns}, this one included */
    int comeToWait() {
        return turns.incrementAndGet();
    }

    /** Whether other programs want the cores. */
    boolean crowded() {
        return lostCores.inForce(this);
    }

    /**
     * Whether the threads of this process and those that they wait for want more cores than there are. Then a thread that polls keeps
     * another one waiting, maybe the one that is to answer.
     */
    boolean shared() {
        if (shared && nanoTime() - sharedUntil >= 0) {
            shared = false;
        }
        return shared || none();
    }

    /** There is a sign of that. */
    void share() {
        sharedUntil = nanoTime() + SHARED_NANOS;
        shared = true;
    }

    /**
     * Lets other threads run on this core once. Does nothing for a while after another program has taken a core for long.
     *
     * <p>Cores stay shared if the core was taken and another thread of this process has come to wait meanwhile. One conversation that
     * goes on alone is no sign of that: its two ends may be on one core by chance, beside an idle one, and the kernel separates them
     * only if they poll.
     */
    void offer() {
        int before = turns.getAndIncrement();
        if (crowded()) {
            return;
        }
        long offered = nanoTime();
        yieldCore();
        long away = nanoTime() - offered;
        if (away <= TAKEN_NANOS) {
            return;
        }
        if (turns.get() - before > 1) {
            share();
        }
        learn(offered + away, away, before);
    }

    /**
     * Learns for how long a platform thread that polls was without its core, which it had offered or which was taken from it.
     *
     * @param now when it had the core again
     * @param turnsBefore {@link #turns} when it began to poll
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

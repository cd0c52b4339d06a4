package jfs.wait;

/**
 * What the other threads of this process do, by the kernel's last answer. One instance belongs to one {@link Polling}, and one thread at a
 * time uses it. A question is a system call that takes the longer the more threads the process has.
 */
final class OtherThreads {

    /** The processor time that a thread uses from one wait for news to the next, nanoseconds: a little more than most threads use. */
    private static final int WAITERS_NANOS = 20_000;
    /** The other threads may also use this part of a core, one in so many, of the two cores for the caller and its peer. */
    private static final int LITTLE = 4;

    private boolean wantCores;
    private boolean compute;
    private long used;
    private long askedAt;
    /** The {@link Cores#turns} at that time, and the turns of this instance since. A thread counts once for each of its connections. */
    private int turns;
    private int own;

    /** Asks for the first time. There is nothing to compare the answer with, so the other threads seem to want no cores. */
    OtherThreads(Cores cores, long now) {
        used = cores.othersNanos();
        askedAt = now;
        turns = cores.turns();
    }

    /** Asks again, and compares with the last answer. */
    void ask(Cores cores, long now) {
        long usedNow = cores.othersNanos();
        int turnsNow = cores.turns();
        long elapsed = now - askedAt;
        long left = elapsed * cores.besideAConversation() + elapsed / LITTLE;
        long byOthers = usedNow - used;
        long byWaiters = (long) (turnsNow - turns - own) * WAITERS_NANOS;
        wantCores = byOthers > left;
        compute = byOthers - byWaiters > left;
        used = usedNow;
        askedAt = now;
        turns = turnsNow;
        own = 0;
    }

    /** How long ago the kernel was asked, nanoseconds. */
    long age(long now) {
        return now - askedAt;
    }

    /** Whether the other threads do not leave a core each to the caller and to its peer. */
    boolean wantCores() {
        return wantCores;
    }

    /** The same without the time of threads that only wait for news again and again. */
    boolean compute() {
        return compute;
    }

    /** The thread of this instance comes to wait. */
    void countWait() {
        own++;
    }
}

package jfs.wait;

import java.io.IOException;
import jfs.nativelib.Words;

/**
 * Polls for a bounded time before a thread goes to sleep (the paper's hybrid, section 4.3). A poll saves the tens of microseconds that a
 * wake-up takes, and costs a core meanwhile. A thread polls only where that is likely to pay:
 *
 * <ul>
 * <li>no longer than {@code jfs.poll.micros} at a time;
 * <li>only where the last waits of this kind on this connection ended within that time (POLL-1). The instance counts this
 * as its <em>confidence</em>. A success raises the confidence, a failure lowers it. With no confidence the thread does not poll. A short
 * sleep raises the confidence again. Most TCP connections are too short to learn this. Each of them therefore begins with the confidence
 * that the first waits of other connections have taught ({@link Lessons});
 * <li>on a platform thread over TCP only if the program gets more done with polls than with sleeps. All connections of a kind try both
 * ways together now and then ({@link PollTrial});
 * <li>not while other programs want the cores. A thread that has lost its core has lost more time than polling ever gains. No thread polls
 * then for a multiple of that time ({@link LostCores});
 * <li>not while other threads of this process compute, because they want the cores ({@link #othersCompute}). The kernel would also put a
 * thread that yields its core behind those threads. The thread therefore sleeps at once, also where cores are shared. A selector tries
 * both ways ({@link SelectorPolling});
 * <li>only if a core is to spare. One core is left to the thread that is to answer: all cores but one may be used for polls of this process
 * at the same time. On a machine with one core no thread polls;
 * <li>on a virtual thread only while no other virtual thread wants the carrier. The thread yields the carrier first. If another one has
 * taken it, the answer is often there afterwards. Thousands of conversations then go on with hardly a system call. If the answer is not
 * there, the thread sleeps. A virtual thread that has not slept for {@value #TURN_NANOS} ns sleeps in any case, however soon its answers
 * come. If many threads have taken the carrier, the thread yields the core too before it sleeps, because the peers of all these threads may
 * want the core.
 * </ul>
 *
 * <p>Where polling does not pay, a platform thread that waits for news in memory yields its core once before it sleeps, and looks
 * again. If the peer or another conversation has waited for that core, the answer is often there. This takes one system call instead of
 * a sleep and a wake-up at either end. While cores are shared ({@link Cores#shared}) no thread polls memory. Each thread yields its core
 * once instead, unless other threads of this process compute. A virtual thread yields its carrier first. A thread that waits for
 * messages yields its core <em>before</em> it looks again or sleeps ({@link #yieldFirst}).
 *
 * <p>Each waiting role of a connection has one instance. One thread at a time uses it.
 */
public class Polling {

    private static final int CONFIDENCE_MAX = 8;
    static final int CONFIDENCE_START = 2;
    /** By how much a failed poll lowers the confidence. A success raises it by 1, so polling goes on with at most a quarter of failures. */
    private static final int FAILURE = 3;
    /** For how many nanoseconds a poll spins before it first yields the core: where a yield has helped the last time, and otherwise. */
    private static final int SPIN_SHORT_NANOS = 1_000;
    private static final int SPIN_NANOS = 20_000;

    /**
     * A virtual thread's turn: it may go on for this many nanoseconds without a sleep. A virtual thread that yields its carrier stays in
     * the carrier's queue, before the threads that were woken from outside. Only a thread that sleeps lets all others run first.
     */
    private static final int TURN_NANOS = 1_000_000;
    /** Nanoseconds. If a yield of the carrier took longer than this, the carrier has run several virtual threads meanwhile. */
    private static final int MANY_NANOS = 20_000;
    /**
     * Nanoseconds between two questions of a thread about how much the other threads of this process compute. Where cores are shared the
     * thread asks less often, because many threads ask there, and for each question the kernel adds up the times of all threads.
     */
    private static final int ASKING_NANOS = 1_000_000;
    private static final int ASKING_SHARED_NANOS = 10_000_000;
    /** About how many nanoseconds a first look takes. */
    private static final int LOOK_NANOS = 1_000;

    /**
     * What the waits of all TCP connections of one kind have taught. There are two kinds: connections that this process has opened, and
     * connections that it has accepted. The first waits of the connections teach how much confidence a new connection begins with. Each
     * connection counts there only once, so a long connection with fast answers does not decide for the others. A race only loses a
     * lesson. All waits of the connections teach whether more gets done with polls ({@link PollTrial}).
     */
    public static final class Lessons {
        private volatile int confidence = CONFIDENCE_START;
        private final PollTrial trial = new PollTrial();

        /** For a kind that has had no connection yet. */
        public Lessons() {
        }

        private void learn(int change) {
            confidence = clamped(confidence + change);
        }
    }

    final Cores cores;
    /** Any thread may change it. */
    private int micros;
    private final NewsKind kind;
    private int spinNanos = SPIN_NANOS;
    private int confidence;
    /** Null before the first question. Over TCP the second wait is the first to ask, because most connections have only one wait. */
    private OtherThreads others;
    /** Null where a connection learns from its own waits only. */
    private final Lessons lessons;
    private boolean firstWait = true;
    /** The present wait has not polled because the {@link PollTrial} wants sleeps. */
    private boolean sleepsForTrial;
    /** Of a virtual thread: its nanoseconds without a sleep; whether other threads took its carrier at the last yield; whether many did. */
    private long turn;
    private boolean carrierWanted;
    private boolean carrierWantedByMany;

    Polling(Cores cores, int micros, NewsKind kind, Lessons lessons) {
        this.cores = cores;
        this.micros = micros;
        this.kind = kind;
        this.lessons = lessons;
        this.confidence = lessons == null ? CONFIDENCE_START : Math.min(lessons.confidence, CONFIDENCE_START);
    }

    private void adjust(int change) {
        confidence = clamped(confidence + change);
        if (firstWait && lessons != null) {
            lessons.learn(change);
        }
    }

    private static int clamped(int confidence) {
        return Math.max(-CONFIDENCE_MAX, Math.min(confidence, CONFIDENCE_MAX));
    }

    /**
     * For news in shared memory. Where the peer runs on the same core, it is cheaper to yield the core than to sleep and be woken.
     *
     * @param micros the longest poll, microseconds; with 0 the thread never polls, and yields no core
     */
    public static Polling ofMemory(int micros) {
        return ofMemory(Cores.HERE, micros);
    }

    static Polling ofMemory(Cores cores, int micros) {
        return new Polling(cores, micros, NewsKind.MEMORY, null);
    }

    /**
     * For news that a thread needs a system call to see. Where the peer runs on the same core, a sleep hands the core over as well as a
     * yield would. So the thread sleeps there.
     *
     * @param micros the longest poll, microseconds; with 0 the thread never polls
     * @param lessons shared by all connections whose waits are of the same kind
     */
    public static Polling bySystemCall(int micros, Lessons lessons) {
        return bySystemCall(Cores.HERE, micros, lessons);
    }

    static Polling bySystemCall(Cores cores, int micros, Lessons lessons) {
        return new Polling(cores, micros, NewsKind.BY_SYSTEM_CALL, lessons);
    }

    /**
     * For messages that a thread needs a system call to see, and that one thread looks for on behalf of all sleeping threads. Where the
     * peer runs on the same core, it is cheaper to yield the core than to wake two threads, and best to do so first ({@link #yieldFirst}).
     *
     * @param micros the longest poll, microseconds; with 0 the thread never polls
     */
    public static Polling ofMessages(int micros) {
        return ofMessages(Cores.HERE, micros);
    }

    static Polling ofMessages(Cores cores, int micros) {
        return new Polling(cores, micros, NewsKind.MESSAGES, null);
    }

    /**
     * From now on a poll takes so many microseconds at most; 0: the thread never polls, and yields no core. Any thread, at any time: it
     * holds from one of the next waits on.
     */
    public void micros(int micros) {
        this.micros = micros;
    }

    /**
     * Polls if that is likely to pay. The JIT compiles this method on its own (JIT-1).
     *
     * @return whether the news arrived
     */
    public boolean poll(News news) throws IOException {
        if (micros == 0) {
            return false;
        }
        sleepsForTrial = false;
        boolean virtual = cores.isVirtualThread();
        boolean yieldsCore = kind == NewsKind.MEMORY;
        boolean overTcp = kind == NewsKind.BY_SYSTEM_CALL;
        boolean yieldsOnce = yieldsCore && !virtual;
        if (virtual && turn > TURN_NANOS) {
            turn = 0;
            return false;
        }
        if (yieldsCore && cores.shared()) {
            if (news.arrived() || virtual && yieldCarrier(news)) {
                return true;
            }
            if (!virtual && othersCompute(ASKING_SHARED_NANOS) && !pollsBesideOthers()) {
                countWait();
                return false;
            }
            return yieldCore(news);
        }
        if (!virtual && cores.crowded()) {
            return yieldsCore && news.arrived();
        }
        boolean sleeps = cores.isSingleCore() || !virtual && !yieldsCore && confidence <= 0;
        if (kind == NewsKind.MESSAGES && !virtual && (sleeps || spinNanos == SPIN_SHORT_NANOS) && yieldFirst(news)) {
            waitEnded(1);
            return true;
        }
        if (sleeps) {
            return false;
        }
        if (!virtual && (othersCompute(ASKING_NANOS) || others != null && others.wantCores())) {
            if (!yieldsCore) {
                return false;
            }
            if (!others.compute()) {
                cores.share(); // the other threads only wait for news again and again
                return news.arrived() || yieldCore(news);
            }
            if (!pollsBesideOthers()) {
                countWait();
                return news.arrived();
            }
            spinNanos = SPIN_SHORT_NANOS; // the other threads want this core
        }
        if (confidence <= 0 && (!virtual || overTcp)) {
            return yieldsOnce && (news.arrived() || yieldCore(news));
        }
        if (overTcp && !virtual && !lessons.trial.polls()) {
            sleepsForTrial = true;
            return false;
        }
        WordNews words = !virtual && news instanceof WordNews byWords && byWords.comeByWords() ? byWords : null;
        // Most answers are there within this first look. It is too short to count as a poller. A caller that waits for words has looked
        // already, as often as firstLooks() said.
        if (words == null && (virtual && carrierWanted ? news.arrived() : look(news))) {
            waitEnded(1);
            turn += LOOK_NANOS;
            return true;
        }
        if (virtual) {
            if (yieldCarrier(news)) {
                return true;
            }
            if (carrierWantedByMany && yieldsCore) { // all these threads have looked in vain; their peers may want the core
                return yieldCore(news);
            }
            if (carrierWanted || confidence <= 0) {
                return false;
            }
        }
        if (cores.crowded()) {
            return false;
        }
        if (!cores.take()) {
            if (!yieldsOnce) {
                return false;
            }
            cores.share();
            return news.arrived() || yieldCore(news);
        }
        try {
            if (!spin(news)) {
                adjust(-FAILURE);
                return false;
            }
            waitEnded(overTcp && spinNanos == SPIN_SHORT_NANOS ? -2 * CONFIDENCE_MAX : 1);
            return true;
        } finally {
            cores.giveBack();
        }
    }

    /**
     * For a caller that can itself look for the news that is most likely, at less cost, before it calls {@link #poll}. If it finds the
     * news it calls {@link #foundAtFirst}. A caller that waits for {@link WordNews} has to look like this, because {@link #poll} does not
     * look before it watches the words.
     *
     * @return how often to look; 0 if polling is not likely to pay, or if the thread is to yield the core or the carrier first
     */
    public int firstLooks() {
        boolean likely = micros > 0 && confidence > 0 && !cores.isSingleCore() && !(others != null && others.wantCores());
        return likely && !(kind == NewsKind.MEMORY && cores.shared()) && !cores.crowded() && !cores.isVirtualThread() ? kind.rounds : 0;
    }

    /** Called when the news came within the {@link #firstLooks}. */
    public void foundAtFirst() {
        waitEnded(1);
    }

    /** Records that a wait has ended, and by how much it changes the confidence. */
    private void waitEnded(int change) {
        adjust(change);
        firstWait = false;
        if (lessons != null && !cores.isVirtualThread()) {
            lessons.trial.ended(cores.nanoTime());
        }
    }

    /**
     * Whether other threads of this process compute so much that they do not leave a core each to the caller and to its peer. Then a
     * thread that polls, or that yields its core, does worse than a thread that sleeps. The kernel puts a thread that yields its core
     * behind the threads that compute. From Linux 6.18 on it does so for a whole time slice, in which each thread that is woken by the
     * yielding thread takes the core away.
     *
     * @param every how old the kernel's last answer may be, nanoseconds; where a question takes long the answer may be older
     */
    private boolean othersCompute(int every) {
        if (firstWait && lessons != null) {
            return false;
        }
        long now = cores.nanoTime();
        if (others != null && others.age(now) <= every || !cores.mayAsk(now)) {
            return others != null && others.compute();
        }
        if (others == null) {
            others = new OtherThreads(cores, now);
        } else {
            others.ask(cores, now);
        }
        cores.asked(now, cores.nanoTime());
        return others.compute();
    }

    /** Other threads of this process compute. @return whether this one may poll all the same */
    boolean pollsBesideOthers() {
        return false;
    }

    private int countWait() {
        if (others != null) {
            others.countWait();
        }
        return cores.countWait();
    }

    /**
     * Yields the core at once. If the kernel has woken the peer onto this core, the peer goes on now. Otherwise it would have to wait until
     * this thread has looked some more, or has made all the calls of its sleep.
     *
     * @return whether the news arrived
     */
    private boolean yieldFirst(News news) throws IOException {
        int turns = countWait() - 1;
        long yielded = cores.nanoTime();
        cores.yieldCore();
        long now = cores.nanoTime();
        long away = now - yielded;
        if (cores.isLost(now, away, turns)) {
            return false;
        }
        spinNanos = away > Cores.TAKEN_NANOS ? SPIN_SHORT_NANOS : SPIN_NANOS;
        return away > Cores.TAKEN_NANOS && news.arrived();
    }

    private boolean yieldCore(News news) throws IOException {
        cores.yieldUnlessCrowded();
        if (others != null) {
            others.countWait();
        }
        return news.arrived();
    }

    /** Lets another virtual thread run, if one is waiting for this carrier. */
    private boolean yieldCarrier(News news) throws IOException {
        long yielded = cores.nanoTime();
        cores.yieldCarrier();
        long away = cores.nanoTime() - yielded;
        carrierWanted = away > Cores.TAKEN_NANOS;
        carrierWantedByMany = away > MANY_NANOS;
        turn += away;
        return news.arrived();
    }

    /**
     * Polls without asking whether that pays, unless cores are shared, or other programs want them. After a moment the thread yields the
     * core to other threads again and again. The kernel often puts a peer that was just woken onto the core of the thread that woke it.
     * There the peer would wait for the end of the very poll that waits for the peer. Where that was so the last time, the moment is
     * short. Elsewhere it is long: the scheduler would give the core to a program that computes (such as a compiler thread of this JVM)
     * for milliseconds, and count that time against the thread that yielded the core.
     *
     * @return whether the news arrived
     */
    public boolean pollInAnyCase(News news) throws IOException {
        if (micros == 0) {
            return false;
        }
        if (kind == NewsKind.MEMORY && cores.shared()) {
            return news.arrived() || cores.isVirtualThread() && yieldCarrier(news) || yieldCore(news);
        }
        return !cores.crowded() && spin(news);
    }

    private long nanos() {
        return micros * 1000L;
    }

    private boolean spin(News news) throws IOException {
        boolean virtual = cores.isVirtualThread();
        if (!virtual && news instanceof WordNews words && words.comeByWords()) {
            return watch(words);
        }
        long beforeYield = virtual ? SPIN_SHORT_NANOS : spinNanos;
        int turns = cores.turns();
        long start = cores.nanoTime();
        boolean taken = false;
        for (long now = start, before; now - start < nanos(); ) {
            boolean arrived = look(news);
            before = now;
            now = cores.nanoTime();
            if (!virtual && cores.isLost(now, now - before, turns)) {
                return false;
            }
            if (arrived) {
                spinNanos = taken ? SPIN_SHORT_NANOS : SPIN_NANOS;
                turn += now - start;
                return true;
            }
            if (now - start > beforeYield) {
                if (virtual) {
                    cores.yieldCarrier();
                } else {
                    cores.yieldCore();
                }
                before = now;
                now = cores.nanoTime();
                taken = now - before > Cores.TAKEN_NANOS;
                if (virtual && taken) { // other virtual threads want the carrier
                    turn += now - start;
                    return news.arrived();
                }
                if (!virtual && cores.isLost(now, now - before, turns)) {
                    return false;
                }
            }
        }
        return false;
    }

    /** As {@link #spin}, in one native call. */
    private boolean watch(WordNews words) throws IOException {
        int turns = cores.turns();
        long result = words.watch(nanos(), spinNanos, Cores.LOST_NANOS);
        if (result < 0) {
            throw new IllegalStateException("Words.awaitChange: " + result);
        }
        long away = result >> Words.AWAY_SHIFT;
        if (away > 0 && cores.isLost(cores.nanoTime(), away, turns) || (result & Words.CHANGED) == 0 || !words.arrived()) {
            return false;
        }
        spinNanos = away > Cores.TAKEN_NANOS ? SPIN_SHORT_NANOS : SPIN_NANOS;
        return true;
    }

    private boolean look(News news) throws IOException {
        for (int i = 0; i < kind.rounds; i++) {
            if (news.arrived()) {
                return true;
            }
            Thread.onSpinWait();
        }
        return false;
    }

    /** Learns from a sleep that ended with news. @param elapsedNanos how long it took, the sleeper's own wake-up included */
    public void slept(long elapsedNanos) {
        turn = 0;
        // If both peers sleep, the wake-up of the peer is a part of this wait. So "short" allows for that.
        boolean isShort = elapsedNanos < nanos() + kind.wakeUpNanos;
        // A sleep that the trial wanted says nothing against polls. If it lowered the confidence, no wait would poll when polling is tried.
        waitEnded(isShort ? 1 : sleepsForTrial ? 0 : -1);
    }
}

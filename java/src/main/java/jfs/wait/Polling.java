package jfs.wait;

import java.io.IOException;
import jfs.nativelib.Words;

/**
 * Polls for a bounded time before a thread goes to sleep (the paper's hybrid, section 4.3). Polling saves the tens of
 * microseconds that a wake-up takes, and costs a core meanwhile, so it must pay. A thread polls
 *
 * <ul>
 * <li>no longer than {@code jfs.poll.micros} at a time;
 * <li>only where the last waits of this kind on this connection ended within that time (POLL-1): success earns credit,
 * failure costs it, and without credit the thread does not poll; a wait that a sleeper finds short earns it back. Most
 * connections over TCP are too short to learn that, so each begins with what the first waits of others have taught
 * ({@link Lessons});
 * <li>on a platform thread over TCP only if the program gets more done then than when it sleeps at once: all connections of a kind try both
 * together now and then ({@link PollTrial});
 * <li>not while other programs want the cores: a thread that has lost its core has lost more than polling ever gains, so nobody polls
 * for a multiple of that time ({@link LostCores});
 * <li>not while other threads of this process compute, because they want the cores ({@link #othersCompute}). A thread that offers its
 * core would be put behind them too, so a reader sleeps at once, on shared cores as elsewhere;
 * <li>no more pollers at once in this process than cores to spare, one core being left to whoever is to answer; none
 * on a machine with one core;
 * <li>on a virtual thread only while no other one wants the carrier: it offers that first. Where another one has taken
 * it the answer is often there afterwards, so thousands of conversations go on with hardly a system call; if not, the
 * thread sleeps. As it does after {@value #TURN_NANOS} ns without, however soon its answers come. Where many have taken it, the
 * thread offers the core too before it sleeps, since the peers of them all may want that.
 * </ul>
 *
 * <p>Where polling does not pay, a platform thread that waits for news in memory offers its core once before it sleeps, and looks
 * again. Where the peer or another conversation has waited for that core the answer is often there, for one system call instead of a
 * sleep and a wake-up at either end. While cores are shared ({@link Cores#shared}) no thread polls memory. Each offers its core once
 * instead, unless other threads of this process compute; a virtual one offers its carrier first. A thread that waits for
 * messages offers its core <em>before</em> it looks again or sleeps ({@link #offerFirst}).
 *
 * <p>One instance for each waiting role of a connection, used by one thread at a time.
 */
public final class Polling {

    private static final int CREDIT_MAX = 8;
    static final int CREDIT_START = 2;
    /** What a failed poll costs, in successes: a quarter of failures is the most that is worth it. */
    private static final int FAILURE = 3;
    /** How often one look asks, about a microsecond: shared memory; the kernel. */
    private static final int MEMORY_ROUNDS = 32;
    private static final int SYSTEM_CALL_ROUNDS = 2;
    /** Polling without offering the core, nanoseconds: where offering it has helped; otherwise. */
    private static final int ALONE_SHORT_NANOS = 1_000;
    private static final int ALONE_NANOS = 20_000;

    /**
     * A virtual thread's turn: it may go on for that long, nanoseconds, without having slept. Who offers a carrier stays
     * in its queue, before those who were woken from outside; only who sleeps lets all others go first.
     */
    private static final int TURN_NANOS = 1_000_000;
    /** A carrier that was away for longer than this when it was offered, nanoseconds, has run several virtual threads meanwhile. */
    private static final int MANY_NANOS = 20_000;
    /**
     * How often a thread asks how much the other ones of this process compute, nanoseconds: where it may poll; and where cores are
     * shared, less often, because many threads ask there, and for each the kernel adds up the times of all.
     */
    private static final int ASKING_NANOS = 1_000_000;
    private static final int ASKING_SHARED_NANOS = 10_000_000;
    /** What a thread that waits for news in turns uses from one wait to the next, nanoseconds, a little more than most do. */
    private static final int WAITERS_NANOS = 20_000;
    /** Of a core, what they may use beside the caller and the peer: one part in so many. */
    private static final int LITTLE = 4;
    /** What a first look takes, about. */
    private static final int LOOK_NANOS = 1_000;
    /** What a wake-up at the peer takes of a wait; and where at either end one thread wakes another. */
    private static final int WAKE_UP_NANOS = 50_000;
    private static final int RELAYED_WAKE_UP_NANOS = 4 * WAKE_UP_NANOS;

    /**
     * What the waits of all connections over TCP of one kind have taught: those that connected here, or those that were accepted. Their
     * first waits teach how much credit a new connection begins with. Each connection counts once there, so a long one whose answers come
     * soon does not speak for others. Races only lose a lesson. All their waits teach whether it takes less time to poll.
     */
    public static final class Lessons {
        private volatile int credit = CREDIT_START;
        private final PollTrial trial = new PollTrial();

        /** Connections that begin now are the first ones. */
        public Lessons() {
        }

        private void learn(int earned) {
            credit = clamped(credit + earned);
        }
    }

    /** What the other threads of this process do, as the kernel told it when it was asked last. */
    private static final class Others {
        /** They do not leave a core each to the caller and to its peer. */
        private boolean wantCores;
        /** The same of those that do something else than to wait for news in turns. */
        private boolean compute;
        private long used;
        private long askedAt;
        /** The {@link Cores#turns} then, and those of this wait's role since. A thread with several connections counts as several. */
        private int turns;
        private int own;

        Others(Cores cores, long now) {
            used = cores.othersNanos();
            askedAt = now;
            turns = cores.turns();
        }

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
    }

    /** What the kinds of news differ in. */
    private enum Kind {
        MEMORY(MEMORY_ROUNDS, WAKE_UP_NANOS),
        BY_SYSTEM_CALL(SYSTEM_CALL_ROUNDS, WAKE_UP_NANOS),
        MESSAGES(SYSTEM_CALL_ROUNDS, RELAYED_WAKE_UP_NANOS);

        /** How often a look asks. */
        private final int rounds;
        private final int wakeUpNanos;

        Kind(int rounds, int wakeUpNanos) {
            this.rounds = rounds;
            this.wakeUpNanos = wakeUpNanos;
        }
    }

    private final Cores cores;
    private final int micros;
    private final Kind kind;
    private int aloneNanos = ALONE_NANOS;
    private int credit;
    /** Over TCP made at the second wait, because most connections have one. */
    private Others others;
    /** Null where a connection learns for itself alone. */
    private final Lessons lessons;
    private boolean firstWait = true;
    /** This wait has not polled because the {@link PollTrial} said so. */
    private boolean sleepsForTrial;
    /** Of a virtual thread: how long it has gone on; whether other threads took its carrier when it was offered last, and many did. */
    private long turn;
    private boolean carrierWanted;
    private boolean carrierWantedByMany;

    private Polling(Cores cores, int micros, Kind kind, Lessons lessons) {
        this.cores = cores;
        this.micros = micros;
        this.kind = kind;
        this.lessons = lessons;
        this.credit = lessons == null ? CREDIT_START : Math.min(lessons.credit, CREDIT_START);
    }

    private void earn(int earned) {
        credit = clamped(credit + earned);
        if (firstWait && lessons != null) {
            lessons.learn(earned);
        }
    }

    private static int clamped(int credit) {
        return Math.max(-CREDIT_MAX, Math.min(credit, CREDIT_MAX));
    }

    /**
     * For news that come by shared memory. Where the peer shares the core, offering it is cheaper than to sleep and be woken.
     *
     * @param micros longest poll, microseconds; 0 never polls, and offers no core
     */
    public static Polling ofMemory(int micros) {
        return ofMemory(Cores.HERE, micros);
    }

    static Polling ofMemory(Cores cores, int micros) {
        return new Polling(cores, micros, Kind.MEMORY, null);
    }

    /**
     * For news that it takes a system call to see. Where the peer shares the core, sleeping hands it over as well as
     * anything, so there it is left to that.
     *
     * @param micros longest poll, microseconds; 0 never polls
     * @param lessons those of all connections whose waits are of the same kind
     */
    public static Polling bySystemCall(int micros, Lessons lessons) {
        return bySystemCall(Cores.HERE, micros, lessons);
    }

    static Polling bySystemCall(Cores cores, int micros, Lessons lessons) {
        return new Polling(cores, micros, Kind.BY_SYSTEM_CALL, lessons);
    }

    /**
     * For messages that it takes a system call to see, and that a thread looks for on behalf of all who sleep. Where the
     * peer shares the core, offering it is cheaper than to wake two threads, and the sooner the better ({@link #offerFirst}).
     *
     * @param micros longest poll, microseconds; 0 never polls
     */
    public static Polling ofMessages(int micros) {
        return ofMessages(Cores.HERE, micros);
    }

    static Polling ofMessages(Cores cores, int micros) {
        return new Polling(cores, micros, Kind.MESSAGES, null);
    }

    /**
     * Polls if that is likely to pay. Compiled on its own (JIT-1).
     *
     * @return whether the news arrived
     */
    public boolean poll(News news) throws IOException {
        if (micros == 0) {
            return false;
        }
        sleepsForTrial = false;
        boolean virtual = cores.isVirtualThread();
        boolean offersCore = kind == Kind.MEMORY;
        boolean overTcp = kind == Kind.BY_SYSTEM_CALL;
        boolean offers = offersCore && !virtual;
        if (virtual && turn > TURN_NANOS) {
            turn = 0;
            return false;
        }
        if (offersCore && cores.shared()) {
            if (news.arrived() || virtual && offerCarrier(news)) {
                return true;
            }
            if (!virtual && othersCompute(ASKING_SHARED_NANOS)) {
                comeToWait();
                return false;
            }
            return offerCore(news);
        }
        if (!virtual && cores.crowded()) {
            return offersCore && news.arrived();
        }
        boolean sleeps = cores.none() || !virtual && !offersCore && credit <= 0;
        if (kind == Kind.MESSAGES && !virtual && (sleeps || aloneNanos == ALONE_SHORT_NANOS) && offerFirst(news)) {
            arrived(1);
            return true;
        }
        if (sleeps) {
            return false;
        }
        if (!virtual && (othersCompute(ASKING_NANOS) || others != null && others.wantCores)) {
            if (!offersCore) {
                return false;
            }
            if (others.compute) {
                comeToWait();
                return news.arrived();
            }
            cores.share(); // these others wait for news too, in turns
            return news.arrived() || offerCore(news);
        }
        if (credit <= 0 && (!virtual || overTcp)) {
            return offers && (news.arrived() || offerCore(news));
        }
        if (overTcp && !virtual && !lessons.trial.polls()) {
            sleepsForTrial = true;
            return false;
        }
        WordNews words = !virtual && news instanceof WordNews byWords && byWords.comeByWords() ? byWords : null;
        // Most answers are there within this first look, which is too short to count against anybody. A caller that waits for words has
        // looked already, as often as firstLooks said.
        if (words == null && (virtual && carrierWanted ? news.arrived() : look(news))) {
            arrived(1);
            turn += LOOK_NANOS;
            return true;
        }
        if (virtual) {
            if (offerCarrier(news)) {
                return true;
            }
            if (carrierWantedByMany && offersCore) { // all have looked in vain; their peers may want the core
                return offerCore(news);
            }
            if (carrierWanted || credit <= 0) {
                return false;
            }
        }
        if (cores.crowded()) {
            return false;
        }
        if (!cores.take()) {
            if (!offers) {
                return false;
            }
            cores.share();
            return news.arrived() || offerCore(news);
        }
        try {
            if (!spin(news)) {
                earn(-FAILURE);
                return false;
            }
            arrived(overTcp && aloneNanos == ALONE_SHORT_NANOS ? -2 * CREDIT_MAX : 1);
            return true;
        } finally {
            cores.giveBack();
        }
    }

    /**
     * For a caller that can look for what is likely to come with less ado than {@link #poll}, and before it. If that came it
     * says so ({@link #foundAtFirst}). A caller that waits for {@link WordNews} has to look so, because {@link #poll} does not look before
     * it watches for those.
     *
     * @return how often to look; 0 if polling is not likely to pay, or the core or the carrier is to be offered first
     */
    public int firstLooks() {
        boolean likely = micros > 0 && credit > 0 && !cores.none() && !(others != null && others.wantCores);
        return likely && !(kind == Kind.MEMORY && cores.shared()) && !cores.crowded() && !cores.isVirtualThread() ? kind.rounds : 0;
    }

    /** The news came within the {@link #firstLooks}. */
    public void foundAtFirst() {
        arrived(1);
    }

    /** A wait has ended, and has earned so much. */
    private void arrived(int earned) {
        earn(earned);
        firstWait = false;
        if (lessons != null && !cores.isVirtualThread()) {
            lessons.trial.ended(cores.nanoTime());
        }
    }

    /**
     * Whether other threads of this process compute so much that they do not leave a core each to the caller and to its peer. Then a
     * thread that polls does worse than one that sleeps, and so does one that offers its core: it is put behind them, and from Linux 6.18
     * on for a whole slice, in which each thread that it wakes takes its core away.
     *
     * @param every how old the kernel's last answer may be, nanoseconds; where asking takes long it may be older
     */
    private boolean othersCompute(int every) {
        if (firstWait && lessons != null) {
            return false;
        }
        long now = cores.nanoTime();
        if (others != null && now - others.askedAt <= every || !cores.mayAsk(now)) {
            return others != null && others.compute;
        }
        if (others == null) {
            others = new Others(cores, now);
        } else {
            others.ask(cores, now);
        }
        cores.asked(now, cores.nanoTime());
        return others.compute;
    }

    private int comeToWait() {
        if (others != null) {
            others.own++;
        }
        return cores.comeToWait();
    }

    /**
     * Offers the core at once. A peer that was woken onto it goes on then, and not when this thread has looked some more, or has made all
     * the calls of its sleep.
     *
     * @return whether the news arrived
     */
    private boolean offerFirst(News news) throws IOException {
        int turns = comeToWait() - 1;
        long offered = cores.nanoTime();
        cores.yieldCore();
        long now = cores.nanoTime();
        long away = now - offered;
        if (cores.isLost(now, away, turns)) {
            return false;
        }
        aloneNanos = away > Cores.TAKEN_NANOS ? ALONE_SHORT_NANOS : ALONE_NANOS;
        return away > Cores.TAKEN_NANOS && news.arrived();
    }

    private boolean offerCore(News news) throws IOException {
        cores.offer();
        if (others != null) {
            others.own++;
        }
        return news.arrived();
    }

    /** Lets another virtual thread run, if one is waiting for this carrier. */
    private boolean offerCarrier(News news) throws IOException {
        long offered = cores.nanoTime();
        cores.yieldCarrier();
        long away = cores.nanoTime() - offered;
        carrierWanted = away > Cores.TAKEN_NANOS;
        carrierWantedByMany = away > MANY_NANOS;
        turn += away;
        return news.arrived();
    }

    /**
     * Polls without asking whether that pays here, unless cores are shared, or other programs want them. After a moment it offers the core
     * to others again and again: a peer that was just woken is often put onto the core of the one who woke it, and would
     * wait there for the end of the very poll that waits for it. Where that was so the last time the moment is short. It
     * is not elsewhere, because to a program that just computes (a compiler thread of this JVM is one), the scheduler gives
     * the core for milliseconds then, and counts it against the one who offered it.
     *
     * @return whether the news arrived
     */
    public boolean pollYielding(News news) throws IOException {
        if (micros == 0) {
            return false;
        }
        if (kind == Kind.MEMORY && cores.shared()) {
            return news.arrived() || cores.isVirtualThread() && offerCarrier(news) || offerCore(news);
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
        long alone = virtual ? ALONE_SHORT_NANOS : aloneNanos;
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
                aloneNanos = taken ? ALONE_SHORT_NANOS : ALONE_NANOS;
                turn += now - start;
                return true;
            }
            if (now - start > alone) {
                if (virtual) {
                    cores.yieldCarrier();
                } else {
                    cores.yieldCore();
                }
                before = now;
                now = cores.nanoTime();
                taken = now - before > Cores.TAKEN_NANOS;
                if (virtual && taken) { // by other virtual threads, who want it
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

    /** The same in one native call. */
    private boolean watch(WordNews words) throws IOException {
        int turns = cores.turns();
        long result = words.watch(nanos(), aloneNanos, Cores.LOST_NANOS);
        if (result < 0) {
            throw new IllegalStateException("Words.awaitChange: " + result);
        }
        long away = result >> Words.AWAY_SHIFT;
        if (away > 0 && cores.isLost(cores.nanoTime(), away, turns) || (result & Words.CHANGED) == 0 || !words.arrived()) {
            return false;
        }
        aloneNanos = away > Cores.TAKEN_NANOS ? ALONE_SHORT_NANOS : ALONE_NANOS;
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

    /** Learns from a sleep that ended with news after so long, the sleeper's own wake-up included. */
    public void slept(long elapsedNanos) {
        turn = 0;
        // Two sleeping peers see each other's wake-ups as part of the wait, so "short" allows for that.
        boolean isShort = elapsedNanos < nanos() + kind.wakeUpNanos;
        // A sleep that the trial wanted says nothing against polls; without credit none would poll when polling is tried.
        arrived(isShort ? 1 : sleepsForTrial ? 0 : -1);
    }
}

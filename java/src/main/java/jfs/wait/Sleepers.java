package jfs.wait;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import jfs.nativelib.Posix;
import jfs.spi.TcpDescriptor;
import jfs.steps.Step;

/**
 * The threads of one end of a connection that sleep: at most a reader and a writer.
 *
 * <p>A platform thread whose peer can wake it by a word in shared memory sleeps in a {@linkplain FutexSleeper futex}, alone: one
 * system call to sleep and one to be woken. All others sleep by the doorbell, which a reader and a writer share, and two threads in
 * poll(2) on one descriptor steal each other's wake-ups (R11). So at most one of them, the <em>leader</em>, sleeps in poll on
 * {doorbell, TCP}; the other parks and is handed on whatever the leader woke up for.
 *
 * <p>S1. A sleeper announces itself (in shared memory, with a full fence) and looks again before it sleeps.
 * <br>S2. Whoever stops leading, or leaves without having led, unparks the other one, which looks again and leads if
 * nobody does. So no ring is lost, and the doorbell is never unattended while somebody sleeps.
 * <br>S3. A {@link #wake} is remembered for a thread that is only on its way to sleep: another one may have heard, and
 * acknowledged, the ring meant for both.
 * <br>S4. The reader leads in preference: its events on TCP (bytes, EOF) are ones a writer does not watch.
 * <br>S5. A ring or an event on TCP is told to every thread in a futex by the thread that {@linkplain Watch watches} for them. So is a
 * ring by the leader who acknowledges it, because the watching thread may find it acknowledged already.
 * <br>S6. A thread says under this object's monitor that it is in a futex, before it announces itself, and that it is no more, before it
 * leaves: so who wakes it there touches memory that is still mapped, and if it was not there yet it looks again before it sleeps.
 *
 * <p>A platform thread's interrupt ends no wait (as with the JDK's sockets); its status is kept. A virtual thread never
 * blocks its carrier: it parks, and the {@link Watch} has one thread watch the descriptors for all of them. Its interrupt ends the
 * wait with {@link InterruptedIOException}, which {@code java.net} turns into the close that it documents.
 */
public final class Sleepers {

    public static final int READER = 0;
    public static final int WRITER = 1;

    /** How often a thread went to sleep. */
    public static final LongAdder SLEEPS = new LongAdder();

    /** What a sleeper tells its peer, and what it waits for. */
    public interface Sleeper extends News {

        /** "I am asleep", visible to the peer before {@link #arrived} is asked again (R10). The peer is to ring the doorbell. */
        void announce();

        /** "I am awake." */
        void retract();
    }

    /** One that can sleep at a word in memory that the peer has too, and that the peer changes to wake it: futex(2). */
    public interface FutexSleeper extends Sleeper {

        /** Whether that is so now. */
        boolean maySleepInFutex();

        /** As {@link #announce}; the peer is to wake the futex. */
        void announceFutex();

        /**
         * Sleeps as long as the word says what {@link #announceFutex} has made it say, or for no reason.
         *
         * @param nanos longest sleep, nanoseconds; negative for ever
         */
        void sleepInFutex(long nanos) throws IOException;

        /** Wakes it, whatever the peer has made of the word. By any thread of this end; never blocks. */
        void wakeFromFutex();
    }

    private final Doorbell bell;
    private final AtomicReference<Thread> leader = new AtomicReference<>();
    private volatile Thread reader;
    private volatile Thread writer;
    private volatile boolean readerWoken;
    private volatile boolean writerWoken;

    private final Watch watch;
    // Who is in a futex, or about to be; guarded by this (S6).
    private FutexSleeper readerInFutex;
    private FutexSleeper writerInFutex;

    public Sleepers(Doorbell bell) {
        this.bell = bell;
        this.watch = new Watch(bell, this);
    }

    /**
     * Sleeps until there may be news, an event on TCP, the deadline, a {@link #wake}, or for no reason: the caller
     * looks at everything again.
     *
     * @param tcpEvents which events on TCP matter, beside errors and hang-up
     * @param deadline see {@link Deadline}
     * @return the events on TCP, 0 for anything else
     */
    public int sleep(int role, Sleeper sleeper, TcpDescriptor tcp, int tcpEvents, long deadline) throws IOException {
        int events = sleeper instanceof FutexSleeper one && one.maySleepInFutex() && !VirtualThreads.isCurrent()
                ? sleepInFutex(role, one, tcp, tcpEvents, deadline) : sleepByBell(role, sleeper, tcp, tcpEvents, deadline);
        if (role == READER) {
            Step.READER_AWAKE.reached();
        }
        return events;
    }

    private int sleepInFutex(int role, FutexSleeper sleeper, TcpDescriptor tcp, int tcpEvents, long deadline)
            throws IOException {
        int fd = tcp.acquire();
        if (fd < 0) {
            return 0;
        }
        try {
            return watch.isOn(fd) ? sleepWatched(role, sleeper, fd, tcpEvents, deadline)
                    : sleepByBell(role, sleeper, tcp, tcpEvents, deadline);
        } finally {
            tcp.release();
        }
    }

    private int sleepWatched(int role, FutexSleeper sleeper, int tcpFd, int tcpEvents, long deadline) throws IOException {
        setInFutex(role, sleeper);
        try {
            sleeper.announceFutex();
            (role == READER ? Step.READER_ASLEEP : Step.WRITER_ASLEEP).reached();
            if (takeWoken(role) || sleeper.arrived() || acknowledgeIfNobodyLeads()) {
                return 0;
            }
            int events = watch.eventsOnTcp(role, tcpFd, tcpEvents);
            if (events != 0) {
                return events;
            }
            SLEEPS.increment();
            sleeper.sleepInFutex(deadline == Deadline.NONE ? -1 : Deadline.nanosUntil(deadline));
        } finally {
            setInFutex(role, null);
            sleeper.retract();
            acknowledgeIfNobodyLeads();
        }
        return watch.eventsOnTcp(role, tcpFd, tcpEvents);
    }

    private synchronized void setInFutex(int role, FutexSleeper sleeper) {
        if (role == READER) {
            readerInFutex = sleeper;
        } else {
            writerInFutex = sleeper;
        }
    }

    private synchronized void wakeFutexes() {
        if (readerInFutex != null) {
            readerInFutex.wakeFromFutex();
        }
        if (writerInFutex != null) {
            writerInFutex.wakeFromFutex();
        }
    }

    /**
     * Or rings pile up that no leader comes for, until there is no room for one more, and the watching thread hears of none. While
     * somebody leads that thread acknowledges all rings, and asks here when it stops.
     */
    private boolean acknowledgeIfNobodyLeads() {
        if (!watch.hasRung() || !leader.compareAndSet(null, Thread.currentThread())) {
            return false;
        }
        acknowledge();
        leader.set(null);
        LockSupport.unpark(reader); // S2
        LockSupport.unpark(writer);
        return true;
    }

    /** By the leader. */
    private void acknowledge() {
        watch.forgetRing();
        bell.acknowledge();
        wakeFutexes(); // S5
    }

    private int sleepByBell(int role, Sleeper sleeper, TcpDescriptor tcp, int tcpEvents, long deadline)
            throws IOException {
        Thread me = Thread.currentThread();
        setSlot(role, me);
        try {
            sleeper.announce();
            (role == READER ? Step.READER_ASLEEP : Step.WRITER_ASLEEP).reached();
            if (takeWoken(role) || sleeper.arrived()) {
                return 0;
            }
            SLEEPS.increment();
            if (mayLead(role) && leader.compareAndSet(null, me)) {
                try {
                    // Again: who led until now may have acknowledged a ring, ours or a wake's, since we looked.
                    return takeWoken(role) || sleeper.arrived() ? 0 : lead(role, tcp, tcpEvents, deadline);
                } finally {
                    leader.set(null);
                    acknowledgeIfNobodyLeads();
                }
            }
            if (role == READER) {
                bell.ringOurselves(); // the leading writer makes way (S4)
            }
            follow(role, sleeper, deadline);
            return 0;
        } finally {
            setSlot(role, null);
            sleeper.retract();
            LockSupport.unpark(role == READER ? writer : reader);
        }
    }

    /** @return the events on TCP now, as {@link #sleep}; 0 of a socket that is closed */
    public static int look(TcpDescriptor tcp, int tcpEvents) {
        int fd = tcp.acquire();
        if (fd < 0) {
            return 0;
        }
        try {
            return Math.max(0, Posix.poll(fd, tcpEvents, -1, 0, 0));
        } finally {
            tcp.release();
        }
    }

    /** Makes all sleepers return, and those who were just about to sleep. After the change that they are to see. */
    public void wake() {
        readerWoken = true;
        writerWoken = true;
        wakeFutexes();
        Thread one = reader;
        Thread other = writer;
        if (one == null && other == null) {
            return; // who comes from now on sees that it was woken, without a system call of ours
        }
        LockSupport.unpark(one);
        LockSupport.unpark(other);
        bell.ringOurselves();
    }

    private boolean takeWoken(int role) {
        boolean woken = role == READER ? readerWoken : writerWoken;
        if (woken && role == READER) {
            readerWoken = false;
        } else if (woken) {
            writerWoken = false;
        }
        return woken;
    }

    private boolean mayLead(int role) {
        return role == READER || reader == null;
    }

    private void setSlot(int role, Thread thread) {
        if (role == READER) {
            reader = thread;
        } else {
            writer = thread;
        }
    }

    private int lead(int role, TcpDescriptor tcp, int tcpEvents, long deadline) throws IOException {
        int fd = tcp.acquire();
        if (fd < 0) {
            return 0;
        }
        try {
            if (VirtualThreads.isCurrent() && watch.isOn(fd)) { // else it holds its carrier, but waits
                if (!watch.hasRung() && !watch.tcpHasSpokenTo(role)) {
                    park(deadline);
                }
                if (watch.hasRung()) {
                    acknowledge();
                }
                return watch.eventsOnTcp(role, fd, tcpEvents);
            }
            int ready = Posix.poll(bell.descriptor(), Posix.POLLIN, fd, tcpEvents, Deadline.millisUntil(deadline));
            if (ready > 0 && (ready & 0xffff) != 0) {
                acknowledge();
            }
            return ready > 0 ? ready >>> 16 : 0;
        } finally {
            tcp.release();
        }
    }

    // By the thread that watches.

    /** The bell was rung, or TCP has spoken. */
    void lookAgain() {
        LockSupport.unpark(leader.get());
        wakeFutexes();
    }

    /** Nobody watches any more; who comes from now on knows. */
    void leaveTheWatch() {
        readerWoken = true;
        writerWoken = true;
        wakeFutexes();
        LockSupport.unpark(reader);
        LockSupport.unpark(writer);
    }

    /** Nobody sleeps here any more; before the bell is freed. */
    public void end() {
        watch.end();
    }

    private void follow(int role, Sleeper sleeper, long deadline) throws IOException {
        if (VirtualThreads.isCurrent() || !Thread.interrupted()) { // an interrupted thread would not park
            park(deadline);
            return;
        }
        try {
            // An interrupt, ours below too, leaves a permit, which would end every wait at once. It is used up here, and
            // maybe the one of a hand-on with it: so that is looked for again (S2).
            LockSupport.parkNanos(this, 1);
            if (!takeWoken(role) && !sleeper.arrived() && !(mayLead(role) && leader.get() == null)) {
                park(deadline);
            }
        } finally {
            Thread.currentThread().interrupt();
        }
    }

    private void park(long deadline) throws InterruptedIOException {
        if (deadline == Deadline.NONE) {
            LockSupport.park(this);
        } else {
            LockSupport.parkNanos(this, Deadline.nanosUntil(deadline));
        }
        if (VirtualThreads.isCurrent() && Thread.currentThread().isInterrupted()) {
            throw new InterruptedIOException();
        }
    }
}

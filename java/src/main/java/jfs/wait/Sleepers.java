package jfs.wait;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import jfs.memory.WakeWord;
import jfs.nativelib.Posix;
import jfs.spi.TcpDescriptor;
import jfs.steps.Step;

/**
 * The threads of one end of a connection that sleep: at most a reader and a writer.
 *
 * <p>A platform thread that its peer can wake by a word in shared memory sleeps in a {@linkplain FutexSleeper futex}, alone: one
 * system call to sleep and one to be woken. All others sleep by the doorbell, which a reader and a writer share, and two threads in
 * poll(2) on one descriptor steal each other's wake-ups (R11). So at most one of them, the <em>leader</em>, sleeps in poll on
 * {doorbell, TCP}. The other one parks, and the leader hands on whatever it woke up for.
 *
 * <p>S1. A sleeper announces itself (in shared memory, with a full fence) and looks again before it sleeps.
 * <br>S2. A thread that stops leading, or leaves without having led, unparks the other one, which looks again and leads if
 * no thread does. So no ring is lost, and the doorbell is never unattended while a thread sleeps by it.
 * <br>S3. A {@link #wake} is remembered for a thread that is only on its way to sleep: another one may have heard, and
 * acknowledged, the ring meant for both.
 * <br>S4. The reader leads in preference: its events on TCP (bytes, EOF) are ones a writer does not watch.
 * <br>S5. A thread in a futex is told of each ring, and of each event on TCP that matters to it, by the thread that {@linkplain Watch
 * watches}. A leader that acknowledges a ring tells it too, because the watching thread may find that ring acknowledged already.
 * <br>S6. A thread in a futex sleeps at two words: one that its peer changes, and a {@link WakeWord}, by which its own process wakes it
 * and which no peer can reach. So whatever the peer does, the sleeper hears of a close, of TCP's end and of its peer's death.
 *
 * <p>A platform thread's interrupt ends no wait (as with the JDK's sockets); its status is kept. A virtual thread never
 * blocks its carrier: it parks, and the {@link Watch} has one thread watch the descriptors for all of them. Its interrupt ends the
 * wait with {@link InterruptedIOException}, which {@code java.net} turns into the close that it documents.
 */
public final class Sleepers {

    /**
     * How often a virtual thread looks at bell and TCP where they are not watched, milliseconds: when the JVM shuts down, or lacks
     * descriptors, threads or memory. In poll(2) the thread would hold its carrier.
     */
    private static final int UNWATCHED_MILLIS = 5;

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

        /**
         * It is about to sleep by the bell, after it has announced itself and has looked again.
         *
         * @param inPoll whether it can wait at one more descriptor
         * @return that descriptor, which then ends the sleep when it is readable; {@link #NO_DESCRIPTOR}; {@link #LOOK_AGAIN}: it is not to
         *         sleep now
         */
        default int beginWait(boolean inPoll) throws IOException {
            return NO_DESCRIPTOR;
        }

        /** After a wait at a descriptor of its own. */
        default void endWait() {
        }
    }

    public static final int NO_DESCRIPTOR = -1;
    public static final int LOOK_AGAIN = -2;

    /** One that can sleep at a word in memory that the peer has too, and that the peer changes to wake it: futex(2). */
    public interface FutexSleeper extends Sleeper, WordNews {

        /** Whether the peer, as things are now, would wake this thread by the futex. */
        boolean maySleepInFutex();

        /** As {@link #announce}; the peer is to wake the futex. */
        void announceFutex();

        /**
         * Sleeps while the word holds what {@link #announceFutex} has put there and {@code own} is announced. May return early without a
         * cause.
         *
         * @param own by which threads of this process wake it
         * @param nanos longest sleep, nanoseconds; negative for ever
         * @return false if the kernel refuses
         */
        boolean sleepInFutex(WakeWord own, long nanos);
    }

    private final Doorbell bell;
    private final AtomicReference<Thread> leader = new AtomicReference<>();
    private volatile Thread reader;
    private volatile Thread writer;
    private volatile boolean readerWoken;
    private volatile boolean writerWoken;

    private final Watch watch;
    /** Made when the first thread of that role sleeps in a futex. */
    private volatile WakeWord readersWord;
    private volatile WakeWord writersWord;
    /** The kernel has refused it, or there is no memory for a word: not tried again. */
    private volatile boolean futexFails;

    public Sleepers(Doorbell bell) {
        this.bell = bell;
        this.watch = new Watch(bell, this);
    }

    /**
     * Sleeps until there may be news, an event on TCP, the deadline or a {@link #wake}. May return early without a cause: the caller
     * looks at everything again. Compiled on its own (R28).
     *
     * @param tcpEvents which events on TCP matter, beside errors and hang-up
     * @param deadline see {@link Deadline}
     * @return the events on TCP, 0 for anything else
     */
    public int sleep(int role, Sleeper sleeper, TcpDescriptor tcp, int tcpEvents, long deadline) throws IOException {
        FutexSleeper one = !futexFails && sleeper instanceof FutexSleeper it && it.maySleepInFutex() && !VirtualThreads.isCurrent()
                ? it : null;
        WakeWord own = one == null ? null : wordOf(role);
        int fd = own == null ? -1 : tcp.acquire();
        int events = 0;
        try {
            if (own == null || fd >= 0 && !watch.isOn(fd, tcpEvents)) {
                events = sleepByBell(role, sleeper, tcp, tcpEvents, deadline);
            } else if (fd >= 0) { // else it is closed
                try {
                    own.announce();
                    one.announceFutex();
                    (role == READER ? Step.READER_ASLEEP : Step.WRITER_ASLEEP).reached();
                    if (!takeWoken(role) && !sleeper.arrived() && !acknowledgeIfNobodyLeads()) {
                        events = watch.eventsOnTcp(role, fd, tcpEvents);
                        if (events == 0) {
                            SLEEPS.increment();
                            if (!one.sleepInFutex(own, deadline == Deadline.NONE ? -1 : Deadline.nanosUntil(deadline))) {
                                futexFails = true;
                            }
                        }
                    }
                } finally {
                    own.retract();
                    one.retract();
                    acknowledgeIfNobodyLeads();
                }
                if (events == 0) {
                    events = watch.eventsOnTcp(role, fd, tcpEvents);
                }
            }
        } finally {
            if (fd >= 0) {
                tcp.release();
            }
        }
        if (role == READER) {
            Step.READER_AWAKE.reached();
        }
        return events;
    }

    /** By the thread of that role; null if there is no memory for it. */
    private WakeWord wordOf(int role) {
        WakeWord word = role == READER ? readersWord : writersWord;
        if (word != null) {
            return word;
        }
        try {
            word = new WakeWord();
        } catch (OutOfMemoryError e) { // of the heap, or of what the JVM lets direct buffers take
            futexFails = true;
            return null;
        }
        if (role == READER) {
            readersWord = word;
        } else {
            writersWord = word;
        }
        return word;
    }

    private void wakeFutexes() {
        wake(readersWord);
        wake(writersWord);
    }

    private static void wake(WakeWord word) {
        if (word != null) {
            word.wake();
        }
    }

    /**
     * Has the caller lead for a moment, if the watching thread has heard rings and no thread leads. Otherwise rings would pile up until
     * the bell has no room for one more, and the watching thread would hear of none. While a thread leads, that one acknowledges all
     * rings, and calls this method when it stops.
     *
     * @return whether rings were acknowledged, and may have been for the caller
     */
    private boolean acknowledgeIfNobodyLeads() {
        if (!watch.hasRung() || !leader.compareAndSet(null, Thread.currentThread())) {
            return false;
        }
        try {
            acknowledge();
        } finally {
            leader.set(null);
            LockSupport.unpark(reader); // S2
            LockSupport.unpark(writer);
        }
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
                    return takeWoken(role) || sleeper.arrived() ? 0 : lead(role, sleeper, tcp, tcpEvents, deadline);
                } finally {
                    leader.set(null);
                    acknowledgeIfNobodyLeads();
                }
            }
            if (role == READER && writer != null) {
                bell.ringOurselves(); // a writer that leads makes way (S4)
            }
            if (sleeper.beginWait(false) != LOOK_AGAIN) {
                follow(role, sleeper, deadline);
            }
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

    private int lead(int role, Sleeper sleeper, TcpDescriptor tcp, int tcpEvents, long deadline) throws IOException {
        int fd = tcp.acquire();
        if (fd < 0) {
            return 0;
        }
        try {
            boolean virtual = VirtualThreads.isCurrent();
            int own = sleeper.beginWait(!virtual);
            if (own == LOOK_AGAIN) {
                return 0;
            }
            if (!virtual) {
                try {
                    return poll(fd, tcpEvents, own, Deadline.millisUntil(deadline));
                } finally {
                    if (own >= 0) {
                        sleeper.endWait();
                    }
                }
            }
            if (!watch.isOn(fd, tcpEvents)) {
                park(Deadline.earlier(deadline, Deadline.in(UNWATCHED_MILLIS)));
                return poll(fd, tcpEvents, NO_DESCRIPTOR, 0);
            }
            if (!watch.hasRung() && !watch.tcpHasSpokenTo(role)) {
                park(deadline);
            }
            if (watch.hasRung()) {
                acknowledge();
            }
            return watch.eventsOnTcp(role, fd, tcpEvents);
        } finally {
            tcp.release();
        }
    }

    private int poll(int tcpFd, int tcpEvents, int own, int millis) {
        int ready = own == NO_DESCRIPTOR ? Posix.poll(bell.descriptor(), Posix.POLLIN, tcpFd, tcpEvents, millis)
                : Posix.pollThree(bell.descriptor(), Posix.POLLIN, tcpFd, tcpEvents, own, millis);
        if (ready > 0 && (ready & 0xffff) != 0) {
            acknowledge();
        }
        return ready > 0 ? ready >>> 16 : 0;
    }

    // By the thread that watches.

    /**
     * The bell was rung, or TCP has spoken.
     *
     * @param writerToo whether that matters to a writer too
     */
    void lookAgain(boolean writerToo) {
        LockSupport.unpark(leader.get());
        wake(readersWord);
        if (writerToo) {
            wake(writersWord);
        }
    }

    /** The watch has ended. A thread that comes from now on finds that out itself. */
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

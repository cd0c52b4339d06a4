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
 * The threads of one end of a connection that sleep: at most a reader and a writer. They share one doorbell, and two
 * threads in poll(2) on one descriptor steal each other's wake-ups (R11). So at most one of them, the <em>leader</em>,
 * sleeps in poll on {doorbell, TCP}; the other parks and is handed on whatever the leader woke up for.
 *
 * <p>S1. A sleeper announces itself (in shared memory, with a full fence) and looks again before it sleeps.
 * <br>S2. Whoever stops leading, or leaves without having led, unparks the other one, which looks again and leads if
 * nobody does. So no ring is lost, and the doorbell is never unattended while somebody sleeps.
 * <br>S3. A {@link #wake} is remembered for a thread that is only on its way to sleep: another one may have heard, and
 * acknowledged, the ring meant for both.
 * <br>S4. The reader leads in preference: its events on TCP (bytes, EOF) are ones a writer does not watch.
 *
 * <p>A platform thread's interrupt ends no wait (as with the JDK's sockets); its status is kept. A virtual thread never
 * blocks its carrier in poll: it parks, and {@link VirtualThreads#poller() one thread} watches the descriptors for all of
 * them. Its interrupt ends the wait with {@link InterruptedIOException}, which {@code java.net} turns into the close that
 * it documents.
 */
public final class Sleepers {

    public static final int READER = 0;
    public static final int WRITER = 1;

    /** How often a thread went to sleep. */
    public static final LongAdder SLEEPS = new LongAdder();

    /** What a sleeper tells its peer, and what it waits for. */
    public interface Sleeper extends News {

        /** "I am asleep", visible to the peer before {@link #arrived} is asked again (R10). */
        void announce();

        /** "I am awake." */
        void retract();
    }

    private final Doorbell bell;
    private final AtomicReference<Thread> leader = new AtomicReference<>();
    private volatile Thread reader;
    private volatile Thread writer;
    private volatile boolean readerWoken;
    private volatile boolean writerWoken;

    // What the poller has seen for virtual threads; written by it, and by who leads.
    private volatile boolean rung;
    private volatile int eventsOnTcp;
    // By who leads, 0 before the first time.
    private long bellTag;
    private long tcpTag;
    private int tcpWatchedFor;

    public Sleepers(Doorbell bell) {
        this.bell = bell;
    }

    /**
     * Sleeps until there may be news, an event on TCP, the deadline, a {@link #wake}, or for no reason: the caller
     * looks at everything again.
     *
     * @param tcpEvents which events on TCP matter, beside errors and hang-up
     * @param deadline a {@link System#nanoTime}, or 0
     * @return the events on TCP, 0 for anything else
     */
    public int sleep(int role, Sleeper sleeper, TcpDescriptor tcp, int tcpEvents, long deadline) throws IOException {
        int events = sleepAnnounced(role, sleeper, tcp, tcpEvents, deadline);
        if (role == READER) {
            Step.READER_AWAKE.reached();
        }
        return events;
    }

    private int sleepAnnounced(int role, Sleeper sleeper, TcpDescriptor tcp, int tcpEvents, long deadline)
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
                    return takeWoken(role) || sleeper.arrived() ? 0 : lead(tcp, tcpEvents, deadline);
                } finally {
                    leader.set(null);
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

    private int lead(TcpDescriptor tcp, int tcpEvents, long deadline) throws IOException {
        int fd = tcp.acquire();
        if (fd < 0) {
            return 0;
        }
        try {
            if (VirtualThreads.isCurrent() && watchFor(fd, tcpEvents)) { // else it holds its carrier, but waits
                if (!rung && eventsOnTcp == 0) {
                    park(deadline);
                }
                if (rung) {
                    rung = false;
                    bell.acknowledge();
                }
                // Asked again: what the poller saw may have been read before it said so, and a reader who believes it
                // waits in TCP for bytes that come by the path.
                return eventsOnTcp == 0 ? 0 : Math.max(0, Posix.poll(fd, tcpEvents, -1, 0, 0));
            }
            int ready = Posix.poll(bell.descriptor(), Posix.POLLIN, fd, tcpEvents, Deadline.millisUntil(deadline));
            if (ready > 0 && (ready & 0xffff) != 0) {
                bell.acknowledge();
            }
            return ready > 0 ? ready >>> 16 : 0;
        } finally {
            tcp.release();
        }
    }

    /**
     * Has the poller watch for a virtual thread that leads: the bell from the first such time on, at each ring, so that
     * sleeping again takes no system call; TCP until it has something to say, after the switch as a rule never.
     *
     * @return false if that can't be done now, for want of descriptors, threads or memory
     */
    private boolean watchFor(int tcpFd, int tcpEvents) {
        EventLoop poller = VirtualThreads.poller();
        if (poller == null) {
            return false;
        }
        try {
            if (bellTag == 0) {
                bellTag = poller.watch(bell.descriptor(), Posix.POLLIN | Posix.EPOLLET, events -> {
                    rung = true;
                    LockSupport.unpark(leader.get());
                });
            }
            if (tcpTag == 0) {
                tcpTag = poller.watch(tcpFd, tcpEvents | Posix.EPOLLONESHOT, events -> {
                    eventsOnTcp = events;
                    LockSupport.unpark(leader.get());
                });
            } else if (tcpWatchedFor != tcpEvents || eventsOnTcp != 0) {
                eventsOnTcp = 0;
                poller.rewatch(tcpFd, tcpEvents | Posix.EPOLLONESHOT, tcpTag);
            }
            tcpWatchedFor = tcpEvents;
            return true;
        } catch (IllegalStateException e) {
            return false;
        }
    }

    /** Nobody sleeps here any more; before the bell is freed. */
    public void end() {
        if (bellTag != 0) {
            VirtualThreads.poller().forget(bellTag);
        }
        if (tcpTag != 0) {
            VirtualThreads.poller().forget(tcpTag);
        }
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
        if (deadline == 0) {
            LockSupport.park(this);
        } else {
            LockSupport.parkNanos(this, Math.max(0, deadline - System.nanoTime()));
        }
        if (VirtualThreads.isCurrent() && Thread.currentThread().isInterrupted()) {
            throw new InterruptedIOException();
        }
    }
}

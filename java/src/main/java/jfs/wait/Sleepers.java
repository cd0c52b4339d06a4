package jfs.wait;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import jfs.nativelib.Posix;
import jfs.spi.TcpDescriptor;

/**
 * The threads of one end of a connection that sleep: at most a reader and a writer. Either they sleep at words of shared memory, and one
 * bell calls them and those of many other connections ({@link WordSleepers}), or by a bell that is theirs alone ({@link BellSleepers}).
 *
 * <p>SLEEP-1. A sleeper announces itself (visibly to its peer, with a full fence) and looks again before it sleeps.
 * <br>SLEEP-2, SLEEP-4: see {@link BellSleepers}.
 * <br>SLEEP-3. A {@link #wake} is remembered for a thread that is only on its way to sleep.
 * <br>SLEEP-5, SLEEP-6: see {@link WordSleepers}.
 *
 * <p>A platform thread's interrupt ends no wait (as with the JDK's sockets); its status is kept. A virtual thread never
 * blocks its carrier: it parks, and the {@link Watch} has one thread watch the descriptors for all of them. Its interrupt ends the
 * wait with {@link InterruptedIOException}, which {@code java.net} turns into the close that it documents.
 */
public abstract class Sleepers {

    public static final int READER = 0;
    public static final int WRITER = 1;

    /** How often a thread went to sleep. */
    public static final LongAdder SLEEPS = new LongAdder();

    /**
     * How often a thread looks at what the watching thread would tell it, where nothing is watched, milliseconds: when the JVM shuts down,
     * or lacks descriptors, threads or memory for the watch.
     */
    private static final int UNWATCHED_MILLIS = 5;

    /** What a sleeper tells its peer, and what it waits for. */
    public interface Sleeper extends News {

        /** "I am asleep", visible to the peer before {@link #arrived} is asked again (ORDER-1). The peer is to ring the doorbell. */
        void announce();

        /** "I am awake." */
        void retract();

        /**
         * Sleeps in poll(2), after it has announced itself and has looked again: until the bell rings, or TCP has something to say, or
         * what it waits for itself has. Only of {@link BellSleepers}.
         *
         * @return as {@link Posix#poll}; 0 also if it is not to sleep now
         */
        default int poll(int bell, int tcp, int tcpEvents, int millis) {
            return Posix.poll(bell, Posix.POLLIN, tcp, tcpEvents, millis);
        }

        /** It is about to park, until the bell rings, after it has announced itself and has looked again. Only of {@link BellSleepers}. */
        default void willPark() {
        }
    }

    /** The threads that park, or that a thread of this process may have to wake from poll(2). */
    volatile Thread reader;
    volatile Thread writer;
    volatile boolean readerWoken;
    volatile boolean writerWoken;

    /**
     * Sleeps until there may be news, an event on TCP, the deadline or a {@link #wake}. May return early without a cause: the caller
     * looks at everything again. Compiled on its own (JIT-1).
     *
     * @param tcpEvents which events on TCP matter, beside errors and hang-up
     * @param deadline see {@link Deadline}
     * @return the events on TCP, 0 for anything else
     */
    public abstract int sleep(int role, Sleeper sleeper, TcpDescriptor tcp, int tcpEvents, long deadline) throws IOException;

    /** Makes all sleepers return, and those who were just about to sleep. After the change that they are to see. */
    public abstract void wake();

    /** Nobody sleeps here any more; before the bell is freed. */
    public abstract void end();

    // By the thread that watches.

    /** The watch begins: the bell is to be watched too. Idempotent. @throws IllegalStateException if the kernel refuses */
    abstract void watchBell(EventLoop loop);

    /** @param writerToo whether that matters to a writer too */
    abstract void tcpHasSpoken(boolean writerToo);

    /** The watch has ended. A thread that comes from now on finds that out itself. */
    abstract void leaveTheWatch();

    /** @return the events on TCP now, as {@link #sleep}; 0 of a socket that is closed */
    public static int look(TcpDescriptor tcp, int tcpEvents) {
        int fd = tcp.acquire();
        if (fd < 0) {
            return 0;
        }
        try {
            return look(fd, tcpEvents);
        } finally {
            tcp.release();
        }
    }

    static int look(int tcpFd, int tcpEvents) {
        return Math.max(0, Posix.poll(tcpFd, tcpEvents, -1, 0, 0));
    }

    /** A deadline for a thread that is not told: not later than this one, and soon. */
    static long unwatched(long deadline) {
        return Deadline.earlier(deadline, Deadline.in(UNWATCHED_MILLIS));
    }

    final boolean takeWoken(int role) {
        boolean woken = role == READER ? readerWoken : writerWoken;
        if (woken && role == READER) {
            readerWoken = false;
        } else if (woken) {
            writerWoken = false;
        }
        return woken;
    }

    final void setSlot(int role, Thread thread) {
        if (role == READER) {
            reader = thread;
        } else {
            writer = thread;
        }
    }

    /**
     * Uses up the interrupt of a platform thread, if there is one, for as long as it parks: an interrupted thread would not.
     *
     * @return whether it has to be {@linkplain #restoreInterrupt restored}; then whatever the thread may have been told has to be looked at
     *         once more, because a permit may have been used up with it
     */
    static boolean suspendInterrupt(Object blocker) {
        if (VirtualThreads.isCurrent() || !Thread.interrupted()) {
            return false;
        }
        // An interrupt, ours below too, leaves a permit, which would end every wait at once. It is used up here.
        LockSupport.parkNanos(blocker, 1);
        return true;
    }

    static void restoreInterrupt() {
        Thread.currentThread().interrupt();
    }

    final void park(long deadline) throws InterruptedIOException {
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

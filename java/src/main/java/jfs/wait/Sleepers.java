package jfs.wait;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import jfs.nativelib.Posix;
import jfs.spi.FutexWords;
import jfs.spi.TcpDescriptor;
import jfs.threads.EventLoop;
import jfs.threads.VirtualThreads;

/**
 * The sleeping threads of one end of a connection: at most a reader thread and a writer thread. In {@link WordSleepers} the threads sleep
 * at words of shared memory, and the end shares a bell with many other connections. In {@link BellSleepers} the end has its own bell.
 *
 * <p>A caller that must not sleep, such as an event loop, {@linkplain #arm arms} a direction in place of a thread. The peer and the
 * process's watching thread treat it as a thread that parks, and its callback is run where such a thread would be unparked.
 *
 * <p>SLEEP-1. A sleeper announces itself (visibly to its peer, with a full fence) and looks again before it sleeps.
 * <br>SLEEP-2, SLEEP-4: see {@link BellSleepers}.
 * <br>SLEEP-3. A {@link #wake} is remembered for a thread that is about to sleep, but does not sleep yet.
 * <br>SLEEP-5, SLEEP-6: see {@link WordSleepers}.
 *
 * <p>An interrupt of a platform thread ends no wait, as with the JDK's sockets, and its status is kept. A virtual thread never blocks
 * its carrier: it parks, and one thread of the process watches the descriptors for all virtual threads ({@link Watch}). An interrupt of
 * a virtual thread ends its wait with {@link InterruptedIOException}. {@code java.net} then closes the socket, as it documents.
 */
public abstract class Sleepers {

    public static final int READER = 0;
    public static final int WRITER = 1;

    /** How often a thread went to sleep. */
    public static final LongAdder SLEEPS = new LongAdder();

    /**
     * Milliseconds between two looks of a thread at what the watching thread would tell it, where nothing is watched: when the JVM shuts
     * down, or lacks descriptors, threads or memory for the watch.
     */
    private static final int UNWATCHED_MILLIS = 5;

    /** What a sleeper tells its peer, and what it waits for. */
    public interface Sleeper extends News {

        /**
         * Tells the peer that this thread sleeps and that the peer is to ring the doorbell. The peer can see that before {@link #arrived}
         * is asked again (ORDER-1).
         */
        void announce();

        /** Tells the peer that this thread is awake. */
        void retract();

        /**
         * Sleeps in poll(2), after the thread has announced itself and has looked again. The sleep ends when the bell rings, when there is
         * an event on TCP, or for a cause of the implementation's own. Only {@link BellSleepers} call this.
         *
         * @return as {@link Posix#poll}; 0 also if the thread is not to sleep now
         */
        default int poll(int bell, int tcp, int tcpEvents, int millis) {
            return Posix.poll(bell, Posix.POLLIN, tcp, tcpEvents, millis);
        }

        /**
         * The thread is about to park until the bell rings, after it has announced itself and has looked again. Only {@link BellSleepers}
         * call this.
         */
        default void willPark() {
        }
    }

    private static final AtomicReferenceFieldUpdater<Sleepers, Runnable> READERS_CALLBACK =
            AtomicReferenceFieldUpdater.newUpdater(Sleepers.class, Runnable.class, "readersCallback");
    private static final AtomicReferenceFieldUpdater<Sleepers, Runnable> WRITERS_CALLBACK =
            AtomicReferenceFieldUpdater.newUpdater(Sleepers.class, Runnable.class, "writersCallback");

    /** The callbacks of armed directions; null where none is armed. Written by the updaters. */
    private volatile Runnable readersCallback;
    private volatile Runnable writersCallback;

    /** The sleeping threads that another thread of this process may have to unpark or to wake from poll(2); null if there is none. */
    volatile Thread reader;
    volatile Thread writer;
    volatile boolean readerWoken;
    volatile boolean writerWoken;

    /**
     * Sleeps until there may be news, an event on TCP, the deadline or a {@link #wake}. The wake-up may be spurious, so the caller looks
     * at everything again. The JIT compiles this method on its own (JIT-1).
     *
     * @param tcpEvents which events on TCP matter, beside errors and hang-up
     * @param deadline see {@link Deadline}
     * @return the events on TCP, 0 for anything else
     */
    public abstract int sleep(int role, Sleeper sleeper, TcpDescriptor tcp, int tcpEvents, long deadline) throws IOException;

    /**
     * Announces that a callback waits in place of a thread: one that parks. The callback is run once, by any thread, when there may be
     * news, an event on TCP, a {@link #wake}, or when a thread of this role begins to sleep, which takes the word for itself. Called by
     * the holder of the role's lock. Does not block.
     *
     * @param callback only hands the news over: it must not block or throw, or call anything of this connection ({@link
     *                 jfs.spi.FastPath#armReceiver})
     * @param words null, or the words at which the caller is about to sleep: the end's own word is added, if it can be, and the peer then
     *              wakes the caller there. The callback is run for the other causes
     * @return the nanoseconds after which the caller has to look again, even if the callback was not run: {@link Long#MAX_VALUE} for never;
     *         0 if there is news already, and then nothing is armed. The callback may have been run all the same
     */
    public final long arm(int role, Sleeper sleeper, TcpDescriptor tcp, int tcpEvents, Runnable callback, FutexWords words)
            throws IOException {
        int fd = tcp.acquire();
        if (fd < 0) { // the socket is closed
            return 0;
        }
        boolean armed = false;
        try {
            Watch watch = watch();
            boolean watched = watch.ensureWatching(fd, tcpEvents);
            callbacks(role).set(this, callback); // SLEEP-5
            boolean atWord = words != null && announceFutex(sleeper, words);
            if (!atWord) {
                sleeper.announce();
                callbackAnnounced(sleeper);
            }
            int events = watched ? watch.eventsOnTcp(role, fd, tcpEvents) : look(fd, tcpEvents);
            armed = !takeWoken(role) && events == 0 && !sleeper.arrived();
            if (armed && atWord) {
                addTo(words, sleeper);
            }
            return !armed ? 0 : watched ? Long.MAX_VALUE : TimeUnit.MILLISECONDS.toNanos(UNWATCHED_MILLIS);
        } finally {
            if (!armed) {
                runCallback(role); // another selector of the same channel may rely on it
                sleeper.retract();
            }
            tcp.release();
        }
    }

    /**
     * Ends an arming, if there is one. The callback may still be run by a thread that has found it before. The announcement may stay, and
     * costs at most a superfluous ring. Any thread may call this.
     */
    public final void disarm(int role) {
        callbacks(role).set(this, null);
    }

    /** Runs the callbacks of armed directions. Called by any thread, also when the memory of the end is freed already. */
    public final void runCallbacks() {
        try {
            runCallback(READER);
        } finally {
            runCallback(WRITER);
        }
    }

    /** Runs the callback of that role, if it is armed. */
    final void runCallback(int role) {
        AtomicReferenceFieldUpdater<Sleepers, Runnable> callbacks = callbacks(role);
        Runnable it = callbacks.get(this) == null ? null : callbacks.getAndSet(this, null);
        if (it == null) {
            return;
        }
        boolean done = false;
        try {
            it.run();
            done = true;
        } finally {
            if (!done) { // for want of memory; the next event runs it
                callbacks.compareAndSet(this, null, it);
            }
        }
    }

    private static AtomicReferenceFieldUpdater<Sleepers, Runnable> callbacks(int role) {
        return role == READER ? READERS_CALLBACK : WRITERS_CALLBACK;
    }

    /** What watches TCP and the bell for threads that do not wait at these descriptors. */
    abstract Watch watch();

    /**
     * Announces that the caller sleeps at the end's own word. @return false if it can't be one of these words; nothing is announced then
     */
    boolean announceFutex(Sleeper sleeper, FutexWords words) {
        return false;
    }

    /** Called after {@link #announceFutex}. */
    void addTo(FutexWords words, Sleeper sleeper) {
        throw new IllegalStateException("no word was announced");
    }

    /** This thread has announced a callback, and is about to look for news once more. */
    void callbackAnnounced(Sleeper sleeper) {
    }

    /** Makes all sleepers return, and threads that are just about to sleep. Called after the change that they are to see. */
    public abstract void wake();

    /** Called when no thread sleeps here any more, before the bell is freed. */
    public abstract void end();

    // Called by the watch.

    /**
     * Makes the loop watch the bell too. Called by a thread that is about to sleep. Idempotent.
     *
     * @throws IllegalStateException if the kernel refuses
     */
    abstract void watchBell(EventLoop loop);

    /** There is an event on TCP. Called by the watching thread. @param writerToo whether the event matters to a writer too */
    abstract void onTcpEvent(boolean writerToo);

    /** The watch has ended. Called by the watching thread. A thread that comes to sleep later finds that out itself. */
    abstract void watchHasEnded();

    /** @return the events on TCP now, as {@link #sleep}; 0 if the socket is closed */
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

    /** An early deadline, for a thread that is told of nothing: not later than the given deadline, and soon. */
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
     * Clears a platform thread's interrupt, if there is one, for as long as the thread parks, because an interrupted thread would not park.
     *
     * @return whether the interrupt has to be {@linkplain #restoreInterrupt restored}. Then the thread has to look once more for all that
     *         another thread may have told it, because the permit of an unpark may have been used up here
     */
    static boolean suspendInterrupt(Object blocker) {
        if (VirtualThreads.isCurrent() || !Thread.interrupted()) {
            return false;
        }
        // An interrupt leaves a permit, also one of restoreInterrupt(). The permit would end the next park at once, so it is used up here.
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

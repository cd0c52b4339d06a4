package jfs.wait;

import java.io.IOException;
import java.util.concurrent.locks.LockSupport;
import jfs.memory.Shared;
import jfs.memory.WakeWord;
import jfs.spi.FutexWords;
import jfs.spi.TcpDescriptor;
import jfs.steps.Step;
import jfs.threads.EventLoop;
import jfs.threads.VirtualThreads;

/**
 * Sleepers at words of memory that they share with their peer. A platform thread sleeps in a {@linkplain FutexSleeper futex} at its word,
 * which takes one system call to sleep and one of the peer to wake the thread. A virtual thread parks. A thread parks too if its peer does
 * not know the futex, or if the kernel has refused the futex. Such a thread is woken by way of the {@link SharedBell}. The peer learns from
 * the word whether it has to wake the futex or to ring the bell.
 *
 * <p>None of these threads waits at a descriptor (SLEEP-7). The {@linkplain Watch watching} thread tells them of events on TCP, and of the
 * end of the peer.
 *
 * <p>SLEEP-5. A thread that is announced is told of each event on TCP that matters to it, and of each signal of the bell that may be meant
 * for it. A thread that comes later finds the event kept in the {@link Watch}, and finds the cause of the signal when it looks again
 * (SLEEP-1). For this reason a thread that parks is in its slot ({@code reader} or {@code writer}) before it announces itself.
 * <br>SLEEP-6. A thread in a futex sleeps at two words: one that its peer changes, and a {@link WakeWord}, which no peer can reach. The
 * thread's own process wakes it by the second word. Whatever the peer does, the sleeper learns of a close, of TCP's end and of its peer's
 * death.
 */
public final class WordSleepers extends Sleepers {

    /** A sleeper that can sleep in futex(2) at a word of shared memory. The peer changes the word to wake the sleeper. */
    public interface FutexSleeper extends Sleeper, WordNews {

        /** Whether the peer would wake this thread by the futex. */
        boolean maySleepInFutex();

        /** As {@link #announce}, but the peer is to wake the futex. */
        void announceFutex();

        /** Adds the word to those at which a thread will sleep that waits for many connections. Called after {@link #announceFutex}. */
        void addTo(FutexWords words);

        /**
         * Sleeps while the word holds what {@link #announceFutex} has stored there and {@code own} is announced. The wake-up may be
         * spurious.
         *
         * @param own the word by which threads of this process wake the sleeper
         * @param nanos longest sleep, nanoseconds; negative for ever
         * @return false if the kernel refuses
         */
        boolean sleepInFutex(WakeWord own, long nanos);
    }

    private final SharedBell bell;
    private final Watch watch = new Watch(this);
    /** Made when the first thread of that role sleeps in a futex. */
    private volatile WakeWord readersWord;
    private volatile WakeWord writersWord;
    /** The kernel has refused the futex, or there was no memory for a word. Then no thread of this end tries the futex again. */
    private volatile boolean futexFails;

    public WordSleepers(SharedBell bell) {
        this.bell = bell;
    }

    @Override
    public int sleep(int role, Sleeper sleeper, TcpDescriptor tcp, int tcpEvents, long deadline) throws IOException {
        runCallback(role);
        FutexSleeper one = !futexFails && sleeper instanceof FutexSleeper it && it.maySleepInFutex() && !VirtualThreads.isCurrent()
                ? it : null;
        WakeWord own = one == null ? null : wordOf(role);
        int fd = tcp.acquire();
        if (fd < 0) { // the socket is closed
            return 0;
        }
        int events = 0;
        try {
            boolean watched = watch.ensureWatching(fd, tcpEvents);
            if (own == null) {
                setSlot(role, Thread.currentThread()); // SLEEP-5
                sleeper.announce();
            } else {
                own.announce();
                one.announceFutex();
            }
            (role == READER ? Step.READER_ASLEEP : Step.WRITER_ASLEEP).reached();
            if (!takeWoken(role) && !sleeper.arrived()) {
                events = eventsOnTcp(watched, role, fd, tcpEvents);
                if (events == 0) {
                    SLEEPS.increment();
                    long end = watched ? deadline : unwatched(deadline);
                    if (own == null) {
                        park(role, sleeper, watched, end);
                    } else if (!one.sleepInFutex(own, end == Deadline.NONE ? -1 : Deadline.nanosUntil(end))) {
                        futexFails = true;
                    }
                    events = eventsOnTcp(watched, role, fd, tcpEvents);
                }
            }
        } finally {
            if (own == null) {
                setSlot(role, null);
                sleeper.retract();
            } else {
                own.retract();
                one.retract();
            }
            tcp.release();
        }
        if (role == READER) {
            Step.READER_AWAKE.reached();
        }
        return events;
    }

    @Override
    boolean announceFutex(Sleeper sleeper, FutexWords words) {
        if (futexFails || !words.hasRoom() || !(sleeper instanceof FutexSleeper one) || !one.maySleepInFutex() || !Shared.canSleep()) {
            return false;
        }
        one.announceFutex();
        return true;
    }

    @Override
    void addTo(FutexWords words, Sleeper sleeper) {
        ((FutexSleeper) sleeper).addTo(words);
    }

    private int eventsOnTcp(boolean watched, int role, int fd, int tcpEvents) {
        return watched ? watch.eventsOnTcp(role, fd, tcpEvents) : look(fd, tcpEvents);
    }

    private void park(int role, Sleeper sleeper, boolean watched, long deadline) throws IOException {
        if (!suspendInterrupt(this)) {
            park(deadline);
            return;
        }
        try {
            if (!takeWoken(role) && !sleeper.arrived() && !(watched && watch.hasTcpEvent(role))) {
                park(deadline);
            }
        } finally {
            restoreInterrupt();
        }
    }

    /** Called by the thread of that role. @return null if there is no memory for the word */
    private WakeWord wordOf(int role) {
        WakeWord word = role == READER ? readersWord : writersWord;
        if (word != null) {
            return word;
        }
        try {
            word = new WakeWord();
        } catch (OutOfMemoryError e) { // the heap is full, or the memory that the JVM allows for direct buffers
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

    @Override
    public void wake() {
        readerWoken = true;
        writerWoken = true;
        tell(true);
    }

    /** Wakes sleepers of both kinds. Unparking a virtual thread may fail for want of memory. That must not keep another thread asleep. */
    private void tell(boolean writerToo) {
        wake(readersWord);
        wake(writerToo ? writersWord : null);
        try {
            bellRung(READER);
        } finally {
            if (writerToo) {
                bellRung(WRITER);
            }
        }
    }

    private static void wake(WakeWord inFutex) {
        if (inFutex != null) {
            inFutex.wake();
        }
    }

    // Called by the watching thread, except watchBell() and end().

    /** The bell was rung for the thread or the callback of that role. The thread parks, or is about to park, or has just returned. */
    public void bellRung(int role) {
        runCallback(role);
        LockSupport.unpark(role == READER ? reader : writer);
    }

    @Override
    Watch watch() {
        return watch;
    }

    /** The peer process has gone, or its end of the region. */
    public void peerHasGone() {
        tell(true);
    }

    @Override
    void onTcpEvent(boolean writerToo) {
        tell(writerToo);
    }

    @Override
    void watchBell(EventLoop loop) {
        bell.watchedBy(loop);
    }

    @Override
    void watchHasEnded() {
        wake();
    }

    @Override
    public void end() {
        watch.end();
    }
}

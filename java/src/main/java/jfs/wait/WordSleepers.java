package jfs.wait;

import java.io.IOException;
import java.util.concurrent.locks.LockSupport;
import jfs.memory.WakeWord;
import jfs.spi.TcpDescriptor;
import jfs.steps.Step;

/**
 * Sleepers at words of memory that their peer has too. A platform thread sleeps in a {@linkplain FutexSleeper futex} at its word: one
 * system call to sleep and one to be woken. A virtual thread parks, and so does a thread whose peer knows no futex, or whose kernel
 * has refused one: such a thread is called by the {@link SharedBell}. The peer learns from the word which of the two it is.
 *
 * <p>No such thread waits at a descriptor (SLEEP-7). The {@linkplain Watch watching} thread tells it what comes by TCP, and that the peer
 * has gone.
 *
 * <p>SLEEP-5. A thread is told of each event on TCP that matters to it, and of each ring that may be meant for it, if it was announced
 * when that came. Who comes later finds the event kept (Watch), and the ring's cause when it looks again (SLEEP-1). So a thread that
 * parks is in its slot before it announces itself.
 * <br>SLEEP-6. A thread in a futex sleeps at two words: one that its peer changes, and a {@link WakeWord}, by which its own process wakes
 * it and which no peer can reach. So whatever the peer does, the sleeper hears of a close, of TCP's end and of its peer's death.
 */
public final class WordSleepers extends Sleepers {

    /** One that can sleep at a word in memory that the peer has too, and that the peer changes to wake it: futex(2). */
    public interface FutexSleeper extends Sleeper, WordNews {

        /** Whether the peer would wake this thread by the futex. */
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

    private final SharedBell bell;
    private final Watch watch = new Watch(this);
    /** Made when the first thread of that role sleeps in a futex. */
    private volatile WakeWord readersWord;
    private volatile WakeWord writersWord;
    /** The kernel has refused it, or there is no memory for a word: not tried again. */
    private volatile boolean futexFails;

    public WordSleepers(SharedBell bell) {
        this.bell = bell;
    }

    @Override
    public int sleep(int role, Sleeper sleeper, TcpDescriptor tcp, int tcpEvents, long deadline) throws IOException {
        FutexSleeper one = !futexFails && sleeper instanceof FutexSleeper it && it.maySleepInFutex() && !VirtualThreads.isCurrent()
                ? it : null;
        WakeWord own = one == null ? null : wordOf(role);
        int fd = tcp.acquire();
        if (fd < 0) { // it is closed
            return 0;
        }
        int events = 0;
        try {
            boolean watched = watch.isOn(fd, tcpEvents);
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

    private int eventsOnTcp(boolean watched, int role, int fd, int tcpEvents) {
        return watched ? watch.eventsOnTcp(role, fd, tcpEvents) : look(fd, tcpEvents);
    }

    private void park(int role, Sleeper sleeper, boolean watched, long deadline) throws IOException {
        if (!suspendInterrupt(this)) {
            park(deadline);
            return;
        }
        try {
            if (!takeWoken(role) && !sleeper.arrived() && !(watched && watch.tcpHasSpokenTo(role))) {
                park(deadline);
            }
        } finally {
            restoreInterrupt();
        }
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

    @Override
    public void wake() {
        readerWoken = true;
        writerWoken = true;
        tell(true);
    }

    /** Both kinds of sleepers. To unpark a virtual thread may fail for want of memory: that must not keep another thread asleep. */
    private void tell(boolean writerToo) {
        wake(readersWord);
        wake(writerToo ? writersWord : null);
        try {
            LockSupport.unpark(reader);
        } finally {
            LockSupport.unpark(writerToo ? writer : null);
        }
    }

    private static void wake(WakeWord inFutex) {
        if (inFutex != null) {
            inFutex.wake();
        }
    }

    // By the thread that watches.

    /** The bell was rung for the thread of that role, which parks, or is about to, or has just left. */
    public void called(int role) {
        LockSupport.unpark(role == READER ? reader : writer);
    }

    /** The peer has gone. */
    public void peerHasGone() {
        tell(true);
    }

    @Override
    void tcpHasSpoken(boolean writerToo) {
        tell(writerToo);
    }

    @Override
    void watchBell(EventLoop loop) {
        bell.watchedBy(loop);
    }

    @Override
    void leaveTheWatch() {
        wake();
    }

    @Override
    public void end() {
        watch.end();
    }
}

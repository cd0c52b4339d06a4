package jfs.wait;

import java.io.IOException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import jfs.nativelib.Posix;
import jfs.spi.TcpDescriptor;
import jfs.steps.Step;
import jfs.threads.EventLoop;
import jfs.threads.VirtualThreads;

/**
 * Sleepers whose end has a doorbell of its own: between hosts, behind a card, and where the kernel has no futex_waitv(2).
 *
 * <p>The reader thread and the writer thread of the end share the bell. Two threads in poll(2) on one descriptor would take each
 * other's wake-ups (SLEEP-7). At most one of them, the <em>owner</em> of the bell, therefore sleeps in poll(2) on the doorbell and on TCP.
 * The other thread parks. When the owner wakes up it unparks the other thread, because the event may be for that one.
 *
 * <p>SLEEP-2. A thread that gives the bell up, or leaves without having owned it, unparks the other one. That thread looks again, and takes
 * the bell if no thread owns it. So no signal is lost, and a thread waits at the doorbell as long as any thread sleeps by it.
 * <br>A {@link #wake} is remembered (SLEEP-3) for one more reason: its signal is meant for both threads, and the first thread that hears
 * it acknowledges it.
 * <br>SLEEP-4. The reader takes the bell in preference to the writer, because a writer does not watch the reader's events on TCP (bytes,
 * EOF).
 */
public final class BellSleepers extends Sleepers {

    private final Doorbell bell;
    private final AtomicReference<Thread> owner = new AtomicReference<>();
    private final Watch watch = new Watch(this);
    /** The watching thread has heard a signal that is not acknowledged yet. */
    private volatile boolean rung;
    /** The event loop's tag of the bell; null while the loop does not watch the bell. Guarded by the watch. */
    private Long tag;
    /** The bell may be freed. Guarded by the watch. */
    private boolean ended;

    public BellSleepers(Doorbell bell) {
        this.bell = bell;
    }

    @Override
    public int sleep(int role, Sleeper sleeper, TcpDescriptor tcp, int tcpEvents, long deadline) throws IOException {
        runCallback(role);
        int events = sleepByBell(role, sleeper, tcp, tcpEvents, deadline);
        if (role == READER) {
            Step.READER_AWAKE.reached();
        }
        return events;
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
            if (mayOwnBell(role) && owner.compareAndSet(null, me)) {
                try {
                    // Looks again: the last owner may meanwhile have acknowledged a signal for this thread, or that of a wake().
                    return takeWoken(role) || sleeper.arrived() ? 0 : sleepAtBell(role, sleeper, tcp, tcpEvents, deadline);
                } finally {
                    owner.set(null);
                }
            }
            if (role == READER && writer != null) {
                bell.ringOurselves(); // so that a writer that owns the bell gives it up, and the reader takes it (SLEEP-4)
            }
            sleeper.willPark();
            parkBesideOwner(role, sleeper, deadline);
            return 0;
        } finally {
            setSlot(role, null);
            sleeper.retract();
            LockSupport.unpark(role == READER ? writer : reader); // SLEEP-2
        }
    }

    private boolean mayOwnBell(int role) {
        return role == READER || reader == null;
    }

    private int sleepAtBell(int role, Sleeper sleeper, TcpDescriptor tcp, int tcpEvents, long deadline) throws IOException {
        int fd = tcp.acquire();
        if (fd < 0) {
            return 0;
        }
        try {
            if (!VirtualThreads.isCurrent()) {
                return polled(sleeper.poll(bell.descriptor(), fd, tcpEvents, Deadline.millisUntil(deadline)));
            }
            sleeper.willPark();
            if (!watch.ensureWatching(fd, tcpEvents)) { // parks for a short time: in poll(2) it would hold its carrier
                park(unwatched(deadline));
                return polled(Posix.poll(bell.descriptor(), Posix.POLLIN, fd, tcpEvents, 0));
            }
            if (!rung && !watch.hasTcpEvent(role)) {
                park(deadline);
            }
            if (rung) {
                acknowledge();
            }
            return watch.eventsOnTcp(role, fd, tcpEvents);
        } finally {
            tcp.release();
        }
    }

    /** @return the events on TCP */
    private int polled(int ready) {
        if (ready > 0 && (ready & 0xffff) != 0) {
            acknowledge();
        }
        return ready > 0 ? ready >>> 16 : 0;
    }

    /**
     * Called by the owner, before it looks for the news that the signals until now have announced. The signals may have been for a callback
     * too, and the watching thread may not hear of them any more (SLEEP-2).
     */
    private void acknowledge() {
        rung = false;
        bell.acknowledge();
        runCallbacks();
    }

    /** Called by the watching thread. The bell of an end at which only callbacks wait must not fill up with signals. */
    private void acknowledgeWithoutOwner() {
        synchronized (watch) {
            if (ended || owner.get() != null) {
                return;
            }
            rung = false;
            bell.acknowledge();
            if (owner.get() != null) { // it may have looked before the signal, and waits for it
                bell.ringOurselves();
            }
        }
    }

    private void parkBesideOwner(int role, Sleeper sleeper, long deadline) throws IOException {
        if (!suspendInterrupt(this)) {
            park(deadline);
            return;
        }
        try {
            // suspendInterrupt may have used up the permit of an unpark by the other thread. So this thread looks again (SLEEP-2).
            if (!takeWoken(role) && !sleeper.arrived() && !(mayOwnBell(role) && owner.get() == null)) {
                park(deadline);
            }
        } finally {
            restoreInterrupt();
        }
    }

    @Override
    public void wake() {
        readerWoken = true;
        writerWoken = true;
        runCallbacks();
        Thread one = reader;
        Thread other = writer;
        if (one == null && other == null) {
            return; // a thread that comes later finds its flag set, so no system call is needed
        }
        LockSupport.unpark(one);
        LockSupport.unpark(other);
        bell.ringOurselves();
    }

    @Override
    void callbackAnnounced(Sleeper sleeper) {
        sleeper.willPark();
    }

    @Override
    Watch watch() {
        return watch;
    }

    // Called by the watch, which this class uses for virtual threads and for callbacks.

    @Override
    void onTcpEvent(boolean writerToo) {
        if (writerToo) {
            runCallbacks();
        } else {
            runCallback(READER);
        }
        LockSupport.unpark(owner.get());
    }

    @Override
    void watchBell(EventLoop loop) {
        if (tag == null) {
            tag = loop.watch(bell.descriptor(), Posix.POLLIN | Posix.EPOLLET, new EventLoop.Handler() {
                @Override
                public void ready(int events) {
                    rung = true;
                    acknowledgeWithoutOwner();
                    runCallbacks();
                    LockSupport.unpark(owner.get());
                }
            });
        }
    }

    @Override
    void watchHasEnded() {
        readerWoken = true;
        writerWoken = true;
        runCallbacks();
        LockSupport.unpark(reader);
        LockSupport.unpark(writer);
    }

    @Override
    public void end() {
        synchronized (watch) {
            ended = true;
            watch.end();
            if (tag != null) {
                Watch.forget(tag);
            }
        }
    }
}

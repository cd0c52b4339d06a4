package jfs.wait;

import java.io.IOException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import jfs.nativelib.Posix;
import jfs.spi.TcpDescriptor;
import jfs.steps.Step;

/**
 * Sleepers by a doorbell of their own: between hosts, behind a card, and where the kernel has no futex for them.
 *
 * <p>Reader and writer share the bell, and two threads in poll(2) on one descriptor steal each other's wake-ups (SLEEP-7). So at most one
 * of them, the <em>leader</em>, sleeps in poll on {doorbell, TCP}. The other one parks, and the leader hands on whatever it woke up for.
 *
 * <p>SLEEP-2. A thread that stops leading, or leaves without having led, unparks the other one, which looks again and leads if
 * no thread does. So no ring is lost, and the doorbell is never unattended while a thread sleeps by it.
 * <br>A {@link #wake} is remembered (SLEEP-3) also because another thread may have heard, and acknowledged, the ring meant for both.
 * <br>SLEEP-4. The reader leads in preference: its events on TCP (bytes, EOF) are ones a writer does not watch.
 */
public final class BellSleepers extends Sleepers {

    private final Doorbell bell;
    private final AtomicReference<Thread> leader = new AtomicReference<>();
    private final Watch watch = new Watch(this);
    /** A ring was heard by the thread that watches, since the last one was acknowledged. */
    private volatile boolean rung;
    /** Null where the bell is not watched. Guarded by the watch. */
    private Long tag;

    public BellSleepers(Doorbell bell) {
        this.bell = bell;
    }

    @Override
    public int sleep(int role, Sleeper sleeper, TcpDescriptor tcp, int tcpEvents, long deadline) throws IOException {
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
            if (mayLead(role) && leader.compareAndSet(null, me)) {
                try {
                    // Again: who led until now may have acknowledged a ring, ours or a wake's, since we looked.
                    return takeWoken(role) || sleeper.arrived() ? 0 : lead(role, sleeper, tcp, tcpEvents, deadline);
                } finally {
                    leader.set(null);
                }
            }
            if (role == READER && writer != null) {
                bell.ringOurselves(); // a writer that leads makes way (SLEEP-4)
            }
            sleeper.willPark();
            follow(role, sleeper, deadline);
            return 0;
        } finally {
            setSlot(role, null);
            sleeper.retract();
            LockSupport.unpark(role == READER ? writer : reader); // SLEEP-2
        }
    }

    private boolean mayLead(int role) {
        return role == READER || reader == null;
    }

    private int lead(int role, Sleeper sleeper, TcpDescriptor tcp, int tcpEvents, long deadline) throws IOException {
        int fd = tcp.acquire();
        if (fd < 0) {
            return 0;
        }
        try {
            if (!VirtualThreads.isCurrent()) {
                return polled(sleeper.poll(bell.descriptor(), fd, tcpEvents, Deadline.millisUntil(deadline)));
            }
            sleeper.willPark();
            if (!watch.isOn(fd, tcpEvents)) { // in poll(2) it would hold its carrier
                park(unwatched(deadline));
                return polled(Posix.poll(bell.descriptor(), Posix.POLLIN, fd, tcpEvents, 0));
            }
            if (!rung && !watch.tcpHasSpokenTo(role)) {
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

    /** By the leader, before it looks at what the rings until now were for. */
    private void acknowledge() {
        rung = false;
        bell.acknowledge();
    }

    private void follow(int role, Sleeper sleeper, long deadline) throws IOException {
        if (!suspendInterrupt(this)) {
            park(deadline);
            return;
        }
        try {
            // Maybe a hand-on's permit was used up: so that is looked for again (SLEEP-2).
            if (!takeWoken(role) && !sleeper.arrived() && !(mayLead(role) && leader.get() == null)) {
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
        Thread one = reader;
        Thread other = writer;
        if (one == null && other == null) {
            return; // who comes from now on sees that it was woken, without a system call of ours
        }
        LockSupport.unpark(one);
        LockSupport.unpark(other);
        bell.ringOurselves();
    }

    // By the thread that watches, for virtual threads.

    @Override
    void tcpHasSpoken(boolean writerToo) {
        LockSupport.unpark(leader.get());
    }

    @Override
    void watchBell(EventLoop loop) {
        if (tag == null) {
            tag = loop.watch(bell.descriptor(), Posix.POLLIN | Posix.EPOLLET, new EventLoop.Handler() {
                @Override
                public void ready(int events) {
                    rung = true;
                    LockSupport.unpark(leader.get());
                }
            });
        }
    }

    @Override
    void leaveTheWatch() {
        readerWoken = true;
        writerWoken = true;
        LockSupport.unpark(reader);
        LockSupport.unpark(writer);
    }

    @Override
    public void end() {
        synchronized (watch) {
            watch.end();
            if (tag != null) {
                Watch.forget(tag);
            }
        }
    }
}

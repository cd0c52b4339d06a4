package jfs.wait;

import jfs.nativelib.Posix;
import jfs.threads.EventLoop;

/**
 * The watch over the TCP socket and the bell of one end of a connection. One thread of the process watches them for all sleepers that do
 * not wait at these descriptors themselves: threads that park, and threads in a futex. It watches from the first sleep of an end on,
 * edge-triggered. Later sleeps therefore take no system call for this. The kernel reports each edge only once. The fields {@code
 * tcpEventFor...} keep the event for a thread that sleeps later.
 */
class Watch implements EventLoop.Handler {

    /** Made when the first thread sleeps. */
    private static volatile EventLoop poller;

    private final Sleepers sleepers;
    // Whether TCP has had an event since the thread of that role last looked. True at first, because no thread has looked yet.
    private volatile boolean tcpEventForReader = true;
    private volatile boolean tcpEventForWriter = true;
    /** The loop's tag of the TCP socket; null while nothing is watched. Guarded by this. */
    private Long tcpTag;
    private volatile boolean watching;
    private volatile int tcpWatched;

    Watch(Sleepers sleepers) {
        this.sleepers = sleepers;
    }

    /** The loop of the watching thread. @throws IllegalStateException if the system has no descriptors or no thread for it now */
    static EventLoop poller() {
        EventLoop it = poller;
        if (it == null) {
            synchronized (Watch.class) {
                it = poller;
                if (it == null) {
                    it = poller = new EventLoop("jfs-poller");
                    it.endingAtShutdown(); // if this throws, the poller exists all the same
                }
            }
        }
        return it;
    }

    /**
     * Begins to watch bell and TCP, if they are not watched yet. If they are watched, a thread that sleeps from now on is told of all
     * events, and of the end of the watch.
     *
     * @param tcpFd acquired by the caller
     * @param tcpEvents which events on TCP matter to the sleeper, beside errors and hang-up
     * @return false if they can't be watched now: the system has no descriptors, threads or memory for it, or the JVM shuts down
     */
    boolean ensureWatching(int tcpFd, int tcpEvents) {
        try {
            EventLoop loop = poller();
            if (!watching || (tcpEvents & ~tcpWatched) != 0) {
                begin(loop, tcpFd, tcpEvents);
            }
            return !loop.isEnding();
        } catch (IllegalStateException | SecurityException | OutOfMemoryError e) {
            return false;
        }
    }

    /**
     * TCP is watched for bytes only from a reader's first sleep on. Otherwise each byte would wake the watching thread while no reader
     * sleeps here.
     */
    private synchronized void begin(EventLoop loop, int tcpFd, int tcpEvents) {
        sleepers.watchBell(loop);
        int events = tcpWatched | tcpEvents;
        if (tcpTag == null) {
            tcpTag = loop.watch(tcpFd, events | Posix.EPOLLET, this);
        } else if (events != tcpWatched) {
            loop.rewatch(tcpFd, events | Posix.EPOLLET, tcpTag);
        }
        tcpWatched = events;
        watching = true;
    }

    /** There is an event on TCP. */
    @Override
    public void ready(int events) {
        boolean toWriterToo = (events & ~Posix.POLLIN) != 0;
        tcpEventForReader = true;
        if (toWriterToo) {
            tcpEventForWriter = true;
        }
        sleepers.onTcpEvent(toWriterToo);
    }

    @Override
    public void ended() {
        sleepers.watchHasEnded();
    }

    /** Whether TCP may have an event for the thread of that role, so that a call of {@link #eventsOnTcp} is worth its cost. */
    boolean hasTcpEvent(int role) {
        return role == Sleepers.READER ? tcpEventForReader : tcpEventForWriter;
    }

    /**
     * The events on TCP now, 0 if the watching thread has seen none. The kernel is asked again, because the bytes that the watching thread
     * saw may have been read meanwhile. A reader that relied on them would block in TCP's read while its bytes come by the path.
     */
    int eventsOnTcp(int role, int tcpFd, int tcpEvents) {
        if (!hasTcpEvent(role)) {
            return 0;
        }
        setTcpEvent(role, false);
        int events = Sleepers.look(tcpFd, tcpEvents);
        if (events != 0) {
            setTcpEvent(role, true); // the next sleep asks the kernel again, until the bytes have been read
        }
        return events;
    }

    private void setTcpEvent(int role, boolean event) {
        if (role == Sleepers.READER) {
            tcpEventForReader = event;
        } else {
            tcpEventForWriter = event;
        }
    }

    /** Called before the descriptors are closed. */
    synchronized void end() {
        if (tcpTag != null) {
            forget(tcpTag);
        }
    }

    /** Ends the watch over a descriptor. @param tag of {@link EventLoop#watch} */
    static void forget(Long tag) {
        poller.forget(tag);
    }
}

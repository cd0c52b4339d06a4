package jfs.wait;

import jfs.nativelib.Posix;

/**
 * The TCP socket of one end of a connection, and its bell. One thread of the process watches them for all sleepers that do not wait at
 * these descriptors themselves: threads that park, and threads in a futex. It watches from their first sleep on, edge-triggered, so that
 * sleeping again takes no system call. The kernel tells each edge once. So {@code tcpSpokeTo...} keep it for a sleeper that comes later.
 */
final class Watch implements EventLoop.Handler {

    /** Made when the first one sleeps. */
    private static volatile EventLoop poller;

    private final Sleepers sleepers;
    // Whether TCP has had an event since the thread of that role looked; at first no thread has looked.
    private volatile boolean tcpSpokeToReader = true;
    private volatile boolean tcpSpokeToWriter = true;
    /** Guarded by this; null where nothing is watched. */
    private Long tcpTag;
    private volatile boolean watching;
    private volatile int tcpWatched;

    Watch(Sleepers sleepers) {
        this.sleepers = sleepers;
    }

    private static EventLoop poller() {
        EventLoop it = poller;
        if (it == null) {
            synchronized (Watch.class) {
                it = poller;
                if (it == null) {
                    it = poller = new EventLoop("jfs-poller");
                    it.endingAtShutdown(); // should this throw, there is a poller all the same
                }
            }
        }
        return it;
    }

    /**
     * Whether bell and TCP are watched. If so, a sleeper that comes from now on is told of all that happens, and of the end of the watch.
     *
     * @param tcpFd acquired by the caller
     * @param tcpEvents which events on TCP matter to the sleeper, beside errors and hang-up
     * @return false where that can't be done now: there are no descriptors, threads or memory to be had, or the JVM shuts down
     */
    boolean isOn(int tcpFd, int tcpEvents) {
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

    /** TCP has spoken. */
    @Override
    public void ready(int events) {
        boolean toWriterToo = (events & ~Posix.POLLIN) != 0;
        tcpSpokeToReader = true;
        if (toWriterToo) {
            tcpSpokeToWriter = true;
        }
        sleepers.tcpHasSpoken(toWriterToo);
    }

    @Override
    public void ended() {
        sleepers.leaveTheWatch();
    }

    /** Whether {@link #eventsOnTcp} is worth asking. */
    boolean tcpHasSpokenTo(int role) {
        return role == Sleepers.READER ? tcpSpokeToReader : tcpSpokeToWriter;
    }

    /**
     * The events on TCP now, if there may be some. The kernel is asked again, because what the poller saw may have been read
     * meanwhile: a reader that relied on it would wait in TCP for bytes that come by the path.
     */
    int eventsOnTcp(int role, int tcpFd, int tcpEvents) {
        if (!tcpHasSpokenTo(role)) {
            return 0;
        }
        setTcpSpokeTo(role, false);
        int events = Sleepers.look(tcpFd, tcpEvents);
        if (events != 0) {
            setTcpSpokeTo(role, true); // the next sleep asks again, until they have been read
        }
        return events;
    }

    private void setTcpSpokeTo(int role, boolean spoke) {
        if (role == Sleepers.READER) {
            tcpSpokeToReader = spoke;
        } else {
            tcpSpokeToWriter = spoke;
        }
    }

    /** Before the descriptors are closed. */
    synchronized void end() {
        if (tcpTag != null) {
            forget(tcpTag);
        }
    }

    /** What the loop has given as a tag. */
    static void forget(Long tag) {
        poller.forget(tag);
    }
}

package jfs.wait;

import jfs.nativelib.Posix;

/**
 * The bell and the TCP socket of one end of a connection, watched by one thread for all sleepers of the process that can't watch
 * them: virtual threads, which park, and threads in a futex. It watches from their first sleep on, edge-triggered, so that sleeping
 * again takes no system call. An edge is told once: {@link #rung} and what TCP had to say are kept here for whoever comes too late.
 */
final class Watch implements EventLoop.Handler {

    /** Made when the first one sleeps. */
    private static volatile EventLoop poller;

    private final Doorbell bell;
    private final Sleepers sleepers;
    /** Since the last {@link Sleepers} acknowledged a ring. */
    private volatile boolean rung;
    // Whether TCP has spoken since that role looked; at first nobody has looked.
    private volatile boolean tcpSpokeToReader = true;
    private volatile boolean tcpSpokeToWriter = true;
    // Guarded by this; 0 where nothing is watched.
    private long bellTag;
    private long tcpTag;
    private volatile boolean watching;

    Watch(Doorbell bell, Sleepers sleepers) {
        this.bell = bell;
        this.sleepers = sleepers;
    }

    private static EventLoop poller() {
        EventLoop it = poller;
        if (it == null) {
            synchronized (Watch.class) {
                it = poller;
                if (it == null) {
                    it = poller = new EventLoop("jfs-poller").endingAtShutdown();
                }
            }
        }
        return it;
    }

    /**
     * Whether bell and TCP are watched. If so, a sleeper that comes from now on is told whatever happens, and if the watch ends.
     *
     * @param tcpFd acquired by the caller
     * @return false where that can't be done now, for want of descriptors, threads or memory, or because the JVM shuts down
     */
    boolean isOn(int tcpFd) {
        try {
            EventLoop loop = poller();
            if (!watching) {
                begin(loop, tcpFd);
            }
            return !loop.hasEnded();
        } catch (IllegalStateException e) {
            return false;
        }
    }

    private synchronized void begin(EventLoop loop, int tcpFd) {
        if (bellTag == 0) {
            bellTag = loop.watch(bell.descriptor(), Posix.POLLIN | Posix.EPOLLET, this);
        }
        if (tcpTag == 0) {
            tcpTag = loop.watch(tcpFd, Posix.POLLIN | Posix.EPOLLET, events -> {
                tcpSpokeToReader = true;
                tcpSpokeToWriter = true;
                sleepers.lookAgain();
            });
        }
        watching = true;
    }

    /** The bell has been rung. */
    @Override
    public void ready(int events) {
        rung = true;
        sleepers.lookAgain();
    }

    @Override
    public void ended() {
        sleepers.leaveTheWatch();
    }

    boolean hasRung() {
        return rung;
    }

    /** What was rung until now is known. */
    void forgetRing() {
        rung = false;
    }

    /** Whether {@link #eventsOnTcp} is worth asking. */
    boolean tcpHasSpokenTo(int role) {
        return role == Sleepers.READER ? tcpSpokeToReader : tcpSpokeToWriter;
    }

    /**
     * The events on TCP now, if there may be some. Asked again, because what the poller saw may have been read meanwhile, and a reader
     * who believes it waits in TCP for bytes that come by the path.
     */
    int eventsOnTcp(int role, int tcpFd, int tcpEvents) {
        if (!tcpHasSpokenTo(role)) {
            return 0;
        }
        setTcpSpokeTo(role, false);
        int events = Math.max(0, Posix.poll(tcpFd, tcpEvents, -1, 0, 0));
        if (events != 0) {
            setTcpSpokeTo(role, true); // it says so until somebody has read it
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

    /** Before the bell is freed. */
    synchronized void end() {
        if (bellTag != 0) {
            poller.forget(bellTag);
        }
        if (tcpTag != 0) {
            poller.forget(tcpTag);
        }
    }
}

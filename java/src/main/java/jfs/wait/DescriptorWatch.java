package jfs.wait;

import jfs.nativelib.Posix;
import jfs.threads.EventLoop;

/**
 * The process's watching thread watches one descriptor, for a thread that sleeps elsewhere: it tells of an event once, and then only after
 * {@link #begin} was called again.
 */
public final class DescriptorWatch implements EventLoop.Handler {

    private final int fd;
    private final Runnable news;
    /** The loop's tag; null before the first watch. Guarded by this. */
    private Long tag;
    /** Whether the next event will be told. */
    private volatile boolean isWatching;

    /** @param news is run by the watching thread; must not block */
    public DescriptorWatch(int fd, Runnable news) {
        this.fd = fd;
        this.news = news;
    }

    /**
     * The next event is told, one that is there already too. Makes a system call only at first, and after an event.
     *
     * @return false if the descriptor can't be watched now: the system has no descriptors, threads or memory for it, or the JVM shuts down
     */
    public boolean begin() {
        try {
            EventLoop loop = Watch.poller();
            if (!isWatching) {
                isWatching = true;
                again(loop);
            }
            return !loop.isEnding();
        } catch (IllegalStateException | SecurityException | OutOfMemoryError e) {
            isWatching = false;
            return false;
        }
    }

    private synchronized void again(EventLoop loop) {
        if (tag == null) {
            tag = loop.watch(fd, Posix.POLLIN | Posix.EPOLLONESHOT, this);
        } else {
            loop.rewatch(fd, Posix.POLLIN | Posix.EPOLLONESHOT, tag);
        }
    }

    @Override
    public void ready(int events) {
        isWatching = false;
        news.run();
    }

    @Override
    public void ended() {
        news.run();
    }

    /** Called before the descriptor is closed. */
    public synchronized void end() {
        if (tag != null) {
            Watch.poller().unwatch(fd, tag);
        }
    }
}

package jfs.wait;

import java.io.IOException;
import jfs.spi.FutexWords;
import jfs.spi.TcpDescriptor;
import jfs.threads.EventLoop;

/** For tests with jcstress: the callers that arm an end whose TCP has no events. No thread sleeps, so no native library is needed. */
public final class UnwatchedSleepers extends Sleepers {

    private static final TcpDescriptor QUIET = new TcpDescriptor() {
        @Override
        public int acquire() {
            return 0;
        }

        @Override
        public void release() {
        }

        @Override
        public boolean hasEvent() {
            return false;
        }
    };

    private final Watch watch = new Watch(this) {
        @Override
        boolean ensureWatching(int tcpFd, int tcpEvents) {
            return true;
        }

        @Override
        int eventsOnTcp(int role, int tcpFd, int tcpEvents) {
            return 0;
        }
    };

    /** @return whether the reader is armed; there were no news */
    public boolean arm(WordSleepers.FutexSleeper sleeper, Runnable callback, FutexWords words) {
        try {
            return arm(READER, sleeper, QUIET, 0, callback, words) > 0;
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    @Override
    boolean announceFutex(Sleeper sleeper, FutexWords words) {
        ((WordSleepers.FutexSleeper) sleeper).announceFutex();
        return true;
    }

    @Override
    void addTo(FutexWords words, Sleeper sleeper) {
        ((WordSleepers.FutexSleeper) sleeper).addTo(words);
    }

    @Override
    Watch watch() {
        return watch;
    }

    @Override
    public int sleep(int role, Sleeper sleeper, TcpDescriptor tcp, int tcpEvents, long deadline) {
        throw new AssertionError("no thread sleeps here");
    }

    @Override
    public void wake() {
        readerWoken = true;
        runCallback(READER);
    }

    @Override
    public void end() {
    }

    @Override
    void watchBell(EventLoop loop) {
    }

    @Override
    void onTcpEvent(boolean writerToo) {
    }

    @Override
    void watchHasEnded() {
    }
}

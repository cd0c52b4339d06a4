package jfs.transport.tcp;

import java.io.IOException;
import jfs.nativelib.Posix;
import jfs.wait.News;
import jfs.wait.Polling;

/**
 * Polls a plain connection for an answer before its reader goes to sleep in the JDK's read: waking it would take
 * longer than many an answer does. Only a read that follows a write is worth it (any other finds bytes already, or
 * waits for who knows what), and only while such polls succeed ({@link Polling}); else nothing is spent, no system call
 * either.
 *
 * <p>Under the socket's read lock. Needs the native library.
 */
public final class TcpPolling implements News {

    /** An end that has connected waits for answers, one that was accepted for the next request or the end. */
    private static final Polling.FirstWaits OF_CONNECTED = new Polling.FirstWaits();
    private static final Polling.FirstWaits OF_ACCEPTED = new Polling.FirstWaits();

    private final TcpEnd tcp;
    private final Polling polling;
    private int fd;
    private long sleepsSince;

    /**
     * @param accepted whether this end was accepted by a listener
     * @param micros longest poll, microseconds; 0 never polls
     */
    public TcpPolling(TcpEnd tcp, boolean accepted, int micros) {
        this.tcp = tcp;
        this.polling = Polling.bySystemCall(micros, accepted ? OF_ACCEPTED : OF_CONNECTED);
    }

    /** Before a read for an answer. */
    public void beforeRead() throws IOException {
        sleepsSince = 0;
        fd = tcp.acquire();
        if (fd < 0) {
            return;
        }
        boolean there;
        try {
            there = polling.poll(this);
        } finally {
            tcp.release();
        }
        if (!there) {
            sleepsSince = System.nanoTime();
        }
    }

    /** After it: learns how long it slept. */
    public void afterRead() {
        if (sleepsSince != 0) {
            polling.slept(System.nanoTime() - sleepsSince);
        }
    }

    /** Whether a read would not block. */
    @Override
    public boolean arrived() {
        return Posix.poll(fd, Posix.POLLIN, -1, 0, 0) != 0;
    }
}

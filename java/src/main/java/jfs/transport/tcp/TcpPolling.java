package jfs.transport.tcp;

import java.io.IOException;
import jfs.wait.Polling;

/**
 * Polls a plain connection for an answer before its reader goes to sleep in the JDK's read: waking it would take
 * longer than many an answer does. Only a read that follows a write is worth it (any other finds bytes already, or
 * waits for who knows what), and only while such polls succeed ({@link Polling}); else nothing is spent, no system call
 * either.
 *
 * <p>Under the socket's read lock. Needs the native library.
 */
public final class TcpPolling {

    /** An end that has connected waits for answers, one that was accepted for the next request or the end. */
    private static final Polling.Lessons OF_CONNECTED = new Polling.Lessons();
    private static final Polling.Lessons OF_ACCEPTED = new Polling.Lessons();

    private TcpPolling() {
    }

    /**
     * Of one connection's reader.
     *
     * @param accepted whether this end was accepted by a listener
     * @param micros longest poll, microseconds; 0 never polls
     */
    public static Polling of(boolean accepted, int micros) {
        return Polling.bySystemCall(micros, accepted ? OF_ACCEPTED : OF_CONNECTED);
    }

    /**
     * Before a read for an answer.
     *
     * @return since when the reader is about to sleep, for {@link Polling#slept} afterwards; 0 if it is not
     */
    public static long beforeRead(Polling polling, TcpEnd tcp) throws IOException {
        if (tcp.acquire() < 0) {
            return 0;
        }
        try {
            return polling.poll(tcp) ? 0 : System.nanoTime();
        } finally {
            tcp.release();
        }
    }
}

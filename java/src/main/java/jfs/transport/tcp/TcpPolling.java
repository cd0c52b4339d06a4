package jfs.transport.tcp;

import java.io.IOException;
import jfs.wait.Polling;

/**
 * Polls a plain connection for an answer before its reader goes to sleep in the JDK's read, because to wake the reader takes
 * longer than many answers take. Only a read that follows a write polls. Any other read finds bytes already, or waits for
 * something that may take any time. Reads poll only as long as such polls succeed ({@link Polling}). Otherwise nothing is
 * spent, not even a system call.
 *
 * <p>Used under the socket's read lock. Needs the native library.
 */
public final class TcpPolling {

    /** A connecting end waits for answers. An accepted end waits for the next request or for the end of the stream. */
    private static final Polling.Lessons OF_CONNECTED = new Polling.Lessons();
    private static final Polling.Lessons OF_ACCEPTED = new Polling.Lessons();

    private TcpPolling() {
    }

    /**
     * Makes the polling of one connection's reader.
     *
     * @param accepted whether this end was accepted by a listener
     * @param micros the longest poll, microseconds; with 0 the reader never polls
     */
    public static Polling of(boolean accepted, int micros) {
        return Polling.bySystemCall(micros, accepted ? OF_ACCEPTED : OF_CONNECTED);
    }

    /**
     * Called before a read for an answer.
     *
     * @return since when the reader sleeps, for {@link Polling#slept} afterwards; 0 if the reader does not have to sleep
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

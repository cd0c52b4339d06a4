package workloads.pipes;

import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.net.SocketException;
import java.net.SocketTimeoutException;

/** One direction of a connection: a ring of bytes between two threads. */
final class Pipe {
    private static final int CAPACITY = 256 << 10; // a power of two

    private static final VarHandle POSITION = MethodHandles.arrayElementVarHandle(long[].class);
    /** Indices in {@link #positions} of the bytes ever written and ever read. Each count has a cache line of its own. */
    private static final int WRITTEN = 16;
    private static final int READ = 32;

    private final byte[] ring = new byte[CAPACITY];
    private final long[] positions = new long[48];
    private final Waiter reader = new Waiter(() -> written() != read() || atEnd());
    private final Waiter writer = new Waiter(() -> read() + CAPACITY != written() || atEnd());
    private volatile boolean ended;
    private volatile boolean unread;
    private volatile boolean closed;

    /** Reads up to {@code length} bytes; -1 at the end. Waits for the first byte, at most {@code timeout} milliseconds if that is not 0. */
    int read(byte[] into, int offset, int length, int timeout) throws IOException {
        synchronized (reader) {
            if (length == 0) {
                return 0;
            }
            if (!reader.await(timeout)) {
                throw new SocketTimeoutException("Read timed out");
            }
            if (closed) {
                throw new SocketException("Socket closed");
            }
            long read = read();
            int n = (int) Math.min(length, written() - read);
            if (n == 0 || unread) {
                return -1;
            }
            int at = (int) read & CAPACITY - 1;
            int first = Math.min(n, CAPACITY - at);
            System.arraycopy(ring, at, into, offset, first);
            System.arraycopy(ring, 0, into, offset + first, n - first);
            POSITION.setRelease(positions, READ, read + n);
            writer.wake();
            return n;
        }
    }

    /** Writes all bytes. Waits for room. */
    void write(byte[] from, int offset, int length) throws IOException {
        synchronized (writer) {
            for (int done = 0; done < length; ) {
                writer.await(0);
                if (atEnd()) {
                    throw new SocketException(ended ? "Socket closed" : "Broken pipe");
                }
                long written = written();
                int n = (int) Math.min(length - done, read() + CAPACITY - written);
                int at = (int) written & CAPACITY - 1;
                int first = Math.min(n, CAPACITY - at);
                System.arraycopy(from, offset + done, ring, at, first);
                System.arraycopy(from, offset + done + first, ring, 0, n - first);
                POSITION.setRelease(positions, WRITTEN, written + n);
                reader.wake();
                done += n;
            }
        }
    }

    int available() {
        return unread ? 0 : (int) (written() - read());
    }

    /** Ends the stream: no more bytes will be written. */
    void end() {
        ended = true;
        wakeBoth();
    }

    /** No more bytes will be read. A reading thread gets the end, or an exception if its own socket is being closed. */
    void stopReading(boolean closing) {
        closed |= closing;
        unread = true;
        wakeBoth();
    }

    private boolean atEnd() {
        return ended || unread;
    }

    private long written() {
        return (long) POSITION.getAcquire(positions, WRITTEN);
    }

    private long read() {
        return (long) POSITION.getAcquire(positions, READ);
    }

    private void wakeBoth() {
        reader.wake();
        writer.wake();
    }
}

package jfs.connection;

import java.io.IOException;
import java.nio.ByteBuffer;
import jfs.spi.FastPath;
import jfs.wait.Deadline;

/**
 * The {@link Reader} of a connection for callers that must not block, such as event loops: tries, and news without a thread that sleeps. If
 * another thread is in a read, the methods do nothing. Any thread may call them.
 */
public final class NonBlockingReader {

    /** {@link #arm}: the direction is on TCP, and the caller waits by TCP's descriptor. */
    public static final long AT_TCP = -1;

    private final Connection connection;
    private final Reader reader;
    private final Attempt attempt = new Attempt();

    NonBlockingReader(Connection connection) {
        this.connection = connection;
        this.reader = connection.reader();
    }

    /**
     * Reads what is there, and does not wait.
     *
     * @param into heap or direct. Its position is moved behind the bytes read
     * @return the number of bytes; -1 at the end; 0 if there are none now, if another thread reads, or if the buffer is full
     * @throws IOException as {@link Reader#read(byte[], int, int)}, but no time-out
     */
    public int tryRead(ByteBuffer into) throws IOException {
        if (!into.hasRemaining() || !reader.tryLock()) {
            return 0;
        }
        try {
            attempt.buffer = into;
            return reader.tryRead(attempt);
        } finally {
            attempt.buffer = null;
            reader.unlock();
        }
    }

    /**
     * Whether {@link #tryRead} would now return bytes or the end, or would throw. False if another thread reads. Makes a system call if the
     * path has nothing.
     */
    public boolean isReadable() throws IOException {
        if (!reader.tryLock()) {
            return false;
        }
        try {
            if (reader.isOver()) {
                return true;
            }
            if (reader.isOnTcp()) {
                return connection.tcp().hasEvent();
            }
            FastPath path = connection.path();
            return reader.hasAllOfTcp() && path.readable()
                    || path.lookForData(connection.tcp()) != 0 && path.awaitEnd(Deadline.passed());
        } finally {
            reader.unlock();
        }
    }

    /**
     * Waits for bytes without a thread. When {@link #isReadable} may have become true, {@code news} is run once, and the reader is not
     * armed any more. The news may be spurious.
     *
     * @param news is run by any thread, also in this call. Must not block or throw
     * @return the nanoseconds after which the caller has to look again by itself: {@link Long#MAX_VALUE} for never; 0 if a try may have
     *         success now, or if another thread reads; {@link #AT_TCP} if the direction is on TCP, where the caller waits by its descriptor
     */
    public long arm(Runnable news) throws IOException {
        if (!reader.tryLock()) {
            return 0;
        }
        try {
            FastPath path = connection.path();
            if (reader.isOver()) {
                return 0;
            }
            if (reader.isOnTcp()) {
                return path != null ? 0 : AT_TCP; // a try goes on to BOTH
            }
            return path.armReceiver(connection.tcp(), news);
        } finally {
            reader.unlock();
        }
    }

    /** Ends the arming, if there is one. What was to be run may still run. Does nothing if another thread reads, which ends it too. */
    public void disarm() {
        if (!reader.tryLock()) {
            return;
        }
        try {
            if (!reader.isOnTcp() && !connection.isClosed() && connection.path() != null) {
                connection.path().disarmReceiver();
            }
        } finally {
            reader.unlock();
        }
    }
}

package jfs.connection;

import java.io.IOException;
import java.nio.ByteBuffer;
import jfs.spi.FastPath;

/**
 * The {@link Writer} of a connection for callers that must not block, such as event loops: tries, and news without a thread that sleeps. If
 * another thread is in a write, the methods do nothing. Any thread may call them.
 */
public final class NonBlockingWriter {

    private final Connection connection;
    private final Writer writer;
    private final Attempt attempt = new Attempt();

    NonBlockingWriter(Connection connection) {
        this.connection = connection;
        this.writer = connection.writer();
    }

    /**
     * Writes as many of the buffer's remaining bytes as there is room for, and does not wait.
     *
     * @param from heap or direct. Its position is moved behind the bytes written
     * @return the number of bytes; 0 if there is no room now, or if another thread writes
     * @throws IOException as {@link Writer#write(byte[], int, int)}
     */
    public int tryWrite(ByteBuffer from) throws IOException {
        if (!from.hasRemaining() || !writer.tryLock()) {
            return 0;
        }
        try {
            attempt.buffer = from;
            return writer.tryWrite(attempt);
        } finally {
            attempt.buffer = null;
            writer.unlock();
        }
    }

    /**
     * Whether {@link #tryWrite} would now write a byte, or throw. False if another thread writes. Makes a system call while the direction
     * is on TCP.
     */
    public boolean isWritable() throws IOException {
        if (!writer.tryLock()) {
            return false;
        }
        try {
            if (connection.isClosed() || writer.isShut()) {
                return true;
            }
            FastPath path = writer.pathOfNextByte();
            if (path == null) {
                return connection.tcp().isWritable();
            }
            return path.peerGone() ? writer.isEndKnown(attempt) : path.writable();
        } finally {
            writer.unlock();
        }
    }

    /**
     * Waits for room without a thread. When {@link #isWritable} may have become true, {@code news} is run once, and the writer is not
     * armed any more. The news may be spurious.
     *
     * @param news is run by any thread, also in this call. Must not block or throw
     * @return the nanoseconds after which the caller has to look again by itself: {@link Long#MAX_VALUE} for never; 0 if a try may have
     *         success now, or if another thread writes; {@link NonBlockingReader#AT_TCP} if the direction is on TCP, where the caller waits
     *         by its descriptor
     */
    public long arm(Runnable news) throws IOException {
        if (!writer.tryLock()) {
            return 0;
        }
        try {
            if (connection.isClosed() || writer.isShut()) {
                return 0;
            }
            FastPath path = writer.pathOfNextByte();
            if (path == null) {
                return NonBlockingReader.AT_TCP;
            }
            if (path.peerGone()) {
                return writer.isEndKnown(attempt) ? 0 : FastPath.LOOK_AGAIN_NANOS;
            }
            return writer.hasSwitched() ? path.armSender(connection.tcp(), news) : 0; // a try switches
        } finally {
            writer.unlock();
        }
    }

    /** Ends the arming, if there is one. What was to be run may still run. Does nothing if another thread writes, which ends it too. */
    public void disarm() {
        if (!writer.tryLock()) {
            return;
        }
        try {
            if (writer.hasSwitched() && !connection.isClosed()) {
                connection.path().disarmSender();
            }
        } finally {
            writer.unlock();
        }
    }
}

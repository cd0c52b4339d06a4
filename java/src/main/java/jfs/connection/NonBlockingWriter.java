package jfs.connection;

import java.io.IOException;
import java.nio.ByteBuffer;
import jfs.spi.FastPath;
import jfs.spi.FutexWords;
import jfs.spi.TcpDescriptor;

/**
 * The {@link Writer} of a connection for callers that must not block, such as event loops: tries, and news without a thread that sleeps. If
 * another thread is in a write, the methods do nothing. Any thread may call them. A connection has one such object, which its caller keeps.
 */
public final class NonBlockingWriter {

    private final Connection connection;
    private final Writer writer;
    private final NonBlockingCall call = new NonBlockingCall();
    /**
     * The caller has announced that it sleeps at a word. Guarded by the lock of the direction. Only that caller's questions take it back:
     * it may still sleep while another thread reads or writes.
     */
    private boolean isAtWord;
    /** The last call of {@link #arm} that had to wait has left that to TCP. Written under the writer's lock. */
    private volatile boolean isAtTcp;

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
            call.buffer = from;
            return writer.tryWrite(call);
        } finally {
            call.buffer = null;
            writer.unlock();
        }
    }

    /** Whether {@link #tryWrite} would now write a byte, or throw. False if another thread writes. Does not wait. */
    public boolean isWritable() {
        if (!writer.tryLock()) {
            return false;
        }
        try {
            retract();
            return writer.isWritable(call);
        } catch (IOException e) { // so does a write
            return true;
        } finally {
            writer.unlock();
        }
    }

    /**
     * As {@link #isWritable}, as far as the path tells; false while the next byte goes over TCP. Makes a system call if the peer has
     * gone.
     */
    public boolean isWritableInPath() {
        if (!writer.tryLock()) {
            return false;
        }
        try {
            retract();
            return writer.isWritableInPath(call);
        } catch (IOException e) { // so does a write
            return true;
        } finally {
            writer.unlock();
        }
    }

    /**
     * Whether the caller has to watch TCP for room. If another thread writes just now, the answer may be out of date soon. After {@link
     * #arm} has left the watch to TCP, it is true until a later call has armed the path: the peer may have made the path usable in between,
     * of which no callback tells (NIO-4).
     */
    public boolean needsTcp() {
        if (isAtTcp || !writer.tryLock()) {
            return true;
        }
        try {
            return writer.pathOfNextByte() == null;
        } finally {
            writer.unlock();
        }
    }

    /**
     * Waits for room without a thread. When {@link #isWritable} may have become true, {@code callback} is run once, and the writer is not
     * armed any more. There may be no news then. A second call replaces the callback.
     *
     * @param callback as in {@link NonBlockingReader#arm}
     * @return the nanoseconds after which the caller has to look again by itself: {@link Long#MAX_VALUE} for never; 0 if a write would have
     *         success now; {@link NonBlockingReader#AT_TCP} if the direction is on TCP, where the caller waits by its descriptor. If it is
     *         not above 0, nothing is armed
     */
    public long arm(Runnable callback) throws IOException {
        return arm(callback, null);
    }

    /**
     * As {@link #arm(Runnable)}, for a caller that sleeps at words of memory ({@link FastPath#armSender}).
     *
     * @param words null for none
     */
    public long arm(Runnable callback, FutexWords words) throws IOException {
        if (!writer.tryLock()) {
            return FastPath.LOOK_AGAIN_NANOS;
        }
        try {
            FastPath path = writer.pathOfNextByte();
            if (path == null && !connection.isClosed() && !writer.isShut()) {
                isAtTcp = true;
                return NonBlockingReader.AT_TCP;
            }
            if (writer.isWritable(call)) {
                return 0;
            }
            int before = words == null ? 0 : words.count();
            long nanos = path.armSender(connection.tcp(), callback, words);
            isAtWord = words != null && words.count() > before;
            isAtTcp = false;
            return nanos > 0 || writer.isWritable(call) ? nanos : FastPath.LOOK_AGAIN_NANOS; // TCP and the path may tell different things
        } finally {
            writer.unlock();
        }
    }

    /** The caller that sleeps at words is awake. */
    private void retract() {
        if (isAtWord) {
            isAtWord = false;
            if (!connection.isClosed()) { // then the memory may have been freed
                connection.path().retractSender();
            }
        }
    }

    /** Ends the arming, if there is one. The callback may still run. */
    public void disarm() {
        FastPath path = connection.path();
        if (path != null) {
            path.disarmSender();
        }
    }
}

package jfs.connection;

import java.io.IOException;
import java.nio.ByteBuffer;
import jfs.spi.FastPath;
import jfs.spi.FutexWords;
import jfs.spi.TcpDescriptor;

/**
 * The {@link Reader} of a connection for callers that must not block, such as event loops: tries, and news without a thread that sleeps. If
 * another thread is in a read, the methods do nothing. Any thread may call them. A connection has one such object, which its caller keeps.
 */
public final class NonBlockingReader {

    /** {@link #arm}: the direction is on TCP, and the caller waits by TCP's descriptor. */
    public static final long AT_TCP = -1;

    private final Connection connection;
    private final Reader reader;
    private final NonBlockingCall call = new NonBlockingCall();
    /**
     * The caller has announced that it sleeps at a word. Guarded by the lock of the direction. Only that caller's questions take it back:
     * it may still sleep while another thread reads or writes.
     */
    private boolean isAtWord;

    NonBlockingReader(Connection connection) {
        this.connection = connection;
        this.reader = connection.reader();
    }

    /**
     * Reads what is there, and does not wait.
     *
     * @param into heap or direct, not read-only. Its position is moved behind the bytes read
     * @return the number of bytes; -1 at the end; 0 if there are none now, if another thread reads, or if the buffer is full
     * @throws IOException as {@link Reader#read(byte[], int, int)}, but no time-out
     */
    public int tryRead(ByteBuffer into) throws IOException {
        if (into.isReadOnly()) {
            throw new IllegalArgumentException("Read-only buffer");
        }
        if (!into.hasRemaining() || !reader.tryLock()) {
            return 0;
        }
        try {
            call.buffer = into;
            return reader.tryRead(call);
        } finally {
            call.buffer = null;
            reader.unlock();
        }
    }

    /** Whether {@link #tryRead} would now return bytes or the end, or would throw. False if another thread reads. Does not wait. */
    public boolean isReadable() {
        if (!reader.tryLock()) {
            return false;
        }
        try {
            retract();
            return reader.isReadable(call);
        } catch (IOException e) { // so does a read
            return true;
        } finally {
            reader.unlock();
        }
    }

    /**
     * As {@link #isReadable}, as far as the path tells. Makes no system call, except after a reset. If there is a path, this direction
     * watches it from now on, as after a read.
     */
    public boolean isReadableInPath() {
        if (!reader.tryLock()) {
            return false;
        }
        try {
            retract();
            return reader.takesPath() && reader.isReadableInPath(call);
        } catch (IOException e) { // so does a read
            return true;
        } finally {
            reader.unlock();
        }
    }

    /** Whether the caller has to watch TCP for bytes. If another thread reads just now, the answer may be out of date soon. */
    public boolean needsTcp() {
        return reader.mayReadTcp();
    }

    /**
     * Waits for bytes without a thread. When {@link #isReadable} may have become true, {@code callback} is run once, and the reader is not
     * armed any more. There may be no news then. A second call replaces the callback.
     *
     * @param callback is run by any thread, also in this call, and maybe under locks of this connection. So it only hands the news over:
     *                 it must not block or throw, must call nothing of this connection, and must take no lock under which the caller
     *                 calls this connection
     * @return the nanoseconds after which the caller has to look again by itself: {@link Long#MAX_VALUE} for never; 0 if a read would have
     *         success now; {@link #AT_TCP} if the direction is on TCP, where the caller waits by its descriptor. If it is not above 0,
     *         nothing is armed
     */
    public long arm(Runnable callback) throws IOException {
        return arm(callback, null);
    }

    /**
     * As {@link #arm(Runnable)}, for a caller that sleeps at words of memory ({@link FastPath#armReceiver}).
     *
     * @param words null for none
     */
    public long arm(Runnable callback, FutexWords words) throws IOException {
        if (!reader.tryLock()) {
            return FastPath.LOOK_AGAIN_NANOS;
        }
        try {
            if (!reader.takesPath() && reader.isOnTcp() && !connection.isClosed() && !reader.isShut()) {
                return AT_TCP;
            }
            if (reader.isReadableInPath(call)) { // of TCP's events the arming asks
                return 0;
            }
            FastPath path = connection.path();
            int before = words == null ? 0 : words.count();
            long nanos = path.armReceiver(connection.tcp(), callback, words);
            isAtWord = words != null && words.count() > before;
            return nanos > 0 || reader.isReadable(call) ? nanos : FastPath.LOOK_AGAIN_NANOS; // TCP and the path may tell different things
        } finally {
            reader.unlock();
        }
    }

    /** The caller that sleeps at words is awake. */
    private void retract() {
        if (isAtWord) {
            isAtWord = false;
            if (!connection.isClosed()) { // then the memory may have been freed
                connection.path().retractReceiver();
            }
        }
    }

    /** Ends the arming, if there is one. The callback may still run. */
    public void disarm() {
        FastPath path = connection.path();
        if (path != null) {
            path.disarmReceiver();
        }
    }
}

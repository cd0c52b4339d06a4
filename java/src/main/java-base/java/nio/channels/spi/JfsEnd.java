package java.nio.channels.spi;

import java.io.IOException;
import java.net.SocketOption;
import java.nio.ByteBuffer;

/**
 * JFS's part of a connected TCP channel: one end of a connection that has a fast path beside TCP, or may get one. The channel and its
 * selectors call the methods.
 *
 * <p><b>Which way the bytes go.</b> The channel asks before each read and each write whether the bytes go by the path. If they do, it calls
 * a method of this interface in place of the JDK's. If not, it calls the JDK's method, and tells this end what TCP has moved (SWITCH-2).
 *
 * <p><b>Locks.</b> The methods for reading are called by the holder of the channel's read lock, those for writing by the holder of its
 * write lock. The holder then leaves by {@link #doneReading} or {@link #doneWriting} in place of the lock's own method. All other methods
 * may be called by any thread, at any time.
 *
 * <p><b>Events</b> are bits of {@code poll(2)}.
 */
public interface JfsEnd {

    /** Called once, when the channel refers to this end, and before any thread reads or writes. */
    void begin();

    // Reading.

    /** Whether the next bytes do not come by the JDK's read alone. A direction that has a path takes it here. */
    boolean readsByPath() throws IOException;

    /** The JDK's read has put bytes in front of the buffer's position. @param bytes above 0; -1 at the end of the stream */
    void received(ByteBuffer into, int bytes);

    /** The same for an array. */
    void received(byte[] into, int offset, int bytes);

    /**
     * Reads by the path.
     *
     * @param to has room, and is not read-only
     * @param waits whether to wait until there is a byte
     * @return the number of bytes, 0 if there are none now, -1 at the end
     */
    int read(ByteBuffer to, boolean waits) throws IOException;

    /**
     * Reads by the path, and waits until there is a byte.
     *
     * @param nanos how long to wait; 0 for ever
     * @throws java.net.SocketTimeoutException if the time is over
     */
    int read(byte[] to, int offset, int length, long nanos) throws IOException;

    /** Gives the read lock back. */
    void doneReading();

    // Writing.

    /** Whether the next bytes go by the path. A direction whose peer is ready switches here. */
    boolean writesByPath() throws IOException;

    /** The JDK's write is about to take bytes of these buffers. @return for {@link #sent} */
    int sending(ByteBuffer[] from, int offset, int length);

    /** The same for one buffer. */
    int sending(ByteBuffer from);

    /** The same for all bytes of a part of an array. */
    void sending(byte[] from, int offset, int length);

    /**
     * The JDK's write is over.
     *
     * @param before what {@code sending} has returned; -1 for an array, of which TCP takes all bytes or the write throws
     * @param bytes how many bytes TCP has taken; -1 if that is not known
     */
    void sent(int before, long bytes);

    /**
     * Writes by the path.
     *
     * @param waits whether to wait until all bytes are taken
     * @return the number of bytes taken
     */
    int write(ByteBuffer from, boolean waits) throws IOException;

    /** The present write has failed after it had taken some bytes, and returns their number. The next one throws this. */
    void failLater(IOException e);

    /** The same for a buffer of a mapped file, of which another process may cut off a part: then this throws as the JDK's write. */
    int writeMapped(ByteBuffer from, boolean waits) throws IOException;

    /** Writes all bytes by the path, and waits for room. */
    void write(byte[] from, int offset, int length) throws IOException;

    /** Writes an urgent byte, over TCP or by the path. @return 1, or 0 if there is no room now */
    int writeUrgent(byte data) throws IOException;

    /** Gives the write lock back. */
    void doneWriting();

    /**
     * The program sends a file ({@code sendfile}), past all methods above. Takes the write lock, and may wait for a writer, until the
     * thread is interrupted.
     *
     * @return whether the kernel may send it: then this direction stays on TCP for good, and both do if there is no path yet
     */
    boolean sendsFileOverTcp();

    // Both.

    /** The number of bytes that can be read without waiting. */
    int available() throws IOException;

    void shutdownInput() throws IOException;

    void shutdownOutput() throws IOException;

    /** Whether {@link #shutdownOutput} was called. TCP's output may be shut down later, by a thread that writes now. */
    boolean isOutputShut();

    <T> void setOption(SocketOption<T> name, T value) throws IOException;

    <T> T getOption(SocketOption<T> name) throws IOException;

    /** Closes the connection, TCP included ({@link JfsTcp#tcpClose}). Blocks for SO_LINGER only. */
    void close() throws IOException;

    /** Called after another thread may have held the locks while the connection was closed: frees what nothing uses any more. */
    void afterClose();

    // Selecting.

    /** Whether there is a path: then a selector has to {@link #look}, besides waiting for events of TCP. */
    boolean hasPath();

    /** The channel is in a selector that is not JFS's, and would not learn of what comes by a path. From now on it gets none. */
    void inOtherSelector();

    /** Which events of TCP a selector is to wait for. @param events what the interest set asks for */
    int interest(int events);

    /**
     * Looks at the path, and makes no system call for a direction that goes by it. Also takes the path for a direction that has not done so
     * yet: from then on the peer may use it.
     *
     * @param wanted what the interest set asks for
     * @return which of these events are there
     */
    int look(int wanted);

    /**
     * Tells which events there are now. Looks at TCP and at the path.
     *
     * @param events what TCP has
     * @param wanted what the interest set asks for
     */
    int ready(int events, int wanted);

    /**
     * A selector has waited, and then has found these events by a {@link #look} or {@link #ready}. Counts the wait of an end with a path.
     *
     * @param polled whether it found them while it polled; else it has slept
     */
    void waited(int events, boolean polled);

    /**
     * Waits for these events without a thread: {@link JfsTcp#tellSelectors} is called once there may be one.
     *
     * @return the nanoseconds after which the caller has to look by itself; {@link Long#MAX_VALUE} for never; 0 if there is an event now
     */
    long arm(int wanted);
}

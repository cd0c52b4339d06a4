package jfs.connection;

import java.io.IOException;
import java.net.SocketException;
import java.net.SocketOption;
import java.net.SocketOptions;
import jfs.monitor.ConnectionTable;
import jfs.spi.FastPath;
import jfs.spi.Preferences;
import jfs.stat.Reason;
import jfs.stat.Stats;
import jfs.steps.Step;
import jfs.transport.tcp.TcpEnd;
import jfs.transport.tcp.TcpPolling;
import jfs.wait.Polling;

/**
 * One end of a connection: a connected TCP socket and, once both ends have agreed on it, a fast path beside it. Its {@link Life} decides
 * whether there is a path. The {@link Reader} and the {@link Writer} decide which way the bytes go. The {@link Closer} closes a connection
 * that has a path.
 *
 * <p>Thread-safe. {@link #close} blocks for SO_LINGER only. The methods that set and get options may wait for such a close. No other method
 * blocks.
 */
public class Connection extends Life {

    private final Reader reader;
    private final Writer writer;

    private volatile int readTimeout;

    /**
     * {@link #begin} or {@link #beginAccepted} follows.
     *
     * @param tcp the connected TCP socket, which belongs to the connection from now on
     * @param readTimeout the socket's SO_TIMEOUT, milliseconds; 0 for none
     */
    public Connection(Environment environment, TcpEnd tcp, int readTimeout) {
        super(environment, tcp);
        this.readTimeout = readTimeout;
        this.reader = new Reader(this, tcp.readLock());
        this.writer = new Writer(this, tcp.writeLock());
    }

    /** The stream of the bytes that come. */
    public Reader reader() {
        return reader;
    }

    /** The stream of the bytes that go. */
    public Writer writer() {
        return writer;
    }

    /** As {@link #reader}, for a caller that must not block. A new object, which the caller keeps. */
    public NonBlockingReader newNonBlockingReader() {
        return new NonBlockingReader(this);
    }

    /** As {@link #writer}, for a caller that must not block. A new object, which the caller keeps. */
    public NonBlockingWriter newNonBlockingWriter() {
        return new NonBlockingWriter(this);
    }

    /** The exception with which a call fails. If the connection was closed before, that is reported instead, as by NioSocketImpl. */
    IOException closedOr(IOException failure) {
        return isClosed() ? new SocketException("Socket closed") : failure;
    }

    /** The path has taken so many bytes of the present write, and there are more. Called by the writer, under the write lock. */
    protected void partlyWritten(int bytes) {
    }

    /**
     * A wait of a program's selector has ended with news of this connection's path. Counts it as the path counts the waits of threads.
     *
     * @param reader whether there are bytes, or their end; else there is room
     * @param found whether the selector found them while it polled; else it has slept
     */
    public void waitedInSelector(boolean reader, boolean found) {
        ConnectionTable.waited(row(), reader, found ? 1 : 0, found ? 0 : 1);
    }

    /** SO_TIMEOUT, milliseconds; 0 for none. */
    public int readTimeout() {
        return readTimeout;
    }

    /**
     * Closes the connection, so that the peer sees the same as when a TCP socket is closed. Blocks as the kernel does if SO_LINGER is above
     * 0. Only the first call does something.
     */
    public void close() throws IOException {
        boolean unread;
        State was;
        Reason why;
        synchronized (this) {
            if (isClosed()) {
                return;
            }
            unread = reader.hasUnread(); // before the connection is CLOSING, because the memory may be freed then
            why = whyNotFast();
            was = beginClose();
        }
        try { // a failure, for want of memory or in a program's System.err, must not prevent the steps below
            Step.CLOSING.reached();
            if (was == State.ATTACHED) {
                String unused = path().whyUnused(true);
                if (unused != null) {
                    Stats.fallback(Reason.PATH_FAILED, this, row(), unused);
                }
            } else if (why != null) {
                Stats.fallback(why, this, row(), null);
            }
        } finally {
            try {
                FastPath fast = path();
                if (fast == null) {
                    tcp.closeWhenUnused();
                } else {
                    new Closer(fast, tcp, reader, writer).close(unread);
                }
            } finally { // after TCP's end: a client that does not find the name asks TCP whether it has ended
                leaveNegotiation();
            }
        }
    }

    /**
     * Called when another thread may have held the locks for something else than a read or a write, while this connection was closed. The
     * closing thread has left to the holder what it could not do itself.
     */
    public void retireIfClosed() {
        if (isClosed()) {
            reader.retire();
            writer.retire();
        }
    }

    /** Called under this, as {@link #prefer} is. @return null where JFS can't poll the TCP socket, or may not */
    Polling newTcpPolling() {
        return environment.pollsTcp() ? TcpPolling.of(tcp.isAccepted(), pollMicros(preferences())) : null;
    }

    /** How long this connection's threads poll at most, microseconds. @param preferences null: the program has stated none */
    private int pollMicros(Preferences preferences) {
        int usual = environment.settings().pollMicros();
        return preferences == null ? usual : preferences.pollMicros(usual, 0);
    }

    /** The connection has what was stated for its socket before that was connected. */
    public void takePreferencesOf(Object socket) {
        if (preferencesAreStated) {
            StatedPreferences.move(socket, this);
        }
    }

    /** Called under this, so that {@link #attach} finds the preferences or comes later. */
    private void prefer(Preferences preferences) {
        StatedPreferences.state(this, preferences);
        reader.pollTcp(pollMicros(preferences));
        if (path() != null) {
            path().prefer(preferences);
        }
    }

    /**
     * Called by the writer when it sends by the path, after {@link jfs.connection.IdleWatch} has found it idle or for the first time.
     *
     * @return false if it can't be watched now, for want of memory
     */
    boolean watchForIdleness() {
        try {
            environment.idleWatch().add(writer);
            return true;
        } catch (OutOfMemoryError e) { // the calling write has moved bytes, and must report that to the program
            return false;
        }
    }

    /** Several threads may change SO_OOBINLINE at the same time. The value that the peer is told last is always the current one. */
    synchronized void tellOobInline() throws SocketException {
        path().takeUrgent((Boolean) tcp.getOption(SocketOptions.SO_OOBINLINE));
    }

    // What sockets call.

    /** The number of bytes that a read would return without waiting, from TCP and from the path (SWITCH-5). */
    public int available() throws IOException {
        if (isClosed()) {
            throw new SocketException("Socket closed");
        }
        if (reader.isShut()) {
            return 0;
        }
        return tcp.available() + reader.availableInPath();
    }

    public void shutdownInput() throws IOException {
        reader.shutting(true);
        try {
            tcp.shutdownInput();
        } catch (IOException | RuntimeException | Error e) {
            reader.shutting(reader.isShut());
            throw e;
        }
        reader.shut();
        FastPath fast = path();
        if (fast != null) {
            fast.wake();
        }
        endReceivingIfNothingIsSent();
    }

    public void shutdownOutput() throws IOException {
        if (isClosed() || !writer.shut()) {
            tcp.shutdownOutput();
            writer.tcpIsShut();
        }
        endReceivingIfNothingIsSent();
    }

    /**
     * Ends the path's receiver if both halves are shut down. A TCP socket with both halves shut down answers bytes with a reset, as a
     * closed one does. A socket with only its input shut down takes them. This is not done before TCP's output is shut down: when the
     * peer's writer is told of this end, it asks TCP what becomes of its bytes.
     */
    void endReceivingIfNothingIsSent() {
        FastPath fast = path();
        if (fast != null && reader.isShut() && writer.isTcpShut()) {
            fast.closeReceiver();
        }
    }

    /** @param name also {@link ConnectionOption#PREFERENCES} */
    public synchronized <T> void setOption(SocketOption<T> name, T value) throws IOException {
        if (name == ConnectionOption.PREFERENCES) {
            prefer(ConnectionOption.PREFERENCES.type().cast(value));
        } else if (options() != null) {
            options().set(name, value);
        } else {
            tcp.setOption(name, value);
        }
        if (path() != null && name.name().equals("SO_OOBINLINE")) { // channels have a name for it, and java.net's sockets only a number
            tellOobInline();
        }
    }

    /** @param name also one of {@link ConnectionOption} */
    public synchronized <T> T getOption(SocketOption<T> name) throws IOException {
        if (name == ConnectionOption.OF_JFS) {
            return name.type().cast(this);
        }
        if (name == ConnectionOption.PREFERENCES) {
            return name.type().cast(preferences());
        }
        return options() != null ? options().get(name) : tcp.getOption(name);
    }

    /** @param option one of {@link SocketOptions} */
    public synchronized void setOption(int option, Object value) throws SocketException {
        if (options() != null) {
            options().set(option, value);
        } else {
            tcp.setOption(option, value);
        }
        if (option == SocketOptions.SO_TIMEOUT) {
            readTimeout = (Integer) value;
        } else if (option == SocketOptions.SO_OOBINLINE && path() != null) {
            tellOobInline();
        }
    }

    /** @param option one of {@link SocketOptions} */
    public synchronized Object getOption(int option) throws SocketException {
        return options() != null ? options().get(option) : tcp.getOption(option);
    }

    /** As the text of a socket of {@code java.net}. */
    @Override
    public String toString() {
        return "Socket[addr=" + tcp.getInetAddress() + ",port=" + tcp.getPort() + ",localport=" + tcp.getLocalPort() + "]";
    }
}

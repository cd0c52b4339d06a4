package jfs.connection;

import java.io.IOException;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.util.Objects;
import java.util.concurrent.locks.ReentrantLock;
import jfs.monitor.ConnectionTable;
import jfs.nativelib.Posix;
import jfs.spi.Claim;
import jfs.spi.FastPath;
import jfs.stat.Stats;
import jfs.steps.Step;
import jfs.transport.tcp.TcpPolling;
import jfs.wait.Deadline;
import jfs.wait.Polling;

/**
 * The receiving half of a connection: the stream that a program reads ({@link ReaderState} draws its phases). Semantics are those of
 * {@code sun.nio.ch.NioSocketImpl}: one reader at a time (SO_TIMEOUT covers the wait for the lock too), a sticky
 * "Connection reset", -1 for ever after the end, asynchronous close with "Socket closed". No method is interruptible
 * on a platform thread.
 *
 * <p>{@link NonBlockingReader} is for callers that must not block. A try takes the same steps as a read whose deadline has passed.
 */
public final class Reader extends ReaderState {

    /** There is nothing now, and the read has looked everywhere. */
    private static final int NOTHING = Integer.MIN_VALUE;

    private static final String VIOLATION = "The peer broke the protocol of the switch: ";

    // Guarded by lock.
    private Polling tcpPolling;
    /** The deadline of the present read has passed. The read takes what has come by now, and waits no more. */
    private boolean late;
    /** Where a read of one byte puts it. Made for the first such read. */
    private byte[] one;

    Reader(Connection connection, ReentrantLock lock) {
        super(connection, lock);
    }

    /** Makes no garbage, unlike a read into an array that is made for it. */
    @Override
    public int read() throws IOException {
        long deadline = deadline();
        begin(deadline);
        try {
            if (one == null) {
                one = new byte[1];
            }
            return readLocked(one, null, null, 0, 1, deadline) > 0 ? one[0] & 0xff : -1;
        } finally {
            unlock();
        }
    }

    @Override
    public int read(byte[] b, int offset, int length) throws IOException {
        Objects.checkFromIndexSize(offset, length, b.length);
        if (length == 0) {
            return 0;
        }
        long deadline = deadline();
        begin(deadline);
        try {
            return readLocked(b, null, null, offset, length, deadline);
        } finally {
            unlock();
        }
    }

    /**
     * As {@link #read(byte[], int, int)}, with a time limit of its own.
     *
     * @param length above 0
     * @param deadline see {@link Deadline}
     */
    public int read(byte[] b, int offset, int length, long deadline) throws IOException {
        begin(deadline);
        try {
            return readLocked(b, null, null, offset, length, deadline);
        } finally {
            unlock();
        }
    }

    // For a caller that takes bytes from where they are by itself.

    /** Waits until no other thread reads, at most SO_TIMEOUT. {@link #unlock} follows. A thread that has the lock may take it again. */
    public void lock() throws IOException {
        begin(deadline());
    }

    /**
     * As {@link #read(byte[], int, int)}, but may leave the bytes in the path's memory: then {@code into} shows them, which may be more
     * than {@code length}, and only {@link #release} takes them. Called under the lock, which the caller keeps until then.
     *
     * @param into clear afterwards if the bytes are in the array; null if they have to go there
     */
    public int peek(Claim into, byte[] orElse, int offset, int length) throws IOException {
        return peek(into, orElse, offset, length, deadline());
    }

    /** As {@link #peek(Claim, byte[], int, int)}, with a time limit of its own. */
    public int peek(Claim into, byte[] orElse, int offset, int length, long deadline) throws IOException {
        if (into != null) {
            into.clear();
        }
        return readLocked(orElse, null, into, offset, length, deadline);
    }

    /** Takes the first bytes of what the last {@link #peek} has shown. Called under the lock. */
    public void release(int bytes) throws IOException {
        if (connection.isClosed()) {
            throw new SocketException("Socket closed");
        }
        try {
            connection.path().release(bytes);
        } catch (SocketException e) { // the peer broke the protocol of the path
            throw broken(e);
        }
        ConnectionTable.received(connection.row(), bytes);
    }

    /** Whether the connection is closed. Then its path's memory may not be mapped any more, once no thread has the lock. */
    public boolean isClosed() {
        return connection.isClosed();
    }

    /** @return as {@link NonBlockingReader#tryRead} */
    int tryRead(NonBlockingCall call) throws IOException {
        return readLocked(null, call, null, 0, call.buffer.remaining(), Deadline.NONE);
    }

    /**
     * @param b null for a call that does not wait
     * @param shown by what the path may show the bytes, or null
     */
    private int readLocked(byte[] b, NonBlockingCall call, Claim shown, int offset, int length, long deadline) throws IOException {
        late = false;
        try {
            for (;;) {
                int n;
                if (phase != Phase.FAST) {
                    n = readUnlessFast(b, call, offset, length, deadline);
                } else {
                    n = checkState();
                    if (n == 0) {
                        n = receive(b, call, shown, offset, length, deadline);
                    }
                    if (n == 0) {
                        if (late) { // after a look at everything else: bytes that have come count first, then a close, then the deadline
                            n = NOTHING;
                        } else if (awaitDataOrTcpEvent(call, deadline)) {
                            n = readTcpEvent(b, call, shown, offset, length, deadline);
                        }
                    }
                }
                if (n == NOTHING) {
                    if (call == null) {
                        throw new SocketTimeoutException("Read timed out");
                    }
                    return 0;
                }
                if (n != 0) {
                    return n;
                }
            }
        } catch (IOException e) {
            throw connection.closedOr(e);
        }
    }

    private long deadline() {
        return Deadline.in(connection.readTimeout());
    }

    private void begin(long deadline) throws IOException {
        if (!Deadline.lock(lock, deadline)) {
            throw connection.closedOr(new SocketTimeoutException("Read timed out"));
        }
    }

    /**
     * Reads in the phases TCP and BOTH, and after the end. The JIT compiles this method on its own (JIT-1). Otherwise C2 compiles all that
     * the JDK does in a read over TCP again with each caller, for connections that have left TCP.
     *
     * @return the number of bytes, -1 at the end, 0 if the caller has to look again, or {@link #NOTHING}
     */
    private int readUnlessFast(byte[] into, NonBlockingCall call, int offset, int length, long deadline) throws IOException {
        if (phase == Phase.TCP) {
            FastPath attached = connection.path();
            if (attached != null && !isShut() && !connection.isClosed()) {
                watch(attached);
                return 0;
            }
            Polling polling = call == null && connection.takeAnswerDue() ? tcpPolling() : null;
            long sleepsSince = polling == null ? 0 : TcpPolling.beforeRead(polling, connection.tcp());
            int n = takeTcp(into, call, offset, length); // one call for both cases: C2 compiles the JDK's read for each call in the code
            if (polling != null) {
                ConnectionTable.waited(connection.row(), true, sleepsSince == 0 ? 1 : 0, sleepsSince == 0 ? 0 : 1);
            }
            if (sleepsSince != 0) {
                polling.slept(System.nanoTime() - sleepsSince); // also if the read has found the end of the stream
            }
            if (n == -1) {
                become(Phase.ENDED);
            }
            return n;
        }
        int state = checkState();
        if (state != 0) {
            return state;
        }
        FastPath path = connection.path();
        long count = path.switchedAt();
        if (count < 0) {
            if (late) {
                return NOTHING;
            }
            if (awaitDataOrTcpEvent(call, deadline)) {
                int n;
                try {
                    n = takeTcp(into, call, offset, length);
                } catch (SocketException e) {
                    if (connection.isClosed() || endIsKnown(call, deadline) && path.switchedAt() < 0) {
                        throw e;
                    }
                    return 0; // the stream goes on in the path and ends there (END-2)
                }
                if (n == -1) {
                    if (!endIsKnown(call, deadline) || path.switchedAt() >= 0) {
                        return 0; // TCP's end does not end the stream, which goes on in the path (END-3)
                    }
                    become(Phase.ENDED);
                }
                return n;
            }
            return 0;
        }
        if (received < count) { // (SWITCH-2) the bytes are under way in TCP, so this does not wait for the peer's program
            int n = takeTcp(into, call, offset, (int) Math.min(length, count - received));
            if (n == -1) {
                throw broken("Connection reset");
            }
            return n;
        }
        if (received > count) {
            throw broken(VIOLATION + "it switched after " + count + " bytes but sent " + received + " over TCP");
        }
        become(Phase.FAST);
        Step.SWITCH_COMPLETED.reached();
        Stats.switchedIn(path.transport(), connection, connection.row(), count);
        return 0;
    }

    /** From now on a read over TCP polls for so many microseconds at most. Called under the connection's monitor. */
    void pollTcp(int micros) {
        if (tcpPolling != null) {
            tcpPolling.micros(micros);
        }
    }

    private Polling tcpPolling() {
        if (tcpPolling == null) {
            synchronized (connection) {
                tcpPolling = connection.newTcpPolling();
            }
        }
        return tcpPolling;
    }

    /**
     * Waits until there may be news, and tells whether there is an event on TCP. A thread may get a processor long after its wait is over.
     * If the deadline has passed, the thread therefore looks at TCP once more here. The caller then looks at the socket's state and at the
     * path.
     */
    private boolean awaitDataOrTcpEvent(NonBlockingCall call, long deadline) throws IOException {
        FastPath path = connection.path();
        try {
            int event = 0;
            if (call == null) {
                event = path.awaitData(connection.tcp(), deadline);
            }
            if (event == 0 && (call != null || Deadline.hasPassed(deadline))) {
                late = true;
                event = path.lookForData(connection.tcp());
            }
            return event == FastPath.TCP_EVENT;
        } catch (SocketException e) { // the peer broke the protocol of the path
            throw broken(e);
        }
    }

    /** @return the number of bytes, -1 at the end, or 0 if there is nothing now */
    private int receive(byte[] into, NonBlockingCall call, Claim shown, int offset, int length, long deadline) throws IOException {
        int n;
        try {
            if (call != null) {
                n = connection.path().receive(call.buffer);
            } else if (shown == null) {
                n = connection.path().receiveSoon(into, offset, length);
            } else {
                n = connection.path().peek(shown, into, offset, length);
            }
        } catch (SocketException e) { // the peer broke the protocol of the path
            throw broken(e);
        }
        if (n > 0 && (shown == null || shown.memory() == null)) {
            ConnectionTable.received(connection.row(), n);
        }
        if (n == FastPath.RESET) { // the kernel reports it once, to the reader or the writer; never, if it was lost on its way
            boolean told = call != null ? connection.tcp().hasError(Posix.POLLIN) : connection.tcp().awaitError(Posix.POLLIN, deadline);
            if (!told) {
                if (call != null && !call.isErrorOverdue()) {
                    return 0;
                }
                throw broken("Connection reset");
            }
            int taken = takeTcp(into, call, offset, 1);
            if (taken != -1) {
                return taken > 0 ? dataOverTcp(call) : 0;
            }
            n = FastPath.END;
        }
        if (n == FastPath.END) {
            become(Phase.ENDED);
        }
        return n;
    }

    /** The deadline of a wait in the present read; a call that does not block has none. */
    private static long deadlineOf(NonBlockingCall call, long deadline) {
        return call != null ? Deadline.passed() : deadline;
    }

    /** Handles an event on TCP while the bytes come by the path: the end, an error, or bytes, which must not come (SWITCH-4). */
    private int readTcpEvent(byte[] into, NonBlockingCall call, Claim shown, int offset, int length, long deadline) throws IOException {
        if (checkState() != 0) {
            return -1;
        }
        // The peer ends its stream in the path before it ends TCP's. So the path is asked before TCP and after it.
        if (!endIsKnown(call, deadline)) {
            return 0;
        }
        int n = receive(into, call, shown, offset, length, deadline);
        if (n != 0) {
            return n;
        }
        int taken;
        try {
            taken = takeTcp(into, call, offset, 1);
        } catch (SocketException e) { // a reset, of which a peer that lives would have told in the path before
            if (!connection.isClosed() && !connection.path().readable()) {
                endedByTcpAlone();
            }
            throw e;
        }
        if (taken != -1) {
            return taken > 0 ? dataOverTcp(call) : 0;
        }
        n = receive(into, call, shown, offset, length, deadline);
        if (n == 0) { // the path has no FIN: the peer died, if this end was not shut down; the JDK reports an end (END-3)
            become(Phase.ENDED);
            endedByTcpAlone();
            return -1;
        }
        return n;
    }

    /** Called when TCP has ended. May wait. @return whether the path has all that will come, maybe more than before the call (END-5) */
    private boolean endIsKnown(NonBlockingCall call, long deadline) throws IOException {
        boolean known;
        try {
            known = connection.path().awaitEnd(deadlineOf(call, deadline));
        } catch (SocketException e) {
            throw broken(e);
        }
        late |= !known && (call != null || Deadline.hasPassed(deadline));
        return known;
    }

    /**
     * Bytes have come over TCP after the switch. If this end has ended, they are no violation: the peer writes over TCP to an end that will
     * not read, to learn what becomes of such a write.
     */
    private int dataOverTcp(NonBlockingCall call) throws SocketException {
        if (call != null) { // the byte is none of the stream
            call.buffer.position(call.buffer.position() - 1);
        }
        if (isShut() || connection.isClosed()) {
            return 0;
        }
        throw broken(VIOLATION + "it sent data over TCP after the switch");
    }

    /** @return the number of bytes, -1 at the end, or {@link #NOTHING} for a try */
    private int takeTcp(byte[] into, NonBlockingCall call, int offset, int length) throws IOException {
        int n = call == null ? connection.tcp().read(into, offset, length) : connection.tcp().tryRead(call.buffer, length);
        if (n > 0) {
            received += n;
            connection.receivedOverTcp(into, call == null ? null : call.buffer, offset, n);
        } else if (n < 0 && connection.isClosed()) { // the end may be this end's own, and the JDK tells of the close in either case (END-4)
            throw new SocketException("Socket closed");
        }
        return n != 0 ? n : NOTHING;
    }

    @Override
    public int available() throws IOException {
        return connection.available();
    }

    @Override
    public void close() throws IOException {
        connection.close();
    }

}

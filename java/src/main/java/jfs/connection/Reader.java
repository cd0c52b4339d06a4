package jfs.connection;

import java.io.IOException;
import java.io.InputStream;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.util.Objects;
import java.util.concurrent.locks.ReentrantLock;
import jfs.nativelib.Posix;
import jfs.spi.FastPath;
import jfs.stat.Stats;
import jfs.steps.Step;
import jfs.transport.tcp.TcpEnd;
import jfs.transport.tcp.TcpPolling;
import jfs.wait.Deadline;
import jfs.wait.Polling;

/**
 * The receiving half of a connection. Its bytes come over TCP first. If the peer switches, they come by the fast path from
 * an agreed count of bytes on:
 *
 * <pre>
 *           path attached, a read enters             the peer has switched and
 *           ({@link FastPath#ready})                       count bytes have come by TCP
 *   TCP ------------------------------------&gt; BOTH ----------------------------------&gt; FAST
 *   the JDK's own read,                       watches TCP and the path,                 the path; TCP tells
 *   blocking in it                            reads TCP only when it won't block        of death only
 *
 *   each of these ---&gt; ENDED    the stream has ended, or the input was shut down: each read returns -1
 *   BOTH, FAST   ----&gt; BROKEN   the stream can't go on: each read throws the same exception
 * </pre>
 *
 * <p>Only a reader changes the phase, under the read lock. The phase never goes back. Semantics are those of
 * {@code sun.nio.ch.NioSocketImpl}: one reader at a time (SO_TIMEOUT covers the wait for the lock too), a sticky
 * "Connection reset", -1 for ever after the end, asynchronous close with "Socket closed". No method is interruptible
 * on a platform thread.
 *
 * <p>{@link NonBlockingReader} is for callers that must not block. A try takes the same steps as a read whose deadline has passed.
 */
public final class Reader extends InputStream {

    private enum Phase {
        TCP, BOTH, FAST, ENDED, BROKEN
    }

    /** There is nothing now, and the read has looked everywhere. */
    private static final int NOTHING = Integer.MIN_VALUE;

    private static final String VIOLATION = "The peer broke the protocol of the switch: ";

    private final Connection connection;
    /** The read lock of the TCP socket. */
    private final ReentrantLock lock;

    // Guarded by lock.
    private Phase phase = Phase.TCP;
    private Polling tcpPolling;
    /** The bytes that have come over TCP. */
    private long received;
    /** The exception that every read throws in the phase BROKEN. */
    private SocketException broken;
    /** The deadline of the present read has passed. The read takes what has come by now, and waits no more. */
    private boolean late;
    /** Where a read of one byte puts it. Made for the first such read. */
    private byte[] one;

    private volatile boolean shut;

    Reader(Connection connection, ReentrantLock lock) {
        this.connection = connection;
        this.lock = lock;
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
            return readLocked(one, null, 0, 1, deadline) > 0 ? one[0] & 0xff : -1;
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
            return readLocked(b, null, offset, length, deadline);
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
            return readLocked(b, null, offset, length, deadline);
        } finally {
            unlock();
        }
    }

    // For a channel of java.nio, which reads TCP by itself. Called under the lock.

    /**
     * Whether the next bytes may come by the path. If there is a path, this direction watches it from now on (SWITCH-1).
     *
     * @return false as long as this direction is on TCP
     */
    public boolean takesPath() throws IOException {
        FastPath attached = phase == Phase.TCP ? connection.path() : null;
        if (attached != null && !shut && !connection.isClosed()) {
            watch(attached);
        }
        return phase != Phase.TCP && connection.path() != null;
    }

    /** The caller has read from TCP. @param n the bytes in front of the buffer's position, or in the array; -1 at the end */
    public void tookTcp(byte[] into, ByteBuffer buffer, int offset, int n) {
        if (n > 0) {
            received += n;
            connection.receivedOverTcp(into, buffer, offset, n);
        } else if (phase == Phase.TCP) {
            phase = Phase.ENDED;
        }
    }

    // For NonBlockingReader. The methods behind tryLock() are called under the lock.

    /** Whether a read would return or throw at once. */
    boolean isReadable(NonBlockingCall call) throws IOException {
        TcpEnd tcp = connection.tcp();
        if (phase == Phase.ENDED || phase == Phase.BROKEN || shut || connection.isClosed()) {
            return true;
        }
        if (phase == Phase.TCP) {
            return tcp.hasEvent();
        }
        FastPath path = connection.path();
        long count = path.switchedAt();
        if (isReadableInPath(call)) {
            return true;
        }
        if (count >= 0 && received >= count && path.readable()) { // a reset of which TCP does not tell yet
            return false;
        }
        // TCP's end may come before bytes of the path. Bytes on TCP are no end, and the path is not asked what its end means (END-5).
        return path.lookForData(tcp) != 0 && (tcp.available() > 0 || path.awaitEnd(Deadline.passed()));
    }

    boolean tryLock() {
        return lock.tryLock();
    }

    /** @return as {@link NonBlockingReader#tryRead} */
    int tryRead(NonBlockingCall call) throws IOException {
        return readLocked(null, call, 0, call.buffer.remaining(), Deadline.NONE);
    }

    boolean isOnTcp() {
        return phase == Phase.TCP;
    }

    /** Whether bytes may still come over TCP. */
    boolean mayReadTcp() {
        return phase == Phase.TCP || phase == Phase.BOTH;
    }

    /** As {@link #isReadable}, as far as the path tells. Makes no system call, except after a reset. */
    boolean isReadableInPath(NonBlockingCall call) throws IOException {
        if (phase == Phase.ENDED || phase == Phase.BROKEN || shut || connection.isClosed()) {
            return true;
        }
        FastPath path = connection.path();
        long count = phase == Phase.TCP ? -1 : path.switchedAt();
        return count >= 0 && received >= count && path.readable() && (received > count || path.available() > 0 || !path.peerReset()
                || connection.tcp().hasError(Posix.POLLIN) || call.isErrorOverdue());
    }

    /** @param b null for a call that does not wait */
    private int readLocked(byte[] b, NonBlockingCall call, int offset, int length, long deadline) throws IOException {
        late = false;
        try {
            for (;;) {
                int n;
                if (phase != Phase.FAST) {
                    n = readUnlessFast(b, call, offset, length, deadline);
                } else {
                    n = checkState();
                    if (n == 0) {
                        n = receive(b, call, offset, length, deadline);
                    }
                    if (n == 0) {
                        if (late) { // after a look at everything else: bytes that have come count first, then a close, then the deadline
                            n = NOTHING;
                        } else if (awaitDataOrTcpEvent(call, deadline)) {
                            n = readTcpEvent(b, call, offset, length, deadline);
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

    /** Unlocks, and does what a closing thread has left to this one because it found the lock taken. */
    public void unlock() {
        lock.unlock();
        if (connection.isClosed()) {
            retire();
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
            if (attached != null && !shut && !connection.isClosed()) {
                watch(attached);
                return 0;
            }
            Polling polling = call == null && connection.takeAnswerDue() ? tcpPolling() : null;
            long sleepsSince = polling == null ? 0 : TcpPolling.beforeRead(polling, connection.tcp());
            int n = takeTcp(into, call, offset, length); // one call for both cases: C2 compiles the JDK's read for each call in the code
            if (sleepsSince != 0) {
                polling.slept(System.nanoTime() - sleepsSince); // also if the read has found the end of the stream
            }
            if (n == -1) {
                phase = Phase.ENDED;
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
                    phase = Phase.ENDED;
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
        phase = Phase.FAST;
        Step.SWITCH_COMPLETED.reached();
        Stats.switchedIn(path.transport(), connection, count);
        return 0;
    }

    /** From now on this reader watches TCP and the path. It is not inside TCP's read, where no bell would wake it (SWITCH-1). */
    private void watch(FastPath attached) throws IOException {
        phase = Phase.BOTH;
        connection.tellOobInline();
        attached.ready();
        Step.READY_PUBLISHED.reached();
    }

    private Polling tcpPolling() {
        if (tcpPolling == null) {
            tcpPolling = connection.newTcpPolling();
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
    private int receive(byte[] into, NonBlockingCall call, int offset, int length, long deadline) throws IOException {
        int n;
        try {
            n = call != null ? connection.path().receive(call.buffer) : connection.path().receiveSoon(into, offset, length);
        } catch (SocketException e) { // the peer broke the protocol of the path
            throw broken(e);
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
            phase = Phase.ENDED;
        }
        return n;
    }

    /** The deadline of a wait in the present read; a call that does not block has none. */
    private static long deadlineOf(NonBlockingCall call, long deadline) {
        return call != null ? Deadline.passed() : deadline;
    }

    /** Handles an event on TCP while the bytes come by the path: the end, an error, or bytes, which must not come (SWITCH-4). */
    private int readTcpEvent(byte[] into, NonBlockingCall call, int offset, int length, long deadline) throws IOException {
        if (checkState() != 0) {
            return -1;
        }
        // The peer ends its stream in the path before it ends TCP's. So the path is asked before TCP and after it.
        if (!endIsKnown(call, deadline)) {
            return 0;
        }
        int n = receive(into, call, offset, length, deadline);
        if (n != 0) {
            return n;
        }
        int taken = takeTcp(into, call, offset, 1);
        if (taken != -1) {
            return taken > 0 ? dataOverTcp(call) : 0;
        }
        n = receive(into, call, offset, length, deadline);
        if (n == 0) { // the path has no FIN: the peer died, which the JDK reports as an end (END-3)
            phase = Phase.ENDED;
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
        if (shut || connection.isClosed()) {
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
        }
        return n != 0 ? n : NOTHING;
    }

    /** @return -1 at the end, 0 if the read is to go on */
    private int checkState() throws SocketException {
        if (phase == Phase.ENDED) { // the end is still reported after close, as by NioSocketImpl
            return -1;
        }
        if (connection.isClosed()) {
            throw new SocketException("Socket closed");
        }
        if (phase == Phase.BROKEN) {
            throw broken;
        }
        if (shut) {
            phase = Phase.ENDED;
            return -1;
        }
        return 0;
    }

    private SocketException broken(String what) {
        return broken(new SocketException(what));
    }

    /** The stream can't go on. @return the exception, for the caller to throw */
    private SocketException broken(SocketException why) {
        phase = Phase.BROKEN;
        broken = why;
        return why;
    }

    @Override
    public int available() throws IOException {
        return connection.available();
    }

    @Override
    public void close() throws IOException {
        connection.close();
    }

    /** The bytes that the path adds to TCP's, which the caller has counted (SWITCH-5). */
    int availableInPath() throws IOException {
        // If a reader holds the lock, it waits because there is nothing, or it takes what there is.
        if (!lock.tryLock()) {
            return 0;
        }
        try {
            boolean open = (phase == Phase.BOTH || phase == Phase.FAST) && !shut && !connection.isClosed();
            FastPath path = connection.path();
            return open && path.switchedAt() >= 0 ? path.available() : 0;
        } finally {
            unlock();
        }
    }

    /**
     * Whether the path has unread bytes. Called by a thread that is about to close the connection. If a reader holds the lock, it waits for
     * bytes, or takes them, so they do not count as unread.
     */
    boolean hasUnread() {
        if (!lock.tryLock()) {
            return false;
        }
        try {
            FastPath path = connection.path();
            // In this order: the look for bytes may also bring the news of the switch.
            return path != null && phase != Phase.TCP && path.available() > 0 && path.switchedAt() >= 0;
        } catch (IOException | RuntimeException | Error e) { // the peer broke the protocol; a failure must not keep the socket open
            return false;
        } finally {
            lock.unlock();
        }
    }

    /** For shutdownInput: from now on each read returns -1, a blocked one too. */
    void shut() {
        shut = true;
    }

    boolean isShut() {
        return shut;
    }

    /** Called after close. If no thread is reading now, none will read any more. Otherwise the reader calls this when it leaves. */
    void retire() {
        FastPath attached = connection.path();
        if (attached != null && lock.tryLock()) {
            try {
                attached.retireReceiver();
            } finally {
                lock.unlock();
            }
        }
    }
}

package jfs;

import java.io.IOException;
import java.io.InputStream;
import java.net.SocketException;
import java.net.SocketTimeoutException;
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
 * The receiving half of a connection. Its bytes come by TCP first and, if the peer switches, by the fast path from an
 * agreed count on:
 *
 * <pre>
 *           path attached, a read enters             the peer has switched and
 *           ({@link FastPath#ready})                       count bytes have come by TCP
 *   TCP ------------------------------------&gt; BOTH ----------------------------------&gt; FAST
 *   the JDK's own read,                       watches TCP and the path,                 the path; TCP tells
 *   blocking in it                            reads TCP only when it won't block        of death only
 * </pre>
 *
 * <p>The edges are taken in {@link #readBeforeSwitch}, never back. Semantics are those of
 * {@code sun.nio.ch.NioSocketImpl}: one reader at a time (SO_TIMEOUT covers the wait for the turn too), a sticky
 * "Connection reset", -1 for ever after the end, asynchronous close with "Socket closed". No method is interruptible
 * on a platform thread.
 */
final class SocketInputStream extends InputStream {

    private enum Phase {
        TCP, BOTH, FAST
    }

    private static final String VIOLATION = "The peer broke the protocol of the switch: ";

    private final JFSSocketImpl socket;
    /** TCP's own. */
    private final ReentrantLock lock;

    // Guarded by lock.
    private Phase phase = Phase.TCP;
    private FastPath path;
    private Polling tcpPolling;
    private long received;
    private boolean ended;
    /** What every further read throws. */
    private SocketException broken;

    /** The deadline of the read that is under way has passed. It takes what has come by now, and waits no more. */
    private boolean late;

    private volatile boolean shut;

    SocketInputStream(JFSSocketImpl socket, TcpEnd tcp) {
        this.socket = socket;
        this.lock = tcp.readLock();
    }

    @Override
    public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) > 0 ? one[0] & 0xff : -1;
    }

    @Override
    public int read(byte[] b, int offset, int length) throws IOException {
        Objects.checkFromIndexSize(offset, length, b.length);
        if (length == 0) {
            return 0;
        }
        long deadline = Deadline.in(socket.timeout());
        if (!Deadline.lock(lock, deadline)) {
            throw socket.closedOr(new SocketTimeoutException("Read timed out"));
        }
        try {
            late = false;
            for (;;) {
                int n;
                if (phase != Phase.FAST) {
                    n = readBeforeSwitch(b, offset, length, deadline);
                } else {
                    n = state();
                    if (n == 0) {
                        n = receive(b, offset, length, deadline);
                    }
                    if (n == 0) {
                        checkTime();
                        if (tcpSpeaksFirst(deadline)) {
                            n = tcpEvent(b, offset, length, deadline);
                        }
                    }
                }
                if (n != 0) {
                    return n;
                }
            }
        } catch (IOException e) {
            throw socket.closedOr(e);
        } finally {
            lock.unlock();
            if (socket.closed()) {
                retire();
            }
        }
    }

    /**
     * In phases TCP and BOTH. Compiled on its own (JIT-1): else C2 compiles all that the JDK does in a read over TCP with each caller,
     * for connections that have left TCP.
     *
     * @return bytes, -1, or 0: look again
     */
    private int readBeforeSwitch(byte[] into, int offset, int length, long deadline) throws IOException {
        if (phase == Phase.TCP) {
            FastPath attached = socket.path();
            if (attached != null && !shut && !socket.closed() && !ended && broken == null) {
                path = attached;
                phase = Phase.BOTH;
                socket.tellOobInline(attached);
                attached.ready(); // by a reader that is not inside TCP's read, where no bell would wake it (SWITCH-1)
                Step.READY_PUBLISHED.reached();
                return 0;
            }
            Polling polling = socket.conversation().takeAnswerDue() ? tcpPolling() : null;
            long sleepsSince = polling == null ? 0 : TcpPolling.beforeRead(polling, socket.tcp());
            int n = takeTcp(into, offset, length); // called once here: C2 compiles the JDK's read for each place that calls it
            if (sleepsSince != 0) {
                polling.slept(System.nanoTime() - sleepsSince); // also in vain: it learns how long that took
            }
            return n;
        }
        int state = state();
        if (state != 0) {
            return state;
        }
        long count = path.switchedAt();
        if (count < 0) {
            checkTime();
            if (tcpSpeaksFirst(deadline)) {
                int n;
                try {
                    n = takeTcp(into, offset, length);
                } catch (SocketException e) {
                    if (socket.closed() || endIsKnown(deadline) && path.switchedAt() < 0) {
                        throw e;
                    }
                    return 0; // the stream goes on in the path and ends there (END-2)
                }
                if (n < 0 && (!endIsKnown(deadline) || path.switchedAt() >= 0)) {
                    ended = false; // it belongs to a stream that goes on in the path (END-3)
                    return 0;
                }
                return n;
            }
            return 0;
        }
        if (received < count) { // (SWITCH-2) under way in TCP for certain, so this does not wait for the program
            int n = takeTcp(into, offset, (int) Math.min(length, count - received));
            if (n < 0) {
                throw breakWith("Connection reset");
            }
            return n;
        }
        if (received > count) {
            throw breakWith(VIOLATION + "it switched after " + count + " bytes but sent " + received + " over TCP");
        }
        phase = Phase.FAST;
        Step.SWITCH_COMPLETED.reached();
        Stats.switchedIn(path.transport(), socket, count);
        return 0;
    }

    private Polling tcpPolling() {
        if (tcpPolling == null) {
            tcpPolling = socket.newTcpPolling();
        }
        return tcpPolling;
    }

    /**
     * Waits; whether it is TCP that has something to say. A thread may get a processor long after its wait is over. So who
     * finds the deadline passed looks at TCP once more here, and its caller then at the socket's state and at the path.
     */
    private boolean tcpSpeaksFirst(long deadline) throws IOException {
        try {
            int event = path.awaitData(socket.tcp(), deadline);
            if (event == 0 && Deadline.hasPassed(deadline)) {
                late = true;
                event = path.lookForData(socket.tcp());
            }
            return event == FastPath.TCP_EVENT;
        } catch (SocketException e) { // the peer broke the protocol of the path
            throw broken = e;
        }
    }

    /** @return bytes, -1, or 0 if there is nothing now */
    private int receive(byte[] into, int offset, int length, long deadline) throws IOException {
        int n;
        try {
            n = path.receiveSoon(into, offset, length);
        } catch (SocketException e) { // the peer broke the protocol of the path
            throw broken = e;
        }
        if (n == FastPath.RESET) { // an error that the kernel tells once, reader or writer; or never, if it was lost on its way
            if (!socket.tcp().awaitError(Posix.POLLIN, deadline)) {
                throw breakWith("Connection reset");
            }
            return takeTcp(into, offset, 1) < 0 ? -1 : dataOverTcp();
        }
        ended |= n == FastPath.END;
        return n;
    }

    /** TCP has something to say while the bytes come by the path: the end, an error, or what it must not (SWITCH-4). */
    private int tcpEvent(byte[] into, int offset, int length, long deadline) throws IOException {
        if (state() != 0) {
            return 0;
        }
        // The peer ends its stream in the path before it ends TCP's, so the path is asked first and last.
        if (!endIsKnown(deadline)) {
            return 0;
        }
        int n = receive(into, offset, length, deadline);
        if (n != 0) {
            return n;
        }
        if (takeTcp(into, offset, 1) > 0) {
            return dataOverTcp();
        }
        ended = false;
        n = receive(into, offset, length, deadline);
        if (n == 0) { // no FIN of the path's own: the peer died, which the JDK shows as an end (END-3)
            ended = true;
            return -1;
        }
        return n;
    }

    /** TCP has ended. @return whether the path has all that will come, which may be more than it had (END-5) */
    private boolean endIsKnown(long deadline) throws IOException {
        boolean known;
        try {
            known = path.awaitEnd(deadline);
        } catch (SocketException e) {
            throw broken = e;
        }
        late |= !known && Deadline.hasPassed(deadline);
        return known;
    }

    /** A peer that writes to one who has ended both halves does so over TCP, and means nobody: no violation then. */
    private int dataOverTcp() throws SocketException {
        if (shut || socket.closed()) {
            return 0;
        }
        throw breakWith(VIOLATION + "it sent data over TCP after the switch");
    }

    private int takeTcp(byte[] into, int offset, int length) throws IOException {
        int n = socket.tcp().read(into, offset, length);
        if (n > 0) {
            received += n;
            socket.receivedOverTcp(into, offset, n);
        } else {
            ended = n < 0;
        }
        return n;
    }

    /** @return -1 if there is nothing to wait for, 0 to go on */
    private int state() throws SocketException {
        if (ended) { // stays the end after close, as NioSocketImpl's
            return -1;
        }
        if (socket.closed()) {
            throw new SocketException("Socket closed");
        }
        if (broken != null) {
            throw broken;
        }
        ended = shut;
        return ended ? -1 : 0;
    }

    private SocketException breakWith(String what) {
        broken = new SocketException(what);
        return broken;
    }

    /** After a look at everything: what has come, then a close, then the clock. */
    private void checkTime() throws SocketTimeoutException {
        if (late) {
            throw new SocketTimeoutException("Read timed out");
        }
    }

    @Override
    public int available() throws IOException {
        return socket.available();
    }

    /** TCP's part was counted by the caller; this is what the path adds (SWITCH-5). */
    int availableInPath() throws IOException {
        // A reader that holds the lock is waiting because there is nothing, or taking what there is.
        if (!lock.tryLock()) {
            return 0;
        }
        try {
            return path == null || shut || ended || broken != null || socket.closed() || path.switchedAt() < 0 ? 0
                    : path.available();
        } finally {
            lock.unlock();
            if (socket.closed()) {
                retire();
            }
        }
    }

    /**
     * Whether there are bytes in the path, for who is about to close. A reader that is inside is waiting for some, or
     * taking them.
     */
    boolean hasUnread() {
        if (!lock.tryLock()) {
            return false;
        }
        try {
            return path != null && path.available() > 0 && path.switchedAt() >= 0; // the switch may be heard of with them
        } catch (IOException e) { // the peer broke the protocol
            return false;
        } finally {
            lock.unlock();
        }
    }

    /** shutdownInput: from now on -1, for a blocked reader too. */
    void shut() {
        shut = true;
    }

    boolean isShut() {
        return shut;
    }

    /** After close: if nobody is reading, nobody will; else the reader does this on its way out. */
    void retire() {
        FastPath attached = socket.path();
        if (attached != null && lock.tryLock()) {
            try {
                attached.retireReceiver();
            } finally {
                lock.unlock();
            }
        }
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}

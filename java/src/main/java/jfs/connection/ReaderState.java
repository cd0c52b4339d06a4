package jfs.connection;

import java.io.IOException;
import java.io.InputStream;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.util.concurrent.locks.ReentrantLock;
import jfs.nativelib.Posix;
import jfs.monitor.ConnectionTable;
import jfs.spi.FastPath;
import jfs.stat.Stats;
import jfs.steps.Step;
import jfs.transport.tcp.TcpEnd;
import jfs.wait.Deadline;

/**
 * The state of the receiving half of a connection: its phase, and what it tells of bytes without taking them. Its bytes come over TCP
 * first. If the peer switches, they come by the fast path from an agreed count of bytes on:
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
 * <p>Only a reader changes the phase, under the read lock. The phase never goes back.
 */
abstract class ReaderState extends InputStream {

    enum Phase {
        TCP, BOTH, FAST, ENDED, BROKEN
    }

    final Connection connection;
    /** The read lock of the TCP socket. */
    final ReentrantLock lock;

    // Guarded by lock.
    Phase phase = Phase.TCP;
    /** The bytes that have come over TCP. */
    long received;
    /** The exception that every read throws in the phase BROKEN. */
    private SocketException broken;
    private boolean deathIsTold;

    /** A thread shuts down TCP's input, or has done so. Set before {@link #shut}. */
    private volatile boolean shutting;
    private volatile boolean shut;

    ReaderState(Connection connection, ReentrantLock lock) {
        this.connection = connection;
        this.lock = lock;
    }

    final void become(Phase next) {
        phase = next;
        ConnectionTable.readerPhase(connection.row(), next.ordinal());
    }

    final boolean tryLock() {
        return lock.tryLock();
    }

    /** Unlocks, and does what a closing thread has left to this one because it found the lock taken. */
    public final void unlock() {
        lock.unlock();
        if (connection.isClosed()) {
            retire();
        }
    }

    /** @return -1 at the end, 0 if the read is to go on */
    final int checkState() throws SocketException {
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
            become(Phase.ENDED);
            return -1;
        }
        return 0;
    }

    final SocketException broken(String what) {
        return broken(new SocketException(what));
    }

    /** The stream can't go on. @return the exception, for the caller to throw */
    final SocketException broken(SocketException why) {
        become(Phase.BROKEN);
        broken = why;
        if (connection.path().peerDied()) {
            peerDied();
        }
        return why;
    }

    /** The peer process has gone without a word. Only the first call counts. */
    final void peerDied() {
        if (!deathIsTold) {
            deathIsTold = true;
            connection.path().peerHasDied();
            Stats.peerDied(connection.row(), true);
        }
    }

    /** TCP has ended or was reset, and the path has no end: the peer process has died, unless this end's shutdownInput has ended TCP. */
    final void endedByTcpAlone() {
        if (!shutting) {
            peerDied();
        }
    }

    /** From now on this reader watches TCP and the path. It is not inside TCP's read, where no bell would wake it (SWITCH-1). */
    final void watch(FastPath attached) throws IOException {
        become(Phase.BOTH);
        connection.tellOobInline();
        attached.ready();
        Step.READY_PUBLISHED.reached();
    }

    // For a channel of java.nio, which reads TCP by itself. Called under the lock.

    /**
     * Whether the next bytes may come by the path. If there is a path, this direction watches it from now on (SWITCH-1).
     *
     * @return false as long as this direction is on TCP
     */
    public final boolean takesPath() throws IOException {
        FastPath attached = phase == Phase.TCP ? connection.path() : null;
        if (attached != null && !shut && !connection.isClosed()) {
            watch(attached);
        }
        return phase != Phase.TCP && connection.path() != null;
    }

    /** The caller has read from TCP. @param n the bytes in front of the buffer's position, or in the array; -1 at the end */
    public final void tookTcp(byte[] into, ByteBuffer buffer, int offset, int n) {
        if (n > 0) {
            received += n;
            connection.receivedOverTcp(into, buffer, offset, n);
        } else if (phase == Phase.TCP) {
            become(Phase.ENDED);
        }
    }

    // For NonBlockingReader. Called under the lock.

    final boolean isOnTcp() {
        return phase == Phase.TCP;
    }

    /** Whether bytes may still come over TCP. */
    final boolean mayReadTcp() {
        return phase == Phase.TCP || phase == Phase.BOTH;
    }

    /** Whether a read would return or throw at once. */
    final boolean isReadable(NonBlockingCall call) throws IOException {
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

    /** As {@link #isReadable}, as far as the path tells. Makes no system call, except after a reset. */
    final boolean isReadableInPath(NonBlockingCall call) throws IOException {
        if (phase == Phase.ENDED || phase == Phase.BROKEN || shut || connection.isClosed()) {
            return true;
        }
        FastPath path = connection.path();
        long count = phase == Phase.TCP ? -1 : path.switchedAt();
        return count >= 0 && received >= count && path.readable() && (received > count || path.available() > 0 || !path.peerReset()
                || connection.tcp().hasError(Posix.POLLIN) || call.isErrorOverdue());
    }

    /** The bytes that the path adds to TCP's, which the caller has counted (SWITCH-5). */
    final int availableInPath() throws IOException {
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
     * Whether the path has unread bytes; also whether TCP has, if it does not show the end before it resets itself for them. Called by a
     * thread that is about to close the connection. If a reader holds the lock, it waits for bytes, or takes them, so they do not count as
     * unread.
     */
    final boolean hasUnread() {
        if (!lock.tryLock()) {
            return false;
        }
        try {
            FastPath path = connection.path();
            // In this order: the look for bytes may also bring the news of the switch.
            boolean inPath = path != null && phase != Phase.TCP && path.available() > 0 && path.switchedAt() >= 0;
            return inPath || path != null && !connection.tcp().showsEndBeforeReset() && connection.tcp().available() > 0;
        } catch (IOException | RuntimeException | Error e) { // the peer broke the protocol; a failure must not keep the socket open
            return false;
        } finally {
            lock.unlock();
        }
    }

    /** For shutdownInput: a thread is about to end TCP's input, or has failed to do so. A reader may see that end before {@link #shut}. */
    final void shutting(boolean now) {
        shutting = now;
    }

    /** For shutdownInput: from now on each read returns -1, a blocked one too. */
    final void shut() {
        shut = true;
    }

    final boolean isShut() {
        return shut;
    }

    /** Called after close. If no thread is reading now, none will read any more. Otherwise the reader calls this when it leaves. */
    final void retire() {
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

package jfs.connection;

import java.io.IOException;
import java.io.OutputStream;
import java.net.SocketException;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.util.Objects;
import java.util.concurrent.locks.ReentrantLock;
import jfs.monitor.ConnectionTable;
import jfs.spi.FastPath;
import jfs.stat.Stats;
import jfs.steps.Step;
import jfs.wait.Deadline;

/**
 * The sending half of a connection. Its bytes go over TCP until a write finds that the peer's receiver is ready. That write and all later
 * ones go by the fast path. The direction switches once, under the write lock, and its count stays (SWITCH-2, SWITCH-4).
 *
 * <pre>
 *          a write finds the peer ready              a write finds that the peer has gone
 *   TCP ---------------------------------&gt; FAST -------------------------------------------&gt; BROKEN
 *    |                                       |                                                  |  TCP decides what becomes
 *    | a TCP write threw,                    | the output is shut down: FIN is in the path,     |  of each further byte
 *    | an urgent byte, or a file             | then TCP's output ends                           |
 *    v                                       +--------------------&gt; ENDED &lt;---------------------+
 *   TCP_ONLY
 * </pre>
 *
 * <p>Only the holder of the write lock changes the phase. The phase never goes back. Before the switch, to shut down the output is TCP's
 * own matter, and the phase stays. BROKEN means that TCP has had its first write to a peer that has gone, or that the path has failed
 * because the peer has died. Semantics are those of {@code sun.nio.ch.NioSocketImpl}: one writer at a time, all bytes or an exception,
 * "Broken pipe" when the peer will not read, asynchronous close with "Socket closed". Without blocking: {@link NonBlockingWriter}.
 */
public final class Writer extends OutputStream implements IdleWatch.Watched {

    private enum Phase {
        TCP, TCP_ONLY, FAST, BROKEN, ENDED;

        /** Whether the direction has switched. */
        boolean hasSwitched() {
            return this != TCP && this != TCP_ONLY;
        }
    }

    /** After so many bytes over TCP no first byte is needed as a proof any more: the peer would have offered a path by now. */
    private static final long COUNTED_MAX = 16 << 20;

    private final Connection connection;
    /** The write lock of the TCP socket. */
    private final ReentrantLock lock;

    /** Written under the lock. */
    private volatile Phase phase = Phase.TCP;
    private volatile boolean shut;
    /** TCP's output is shut down too, so no byte can leave by TCP any more. */
    private volatile boolean tcpShut;

    // Guarded by lock.
    /** The connection's path; null before the switch. */
    private FastPath path;
    /** The bytes that have gone over TCP, without those of files. */
    private long sent;
    /** Whether a wait for an error of TCP was in vain, because a device on the way has lost the connection. */
    private boolean tcpIsMute;
    private boolean watched;
    private int uses;
    /** From where a write of one byte takes it. Made for the first such write. */
    private byte[] one;

    Writer(Connection connection, ReentrantLock lock) {
        this.connection = connection;
        this.lock = lock;
    }

    private void become(Phase next) {
        phase = next;
        ConnectionTable.writerPhase(connection.row(), next.ordinal());
    }

    /** Makes no garbage, unlike a write from an array that is made for it. */
    @Override
    public void write(int b) throws IOException {
        lock.lock();
        try {
            if (one == null) {
                one = new byte[1];
            }
            one[0] = (byte) b;
            write(one, 0, 1);
        } finally {
            unlock();
        }
    }

    @Override
    public void write(byte[] b, int offset, int length) throws IOException {
        Objects.checkFromIndexSize(offset, length, b.length);
        if (length == 0) {
            return;
        }
        lock.lock();
        try {
            write(b, null, offset, length);
        } finally {
            unlock();
        }
    }

    /**
     * Whether the next byte goes by the path. If the peer's receiver is ready, this direction switches here. Called under the lock. If
     * another thread shuts down the output meanwhile, the caller's write finds that, and throws.
     */
    public boolean takesPath() {
        if (path != null) {
            return true;
        }
        FastPath fast = connection.path();
        if (fast == null || phase != Phase.TCP || shut || connection.isClosed()) {
            return false;
        }
        if (!fast.peerReady()) {
            connection.refuseIfPathIsUnused();
            return false;
        }
        path = fast;
        become(Phase.FAST);
        // This thread sets the phase, then looks at shut. shut() sets shut, then looks at the phase. So at least one of them sees
        // the other's store. If shut() has seen FAST, it leaves TCP's output to finish(), in unlock(). So the phase must stay FAST.
        if (!shut) {
            fast.switchAt(sent); // before any byte is in the path (SWITCH-2)
            Step.SWITCH_PUBLISHED.reached();
            Stats.switchedOut(fast.transport(), connection, connection.row(), sent);
        }
        return true;
    }

    /**
     * Writes all bytes of the array, or what there is room for of the buffer. Called under the lock. The JIT compiles this method on its
     * own (JIT-1).
     *
     * @param b null for a call that does not wait
     * @return bytes taken of that call's buffer
     */
    private int write(byte[] b, NonBlockingCall call, int offset, int length) throws IOException {
        if (!takesPath()) {
            boolean done = false;
            int taken = length;
            int before = connection.sendingOverTcp(b, call == null ? null : call.buffer, offset, length);
            try {
                if (b != null) {
                    connection.tcp().write(b, offset, length);
                } else {
                    taken = connection.tcp().tryWrite(call.buffer);
                }
                done = true;
            } catch (IOException e) {
                throw connection.isClosed() ? new SocketException("Socket closed") : e; // close() ends TCP's output first (END-4)
            } finally {
                tookTcp(done ? taken : -1);
            }
            if (b == null) {
                connection.triedOverTcp(before, taken);
            }
            return taken;
        }
        FastPath fast = path;
        int at = offset;
        int left = length;
        for (;;) {
            if (connection.isClosed()) {
                throw new SocketException("Socket closed");
            }
            if (shut && !tcpShut) {
                throw new SocketException("Broken pipe");
            }
            if (shut || fast.peerGone()) {
                return b != null ? writeToGonePeer(b, at, left) : tryWriteToGonePeer(call);
            }
            int n;
            try {
                n = b != null ? fast.send(b, at, left) : fast.trySend(connection.tcp(), call.buffer);
                if (n == 0 && b != null) {
                    n = fast.sendOrAwaitRoom(connection.tcp(), b, at, left);
                }
            } catch (SocketException e) {
                tellIfPeerDied();
                throw e;
            }
            if (b != null) {
                left -= n;
            } else if (n == 0) {
                if (fast.peerGone()) {
                    continue;
                }
                return 0;
            }
            uses++;
            ConnectionTable.sent(connection.row(), n);
            if (left == 0) {
                if (!watched) {
                    watched = connection.watchForIdleness();
                }
                if (connection.isClosed()) { // the stream's end may have been published before these bytes
                    throw new SocketException("Socket closed");
                }
                return n;
            }
            at += n;
            connection.partlyWritten(at - offset);
        }
    }

    // For a channel of java.nio, which writes to TCP by itself. Called under the lock.

    /** The caller has written to TCP. @param taken the bytes that TCP has taken; -1 if that is not known, because the write has failed */
    public void tookTcp(long taken) {
        if (taken < 0) {
            become(Phase.TCP_ONLY);
        } else if (taken > 0) {
            sent += taken;
            connection.sentOverTcp((int) Math.min(taken, Integer.MAX_VALUE));
        }
    }

    /**
     * The program is about to send a file over TCP, past this writer. Nobody counts these bytes, so this direction stays on TCP.
     *
     * @return false if this writer has to write the file's bytes: the direction has switched, or its first bytes are needed as a proof
     */
    public boolean sendsFileOverTcp() {
        boolean needed = connection.streamPrefix() != null && sent < COUNTED_MAX && connection.expectsPath();
        if (phase == Phase.TCP && !needed) {
            become(Phase.TCP_ONLY);
        }
        return phase == Phase.TCP_ONLY;
    }

    // For NonBlockingWriter. The methods behind tryLock() are called under the lock.

    boolean tryLock() {
        return lock.tryLock();
    }

    /** @return as {@link NonBlockingWriter#tryWrite} */
    int tryWrite(NonBlockingCall call) throws IOException {
        return write(null, call, 0, 0);
    }

    /** @return the path by which the next byte goes; null if it goes over TCP */
    FastPath pathOfNextByte() {
        FastPath fast = connection.path();
        boolean may = phase == Phase.TCP && !connection.isClosed(); // after a close its memory may have been freed
        return path != null || may && fast != null && fast.peerReady() ? fast : null;
    }

    /** Whether a write would take a byte or throw at once. */
    boolean isWritable(NonBlockingCall call) throws IOException {
        if (connection.isClosed() || shut) {
            return true;
        }
        FastPath fast = pathOfNextByte();
        if (fast == null) {
            return connection.tcp().isWritable();
        }
        return isWritableInPath(call) || !fast.peerGone() && connection.tcp().hasError(0);
    }

    /** As {@link #isWritable}, as far as the path tells; false if the next byte goes over TCP. */
    boolean isWritableInPath(NonBlockingCall call) throws IOException {
        if (connection.isClosed() || shut) {
            return connection.path() != null;
        }
        FastPath fast = pathOfNextByte();
        if (fast == null) {
            return false;
        }
        if (fast.peerGone()) { // TCP takes the first write, unless the path knows of a reset
            boolean first = phase == Phase.TCP || phase == Phase.FAST;
            return first && !fast.peerReset() || errorIsKnown(call);
        }
        return fast.writable();
    }

    /** Unlocks, and does what other threads have left to this one because they found the lock taken. */
    public void unlock() {
        lock.unlock();
        if (shut) {
            finish();
        }
        if (connection.isClosed()) {
            retire();
        }
    }

    /**
     * Writes to a peer that has gone, or after shutdownOutput. TCP decides what becomes of the bytes. The kernel takes the first write
     * after the peer's clean close. It reports a reset only once, to the reader or the writer.
     */
    private int writeToGonePeer(byte[] from, int offset, int length) throws IOException {
        int taken = 0;
        if (phase == Phase.FAST && !path.peerReset()) {
            taken = Math.min(length, takenByTcp());
            connection.tcp().write(from, offset, taken);
        }
        if (taken < length) {
            awaitError();
            connection.tcp().write(from, offset + taken, length - taken);
        }
        return length;
    }

    /** As {@link #writeToGonePeer}, but does not wait. @return bytes taken */
    private int tryWriteToGonePeer(NonBlockingCall call) throws IOException {
        ByteBuffer from = call.buffer;
        if (phase == Phase.FAST && !path.peerReset()) {
            int limit = from.limit();
            from.limit(from.position() + Math.min(from.remaining(), takenByTcp()));
            try {
                return connection.tcp().tryWrite(from);
            } finally {
                from.limit(limit);
            }
        }
        if (!errorIsKnown(call)) {
            return 0;
        }
        awaitError();
        return connection.tcp().tryWrite(from);
    }

    /** The first write to a peer that has gone. @return how many bytes TCP takes of it without blocking */
    private int takenByTcp() throws IOException {
        tellIfPeerDied();
        become(Phase.BROKEN);
        return connection.tcp().getOption(StandardSocketOptions.SO_SNDBUF) / 4;
    }

    /** The peer has gone, or the path has failed. The first call tells of a death. */
    private void tellIfPeerDied() {
        if (phase == Phase.FAST && path.peerDied()) {
            become(Phase.BROKEN);
            Stats.peerDied(connection.row(), false);
        }
    }

    /** Waits until it is known how TCP ends a write that no process will read. @throws SocketException that ends it, unless TCP does */
    private void awaitError() throws SocketException {
        errorIsKnown(null);
        if (tcpShut) { // TCP knows that
            return;
        }
        if (connection.isClosed()) {
            throw new SocketException("Socket closed");
        }
        if (shut || tcpIsMute) {
            throw new SocketException("Broken pipe");
        }
    }

    /**
     * Whether it is known how a write ends that no process will read. If TCP doesn't know after a second it never will. Then it would take
     * bytes until its buffers are full, and block.
     *
     * @param call looks once; without one the method waits for up to a second, and returns true
     */
    private boolean errorIsKnown(NonBlockingCall call) {
        if (tcpShut || shut || tcpIsMute || (call != null ? connection.tcp().hasError(0) : connection.tcp().awaitError(0, Deadline.NONE))) {
            return true;
        }
        tcpIsMute = call == null || call.isErrorOverdue();
        return tcpIsMute;
    }

    @Override
    public long uses() {
        return uses;
    }

    @Override
    public boolean trim(boolean idle) {
        if (!lock.tryLock()) {
            return false;
        }
        try {
            if (!connection.isClosed()) {
                path.trim(idle);
            }
            watched = !idle; // not after an unexpected failure, because the watch looks again then
        } catch (IOException e) { // the peer broke the protocol; the next call on this connection reports it
            watched = !idle;
        } finally {
            unlock();
        }
        return true;
    }

    /**
     * Writes an urgent byte. It goes over TCP if this direction has not switched. The counts of stream bytes can't be trusted
     * after it, so this direction then never switches (SWITCH-4). After the switch the urgent byte is a byte like any other
     * if the peer wants it in the stream. Otherwise it is dropped, because the peer would discard it. If the output is shut
     * down or the peer has gone, TCP decides what becomes of the byte.
     */
    public void writeUrgent(int b) throws IOException {
        lock.lock(); // for TCP's part too: a thread that closes meanwhile leaves its last steps to unlock()
        try {
            FastPath fast = path;
            if (fast != null && !shut && !connection.isClosed() && !fast.peerGone()) {
                if (fast.peerTakesUrgent()) {
                    write(b);
                    return;
                }
                if (!connection.tcp().hasError(0)) {
                    return;
                } // otherwise TCP has been reset, and the path may not know it yet
            }
            if (fast == null) {
                become(Phase.TCP_ONLY);
            } else if (shut) {
                finish(); // which ends TCP's output, because the byte must not leave by TCP
            } else if (!connection.isClosed() && fast.peerReset()) {
                awaitError();
            }
            connection.tcp().sendUrgentData(b);
        } finally {
            unlock();
        }
    }

    /**
     * For shutdownOutput. The path's FIN comes after the last byte and before TCP's own, because a peer that sees TCP's end first takes
     * this process for dead (END-3). If a writer holds the lock, that writer does both when it leaves.
     *
     * @return false if this direction is on TCP, whose output the caller shuts down
     */
    boolean shut() {
        shut = true;
        if (!phase.hasSwitched()) {
            return false;
        }
        connection.path().wake();
        Step.OUTPUT_SHUT.reached();
        finish();
        return true;
    }

    /** Called when a caller outside has shut down TCP's output, as after a {@link #shut} that returned false. */
    void tcpIsShut() {
        tcpShut = true;
    }

    public boolean isShut() {
        return shut;
    }

    boolean isTcpShut() {
        return tcpShut;
    }

    @Override
    public void close() throws IOException {
        connection.close();
    }

    private void finish() {
        if (!phase.hasSwitched() || !lock.tryLock()) {
            return; // this direction is on TCP, or the thread that holds the lock does it
        }
        boolean first = phase != Phase.ENDED;
        try {
            if (first) {
                become(Phase.ENDED);
                path.finish(false);
            }
        } finally {
            lock.unlock();
        }
        if (first) {
            Closer.shutdownOutput(connection.tcp());
            tcpShut = true;
            Step.TCP_OUTPUT_SHUT.reached();
            connection.endReceivingIfNothingIsSent();
        }
        if (connection.isClosed()) {
            retire();
        }
    }

    /** Called after close. If no thread is writing now, none will write any more. Otherwise the writer calls this when it leaves. */
    void retire() {
        FastPath attached = connection.path();
        if (attached != null && lock.tryLock()) {
            try {
                attached.retireSender();
            } finally {
                lock.unlock();
            }
        }
    }
}

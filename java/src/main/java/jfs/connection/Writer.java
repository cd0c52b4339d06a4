package jfs.connection;

import java.io.IOException;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.util.Objects;
import java.util.concurrent.locks.ReentrantLock;
import jfs.monitor.ConnectionTable;
import jfs.spi.Claim;
import jfs.spi.FastPath;
import jfs.stat.Stats;
import jfs.steps.Step;

/**
 * The sending half of a connection. Its bytes go over TCP until a write finds that the peer's receiver is ready. That write and all later
 * ones go by the fast path. The direction switches once, under the write lock, and its count stays (SWITCH-2, SWITCH-4). {@link
 * WriterState} draws its phases.
 *
 * <p>Semantics are those of {@code sun.nio.ch.NioSocketImpl}: one writer at a time, all bytes or an exception, "Broken pipe" when the peer
 * will not read, asynchronous close with "Socket closed". {@link NonBlockingWriter} is for callers that must not block.
 */
public final class Writer extends WriterState implements IdleWatch.Watched {

    /** After so many bytes over TCP no first byte is needed as a proof any more: the peer would have offered a path by now. */
    private static final long COUNTED_MAX = 16 << 20;

    // Guarded by lock.
    private boolean watched;
    private int uses;
    /** From where a write of one byte takes it. Made for the first such write. */
    private byte[] one;

    Writer(Connection connection, ReentrantLock lock) {
        super(connection, lock);
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
            if (left == 0) {
                sent(n);
                return n;
            }
            uses++;
            ConnectionTable.sent(connection.row(), n);
            at += n;
            connection.partlyWritten(at - offset);
        }
    }

    /** The path has taken the last bytes of a write. */
    private void sent(int bytes) throws SocketException {
        uses++;
        ConnectionTable.sent(connection.row(), bytes);
        if (!watched) {
            watched = connection.watchForIdleness();
        }
        if (connection.isClosed()) { // the stream's end may have been published before these bytes
            throw new SocketException("Socket closed");
        }
    }

    // For a caller that puts bytes where they go by itself.

    /** Waits until no other thread writes. {@link #unlock} follows. A thread that has the lock may take it again. */
    public void lock() {
        lock.lock();
    }

    /** As {@link #write(byte[], int, int)}, under the lock. @param length above 0 */
    public void writeLocked(byte[] b, int offset, int length) throws IOException {
        write(b, null, offset, length);
    }

    /**
     * Gives the caller a piece of the path's memory for the next bytes, which {@link #commit} then sends. Called under the lock, which the
     * caller keeps until then. May wait for room for a moment.
     *
     * @return false if the caller has to write its bytes by {@link #write(byte[], int, int)}: they go over TCP, the path shows no memory,
     *         or it has no room now
     * @throws IOException as a write
     */
    public boolean claim(Claim into, int least, int most) throws IOException {
        return takesPath() && !connection.isClosed() && !shut && !path.peerGone() && path.claim(into, least, most);
    }

    /**
     * Sends the first bytes of the piece. Called under the lock.
     *
     * @param more whether the caller sends more at once, under the same lock: see {@link FastPath#commit}
     * @throws IOException as a write; then nothing of the piece is sent
     */
    public void commit(int bytes, boolean more) throws IOException {
        if (connection.isClosed()) {
            throw new SocketException("Socket closed");
        }
        if (shut) {
            throw new SocketException("Broken pipe");
        }
        try {
            path.commit(bytes, more);
        } catch (SocketException e) {
            tellIfPeerDied();
            throw e;
        }
        sent(bytes);
    }

    /** Whether the connection is closed. Then its path's memory may not be mapped any more, once no thread has the lock. */
    public boolean isClosed() {
        return connection.isClosed();
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

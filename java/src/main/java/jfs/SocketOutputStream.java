package jfs;

import java.io.IOException;
import java.io.OutputStream;
import java.net.SocketException;
import java.net.StandardSocketOptions;
import java.util.Objects;
import java.util.concurrent.locks.ReentrantLock;
import jfs.spi.FastPath;
import jfs.stat.Stats;
import jfs.steps.Step;
import jfs.transport.tcp.TcpEnd;
import jfs.wait.Deadline;
import jfs.wait.IdleWatch;

/**
 * The sending half of a connection. Its bytes go over TCP until a write finds that the peer's receiver is ready. That
 * write and all later ones go by the fast path. The direction switches once, under the write lock, and the count does not
 * change afterwards. The direction never switches after a TCP write that threw, after an urgent byte, or after its output
 * was shut down (SWITCH-2, SWITCH-4).
 *
 * <p>Semantics are those of {@code sun.nio.ch.NioSocketImpl}: one writer at a time, all bytes or an exception,
 * "Broken pipe" when the peer will not read, asynchronous close with "Socket closed".
 */
final class SocketOutputStream extends OutputStream implements IdleWatch.Watched {

    private final JFSSocketImpl socket;
    /** The write lock of the TCP socket. */
    private final ReentrantLock lock;

    /** Set at the switch, under the lock. */
    private volatile FastPath path;
    private volatile boolean shut;
    /** TCP's output is shut down too, so no byte can leave by TCP any more. */
    private volatile boolean tcpShut;

    // Guarded by lock.
    private long sent;
    private boolean staysOnTcp;
    private boolean finished;
    private boolean wroteToNobody;
    /** Whether a wait for an error of TCP was in vain, because a device on the way has lost the connection. */
    private boolean tcpIsMute;
    private long uses;
    private boolean watched;

    SocketOutputStream(JFSSocketImpl socket, TcpEnd tcp) {
        this.socket = socket;
        this.lock = tcp.writeLock();
    }

    @Override
    public void write(int b) throws IOException {
        write(new byte[] {(byte) b}, 0, 1);
    }

    /** The JIT compiles this method on its own (JIT-1). */
    @Override
    public void write(byte[] b, int offset, int length) throws IOException {
        Objects.checkFromIndexSize(offset, length, b.length);
        if (length == 0) {
            return;
        }
        lock.lock();
        try {
            FastPath fast = path;
            if (fast == null) {
                fast = socket.path();
                boolean switches = fast != null && !staysOnTcp && !shut && !socket.closed();
                if (switches && !fast.peerReady()) {
                    socket.lookAtPath();
                    switches = false;
                }
                if (!switches) {
                    writeTcp(b, offset, length);
                    return;
                }
                path = fast;
                // This thread sets path, then looks at shut. shut() sets shut, then looks at path. So at least one of them sees the
                // other's store. If shut() has seen path, it leaves TCP's output to finish(), in unlock(). So path must stay set.
                if (shut) {
                    throw new SocketException("Broken pipe");
                }
                fast.switchAt(sent); // before any byte is in the path (SWITCH-2)
                Step.SWITCH_PUBLISHED.reached();
                Stats.switchedOut(fast.transport(), socket, sent);
            }
            int at = offset;
            int left = length;
            for (;;) {
                if (socket.closed()) {
                    throw new SocketException("Socket closed");
                }
                if (shut && !tcpShut) {
                    throw new SocketException("Broken pipe");
                }
                if (shut || fast.peerGone()) {
                    writeToNobody(fast, b, at, left);
                    return;
                }
                int n = fast.send(b, at, left);
                if (n == 0) {
                    n = fast.sendOrAwaitRoom(socket.tcp(), b, at, left);
                }
                uses++;
                left -= n;
                if (left == 0) {
                    if (!watched) {
                        watched = true;
                        socket.idleWatch().add(this);
                    }
                    if (socket.closed()) { // the stream's end may have been published before these bytes
                        throw new SocketException("Socket closed");
                    }
                    return;
                }
                at += n;
            }
        } finally {
            unlock();
        }
    }

    /** Unlocks, and does what other threads have left to this one because they found the lock taken. */
    private void unlock() {
        lock.unlock();
        if (shut) {
            finish();
        }
        if (socket.closed()) {
            retire();
        }
    }

    private void writeTcp(byte[] from, int offset, int length) throws IOException {
        boolean done = false;
        socket.sendingOverTcp(from, offset, length);
        try {
            socket.tcp().write(from, offset, length);
            done = true;
        } catch (IOException e) {
            throw socket.closed() ? new SocketException("Socket closed") : e; // close() ends TCP's output first (END-4)
        } finally {
            staysOnTcp |= !done;
        }
        sent += length;
        socket.sentOverTcp(length);
    }

    /**
     * Writes to a peer that has gone, or after shutdownOutput. TCP decides what becomes of the bytes. The kernel takes the first write
     * after the peer's clean close. It reports a reset only once, to the reader or the writer.
     */
    private void writeToNobody(FastPath fast, byte[] from, int offset, int length) throws IOException {
        int taken = 0;
        if (!tcpShut && !fast.peerReset() && !wroteToNobody) {
            wroteToNobody = true;
            taken = Math.min(length, socket.tcp().getOption(StandardSocketOptions.SO_SNDBUF) / 4); // so many never block
            socket.tcp().write(from, offset, taken);
        }
        if (taken < length) {
            awaitError();
            socket.tcp().write(from, offset + taken, length - taken);
        }
    }

    /**
     * Waits until TCP knows that the peer won't read. If TCP doesn't know after a second it never will. Then it would take
     * bytes that no process reads until its buffers are full, and block.
     */
    private void awaitError() throws SocketException {
        if (tcpShut) { // TCP knows that
            return;
        }
        tcpIsMute = tcpIsMute || !shut && !socket.tcp().awaitError(0, Deadline.NONE);
        if (socket.closed()) {
            throw new SocketException("Socket closed");
        }
        if (shut || tcpIsMute) {
            throw new SocketException("Broken pipe");
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
            watched = !idle;
            if (!socket.closed()) {
                path.trim(idle);
            }
        } catch (IOException e) {
            // The peer broke the protocol. The next call on this connection reports it.
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
    void writeUrgent(int b) throws IOException {
        lock.lock(); // for TCP's part too: a thread that closes meanwhile leaves its last steps to unlock()
        try {
            FastPath fast = path;
            if (fast != null && !shut && !socket.closed() && !fast.peerGone()) {
                if (fast.peerTakesUrgent()) {
                    write(b);
                }
                return;
            }
            if (fast == null) {
                staysOnTcp = true;
            } else if (shut) {
                finish(); // which ends TCP's output, because the byte must not leave by TCP
            } else if (!socket.closed() && fast.peerReset()) {
                awaitError();
            }
            socket.tcp().sendUrgentData(b);
        } finally {
            unlock();
        }
    }

    /**
     * For shutdownOutput. The path's FIN comes after the last byte and before TCP's own, because a peer that sees TCP's end
     * first takes this process for dead (END-3). So if a writer holds the lock, that writer does both when it leaves.
     *
     * @return false if this direction is on TCP, whose output the caller shuts down
     */
    boolean shut() {
        shut = true;
        FastPath fast = path;
        if (fast == null) {
            return false;
        }
        fast.wake();
        Step.OUTPUT_SHUT.reached();
        finish();
        return true;
    }

    /** Called when a caller outside has shut down TCP's output, as after a {@link #shut} that returned false. */
    void tcpIsShut() {
        tcpShut = true;
    }

    boolean isTcpShut() {
        return tcpShut;
    }

    private void finish() {
        if (path == null || !lock.tryLock()) {
            return; // this direction is on TCP, or the thread that holds the lock does it
        }
        boolean first = !finished && path != null;
        try {
            if (first) {
                finished = true;
                path.finish(false);
            }
        } finally {
            lock.unlock();
        }
        if (first) {
            socket.shutdownTcpOutput();
            tcpShut = true;
            Step.TCP_OUTPUT_SHUT.reached();
            socket.endReceivingIfNothingIsSent();
        }
        if (socket.closed()) {
            retire();
        }
    }

    /** Called after close. If no thread is writing now, none will write any more. Otherwise the writer calls this when it leaves. */
    void retire() {
        FastPath attached = socket.path();
        if (attached != null && lock.tryLock()) {
            try {
                attached.retireSender();
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

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
 * The sending half of a connection. Its bytes go by TCP until a write finds that the peer's receiver is ready; that
 * write and all later ones go by the fast path. Switched and count change under the write lock only, once, and a TCP
 * write that threw, an urgent byte or a shut-down end means that this direction never switches (SWITCH-2, SWITCH-4).
 *
 * <p>Semantics are those of {@code sun.nio.ch.NioSocketImpl}: one writer at a time, all bytes or an exception,
 * "Broken pipe" when nobody will read, asynchronous close with "Socket closed".
 */
final class SocketOutputStream extends OutputStream implements IdleWatch.Watched {

    private final JFSSocketImpl socket;
    /** TCP's own. */
    private final ReentrantLock lock;

    /** Set at the switch, under the lock. */
    private volatile FastPath path;
    private volatile boolean shut;
    /** TCP's output is shut down too: no byte gets out by it any more. */
    private volatile boolean tcpShut;

    // Guarded by lock.
    private long sent;
    private boolean staysOnTcp;
    private boolean finished;
    private boolean wroteToNobody;
    /** Whether TCP was waited for in vain: something on the way has lost the connection. */
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

    /** Compiled on its own (JIT-1). */
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
                // Looked at after path is set, as shut() looks at path after shut is set: at least one sees the other. If shut()
                // saw path it leaves TCP's output to finish(), on our way out; so path must stay set.
                if (shut) {
                    throw new SocketException("Broken pipe");
                }
                fast.switchAt(sent); // before any byte of it is in the path (SWITCH-2)
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
                    if (socket.closed()) { // then its end may have been published before these bytes
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

    /** And does what others, who found it locked, have left to us. */
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
     * What becomes of a write to a peer that is gone, or after shutdownOutput, is TCP's to say. The kernel takes a first
     * one after a clean close, and tells of a reset once, reader or writer.
     */
    private void writeToNobody(FastPath fast, byte[] from, int offset, int length) throws IOException {
        int taken = 0;
        if (!tcpShut && !fast.peerReset() && !wroteToNobody) {
            wroteToNobody = true;
            taken = Math.min(length, socket.tcp().getOption(StandardSocketOptions.SO_SNDBUF) / 4); // which never blocks
            socket.tcp().write(from, offset, taken);
        }
        if (taken < length) {
            awaitError();
            socket.tcp().write(from, offset + taken, length - taken);
        }
    }

    /**
     * Until TCP knows that nobody reads. If it doesn't after a second it won't: it would take bytes for nobody until its
     * buffers are full, and then block.
     */
    private void awaitError() throws SocketException {
        if (tcpShut) { // which TCP knows
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
            // The peer broke the protocol: the next one who uses this connection is told.
        } finally {
            unlock();
        }
        return true;
    }

    /**
     * An urgent byte. It goes by TCP unless this direction has switched, and counts of stream bytes can't be trusted
     * after it, so then it never will (SWITCH-4). Afterwards it is a byte like any other if the peer wants it in place, and
     * else nothing, as the peer would discard it. With nobody there to get it, it is TCP that says what becomes of it.
     */
    void writeUrgent(int b) throws IOException {
        lock.lock(); // for TCP's part too: who closes meanwhile leaves to us what comes after
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
                finish(); // no byte may get out by TCP
            } else if (!socket.closed() && fast.peerReset()) {
                awaitError();
            }
            socket.tcp().sendUrgentData(b);
        } finally {
            unlock();
        }
    }

    /**
     * shutdownOutput. The path's FIN comes after the last byte and before TCP's own: a peer that sees TCP's end first
     * takes us for dead (END-3). So a writer that is inside does both on its way out.
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

    /** By the caller, when {@link #shut} has left it to it. */
    void tcpIsShut() {
        tcpShut = true;
    }

    boolean isTcpShut() {
        return tcpShut;
    }

    private void finish() {
        if (path == null || !lock.tryLock()) {
            return; // on TCP, or the one who holds the lock will
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

    /** After close: if nobody is writing, nobody will; else the writer does this on its way out. */
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

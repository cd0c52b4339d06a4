package jfs;

import java.io.IOException;
import java.io.OutputStream;
import java.net.SocketException;
import java.util.Objects;
import java.util.concurrent.locks.ReentrantLock;
import jfs.spi.FastPath;
import jfs.stat.Stats;
import jfs.wait.IdleWatch;

/**
 * The sending half of a connection. Its bytes go by TCP until a write finds that the peer's receiver is ready; that
 * write and all later ones go by the fast path. Switched and count change under the write lock only, once, and a TCP
 * write that threw, an urgent byte or a shut-down end means that this direction never switches (R6, R8).
 *
 * <p>Semantics are those of {@code sun.nio.ch.NioSocketImpl}: one writer at a time, all bytes or an exception,
 * "Broken pipe" when nobody will read, asynchronous close with "Socket closed".
 */
final class SocketOutputStream extends OutputStream implements IdleWatch.Watched {

    private final JFSSocketImpl socket;
    private final ReentrantLock lock = new ReentrantLock();

    /** Set at the switch, under the lock. */
    private volatile FastPath path;
    private volatile boolean shut;

    // Guarded by lock.
    private OutputStream tcp;
    private long sent;
    private boolean staysOnTcp;
    private boolean finished;
    private boolean resetSeen;
    private long uses;
    private boolean watched;

    SocketOutputStream(JFSSocketImpl socket) {
        this.socket = socket;
    }

    @Override
    public void write(int b) throws IOException {
        write(new byte[] {(byte) b}, 0, 1);
    }

    @Override
    public void write(byte[] from, int offset, int length) throws IOException {
        Objects.checkFromIndexSize(offset, length, from.length);
        if (length == 0) {
            return;
        }
        lock.lock();
        try {
            FastPath fast = path;
            if (fast == null) {
                fast = trySwitch();
            }
            if (fast == null) {
                writeTcp(from, offset, length);
            } else {
                writeFast(fast, from, offset, length);
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

    /** @return the path if this direction uses it from now on */
    private FastPath trySwitch() throws SocketException {
        FastPath attached = socket.path();
        if (attached == null || staysOnTcp || socket.closed() || !attached.peerReady()) {
            return null;
        }
        path = attached;
        // Looked at after path is set, as shut() looks at path after shut is set: at least one sees the other. If shut()
        // saw path it leaves TCP's output to finish(), on our way out; so path must stay set.
        if (shut) {
            throw new SocketException("Broken pipe");
        }
        attached.switchAt(sent);
        Stats.switchedOut(attached.transport(), socket, sent);
        return attached;
    }

    private void writeTcp(byte[] from, int offset, int length) throws IOException {
        boolean done = false;
        try {
            if (tcp == null) {
                tcp = socket.tcp().getOutputStream();
            }
            tcp.write(from, offset, length);
            done = true;
        } finally {
            staysOnTcp |= !done;
        }
        sent += length;
        socket.sentOverTcp(length);
    }

    private void writeFast(FastPath fast, byte[] from, int offset, int length) throws IOException {
        int at = offset;
        int left = length;
        for (;;) {
            if (socket.closed()) {
                throw new SocketException("Socket closed");
            }
            if (shut || fast.peerGone()) {
                boolean news = !shut && !resetSeen && fast.peerReset();
                resetSeen |= news; // the kernel tells a writer once
                throw new SocketException(news ? "Connection reset by peer" : "Broken pipe");
            }
            int n = fast.send(from, at, left);
            if (n == 0) {
                n = fast.sendOrAwaitRoom(socket.tcpEnd(), from, at, left);
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
    }

    @Override
    public long uses() {
        return uses;
    }

    @Override
    public boolean trim() {
        if (!lock.tryLock()) {
            return false;
        }
        try {
            watched = false;
            if (!socket.closed()) {
                path.trim();
            }
        } catch (IOException e) {
            // The peer broke the protocol: the next one who uses this connection is told.
        } finally {
            unlock();
        }
        return true;
    }

    /**
     * Before an urgent byte. It goes by TCP unless this direction has switched, and counts of stream bytes can't be
     * trusted after it, so then it never will (R8).
     *
     * @return the path if this direction has switched
     */
    FastPath beforeUrgent() {
        lock.lock();
        try {
            staysOnTcp = true;
            return path;
        } finally {
            unlock();
        }
    }

    /**
     * shutdownOutput. The path's FIN comes after the last byte and before TCP's own: a peer that sees TCP's end first
     * takes us for dead (R14). So a writer that is inside does both on its way out.
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
        finish();
        return true;
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

package jfs.transport.tcp;

import java.io.IOException;
import java.net.InetAddress;
import java.net.SocketException;
import java.net.SocketOption;
import java.nio.ByteBuffer;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import jfs.nativelib.Posix;
import jfs.spi.TcpDescriptor;
import jfs.threads.VirtualThreads;
import jfs.wait.Deadline;
import jfs.wait.News;
import jfs.wait.Sleepers;

/**
 * The TCP of one end of a connection. It keeps its descriptor open while JFS itself uses it in a system call (END-4). The JDK closes a
 * descriptor when none of <em>its</em> readers and writers is inside. A poll of JFS's is not in that count. It would find itself on a
 * number that another socket has got meanwhile. So this class counts the users, and the last one closes the socket.
 *
 * <p>The {@linkplain News news} is that a read would not block. A thread that asks for it has acquired the descriptor.
 */
public abstract class TcpEnd implements TcpDescriptor, News {

    private static final int CLOSED = 1 << 30;
    /** How long {@link #awaitError} waits at most: long enough for a peer's threads to release its descriptor. */
    public static final int ERROR_MILLIS_MAX = 1_000;
    private static final int LOOK_MILLIS = 20;
    /** The most bytes that {@link #tryRead} copies at once. */
    private static final int COPIED_AT_ONCE = 8 << 10;
    private static final long BETWEEN_LOOKS_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    private static final AtomicIntegerFieldUpdater<TcpEnd> USERS = AtomicIntegerFieldUpdater.newUpdater(TcpEnd.class, "users");

    /** The number of present users of the descriptor, plus CLOSED once a close was asked for. Written by {@link #USERS}. */
    private volatile int users;
    private boolean accepted;

    protected TcpEnd() {
    }

    /**
     * The lock that a thread holds while it reads, connects or accepts. A thread that holds it already may make these calls. The caller
     * calls this method once and keeps the lock, because each call makes a new lock where the JDK's own socket has none.
     */
    public abstract ReentrantLock readLock();

    /** The lock that a thread holds while it writes or sends urgent data; otherwise as {@link #readLock}. */
    public abstract ReentrantLock writeLock();

    /**
     * Blocks until there is a byte, at most SO_TIMEOUT.
     *
     * @return the number of bytes, or -1 at the end
     */
    public abstract int read(byte[] into, int offset, int length) throws IOException;

    /** Writes all bytes, or throws. Blocks while TCP has no room. */
    public abstract void write(byte[] from, int offset, int length) throws IOException;

    public abstract int available() throws IOException;

    /** Blocks for SO_LINGER only. Wakes every blocked call. Idempotent. */
    public abstract void close() throws IOException;

    public abstract void shutdownInput() throws IOException;

    public abstract void shutdownOutput() throws IOException;

    public abstract void sendUrgentData(int data) throws IOException;

    /** The old option interface, numbers as in {@link java.net.SocketOptions}. */
    public abstract void setOption(int option, Object value) throws SocketException;

    /** The old option interface, numbers as in {@link java.net.SocketOptions}. */
    public abstract Object getOption(int option) throws SocketException;

    public abstract <T> void setOption(SocketOption<T> option, T value) throws IOException;

    public abstract <T> T getOption(SocketOption<T> option) throws IOException;

    public abstract Set<SocketOption<?>> supportedOptions();

    public abstract InetAddress getInetAddress();

    public abstract int getPort();

    public abstract int getLocalPort();

    /** Whether the socket is connected to a SOCKS proxy. The proxy's handshake went over this TCP connection, and is in no count. */
    public abstract boolean proxied();

    /**
     * Whether a close that finds unread bytes first shows the peer the end of the stream, and then the reset, as {@code NioSocketImpl}
     * does. Otherwise it shows the reset at once, as the kernel does.
     */
    public boolean showsEndBeforeReset() {
        return true;
    }

    /**
     * The number of the descriptor; -1 if there is none or it can't be known. The number is valid only until {@link #close}. A
     * caller that passes it to a system call must keep a close from happening meanwhile ({@link #acquire}).
     */
    public abstract int descriptor();

    /**
     * Called once, when the socket is connected, before any thread reads or writes.
     *
     * @param accepted whether a listener has accepted the connection. Otherwise this end has connected
     */
    public final void connected(boolean accepted) {
        this.accepted = accepted;
        OwnDescriptors.add(descriptor(), getLocalPort());
    }

    public final boolean isAccepted() {
        return accepted;
    }

    @Override
    public final int acquire() {
        for (;;) {
            int now = users;
            if ((now & CLOSED) != 0) {
                return -1;
            }
            if (USERS.compareAndSet(this, now, now + 1)) {
                int descriptor = descriptor();
                if (descriptor < 0) { // the socket has none any more, and the caller has nothing to release
                    release();
                }
                return descriptor;
            }
        }
    }

    @Override
    public final void release() {
        if (USERS.decrementAndGet(this) == CLOSED) {
            try {
                close();
            } catch (IOException ignored) {
                // Ignored, as by NioSocketImpl when its last reader or writer finishes a close: no caller is left that could be told.
            }
        }
    }

    @Override
    public final boolean hasEvent() {
        return Sleepers.look(this, Posix.POLLIN) != 0;
    }

    /**
     * Reads what is there, and does not wait. Called under the read lock. A read does not block after the kernel has said so, because no
     * other thread reads.
     *
     * @param into its position is moved behind the bytes read
     * @param most the most bytes, no more than the buffer has remaining
     * @return the number of bytes, -1 at the end, 0 if there are none now
     */
    public int tryRead(ByteBuffer into, int most) throws IOException {
        int fd = acquire();
        if (fd >= 0) { // else the read tells that the socket is closed
            try {
                if (!arrived()) {
                    return 0;
                }
            } finally {
                release();
            }
        }
        if (into.hasArray()) {
            int n = read(into.array(), into.arrayOffset() + into.position(), most);
            into.position(into.position() + Math.max(n, 0));
            return n;
        }
        byte[] part = new byte[Math.min(most, COPIED_AT_ONCE)];
        int n = read(part, 0, part.length);
        if (n > 0) {
            into.put(part, 0, n);
        }
        return n;
    }

    /**
     * Writes what TCP has room for, some of it at least, and does not wait. Called under the write lock.
     *
     * @param from its position is moved behind the bytes written
     * @return the number of bytes, 0 if there is no room now
     * @throws SocketException with errno's text, as the JDK's sockets
     */
    public int tryWrite(ByteBuffer from) throws IOException {
        int fd = acquire();
        if (fd < 0) {
            throw new SocketException("Socket closed");
        }
        int n;
        try {
            byte[] part = new byte[Math.min(from.remaining(), Posix.MESSAGE_MAX)]; // one call: a second one might take away an error
            from.get(from.position(), part);
            n = Posix.send(fd, part, part.length);
        } finally {
            release();
        }
        if (n < 0 && n != -Posix.EAGAIN) {
            throw new SocketException(Posix.errorText(-n));
        }
        from.position(from.position() + Math.max(n, 0));
        return Math.max(n, 0);
    }

    /** Whether TCP takes bytes now, or has an error. False if the socket is closed. Makes a system call and does not wait. */
    public final boolean isWritable() {
        return Sleepers.look(this, Posix.POLLOUT) != 0;
    }

    /**
     * Whether TCP has an error, or one of these events of poll(2). True if the socket is closed. Makes a system call and does not wait.
     */
    public final boolean hasError(int events) {
        int fd = acquire();
        if (fd < 0) {
            return true;
        }
        try {
            return Posix.poll(fd, events, -1, 0, 0) != 0;
        } finally {
            release();
        }
    }

    /**
     * Waits until TCP has an error, because the peer is just resetting the connection, but no longer than a second. A virtual
     * thread leaves its carrier meanwhile, and its interrupt ends the wait.
     *
     * @param events events of poll(2) that also end the wait
     * @param deadline may end the wait earlier
     * @return false if TCP still has no error: then a device on the way has kept it back, and TCP will not report it. True if TCP
     *         has an error or an event, if the socket is closed, or after an interrupt: then TCP's next call says what that means
     */
    public final boolean awaitError(int events, long deadline) {
        int fd = acquire();
        if (fd < 0) {
            return true;
        }
        try {
            long until = Deadline.earlier(deadline, Deadline.in(ERROR_MILLIS_MAX));
            while (!hasError(fd, events, LOOK_MILLIS)) {
                if (Deadline.hasPassed(until)) {
                    return hasError(fd, events, 0); // the error may have come while this thread had no processor
                }
            }
            return true;
        } finally {
            release();
        }
    }

    @Override
    public final boolean arrived() {
        return Posix.poll(descriptor(), Posix.POLLIN, -1, 0, 0) != 0;
    }

    /** Waits a moment if there is no error, not longer: a poll does not notice a close, and the close waits for the poll to end. */
    private boolean hasError(int fd, int events, int millis) {
        boolean virtual = VirtualThreads.isCurrent();
        if (Posix.poll(fd, events, -1, 0, virtual ? 0 : millis) != 0 || (users & CLOSED) != 0) {
            return true;
        }
        if (virtual) { // looks now and then: the poller may be watching the descriptor for another thread, and the wait is short
            LockSupport.parkNanos(BETWEEN_LOOKS_NANOS);
        }
        return virtual && Thread.currentThread().isInterrupted();
    }

    /**
     * Closes the socket, now or when the last user has released it. That user may have to wait for a core, but the peer does
     * not wait for it: TCP tells the peer at once what a close tells. Blocks for SO_LINGER only.
     */
    public final void closeWhenUnused() throws IOException {
        int now;
        boolean tells;
        do {
            now = users;
            tells = now != 0 && (now & CLOSED) == 0; // then this thread uses the descriptor too
        } while (!USERS.compareAndSet(this, now, tells ? (now | CLOSED) + 1 : now | CLOSED));
        if (now == 0) {
            close();
        } else if (tells) {
            try {
                int fd = descriptor();
                if (fd >= 0) {
                    Posix.tcpEnd(fd, showsEndBeforeReset());
                } // otherwise no user has a descriptor either
            } finally {
                release();
            }
        }
    }
}

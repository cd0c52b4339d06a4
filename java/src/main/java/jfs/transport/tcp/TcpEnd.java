package jfs.transport.tcp;

import java.io.IOException;
import java.net.StandardSocketOptions;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import java.util.concurrent.locks.LockSupport;
import jfs.nativelib.Posix;
import jfs.spi.TcpDescriptor;
import jfs.wait.Deadline;
import jfs.wait.VirtualThreads;

/**
 * Keeps a connection's descriptor alive while JFS itself uses it in a system call (R15). The JDK closes a descriptor
 * when none of <em>its</em> readers and writers is inside; a poll of ours is not in that count, and would find itself
 * on a number that another socket has got since. So users are counted here, and the last one out closes.
 */
public final class TcpEnd implements TcpDescriptor {

    private static final int CLOSED = 1 << 30;
    /** Long enough for a peer's threads to let go of its descriptor. */
    private static final int ERROR_MILLIS_MAX = 1_000;
    private static final int LOOK_MILLIS = 20;
    private static final long BETWEEN_LOOKS_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    /** All that are not closed. Weakly: a socket nobody refers to is still collected. Guarded by itself. */
    private static final Set<TcpEnd> OPEN = Collections.newSetFromMap(new WeakHashMap<>());

    private static final AtomicIntegerFieldUpdater<TcpEnd> USERS = AtomicIntegerFieldUpdater.newUpdater(TcpEnd.class, "users");

    private final TcpSocket tcp;
    /** How many use the descriptor now, plus CLOSED once close was asked for. Written by {@link #USERS}. */
    private volatile int users;

    public TcpEnd(TcpSocket tcp) {
        this.tcp = tcp;
        synchronized (OPEN) {
            OPEN.add(this);
        }
    }

    /** Those of all JFS sockets of this process, for comparing numbers only; -1 among them is one that isn't known. */
    static Set<Integer> descriptors() {
        List<TcpEnd> open;
        synchronized (OPEN) {
            open = List.copyOf(OPEN);
        }
        Set<Integer> numbers = new HashSet<>();
        for (TcpEnd end : open) {
            numbers.add(end.tcp.descriptor());
        }
        return numbers;
    }

    @Override
    public int acquire() {
        for (;;) {
            int now = users;
            if ((now & CLOSED) != 0) {
                return -1;
            }
            if (USERS.compareAndSet(this, now, now + 1)) {
                int descriptor = tcp.descriptor();
                if (descriptor < 0) { // none any more: there is nothing that a caller would release
                    release();
                }
                return descriptor;
            }
        }
    }

    @Override
    public void release() {
        if (USERS.decrementAndGet(this) == CLOSED) {
            try {
                tcp.close();
            } catch (IOException ignored) {
                // As NioSocketImpl when its last reader or writer finishes a close: nobody is left to tell.
            }
        }
    }

    /**
     * Waits until TCP has an error to tell, of a peer that is just resetting the connection, but no longer than a second.
     * A virtual thread leaves its carrier meanwhile; its interrupt ends the wait.
     *
     * @param events poll(2)'s, which end it too
     * @param deadline may end it before
     * @return false if TCP still has none: then something on the way has kept it back, and TCP won't tell; true if it has one, or
     *         the socket is closed, or by the interrupt: then TCP says what that means
     */
    public boolean awaitError(int events, long deadline) {
        int fd = acquire();
        if (fd < 0) {
            return true;
        }
        try {
            long until = Deadline.earlier(deadline, Deadline.in(ERROR_MILLIS_MAX));
            while (!hasError(fd, events, LOOK_MILLIS)) {
                if (Deadline.hasPassed(until)) {
                    return hasError(fd, events, 0); // it may have come while this thread had no processor
                }
            }
            return true;
        } finally {
            release();
        }
    }

    /** After a moment if it has none: a poll hears nothing of a close, whose turn is after it. */
    private boolean hasError(int fd, int events, int millis) {
        boolean virtual = VirtualThreads.isCurrent();
        if (Posix.poll(fd, events, -1, 0, virtual ? 0 : millis) != 0 || (users & CLOSED) != 0) {
            return true;
        }
        if (virtual) { // now and then: the poller may be watching the descriptor for somebody else, and it is over in no time
            LockSupport.parkNanos(BETWEEN_LOOKS_NANOS);
        }
        return virtual && Thread.currentThread().isInterrupted();
    }

    /**
     * Closes the socket, now or when the last user is out. That one may have to wait for a core, but not the peer: it hears
     * at once that nothing more comes, as it does of the JDK's. Never blocks.
     */
    public void close() throws IOException {
        synchronized (OPEN) {
            OPEN.remove(this);
        }
        int now;
        do {
            now = users;
        } while (!USERS.compareAndSet(this, now, now | CLOSED));
        if (now == 0) {
            tcp.close();
        } else if ((now & CLOSED) == 0) {
            endOutput();
        }
    }

    private void endOutput() {
        try {
            if (tcp.getOption(StandardSocketOptions.SO_LINGER) != 0) { // else it is to hear of a reset
                tcp.shutdownOutput();
            }
        } catch (IOException e) {
            // The last user was out just now, or it has been shut down before.
        }
    }
}

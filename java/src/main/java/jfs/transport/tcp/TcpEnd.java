package jfs.transport.tcp;

import java.io.IOException;
import java.net.StandardSocketOptions;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import java.util.concurrent.locks.LockSupport;
import jfs.nativelib.Posix;
import jfs.spi.TcpDescriptor;
import jfs.wait.Deadline;
import jfs.wait.News;
import jfs.wait.VirtualThreads;

/**
 * A TCP socket that keeps its descriptor alive while JFS itself uses it in a system call (END-4). The JDK closes a descriptor
 * when none of <em>its</em> readers and writers is inside; a poll of ours is not in that count, and would find itself
 * on a number that another socket has got since. So users are counted here, and the last one out closes.
 *
 * <p>The {@linkplain News news} is that a read would not block; asked for by who has acquired the descriptor.
 */
public abstract class TcpEnd implements TcpSocket, TcpDescriptor, News {

    private static final int CLOSED = 1 << 30;
    /** Long enough for a peer's threads to let go of its descriptor. */
    private static final int ERROR_MILLIS_MAX = 1_000;
    private static final int LOOK_MILLIS = 20;
    private static final long BETWEEN_LOOKS_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    private static final AtomicIntegerFieldUpdater<TcpEnd> USERS = AtomicIntegerFieldUpdater.newUpdater(TcpEnd.class, "users");

    /** How many use the descriptor now, plus CLOSED once close was asked for. Written by {@link #USERS}. */
    private volatile int users;

    TcpEnd() {
    }

    @Override
    public abstract TcpEnd accept() throws IOException;

    /** It has its connection. */
    public final void connected() {
        OwnDescriptors.add(descriptor(), getLocalPort());
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
                if (descriptor < 0) { // none any more: there is nothing that a caller would release
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
    public final boolean awaitError(int events, long deadline) {
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

    @Override
    public final boolean arrived() {
        return Posix.poll(descriptor(), Posix.POLLIN, -1, 0, 0) != 0;
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
    public final void closeWhenUnused() throws IOException {
        int now;
        do {
            now = users;
        } while (!USERS.compareAndSet(this, now, now | CLOSED));
        if (now == 0) {
            close();
        } else if ((now & CLOSED) == 0) {
            endOutput();
        }
    }

    private void endOutput() {
        try {
            if (getOption(StandardSocketOptions.SO_LINGER) != 0) { // else it is to hear of a reset
                shutdownOutput();
            }
        } catch (IOException e) {
            // The last user was out just now, or it has been shut down before.
        }
    }
}

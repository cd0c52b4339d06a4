package jfs.negotiation.handshake;

import java.util.function.BooleanSupplier;
import jfs.nativelib.Posix;
import jfs.threads.EventLoop;

/** A listening socket of the negotiation. The thread that makes it also opens it. Everything else is on the event loop's thread. */
public final class ListeningSocket implements EventLoop.Handler, Runnable {

    private static final long RETRY_MILLIS = 50;

    private final EventLoop loop;
    private final int listener;
    private final BooleanSupplier admit;
    private long tag; // guarded by this: the loop may tell of a client before open() has stored the tag
    private boolean closed;

    /**
     * @param listener its descriptor, which {@link #close} closes
     * @param admit accepts the clients that wait; false if some can't be accepted now, because no descriptor is left
     */
    public ListeningSocket(EventLoop loop, int listener, BooleanSupplier admit) {
        this.loop = loop;
        this.listener = listener;
        this.admit = admit;
    }

    /** @throws IllegalStateException if the kernel refuses, with errno's text; then the caller has to close the descriptor */
    public synchronized void open() {
        tag = loop.watch(listener, Posix.POLLIN, this);
    }

    @Override
    public void ready(int events) {
        if (!admit.getAsBoolean()) { // no descriptor is left: the socket stays readable, so it is not watched for a while
            pauseWatching();
        }
    }

    private synchronized void pauseWatching() {
        openLater(); // first: if this fails, the socket has to stay watched
        loop.unwatch(listener, tag);
    }

    private void openLater() {
        loop.after(RETRY_MILLIS, new Runnable() {
            @Override
            public void run() {
                openAgain();
            }
        });
    }

    private synchronized void openAgain() {
        try {
            if (!closed) {
                open();
            }
        } catch (IllegalStateException | OutOfMemoryError e) { // there is no memory for it now
            openLater();
        }
    }

    /** Closes the socket, as a task of the event loop. */
    @Override
    public void run() {
        close();
    }

    synchronized void close() {
        loop.unwatch(listener, tag);
        closed = true;
        Posix.close(listener);
    }
}

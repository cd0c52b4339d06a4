package jfs.negotiation;

import java.util.function.BooleanSupplier;
import jfs.nativelib.Posix;
import jfs.wait.EventLoop;

/** A listening socket. Opened by the thread that made it; everything else happens on the event loop's. */
final class Door implements EventLoop.Handler, Runnable {

    private static final long RETRY_MILLIS = 50;

    private final EventLoop loop;
    private final int listener;
    private final BooleanSupplier admit;
    private long tag; // guarded by this: the loop may hear of a client before the one who opens it has the tag
    private boolean closed;

    /**
     * @param listener its descriptor, which is this door's from now on
     * @param admit takes who waits; false if some can't be taken now, for want of descriptors
     */
    Door(EventLoop loop, int listener, BooleanSupplier admit) {
        this.loop = loop;
        this.listener = listener;
        this.admit = admit;
    }

    /** @throws IllegalStateException if the kernel refuses, with errno's text; the descriptor is the caller's then */
    synchronized void open() {
        tag = loop.watch(listener, Posix.POLLIN, this);
    }

    @Override
    public void ready(int events) {
        if (!admit.getAsBoolean()) { // no descriptor is left: the client stays readable, so look away for a moment
            lookAway();
        }
    }

    private synchronized void lookAway() {
        openLater(); // first: without it nobody would ever look again
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

    /** Closes it: a task of the loop's. */
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

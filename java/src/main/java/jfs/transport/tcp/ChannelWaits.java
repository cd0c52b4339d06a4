package jfs.transport.tcp;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.channels.ClosedSelectorException;
import java.nio.channels.SelectableChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.TimeUnit;
import jfs.wait.Deadline;
import jfs.wait.VirtualThreads;

/**
 * Waiting until a non-blocking channel can do something: at most one thread that reads (or accepts, or connects) and
 * one that writes.
 *
 * <p><b>Platform threads</b> take a selector for one wait. A process has {@value #SELECTORS} of them at most, since
 * each is two descriptors. Who finds none, because all are in use or no descriptor is left for another, parks as
 * virtual threads do, which costs two more changes of threads. An interrupt ends no wait and its status is kept.
 *
 * <p><b>Virtual threads</b> park, and {@link ChannelPoller one thread} waits for all of them: there may be thousands,
 * and before JDK 24 a select would hold their carrier. An interrupt is {@link InterruptedIOException}, which
 * {@code java.net} turns into the close that it documents.
 *
 * <p>Outside a wait the channel is in no thread's selector, and after {@link #end} in none at all. That matters because
 * closing a registered channel is only a promise: the descriptor stays until every selector has let go of it, so the
 * port would still be taken, linger 0 would send no reset, and a longer linger would be switched off.
 *
 * <p>Knows nothing of the socket, which the cleaner of an abandoned one could not stand.
 */
final class ChannelWaits {

    private static final int SELECTORS = 16;

    // Guarded by the class.
    private static final Deque<Selector> IDLE = new ArrayDeque<>(SELECTORS);
    /** In use and idle. */
    private static int selectors;

    private final SelectableChannel channel;
    private final ChannelPoller poller;

    // Guarded by this.
    private final List<Selector> selecting = new ArrayList<>(2);
    private final List<ChannelPoller.Watch> parked = new ArrayList<>(2);
    /** Somebody has, so the poller knows the channel. */
    private boolean everParked;
    private boolean ended;

    /** Has what waiting takes, so that running out of descriptors later ends no wait. */
    ChannelWaits(SelectableChannel channel) throws IOException {
        this.channel = channel;
        this.poller = ChannelPoller.get();
    }

    /**
     * Waits until the channel may be ready, the deadline, {@link #wake} or {@link #end}. May return early for no
     * reason: the caller looks at everything again.
     *
     * @param operation one of {@link SelectionKey}'s
     */
    void await(int operation, long deadline) throws IOException {
        if (VirtualThreads.isCurrent()) {
            park(operation, deadline);
            if (Thread.currentThread().isInterrupted()) {
                throw new InterruptedIOException();
            }
            return;
        }
        boolean interrupted = Thread.interrupted(); // an interrupted thread would not wait
        try {
            Selector selector = take();
            if (selector == null) {
                park(operation, deadline);
            } else {
                try {
                    select(selector, operation, deadline);
                } finally {
                    giveBack(selector);
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** @return null if there is none for this thread */
    private static synchronized Selector take() {
        Selector idle = IDLE.poll();
        if (idle != null || selectors == SELECTORS) {
            return idle;
        }
        try {
            Selector selector = Selector.open();
            selectors++;
            return selector;
        } catch (IOException e) {
            return null; // out of descriptors, which is nothing to a thread that reads
        }
    }

    private static synchronized void giveBack(Selector selector) {
        if (selector.isOpen()) {
            IDLE.push(selector);
        } else {
            selectors--;
        }
    }

    /** Leaves the selector without the channel, or closed. */
    private void select(Selector selector, int operation, long deadline) throws IOException {
        boolean reusable = false;
        try {
            SelectionKey key = enter(selector, operation);
            if (key != null) {
                try {
                    selector.select(ready -> { }, millisUntil(deadline));
                    key.cancel();
                    selector.selectNow(ready -> { }); // lets go of the channel
                } finally {
                    leave(selector);
                }
            }
            reusable = true;
        } catch (ClosedSelectorException e) {
            // by end()
        } finally {
            if (!reusable) {
                selector.close();
            }
        }
    }

    /** @return null if there is nothing to wait for any more */
    private synchronized SelectionKey enter(Selector selector, int operation) throws IOException {
        if (ended) {
            return null;
        }
        SelectionKey key = channel.register(selector, operation);
        selecting.add(selector);
        return key;
    }

    private synchronized void leave(Selector selector) {
        selecting.remove(selector);
    }

    private void park(int operation, long deadline) throws IOException {
        ChannelPoller.Watch watch;
        synchronized (this) {
            if (ended) {
                return;
            }
            everParked = true;
            watch = poller.watch(channel, operation);
            parked.add(watch);
        }
        try {
            watch.await(deadline);
        } finally {
            synchronized (this) {
                parked.remove(watch);
                poller.unwatch(channel, watch);
            }
        }
    }

    /** Makes those who wait look at their socket's state again. */
    synchronized void wake() {
        selecting.forEach(Selector::wakeup);
        parked.forEach(ChannelPoller.Watch::end);
    }

    /**
     * Ends all waits, for good. When this returns the channel is in no selector. It does wait for the threads that are
     * to let go, but only until they have been woken.
     */
    synchronized void end() throws IOException {
        ended = true;
        for (Selector selector : selecting) {
            selector.close();
        }
        if (everParked) {
            poller.forget(channel);
        }
        parked.forEach(ChannelPoller.Watch::end);
    }

    /** For {@link Selector#select(long)}, to which 0 is none. Rounded up: waking too early only means to wait again. */
    private static long millisUntil(long deadline) {
        return deadline == Deadline.NONE ? 0
                : Math.max(1, TimeUnit.NANOSECONDS.toMillis(Deadline.nanosUntil(deadline) + 999_999));
    }
}

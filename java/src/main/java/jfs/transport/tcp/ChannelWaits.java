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
import jfs.threads.VirtualThreads;
import jfs.wait.Deadline;

/**
 * The waits of threads for a non-blocking channel: at most one thread that reads (or accepts, or connects) and one thread
 * that writes.
 *
 * <p><b>Platform threads</b> take a selector for one wait. A process has {@value #SELECTORS} selectors at most, because each
 * takes two descriptors. A thread that gets none, because all are in use or no descriptor is left for another, parks as
 * virtual threads do. That costs two more switches of threads. An interrupt ends no wait, and its status is kept.
 *
 * <p><b>Virtual threads</b> park, and {@link ChannelPoller one thread} waits for all of them. There may be thousands, and
 * before JDK 24 a select would hold their carrier. An interrupt ends the wait with {@link InterruptedIOException}.
 * {@code java.net} then closes the socket, as it documents.
 *
 * <p>Outside a wait the channel is registered with no thread's selector, and after {@link #end} with no selector at all. This
 * matters because the close of a registered channel takes effect late: the descriptor stays open until every selector has
 * deregistered the channel. So the port would still be taken, linger 0 would send no reset, and a longer linger would be
 * switched off.
 *
 * <p>This object does not refer to the socket. Otherwise the cleaner of an abandoned socket would never run.
 */
final class ChannelWaits {

    private static final int SELECTORS = 16;

    // Guarded by the class.
    private static final Deque<Selector> IDLE = new ArrayDeque<>(SELECTORS);
    /** The number of selectors, in use and idle. */
    private static int selectors;

    private final SelectableChannel channel;
    private final ChannelPoller poller;

    // Guarded by this.
    private final List<Selector> selecting = new ArrayList<>(2);
    private final List<ChannelPoller.Watch> parked = new ArrayList<>(2);
    /** A thread has parked here, so the poller knows the channel. */
    private boolean everParked;
    private boolean ended;

    /** Gets all that a wait needs, so that no wait fails if the process runs out of descriptors later. */
    ChannelWaits(SelectableChannel channel) throws IOException {
        this.channel = channel;
        this.poller = ChannelPoller.get();
    }

    /**
     * Waits until the channel may be ready, the deadline, {@link #wake} or {@link #end}. The wake-up may be spurious, so the
     * caller looks at everything again.
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

    /** @return null if there is no selector for this thread */
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
            return null; // no descriptor is left, and a thread that reads must not fail for that
        }
    }

    private static synchronized void giveBack(Selector selector) {
        if (selector.isOpen()) {
            IDLE.push(selector);
        } else {
            selectors--;
        }
    }

    /** Afterwards the channel is not registered with the selector, or the selector is closed. */
    private void select(Selector selector, int operation, long deadline) throws IOException {
        boolean reusable = false;
        try {
            SelectionKey key = enter(selector, operation);
            if (key != null) {
                try {
                    selector.select(ready -> { }, millisUntil(deadline));
                    key.cancel();
                    selector.selectNow(ready -> { }); // deregisters the channel
                } finally {
                    leave(selector);
                }
            }
            reusable = true;
        } catch (ClosedSelectorException e) {
            // end() has closed the selector
        } finally {
            if (!reusable) {
                selector.close();
            }
        }
    }

    /** @return null if there are no waits any more */
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

    /** Makes the threads that wait look at their socket's state again. */
    synchronized void wake() {
        selecting.forEach(Selector::wakeup);
        parked.forEach(ChannelPoller.Watch::end);
    }

    /**
     * Ends all waits for good. When this returns the channel is registered with no selector. This call waits for the threads
     * that have to leave their selectors, but only until they have been woken.
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

    /**
     * The milliseconds until the deadline for {@link Selector#select(long)}, where 0 means no deadline. Rounded up, because a
     * thread that woke too early would only have to wait again.
     */
    private static long millisUntil(long deadline) {
        return deadline == Deadline.NONE ? 0
                : Math.max(1, TimeUnit.NANOSECONDS.toMillis(Deadline.nanosUntil(deadline) + 999_999));
    }
}

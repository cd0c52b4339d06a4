package jfs.transport.tcp;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.channels.ClosedSelectorException;
import java.nio.channels.SelectableChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import jfs.wait.Deadline;
import jfs.wait.VirtualThreads;

/**
 * Waiting until a non-blocking channel can do something: at most one thread that reads (or accepts, or connects) and
 * one that writes.
 *
 * <p><b>Platform threads</b> wait in a selector of their own, which they take for one wait: an idle socket has none,
 * and what a process has of them is as many as wait at once, or a few that are kept for the next. (One for each thread
 * would outlive it: nobody closes a selector that is garbage.) An interrupt ends no wait and its status is kept.
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

    private static final int KEPT = 16;
    private static final BlockingQueue<Selector> IDLE = new ArrayBlockingQueue<>(KEPT);

    private final SelectableChannel channel;

    // Guarded by this.
    private final List<Selector> selecting = new ArrayList<>(2);
    private final List<ChannelPoller.Watch> parked = new ArrayList<>(2);
    /** Once a virtual thread has waited. */
    private ChannelPoller poller;
    private boolean ended;

    ChannelWaits(SelectableChannel channel) {
        this.channel = channel;
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
        } else {
            select(operation, deadline);
        }
    }

    private void select(int operation, long deadline) throws IOException {
        boolean interrupted = Thread.interrupted(); // an interrupted thread would not wait
        try {
            Selector idle = IDLE.poll();
            Selector selector = idle != null ? idle : Selector.open();
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
                reusable = selector.isOpen();
            } catch (ClosedSelectorException e) {
                // by end()
            } finally {
                if (!reusable || !IDLE.offer(selector)) {
                    selector.close();
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
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
            if (poller == null) {
                poller = ChannelPoller.get();
            }
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
        if (Thread.currentThread().isInterrupted()) {
            throw new InterruptedIOException();
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
        if (poller != null) {
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

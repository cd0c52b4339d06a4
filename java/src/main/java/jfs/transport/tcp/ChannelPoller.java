package jfs.transport.tcp;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.CancelledKeyException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.SelectableChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import jfs.threads.EventLoop;
import jfs.threads.ServiceThreads;
import jfs.wait.Deadline;

/**
 * One daemon thread with one selector that waits for the channels of all threads that park. A channel stays registered
 * from its first watch until it is forgotten. Between watches it has no interest set, so the kernel does not see it.
 *
 * <p>Only that thread makes, changes and cancels keys, in the order of the calls. So it never meets a key that is cancelled
 * but still registered, and {@link #forget} is done after every watch that was asked for before.
 *
 * <p>Nothing ends that thread. What a task of one channel throws is reported. When the selector itself fails, the threads
 * that wait look again, and then wait with a new selector.
 */
final class ChannelPoller {

    /** The pause after a failure of the selector if there is no other one to replace it. */
    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

    private static ChannelPoller instance;

    /** One wait of one thread. */
    static final class Watch {
        private final Thread thread = Thread.currentThread();
        private final int operation;
        private volatile boolean over;
        /** The poller does not know this watch any more. */
        private volatile boolean dropped;

        private Watch(int operation) {
            this.operation = operation;
        }

        /** Parks the thread that made the watch until the watch is over, the deadline, or an interrupt. */
        void await(long deadline) {
            while (!over && !thread.isInterrupted() && !Deadline.hasPassed(deadline)) {
                if (deadline == Deadline.NONE) {
                    LockSupport.park(this);
                } else {
                    LockSupport.parkNanos(this, Deadline.nanosUntil(deadline));
                }
            }
        }

        /** From any thread. */
        void end() {
            over = true;
            LockSupport.unpark(thread);
        }

        private void drop() {
            dropped = true;
            end();
        }
    }

    /** Changed by the poller's thread only. */
    private volatile Selector selector;
    private final Queue<Runnable> tasks = new ConcurrentLinkedQueue<>();

    /** The poller of this process, made at first use. */
    static synchronized ChannelPoller get() throws IOException {
        if (instance == null) {
            instance = new ChannelPoller();
        }
        return instance;
    }

    private ChannelPoller() throws IOException {
        selector = Selector.open();
        boolean started = false;
        try {
            ServiceThreads.create("jfs-nio-poller", this::run).start();
            started = true;
        } catch (OutOfMemoryError | SecurityException e) { // no thread, or a security manager forbids it
            throw new IOException("thread jfs-nio-poller: " + e.getMessage(), e);
        } finally {
            if (!started) {
                selector.close();
            }
        }
    }

    /** Begins to watch for the current thread; never blocks. */
    Watch watch(SelectableChannel channel, int operation) {
        Watch watch = new Watch(operation);
        execute(() -> add(channel, watch));
        return watch;
    }

    /** Ends a watch, whatever has ended its wait. Never blocks. */
    void unwatch(SelectableChannel channel, Watch watch) {
        if (!watch.dropped) {
            execute(() -> remove(channel, watch));
        }
    }

    /** Ends the channel's watches and deregisters the channel. Returns when that is done. */
    void forget(SelectableChannel channel) {
        CountDownLatch done = new CountDownLatch(1);
        execute(() -> {
            try {
                cancel(channel);
            } finally {
                done.countDown();
            }
        });
        boolean interrupted = false;
        for (;;) {
            try {
                done.await();
                break;
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private void execute(Runnable task) {
        tasks.add(task);
        selector.wakeup();
    }

    // Called by the poller's thread.

    private void run() {
        for (;;) {
            try {
                round();
            } catch (Throwable e) {
                // There was no memory for a report. The thread goes on with the next round.
            }
        }
    }

    private void round() {
        try {
            selector.select(ChannelPoller::ready);
        } catch (Throwable e) {
            EventLoop.guarded(() -> renew(e));
        }
        Thread.interrupted(); // a program may interrupt all threads, and the next select would not wait
        for (Runnable task = tasks.poll(); task != null; task = tasks.poll()) {
            EventLoop.guarded(task);
        }
    }

    /** Replaces the selector by a new one. If there is none, the thread goes on with the present one after a pause. */
    private void renew(Throwable reason) {
        Selector failed = selector;
        try {
            failed.keys().forEach(ChannelPoller::dropAll);
            selector = Selector.open();
            failed.close();
        } catch (IOException | OutOfMemoryError e) {
            LockSupport.parkNanos(PAUSE_NANOS);
        }
        throw new IllegalStateException("jfs-nio-poller can't select", reason); // to be reported
    }

    private static void ready(SelectionKey key) {
        try {
            int operations = key.readyOps();
            watches(key).removeIf(watch -> {
                boolean hit = (watch.operation & operations) != 0;
                if (hit) {
                    watch.drop();
                }
                return hit;
            });
            arm(key);
        } catch (CancelledKeyException e) {
            dropAll(key); // other code has closed the channel
        }
    }

    private void add(SelectableChannel channel, Watch watch) {
        boolean added = false;
        try {
            SelectionKey key = channel.keyFor(selector);
            if (key == null) {
                key = channel.register(selector, 0, new ArrayList<Watch>(2));
            }
            watches(key).add(watch);
            arm(key);
            added = true;
        } catch (ClosedChannelException | CancelledKeyException e) {
            // the thread that waits finds that out
        } finally {
            if (!added) {
                watch.drop();
            }
        }
    }

    private void remove(SelectableChannel channel, Watch watch) {
        SelectionKey key = channel.keyFor(selector);
        if (key != null && watches(key).remove(watch) && key.isValid()) {
            arm(key);
        }
    }

    private void cancel(SelectableChannel channel) {
        SelectionKey key = channel.keyFor(selector);
        if (key == null) {
            return;
        }
        dropAll(key);
        key.cancel();
        try {
            selector.selectNow(ChannelPoller::ready);
        } catch (IOException e) {
            throw new UncheckedIOException("jfs-nio-poller can't select", e);
        }
    }

    private static void dropAll(SelectionKey key) {
        watches(key).forEach(Watch::drop);
        watches(key).clear();
    }

    private static void arm(SelectionKey key) {
        int operations = 0;
        for (Watch watch : watches(key)) {
            operations |= watch.operation;
        }
        key.interestOps(operations);
    }

    @SuppressWarnings("unchecked")
    private static List<Watch> watches(SelectionKey key) {
        return (List<Watch>) key.attachment();
    }
}

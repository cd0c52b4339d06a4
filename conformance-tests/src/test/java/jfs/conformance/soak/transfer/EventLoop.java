package jfs.conformance.soak.transfer;

import java.io.IOException;
import java.nio.channels.CancelledKeyException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.SelectableChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.util.Iterator;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.ThreadFactory;
import java.util.function.Consumer;

/** A thread with a selector, for many channels. An interrupt of this thread changes nothing. */
final class EventLoop {

    private static final int SELECT_MILLIS_MAX = 100;

    private final Selector selector = Selector.open();
    private final Queue<Runnable> tasks = new ConcurrentLinkedQueue<>();
    private final Thread thread;

    /** What a key's attachment does in the loop's thread when the key is ready. */
    interface Handler {
        void ready(SelectionKey key);
    }

    /** @param failed is told of what ends the loop */
    EventLoop(ThreadFactory threads, Consumer<Throwable> failed) throws IOException {
        thread = threads.newThread(() -> {
            try {
                run(new Random());
            } catch (Throwable e) {
                failed.accept(e);
            }
        });
        thread.start();
    }

    private void run(Random random) throws IOException {
        for (;;) {
            int whim = random.nextInt(10);
            if (whim == 0) {
                selector.select(EventLoop::handle);
            } else if (whim == 1) {
                selector.selectNow();
            } else if (whim == 2) {
                selector.select(1 + random.nextInt(SELECT_MILLIS_MAX));
            } else {
                selector.select();
            }
            Thread.interrupted(); // otherwise the next selection would return at once
            for (Runnable task = tasks.poll(); task != null; task = tasks.poll()) {
                task.run();
            }
            for (Iterator<SelectionKey> ready = selector.selectedKeys().iterator(); ready.hasNext();) {
                SelectionKey key = ready.next();
                ready.remove();
                handle(key);
            }
        }
    }

    private static void handle(SelectionKey key) {
        if (key.isValid()) {
            ((Handler) key.attachment()).ready(key);
        }
    }

    void execute(Runnable task) {
        tasks.add(task);
        selector.wakeup();
    }

    /** Has the loop's thread do this, and waits for it. */
    private <T> T call(Callable<T> work) throws IOException {
        FutureTask<T> task = new FutureTask<>(work);
        execute(task);
        try {
            return task.get();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof IOException failure) {
                throw failure;
            }
            throw new IllegalStateException(e.getCause());
        }
    }

    /** Registers a channel in non-blocking mode, in this thread or in the loop's. */
    SelectionKey register(SelectableChannel channel, int operations, Handler handler, boolean here) throws IOException {
        if (!here) {
            return call(() -> channel.register(selector, operations, handler));
        }
        SelectionKey key = channel.register(selector, operations, handler);
        selector.wakeup(); // a selection that has begun does not know the key
        return key;
    }

    /** Cancels a key. The selector has let go of the channel afterwards. */
    void deregister(SelectionKey key) throws IOException {
        call(() -> {
            key.cancel();
            return selector.selectNow(); // the loop comes by the selected keys
        });
    }

    /** Has the selector look for more operations from now on. */
    void want(SelectionKey key, int operation) throws IOException {
        try {
            key.interestOpsOr(operation);
        } catch (CancelledKeyException e) {
            throw new ClosedChannelException();
        }
        selector.wakeup();
    }

    void wakeup() {
        selector.wakeup();
    }

    void interrupt() {
        thread.interrupt();
    }

    /** The number of keys of connections. */
    long keys() throws IOException {
        return call(() -> selector.keys().stream().filter(key -> key.channel() instanceof SocketChannel).count());
    }
}

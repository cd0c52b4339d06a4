package jfs.wait;

import java.util.ArrayDeque;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import jfs.nativelib.Posix;

/**
 * A daemon thread that waits for descriptors, deadlines and tasks. Handlers, timers and tasks run on it, so what only
 * they touch needs no locks. {@link #execute}, {@link #watch} and {@link #unwatch} may be called from any thread,
 * {@link #after} on the loop's thread only. None of them blocks.
 */
public final class EventLoop {

    /** Told when its descriptor is ready, on the loop's thread. */
    public interface Handler {
        void ready(int events);
    }

    /** A task with a deadline. */
    public static final class Timer {
        private final long at;
        private Runnable task;

        private Timer(long at, Runnable task) {
            this.at = at;
            this.task = task;
        }

        /** On the loop's thread. */
        public void cancel() {
            task = null;
        }
    }

    private final int epoll;
    private final int wakeUp;
    private final Map<Long, Handler> handlers = new ConcurrentHashMap<>();
    private final PriorityQueue<Timer> timers = new PriorityQueue<>((a, b) -> Long.compare(a.at, b.at));
    private final Queue<Runnable> tasks = new ArrayDeque<>(); // guarded by itself
    private volatile boolean ending;
    private final AtomicLong tags = new AtomicLong();

    /**
     * @param name of its thread
     * @throws IllegalStateException if there are no descriptors or no thread to be had now; nothing is left behind
     */
    public EventLoop(String name) {
        epoll = Posix.epollCreate();
        wakeUp = Posix.eventCreate();
        boolean done = false;
        try {
            if (epoll < 0 || wakeUp < 0) {
                throw new IllegalStateException("epoll or eventfd: " + Posix.errorText(-Math.min(epoll, wakeUp)));
            }
            Posix.epollAdd(epoll, wakeUp, Posix.POLLIN, 0);
            Thread thread = new Thread(null, this::run, name, 256 << 10, false);
            thread.setDaemon(true);
            thread.setContextClassLoader(null);
            thread.start();
            done = true;
        } catch (OutOfMemoryError e) { // what the JVM calls it when the system has no thread for it
            throw new IllegalStateException("thread " + name + ": " + e.getMessage(), e);
        } finally {
            if (!done) {
                closeIfOpen(epoll);
                closeIfOpen(wakeUp);
            }
        }
    }

    private static void closeIfOpen(int fd) {
        if (fd >= 0) {
            Posix.close(fd);
        }
    }

    /**
     * Ends the thread when the JVM shuts down; what is asked of it from then on is not done. For a loop that nobody waits
     * for: HotSpot gives threads in native code up to 300 ms to come out of it before it exits.
     */
    public EventLoop endingAtShutdown() {
        try {
            Runtime.getRuntime().addShutdownHook(new Thread(() -> {
                ending = true;
                Posix.eventSignal(wakeUp);
            }, "jfs-shutdown"));
        } catch (IllegalStateException e) {
            ending = true; // it is shutting down now
            Posix.eventSignal(wakeUp);
        }
        return this;
    }

    /** Runs a task on the loop's thread, soon. From any thread; never blocks. */
    public void execute(Runnable task) {
        boolean first;
        synchronized (tasks) {
            first = tasks.isEmpty();
            tasks.add(task);
        }
        if (first) {
            Posix.eventSignal(wakeUp);
        }
    }

    /**
     * Calls the handler whenever one of the events, an error or a hang-up is there; with {@link Posix#EPOLLONESHOT}
     * only once.
     *
     * @return what {@link #unwatch} wants
     * @throws IllegalStateException if the kernel refuses, with errno's text
     */
    public long watch(int fd, int events, Handler handler) {
        long tag = tags.incrementAndGet();
        handlers.put(tag, handler);
        int status = Posix.epollAdd(epoll, fd, events, tag);
        if (status < 0) {
            handlers.remove(tag);
            throw new IllegalStateException("epoll_ctl: " + Posix.errorText(-status));
        }
        return tag;
    }

    /** Stops watching; before the descriptor is closed. A handler that is just being called may still finish. */
    public void unwatch(int fd, long tag) {
        if (handlers.remove(tag) != null) {
            Posix.epollRemove(epoll, fd);
        }
    }

    public Timer after(long millis, Runnable task) {
        Timer timer = new Timer(System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis), task);
        timers.add(timer);
        return timer;
    }

    private void run() {
        long[] ready = new long[128];
        while (!ending) {
            int n = Posix.epollWait(epoll, ready, millisToNextTimer());
            for (int i = 0; i < n; i++) {
                if (ready[2 * i] == 0) {
                    Posix.eventClear(wakeUp);
                } else {
                    Handler handler = handlers.get(ready[2 * i]); // null: unwatched by an earlier one of this round
                    if (handler != null) {
                        int events = (int) ready[2 * i + 1];
                        guarded(() -> handler.ready(events));
                    }
                }
            }
            runTasks();
            runTimers();
        }
    }

    private void runTasks() {
        for (;;) {
            Runnable task;
            synchronized (tasks) {
                task = tasks.poll();
            }
            if (task == null) {
                return;
            }
            guarded(task);
        }
    }

    private void runTimers() {
        for (Timer next = timers.peek(); next != null
                && (next.task == null || next.at - System.nanoTime() <= 0); next = timers.peek()) {
            timers.poll();
            if (next.task != null) {
                guarded(next.task);
            }
        }
    }

    private int millisToNextTimer() {
        Timer next = timers.peek();
        if (next == null) {
            return -1;
        }
        long nanos = next.at - System.nanoTime();
        return nanos <= 0 ? 0 : (int) Math.min(60_000, TimeUnit.NANOSECONDS.toMillis(nanos) + 1);
    }

    /** One connection's trouble must not end the thread that all others need: it is reported instead. */
    public static void guarded(Runnable task) {
        try {
            task.run();
        } catch (Throwable e) {
            Thread.UncaughtExceptionHandler handler = Thread.getDefaultUncaughtExceptionHandler();
            if (handler != null) {
                handler.uncaughtException(Thread.currentThread(), e);
            } else {
                System.err.println("jfs: " + Thread.currentThread().getName() + ": " + e);
            }
        }
    }
}

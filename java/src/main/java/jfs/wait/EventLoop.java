package jfs.wait;

import java.util.ArrayDeque;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;
import jfs.nativelib.Posix;

/**
 * A daemon thread that waits for descriptors, deadlines and tasks. Handlers, timers and tasks run on it, so what only
 * they touch needs no locks. All methods but {@link #after} may be called from any thread. None of them blocks.
 */
public final class EventLoop {

    /** Told when its descriptor is ready, on the loop's thread. */
    public interface Handler {
        void ready(int events);

        /** The loop has {@linkplain #endingAtShutdown ended}: its descriptor is watched no more. On the loop's thread. */
        default void ended() {
        }
    }

    /** A task with a deadline. */
    public final class Timer implements Comparable<Timer> {
        private final long at;
        private Runnable task;

        private Timer(long at, Runnable task) {
            this.at = at;
            this.task = task;
        }

        @Override
        public int compareTo(Timer other) {
            return Long.compare(at, other.at);
        }

        /** On the loop's thread. Idempotent; also when it has run. */
        public void cancel() {
            if (task != null) {
                task = null;
                cancelled++;
                forgetCancelled();
            }
        }
    }

    /** As many cancelled timers are kept until their time comes, whatever the others are. */
    private static final int CANCELLED_MAX = 1024;

    private static final long MEMORY_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

    private final int epoll;
    private final int wakeUp;
    private final Map<Long, Handler> handlers = new ConcurrentHashMap<>();
    private final PriorityQueue<Timer> timers = new PriorityQueue<>();
    /** How many of them are cancelled: a peer that comes and goes may make many. */
    private int cancelled;
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
            int status = Posix.epollAdd(epoll, wakeUp, Posix.POLLIN, 0);
            if (status < 0) { // it would never hear of a task
                throw new IllegalStateException("epoll_ctl: " + Posix.errorText(-status));
            }
            ServiceThreads.create(name, new Runnable() {
                @Override
                public void run() {
                    EventLoop.this.run();
                }
            }).start();
            done = true;
        } catch (OutOfMemoryError | SecurityException e) { // no thread, or a security manager forbids it
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
     * Ends the thread when the JVM shuts down; what is asked of it from then on is not done. HotSpot gives threads in native code up
     * to 300 ms to come out of it before it exits. A thread that waits for the loop learns of its end by {@link
     * Handler#ended} and {@link #isEnding}.
     */
    public EventLoop endingAtShutdown() {
        if (!ServiceThreads.atShutdown("jfs-shutdown", new Runnable() {
            @Override
            public void run() {
                end();
            }
        })) {
            end();
        }
        return this;
    }

    /**
     * Whether the loop has ended, or will end soon. If not, every handler that is there now will be told of the end ({@link
     * Handler#ended}).
     */
    public boolean isEnding() {
        return ending;
    }

    private void end() {
        ending = true;
        Posix.eventSignal(wakeUp);
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
     * @return what {@link #unwatch} and {@link #forget} want
     * @throws IllegalStateException if the kernel refuses, with errno's text
     */
    public Long watch(int fd, int events, Handler handler) {
        Long tag = tags.incrementAndGet();
        handlers.put(tag, handler);
        int status = Posix.epollAdd(epoll, fd, events, tag);
        if (status < 0) {
            handlers.remove(tag);
            throw new IllegalStateException("epoll_ctl: " + Posix.errorText(-status));
        }
        return tag;
    }

    /**
     * Watches the same descriptor for these events from now on. What is there now is told again, with {@link Posix#EPOLLET} too. From one
     * thread at a time.
     *
     * @throws IllegalStateException if the kernel refuses, with errno's text; then it is watched as before
     */
    public void rewatch(int fd, int events, long tag) {
        int status = Posix.epollModify(epoll, fd, events, tag);
        if (status < 0) {
            throw new IllegalStateException("epoll_ctl: " + Posix.errorText(-status));
        }
    }

    /** Stops watching; before the descriptor is closed. A handler that is just being called may still finish. */
    public void unwatch(int fd, long tag) {
        if (handlers.remove(tag) != null) {
            Posix.epollRemove(epoll, fd);
        }
    }

    /** As {@link #unwatch}, for a descriptor that is closed, or about to be, by its last user: so the kernel knows. Makes no object. */
    public void forget(Long tag) {
        handlers.remove(tag);
    }

    public Timer after(long millis, Runnable task) {
        Timer timer = new Timer(System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis), task);
        timers.add(timer);
        return timer;
    }

    private void run() {
        long[] ready = new long[128];
        while (!ending) {
            long before = System.nanoTime();
            int n = Posix.epollWait(epoll, ready, millisToNextWork());
            for (int i = 0; i < n; i++) {
                if (ready[2 * i] == 0) {
                    Posix.eventClear(wakeUp);
                } else {
                    tell(ready[2 * i], (int) ready[2 * i + 1]);
                }
            }
            runTasks();
            runTimers(before);
        }
        for (Handler handler : handlers.values()) {
            try {
                handler.ended();
            } catch (Throwable e) {
                report(e);
            }
        }
    }

    private void tell(long tag, int events) {
        try {
            Handler handler = handlerOf(tag); // null: unwatched by an earlier one of this round
            if (handler != null) {
                handler.ready(events);
            }
        } catch (Throwable e) {
            report(e);
        }
    }

    /** An edge is told once, so it is not lost because the memory for one object is missing just now: the look-up boxes the tag. */
    private Handler handlerOf(long tag) {
        for (;;) {
            try {
                return handlers.get(tag);
            } catch (OutOfMemoryError e) {
                LockSupport.parkNanos(MEMORY_PAUSE_NANOS);
            }
        }
    }

    /** Those that are here now: those that come meanwhile, of tasks too, must not keep descriptors and timers waiting. */
    private void runTasks() {
        int now;
        synchronized (tasks) {
            now = tasks.size();
        }
        for (; now > 0; now--) {
            Runnable next;
            synchronized (tasks) {
                next = tasks.remove();
            }
            guarded(next);
        }
    }

    /**
     * Those that were due before the descriptors were looked at: a process that was stopped, or starved, for so long
     * finds what has come in time before it takes it for missing.
     */
    private void runTimers(long looked) {
        for (Timer next = timers.peek(); next != null && (next.task == null || next.at - looked <= 0);
                next = timers.peek()) {
            timers.poll();
            Runnable task = next.task;
            next.task = null;
            if (task != null) {
                guarded(task);
            } else {
                cancelled--;
            }
        }
    }

    private void forgetCancelled() {
        if (cancelled >= CANCELLED_MAX && cancelled > timers.size() / 2) {
            try {
                timers.removeIf(new Predicate<>() {
                    @Override
                    public boolean test(Timer timer) {
                        return timer.task == null;
                    }
                });
                cancelled = 0;
            } catch (OutOfMemoryError e) {
                // The next one tries again; who cancels goes on.
            }
        }
    }

    private int millisToNextWork() {
        synchronized (tasks) {
            if (!tasks.isEmpty()) {
                return 0; // they came while others ran, unannounced
            }
        }
        Timer next = timers.peek();
        if (next == null) {
            return -1;
        }
        long nanos = next.at - System.nanoTime();
        return nanos <= 0 ? 0 : (int) Math.min(60_000, TimeUnit.NANOSECONDS.toMillis(nanos) + 1);
    }

    /**
     * One connection's trouble must not end the thread that all others need: it is reported instead. That goes for an
     * OutOfMemoryError too; so between tasks and handlers the loop allocates nothing.
     */
    public static void guarded(Runnable task) {
        try {
            task.run();
        } catch (Throwable e) {
            report(e);
        }
    }

    private static void report(Throwable trouble) {
        try {
            Thread.UncaughtExceptionHandler handler = Thread.getDefaultUncaughtExceptionHandler();
            if (handler != null) {
                handler.uncaughtException(Thread.currentThread(), trouble);
            } else {
                System.err.println("jfs: " + Thread.currentThread().getName() + ": " + trouble);
            }
        } catch (Throwable e) {
            // The handler's own, or no memory to say it.
        }
    }
}
